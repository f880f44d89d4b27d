"""The rules, against naive ones that were written without a look at them."""

import itertools
import random
import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import svg
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.position import Position, side_by_side
from course_lib.twospeed import fast
from tests.naive import counts
from tests.sample import (
    after,
    all_states,
    naively,
    name,
    noughts_and_crosses,
    random_actions,
    random_lines_of_play,
    result_for_first,
    twin,
)

# ---- how many positions, how many ways -------------------------------------------------------

TO_DEPTH = [
    (TicTacToe(2), None),
    (TicTacToe(3), None),
    (TicTacToe(4), 4),
    (TicTacToe(5), 3),
    (TicTacToe(6), 2),
    (Connect4(3, 3, 3), None),
    (Connect4(2, 5, 3), None),
    (Connect4(4, 3, 2), None),
    (Connect4(3, 3, 2), None),
    (Connect4(4, 5, 3), 6),
    (Connect4(5, 6, 4), 5),
    (Connect4(6, 7, 4), 5),
    (DotsAndBoxes(1, 1), None),
    (DotsAndBoxes(1, 2), None),
    (DotsAndBoxes(2, 1, True), None),
    (DotsAndBoxes(2, 2), None),
    (DotsAndBoxes(3, 3), 3),
]


def layers(game, depth):
    """For each depth: state -> number of move sequences that lead to it."""
    found = [Counter([game.start()])]
    while depth is None or len(found) <= depth:
        following = Counter()
        for state, ways in found[-1].items():
            if not game.over(state):
                for action in game.actions(state):
                    following[game.play(state, action)] += ways
        if not following:
            break
        found.append(following)
    return found


@pytest.mark.parametrize(("game", "depth"), TO_DEPTH, ids=lambda value: str(value))
def test_play_reaches_the_positions_of_the_naive_rules_in_as_many_ways(game, depth):
    naive = twin(game)
    ours, theirs = layers(game, depth), counts.layers(naive, depth)
    assert len(ours) == len(theirs) > 1
    for layer, expected in zip(ours, theirs, strict=True):
        assert {naively(game, state): ways for state, ways in layer.items()} == expected
        for state in layer:
            position = naively(game, state)
            assert game.over(state) == naive.finished(position)
            if game.over(state):
                assert result_for_first(game, state) == naive.outcome(position)
            else:
                assert game.mover(state) == naive.to_move(position)


@pytest.mark.parametrize(("game", "depth"), TO_DEPTH, ids=lambda value: str(value))
def test_no_two_positions_share_a_key(game, depth):
    naive = twin(game)
    keys = [{game.key(state) for state in layer} for layer in layers(game, depth)]
    for ours, theirs in zip(keys, counts.layers(naive, depth), strict=True):
        if isinstance(game, DotsAndBoxes):  # whose box is where does not matter, the score does
            theirs = {counts.dots_lines_player_margin(naive, position) for position in theirs}
        assert len(ours) == len(theirs)
    assert len(set().union(*keys)) == sum(map(len, keys))
    assert all(0 <= key < 1 << 62 for layer in keys for key in layer)


def sequences(game, state, depth):
    """Move sequences of this length, one by one."""
    if depth == 0:
        return 1
    if game.over(state):
        return 0
    number = 0
    for action in game.actions(state):
        number += sequences(game, game.play(state, action), depth - 1)
    return number


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (TicTacToe(), [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]),
        (Connect4(), [1, 7, 49, 343, 2401, 16807, 117649, 823536]),
        (DotsAndBoxes(1, 2), [1, 7, 42, 210, 840, 2520, 5040, 5040]),
    ],
    ids=["TicTacToe", "Connect4", "DotsAndBoxes"],
)
def test_compiled_rules_count_the_published_numbers_of_move_sequences(game, expected):
    count = fast(sequences)
    assert [count(game, game.start(), depth) for depth in range(len(expected))] == expected


def test_noughts_and_crosses_has_5478_positions_in_a_tree_of_549946_nodes():
    game = TicTacToe()
    found = layers(game, None)
    assert sum(map(len, found)) == 5478
    assert sum(layer.total() for layer in found) == 549_946


def test_noughts_and_crosses_has_765_essentially_distinct_positions_of_which_627_go_on():
    game = TicTacToe()
    every = all_states(game)
    assert len({game.canonical(state)[0] for state in every}) == 765
    assert len({game.canonical(state)[0] for state in every if not game.over(state)}) == 627


def test_menace_needs_1_12_108_183_boxes_and_34_for_the_forced_ninth_move():
    game = TicTacToe()
    boxes = {0: set(), 2: set(), 4: set(), 6: set(), 8: set()}
    for state in all_states(game):
        if not game.over(state) and game.mover(state) == 0:
            boxes[game.ply(state)].add(game.canonical(state)[0])
    assert [len(keys) for keys in boxes.values()] == [1, 12, 108, 183, 34]


# ---- random games, move for move -------------------------------------------------------------

SHAPES = [
    TicTacToe(2),
    TicTacToe(3),
    TicTacToe(4),
    TicTacToe(5),
    TicTacToe(6),
    Connect4(6, 7, 4),
    Connect4(7, 6, 4),
    Connect4(4, 4, 4),
    Connect4(5, 5, 5),
    Connect4(3, 8, 3),
    Connect4(8, 3, 3),
    Connect4(1, 9, 2),
    Connect4(1, 20, 5),
    Connect4(9, 1, 3),
    Connect4(20, 2, 5),
    Connect4(2, 20, 4),
    Connect4(5, 10, 5),
    DotsAndBoxes(1, 1),
    DotsAndBoxes(1, 4),
    DotsAndBoxes(4, 1, True),
    DotsAndBoxes(2, 3, True),
    DotsAndBoxes(3, 2),
    DotsAndBoxes(4, 5),
]


def follow(game, choices):
    """Play by `choices` (numbers that pick among the legal moves) with both sets of rules."""
    naive, state = twin(game), game.start()
    position = naive.start()
    for choice in choices:
        assert naively(game, state) == position
        assert game.over(state) == naive.finished(position)
        if game.over(state):
            break
        legal = list(game.actions(state))
        assert legal == naive.moves(position)
        assert game.mover(state) == naive.to_move(position)
        state, position = (
            game.play(state, legal[choice % len(legal)]),
            naive.play(position, legal[choice % len(legal)]),
        )
    if game.over(state):
        assert result_for_first(game, state) == naive.outcome(position)
    return state


@pytest.mark.parametrize("game", SHAPES, ids=name)
def test_random_games_go_as_by_the_naive_rules(game):
    rng = random.Random(1)
    for _ in range(8):
        state = follow(game, [rng.randrange(1000) for _ in range(game.longest() + 1)])
        assert game.over(state), "longest() promised that the game would be over by now"


def boards():
    """Any shape of any game that the constructors allow, small enough to be quick."""
    connect4 = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
        lambda shape: (
            st.builds(
                Connect4, st.just(shape[0]), st.just(shape[1]), st.integers(2, max(2, *shape))
            )
            if max(shape) > 1
            else st.just(Connect4(1, 2, 2))
        )
    )
    dots = st.builds(DotsAndBoxes, st.integers(1, 3), st.integers(1, 3), st.booleans())
    return st.one_of(st.builds(TicTacToe, st.integers(2, 5)), connect4, dots)


@settings(max_examples=150, deadline=None)
@given(boards(), st.lists(st.integers(0, 10_000), max_size=60))
def test_any_sequence_of_legal_moves_goes_as_by_the_naive_rules(game, choices):
    follow(game, choices)


@settings(max_examples=150, deadline=None)
@given(boards(), st.lists(st.integers(0, 10_000), max_size=60))
def test_passing_the_turn_changes_who_moves_and_nothing_else(game, choices):
    state = follow(game, choices)
    passed = game.pass_turn(state)
    assert game.mover(passed) == 1 - game.mover(state)
    assert game.pass_turn(passed) == state
    assert list(game.actions(passed)) == list(game.actions(state))


# ---- lines and their edges -------------------------------------------------------------------


def with_pieces(game, squares, player):
    """A Connect4 board that holds nothing but these pieces (row, column) of one player."""
    bits = sum(1 << column * (game.rows + 1) + row for row, column in squares)
    board = type(game.start())
    return board(bits, 0, 1) if player == 0 else board(0, bits, 0)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    "game",
    [Connect4(6, 7, 4), Connect4(7, 6, 4), Connect4(4, 5, 3), Connect4(3, 9, 2), Connect4(5, 5, 5)],
    ids=name,
)
def test_k_in_a_row_win_everywhere_on_the_board_and_nothing_else_does(game, player):
    """Each run of k squares in all four directions, from edge to edge; k - 1 of them don't win."""
    runs = 0
    for row, column in itertools.product(range(game.rows), range(game.cols)):
        for up, right in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            run = [(row + up * n, column + right * n) for n in range(game.k)]
            if run[-1][0] not in range(game.rows) or run[-1][1] not in range(game.cols):
                continue
            runs += 1
            state = with_pieces(game, run, player)
            assert game.has_line(state) and game.over(state) and game.result(state) == -1
            assert Position(game, state).status() == f"{'XO'[player]} wins"
            for gap in range(game.k):
                assert not game.has_line(with_pieces(game, run[:gap] + run[gap + 1 :], player))
    across = game.cols - game.k + 1
    along = game.rows - game.k + 1
    expected = max(along, 0) * game.cols + across * game.rows + 2 * max(along, 0) * across
    assert runs == expected > 0


@pytest.mark.parametrize(
    "game", [Connect4(6, 7, 4), Connect4(4, 5, 3), Connect4(1, 9, 2), Connect4(5, 4, 4)], ids=name
)
def test_no_line_runs_over_the_top_of_a_column_or_around_the_side(game):
    """Steps that leave the board and come in again on the other side, as numbers might."""
    squares = [(row, column) for column in range(game.cols) for row in range(game.rows)]
    naive, wrapped = twin(game), 0
    for start, step in itertools.product(range(len(squares)), range(1, game.rows + 2)):
        run = [squares[n] for n in range(start, len(squares), step)][: game.k]
        if len(run) < game.k:
            continue
        cells = dict.fromkeys(run, 0)
        straight = len({(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(run)}) == 1
        bent = not straight or abs(run[1][0] - run[0][0]) > 1 or run[1][1] - run[0][1] > 1
        wrapped += bent
        assert game.has_line(with_pieces(game, run, 0)) == any(
            all(cells.get((r + up * n, c + right * n)) == 0 for n in range(naive.k))
            for r, c in run
            for up, right in ((1, 0), (0, 1), (1, 1), (-1, 1))
        )
    assert wrapped > 0


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_rows_columns_and_diagonals_win_and_a_broken_diagonal_does_not(size):
    game = TicTacToe(size)
    board = type(game.start())
    lines = [[r * size + i for i in range(size)] for r in range(size)]
    lines += [[i * size + c for i in range(size)] for c in range(size)]
    lines += [[i * (size + 1) for i in range(size)], [(i + 1) * (size - 1) for i in range(size)]]
    for line in lines:
        bits = sum(1 << square for square in line)
        assert game.line(board(bits, 0, 1)) == game.line(board(0, bits, 0)) == bits
        assert game.line(board(bits, 0, 0)) == 0, "only who moved last can have made a line"
        for square in line:
            assert game.line(board(bits & ~(1 << square), 0, 1)) == 0
    for shift in range(1, size):
        broken = sum(1 << i * size + (i + shift) % size for i in range(size))
        if size > 2:
            assert game.line(board(broken, 0, 1)) == 0
    around = sum(1 << 1 + n for n in range(size))
    if size > 2:  # where it is the other diagonal
        assert game.line(board(around, 0, 1)) == 0, "from the end of one row into the next"


# ---- dots and boxes --------------------------------------------------------------------------


def test_who_closes_a_box_draws_again():
    """
    •---•   •     X draws 0, O 2, X 5: now O closes the box with 3, and is to move again.
    | O |
    •---•   •
    """
    game = DotsAndBoxes(1, 2)
    state = after(game, [0, 2, 5])
    assert game.mover(state) == 1
    state = game.play(state, 3)
    assert (state.first, state.second) == (0, 0b01)
    assert game.mover(state) == 1
    assert game.mover(game.play(state, 1)) == 0


def test_one_line_closes_two_boxes_at_once():
    """
    •---•---•
    |   :   |     the line in the middle (3) comes last and is worth both boxes
    •---•---•
    """
    game = DotsAndBoxes(1, 2)
    state = after(game, [0, 1, 2, 4, 5, 6])
    closer = game.mover(state)
    end = game.play(state, 3)
    assert (end.first, end.second)[closer] == 0b11
    assert game.over(end) and game.result(end) == 1 and game.mover(end) == closer


def test_with_an_equal_score_either_nobody_wins_or_the_starter_loses():
    drawn, strict = DotsAndBoxes(1, 2), DotsAndBoxes(1, 2, tie_loses=True)
    moves = [0, 2, 5, 1, 3, 4, 6]  # X takes the left box and must draw again, O the right one
    state = after(drawn, moves)
    assert (state.first, state.second) == (0b01, 0b10)
    assert result_for_first(drawn, state) == 0
    assert result_for_first(strict, after(strict, moves)) == -1
    assert Position(drawn, state).status() == "a tie"
    assert Position(strict, state).status() == "O wins"


def test_both_tie_rules_give_the_same_result_wherever_the_score_is_not_equal():
    drawn, strict = DotsAndBoxes(2, 2), DotsAndBoxes(2, 2, tie_loses=True)
    ties = 0
    for actions in [random_actions(drawn, random.Random(seed)) for seed in range(200)]:
        free, hard = (result_for_first(game, after(game, actions)) for game in (drawn, strict))
        assert hard == (-1 if free == 0 else free)
        ties += free == 0
    assert 0 < ties < 200


# ---- symmetry --------------------------------------------------------------------------------

TURNED = [
    TicTacToe(3),
    TicTacToe(4),
    TicTacToe(5),
    Connect4(4, 5, 3),
    Connect4(4, 4, 3),
    Connect4(6, 7, 4),
    DotsAndBoxes(2, 2),
    DotsAndBoxes(3, 3),
    DotsAndBoxes(2, 3),
    DotsAndBoxes(3, 1),
]


def turned(game, actions, symmetry):
    """The same game on the turned board, where real move a stands at the place that shows it."""
    place_of = {game.seen(place, symmetry): place for place in range(game.action_count())}
    return after(game, [place_of[action] for action in actions])


@pytest.mark.parametrize("game", TURNED, ids=name)
def test_each_symmetry_moves_every_place_to_another_one_and_no_two_are_alike(game):
    places = list(range(game.action_count()))
    ways = [
        tuple(game.seen(place, symmetry) for place in places)
        for symmetry in range(game.symmetries())
    ]
    assert ways[0] == tuple(places)
    assert all(sorted(way) == places for way in ways)
    assert len(set(ways)) == len(ways) > 1
    if isinstance(game, TicTacToe):
        assert set(ways) == set(twin(game).permutations())


@pytest.mark.parametrize("game", TURNED, ids=name)
def test_turned_boards_share_one_canonical_key(game):
    for actions in random_lines_of_play(game, 15):
        state = after(game, actions)
        key, _ = game.canonical(state)
        images = [turned(game, actions, symmetry) for symmetry in range(game.symmetries())]
        assert {game.canonical(image)[0] for image in images} == {key}
        assert min(game.key(image) for image in images) == key
        assert {naively(game, image) for image in images} == set(
            twin(game).images(naively(game, state))
        )


@pytest.mark.parametrize(
    ("game", "depth"),
    [
        (TicTacToe(3), None),
        (TicTacToe(4), 3),
        (Connect4(3, 3, 3), None),
        (Connect4(4, 5, 3), 5),
        (DotsAndBoxes(1, 2), None),
        (DotsAndBoxes(2, 2), 4),
    ],
    ids=str,
)
def test_positions_share_a_canonical_key_only_if_they_are_turned_alike(game, depth):
    naive = twin(game)
    for layer in layers(game, depth):
        classes = {}
        for state in layer:
            position = naively(game, state)
            images = naive.images(position)
            if isinstance(game, DotsAndBoxes):
                images = [counts.dots_lines_player_margin(naive, image) for image in images]
            classes.setdefault(game.canonical(state)[0], set()).add(min(images))
        assert all(len(representatives) == 1 for representatives in classes.values())
        assert len(set().union(*classes.values())) == len(classes)


@pytest.mark.parametrize("game", TURNED, ids=name)
def test_an_entry_of_a_canonical_row_belongs_to_the_real_action_that_is_seen_there(game):
    """Playing `place` on the canonical board is playing seen(place) on the real one."""
    turns = set()
    for actions in random_lines_of_play(game, 120, seed=2):
        state = after(game, actions)
        if game.over(state):
            continue
        key, symmetry = game.canonical(state)
        turns.add(symmetry)
        table_board = turned(game, actions, symmetry)
        assert game.key(table_board) == key
        places = list(game.actions(table_board))
        assert sorted(game.seen(place, symmetry) for place in places) == list(game.actions(state))
        for place in places:
            action = game.seen(place, symmetry)
            real, table = game.play(state, action), game.play(table_board, place)
            assert game.key(turned(game, [*actions, action], symmetry)) == game.key(table)
            assert game.canonical(real)[0] == game.canonical(table)[0]
    assert len(turns) == game.symmetries(), "every symmetry came up"


# ---- what people see -------------------------------------------------------------------------

SHOWN = [TicTacToe(3), TicTacToe(5), Connect4(4, 5, 3), Connect4(6, 7, 4), DotsAndBoxes(2, 3)]
SVG = "{http://www.w3.org/2000/svg}"


def parsed(game, state, last=-1):
    picture = ET.fromstring(game.svg(state, last))
    assert picture.tag == SVG + "svg"
    return picture


def playable(picture):
    return sorted(int(e.get("data-action")) for e in picture.iter() if e.get("data-action"))


@pytest.mark.parametrize("game", SHOWN, ids=name)
def test_a_picture_is_sound_xml_and_offers_exactly_the_legal_actions(game):
    unfinished = 0
    for actions in random_lines_of_play(game, 40, seed=3):
        state = after(game, actions)
        picture = parsed(game, state, actions[-1] if actions else -1)
        assert picture.get("role") == "img"
        assert picture.get("aria-label").split() == game.draw(state).split()
        cells = [int(e.get("data-cell")) for e in picture.iter() if e.get("data-cell")]
        assert sorted(cells) == list(range(game.action_count()))
        if not game.over(state):
            unfinished += 1
            assert playable(picture) == list(game.actions(state))
    assert unfinished > 10


@pytest.mark.parametrize("game", SHOWN, ids=name)
def test_a_picture_of_a_finished_game_offers_nothing_to_play(game):
    for seed in range(20):
        end = after(game, random_actions(game, random.Random(seed)))
        assert game.over(end)
        assert playable(parsed(game, end)) == []


def test_the_last_move_is_marked_on_noughts_and_crosses():
    game = TicTacToe()
    state = after(game, [4, 0])
    for last in (-1, 0, 4):
        squares = {e.get("data-cell"): e.get("fill") for e in parsed(game, state, last).iter()}
        marked = [int(cell) for cell, fill in squares.items() if cell and fill == svg.MARK]
        assert marked == ([] if last == -1 else [last])


def test_the_winning_line_is_marked_on_noughts_and_crosses():
    """X won on the rising diagonal 2, 4, 6; the last move there shines as brightly."""
    game = TicTacToe()
    picture = parsed(game, noughts_and_crosses("OOX .X. X.."), 6)
    bright = [e for e in picture.iter() if e.get("fill-opacity") == "1"]
    assert sorted(int(e.get("data-cell")) for e in bright) == [2, 4, 6]
    assert all(e.get("fill") == svg.MARK for e in bright)


def marked_discs(game, state, last):
    """(column, row from below) of the marked holes of a Connect4 picture."""
    cell = svg.CELL * 0.75
    return sorted(
        (round(float(e.get("cx")) / cell - 0.5), round(game.rows - 0.5 - float(e.get("cy")) / cell))
        for e in parsed(game, state, last).iter(SVG + "circle")
        if e.get("fill") == svg.MARK
    )


def test_the_last_piece_and_the_winning_line_are_marked_on_connect4():
    game = Connect4(4, 5, 3)
    state = after(game, [1, 1, 3])
    assert marked_discs(game, state, 1) == [(1, 1)]
    assert marked_discs(game, state, 3) == [(3, 0)]
    assert marked_discs(game, state, -1) == []
    won = after(game, [1, 1, 3, 0, 2])
    assert game.over(won)
    assert marked_discs(game, won, 2) == [(1, 0), (2, 0), (3, 0)]


def test_both_lines_of_a_double_win_are_marked_on_connect4():
    """
    . . . . .     X's last piece, at the bottom of column 3, ends two lines at once:
    . . . X .     along the bottom row and on the diagonal (here with k = 3)
    O O X . .
    """
    game = Connect4(4, 5, 3)
    board = type(game.start())
    squares = [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)]
    state = board(sum(1 << c * 5 + r for c, r in squares), 0, 1)
    assert marked_discs(game, state, 2) == squares


def test_the_last_line_is_marked_on_dots_and_boxes():
    game = DotsAndBoxes(2, 2)
    state = after(game, [0, 8])
    for last in (0, 8):
        lines = list(parsed(game, state, last).iter(SVG + "line"))
        (mark,) = [e for e in lines if e.get("stroke") == svg.MARK]
        (line,) = [e for e in lines if e.get("data-cell") == str(last)]
        ends = ("x1", "y1", "x2", "y2")
        assert [mark.get(end) for end in ends] == [line.get(end) for end in ends]
    assert not [e for e in parsed(game, state).iter() if e.get("stroke") == svg.MARK]


def test_pieces_in_the_picture_are_where_they_are_on_the_board():
    game = TicTacToe()
    states = {
        e.get("data-cell"): e.get("data-state")
        for e in parsed(game, noughts_and_crosses("X.. .O. ..X")).iter()
        if e.get("data-cell")
    }
    assert "".join(states[str(n)] for n in range(9)) == "X...O...X"
    game = DotsAndBoxes(1, 1)
    drawn = [
        e.get("data-cell")
        for e in parsed(game, after(game, [1, 3])).iter()
        if e.get("data-state") == "drawn"
    ]
    assert drawn == ["1", "3"]


def test_squares_columns_and_lines_have_names():
    square = [TicTacToe().describe(n) for n in range(9)]
    assert square == [
        *("top left", "top middle", "top right"),
        *("middle left", "middle", "middle right"),
        *("bottom left", "bottom middle", "bottom right"),
    ]
    assert TicTacToe(4).describe(7) == "row 2, column 4"
    assert Connect4().describe(3) == "column 4"
    assert DotsAndBoxes().describe(7) == "line 7"


def test_boards_are_drawn_as_text():
    game = TicTacToe()
    assert game.draw(noughts_and_crosses("X.. .O. ..X")) == (
        " X | . | .\n---+---+---\n . | O | .\n---+---+---\n . | . | X"
    )
    game = Connect4(2, 3, 2)
    assert game.draw(after(game, [1, 1, 2])) == ". O .\n. X X\n1 2 3"
    game = DotsAndBoxes(1, 2)
    assert game.draw(after(game, [0, 2, 5, 3])) == ("•---•   •\n| O |\n•---•   •\nX 0 : 1 O")


@pytest.mark.parametrize("game", SHAPES, ids=name)
def test_a_drawing_shows_as_many_pieces_as_were_played(game):
    for actions in random_lines_of_play(game, 5, seed=4):
        text = game.draw(after(game, actions))
        if isinstance(game, DotsAndBoxes):
            lying, standing = text.count("---"), text.count("|")
            assert lying + standing == len(actions)
        else:
            assert text.count("X") == (len(actions) + 1) // 2
            assert text.count("O") == len(actions) // 2


def test_a_position_says_what_was_played_and_who_moves_or_won():
    game = TicTacToe()
    assert repr(Position(game, after(game, [4]), 4)).endswith("\nmiddle was played: O to move")
    won = noughts_and_crosses("XXX OO. ...")
    assert repr(Position(game, won)).endswith("\nX wins")
    assert Position(game, noughts_and_crosses("XOX XOO OXX")).status() == "a tie"
    assert Position(game, won)._repr_svg_() == game.svg(won)


def test_boards_stand_side_by_side_with_their_titles():
    game = TicTacToe()
    states = [game.start(), game.play(game.start(), 4)]
    shown = side_by_side(game, states, ["before", "after"], [{0: "9"}, None])
    assert "before" in repr(shown) and game.draw(states[1]) in repr(shown)
    picture = shown._repr_svg_()
    assert picture.count("<svg") == 3 and ">after<" in picture and ">9<" in picture
    with pytest.raises(ValueError, match="1 for 2 positions"):
        side_by_side(game, states, ["only one"])
