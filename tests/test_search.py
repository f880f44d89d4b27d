"""Searches: all find the same values and the same best moves, each in its own number of nodes."""

import random
from typing import NamedTuple

import numpy as np
import pytest

from course_lib.agents import Minimax, Negamax, Promise, best_moves, search, with_memory
from course_lib.agents.search import INFINITY, NODES, Unknown, new_notes
from course_lib.exact import solve
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from tests.naive import solvers
from tests.sample import (
    after,
    all_states,
    naively,
    name,
    noughts_and_crosses,
    random_actions,
    random_lines_of_play,
    twin,
)

PLAIN = [Minimax(), Negamax()]
PRUNED = [Minimax(pruning=True), Negamax(pruning=True)]


def late_states(game, moves_left, number, seed=0):
    """Unfinished states of random games, so many moves before the board is full."""
    rng, found = random.Random(seed), []
    while len(found) < number:
        state = after(game, random_actions(game, rng, game.longest() - moves_left))
        if not game.over(state):
            found.append(state)
    return found


def members(bits):
    return [n for n in range(64) if int(bits) >> n & 1]


# ---- they all agree --------------------------------------------------------------------------


def test_every_search_agrees_with_the_exact_solution_on_every_position_of_noughts_and_crosses():
    game = TicTacToe()
    solution, naive, memo = solve(game), twin(game), {}
    searchers = [*PLAIN, *PRUNED, with_memory(game)]
    unfinished = [state for state in all_states(game) if not game.over(state)]
    assert len(unfinished) == 5478 - 958
    for state in unfinished:
        position = naively(game, state)
        value = solvers.minimax(naive, position, memo) * (1 if game.mover(state) == 0 else -1)
        best = solvers.best_moves(naive, position, memo)
        assert solution.value(game, state) == value
        assert members(solution.best_actions(game, state)) == best
        for searcher in searchers:
            found = search(searcher, game, state)
            assert (found.value, found.best_moves) == (value, best), searcher


@pytest.mark.parametrize(
    ("game", "moves_left", "number"),
    [
        (Connect4(4, 5, 3), 9, 40),
        (Connect4(3, 4, 3), 12, 1),
        (DotsAndBoxes(2, 2), 7, 40),
        (DotsAndBoxes(2, 2, True), 7, 40),
        (DotsAndBoxes(1, 2, True), 7, 1),
        (TicTacToe(4), 7, 40),
    ],
    ids=str,
)
def test_every_search_agrees_with_naive_minimax_late_in_larger_games(game, moves_left, number):
    naive, memo = twin(game), {}
    values = set()
    memory = with_memory(game)
    for state in late_states(game, moves_left, number):
        position = naively(game, state)
        value = solvers.minimax(naive, position, memo) * (1 if game.mover(state) == 0 else -1)
        best = solvers.best_moves(naive, position, memo)
        values.add(value)
        for searcher in [*PLAIN, *PRUNED, memory]:
            found = search(searcher, game, state)
            assert (found.value, found.best_moves) == (value, best), searcher
    assert len(values) > 1 or number == 1


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("game", [Connect4(4, 5, 3), DotsAndBoxes(2, 2)], ids=name)
def test_searches_of_the_same_depth_agree_with_each_other(game, depth):
    """With the game's own heuristic; pruning must not change a value to the last digit."""
    searchers = [Minimax(False, depth, Promise()), Negamax(False, depth, Promise())]
    searchers += [Minimax(True, depth, Promise()), Negamax(True, depth, Promise())]
    seen = set()
    for actions in random_lines_of_play(game, 12, seed=depth):
        state = after(game, actions)
        if game.over(state):
            continue
        first, *others = [search(searcher, game, state) for searcher in searchers]
        seen.add(first.value)
        for other in others:
            assert other.value == first.value
            assert other.best_moves == first.best_moves
            np.testing.assert_array_equal(other.values, first.values)
    assert len(seen) > 1


def test_a_memory_that_is_far_too_small_forgets_but_never_errs():
    game = TicTacToe()
    crowded = with_memory(game, bits=4)
    roomy = with_memory(game, bits=16)
    nodes = [0, 0]
    for actions in random_lines_of_play(game, 30, seed=5):
        state = after(game, actions)
        if not game.over(state):
            expected = search(Negamax(pruning=True), game, state)
            for which, searcher in enumerate([crowded, roomy]):
                found = search(searcher, game, state)
                nodes[which] += found.nodes
                assert (found.value, found.best_moves) == (expected.value, expected.best_moves)
    assert nodes[0] > 2 * nodes[1]


def test_a_searcher_remembers_from_one_move_to_the_next():
    game = TicTacToe()
    searcher = with_memory(game)
    first, second = (search(searcher, game, game.start()).nodes for _ in range(2))
    assert second == 1 + 9
    assert first > 100
    assert search(with_memory(game), game, game.start()).nodes == first


def test_a_shallow_memory_does_not_answer_a_deep_question():
    """What a search of depth 1 took for a tie is a loss that depth 3 sees."""
    game = TicTacToe()
    state = noughts_and_crosses("X.. .O. ..X")  # O to move; a corner loses
    shallow = with_memory(game, depth=1)
    assert search(shallow, game, state).best_moves == [1, 2, 3, 5, 6, 7]
    deep = shallow._replace(depth=9)
    assert search(deep, game, state).best_moves == [1, 3, 5, 7]


# ---- how many nodes --------------------------------------------------------------------------


@pytest.mark.parametrize("searcher", PLAIN, ids=str)
def test_the_whole_tree_of_noughts_and_crosses_has_549946_nodes(searcher):
    found = search(searcher, TicTacToe(), TicTacToe().start())
    assert (found.nodes, found.cutoffs) == (549_946, 0)
    assert found.best_moves == list(range(9))


@pytest.mark.parametrize("searcher", PRUNED, ids=str)
def test_pruning_leaves_30709_nodes_below_the_root(searcher):
    """Pulles' best_move: a full window for every child. The evidence counts the root as well."""
    found = search(searcher, TicTacToe(), TicTacToe().start())
    assert found.nodes == 30_709 + 1
    assert found.cutoffs > 0
    assert found.best_moves == list(range(9))


@pytest.mark.parametrize("searcher", PRUNED, ids=str)
def test_one_pruned_search_from_the_root_needs_18297_nodes(searcher):
    game, notes = TicTacToe(), new_notes(0)
    assert searcher.value(game, game.start(), notes) == 0
    assert notes.counts[NODES] == 18_297


def test_both_speeds_walk_the_same_tree():
    game = DotsAndBoxes(1, 2)
    for searcher in [*PLAIN, *PRUNED]:
        slow, quick = (
            search(searcher, game, game.start(), keep_tree=20_000, speed=speed)
            for speed in ("python", "compiled")
        )
        assert slow.nodes == quick.nodes > 100
        assert slow.tree.complete and quick.tree.complete
        for ours, theirs in zip(slow.tree[2:], quick.tree[2:], strict=True):
            np.testing.assert_array_equal(ours, theirs)


# ---- how far they see ------------------------------------------------------------------------

EVERY_KIND = [*PLAIN, *PRUNED]


@pytest.mark.parametrize("searcher", EVERY_KIND, ids=str)
def test_one_move_ahead_a_search_sees_its_own_win_and_nothing_else(searcher):
    """
    X | X | .     X wins at once on 2. O to move instead (below) would have to block,
    O | O | .     but one move ahead O sees no danger and finds all moves alike.
    . | . | .
    """
    game, one = TicTacToe(), searcher._replace(depth=1)
    assert best_moves(one, game, noughts_and_crosses("XX. OO. ...")) == [2]
    blind = search(one, game, noughts_and_crosses("XX. .O. ..."))
    assert (blind.value, blind.best_moves) == (0, [2, 3, 5, 6, 7, 8])
    assert best_moves(searcher._replace(depth=2), game, noughts_and_crosses("XX. .O. ...")) == [2]


@pytest.mark.parametrize("searcher", EVERY_KIND, ids=str)
def test_two_moves_ahead_it_gives_up_what_is_lost_and_three_ahead_it_finds_the_fork(searcher):
    game = TicTacToe()
    lost = search(searcher._replace(depth=2), game, noughts_and_crosses("X.O .O. X.X"))
    assert (lost.value, lost.best_moves) == (-1, [1, 3, 5, 7])
    fork = noughts_and_crosses("X.. .O. ..X")
    assert search(searcher._replace(depth=4), game, fork).best_moves == [1, 3, 5, 7]


@pytest.mark.parametrize("searcher", [Minimax(True), Negamax(True)], ids=str)
def test_on_the_real_connect4_a_shallow_search_wins_at_once_or_stops_the_other(searcher):
    """
    X has three at the bottom of columns 3, 4, 5 (numbers 2, 3, 4); O has three in column 7 (6).

    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . O
    . . . . . . O
    . . X X X . O
    """
    game = Connect4()
    two = searcher._replace(depth=2, heuristic=Promise())
    state = after(game, [2, 6, 3, 6, 4, 6])
    found = search(two, game, state)
    assert game.mover(state) == 0
    assert (found.value, found.best_moves) == (1, [1, 5])
    elsewhere = game.play(state, 0)
    found = search(two, game, elsewhere)
    assert (found.value, found.best_moves) == (1, [6]), "O completes its column"
    must_block = after(game, [2, 2, 3, 3, 4])
    assert search(two, game, must_block).value == -1, "open on both sides: too late"
    can_block = after(game, [0, 0, 1, 1, 2])
    found = search(two, game, can_block)
    assert found.best_moves == [3] and -1 < found.value < 1


def test_the_promise_of_a_position_changes_sides_with_the_mover_and_stays_within_the_results():
    for game in (TicTacToe(4), Connect4(), DotsAndBoxes(2, 3)):
        seen = set()
        for actions in random_lines_of_play(game, 40, seed=6):
            state = after(game, actions)
            promise = game.promise(state)
            seen.add(promise)
            assert -1 < promise < 1
            assert game.promise(game.pass_turn(state)) == -promise
        assert len(seen) > 5


def test_with_a_promise_the_first_move_of_connect4_is_the_middle_column():
    game = Connect4()
    assert best_moves(Negamax(True, 1, Promise()), game, game.start()) == [3]
    assert best_moves(Negamax(True, 1, Unknown()), game, game.start()) == list(range(7))


# ---- the tree that was kept ------------------------------------------------------------------

TREES = [
    (TicTacToe(), noughts_and_crosses("XO. .X. ..O")),
    (TicTacToe(), noughts_and_crosses("XO. .X. ...")),  # O to move
    (DotsAndBoxes(1, 2), DotsAndBoxes(1, 2).start()),
    (DotsAndBoxes(2, 2), after(DotsAndBoxes(2, 2), [0, 2, 5, 1, 4, 6])),
    (Connect4(4, 5, 3), after(Connect4(4, 5, 3), [2, 1, 3, 0, 0, 4, 0, 2, 4, 0, 2])),
]


@pytest.mark.parametrize("searcher", EVERY_KIND, ids=str)
@pytest.mark.parametrize(("game", "root"), TREES, ids=lambda value: type(value).__name__)
def test_a_kept_tree_is_the_tree_that_was_searched(game, root, searcher):
    assert not game.over(root)
    found = search(searcher, game, root, keep_tree=200_000)
    tree = found.tree
    assert tree.complete and len(tree.parents) == found.nodes > 20
    assert tree.parents[0] == -1 and tree.root == root
    assert int(tree.cuts.sum()) == found.cutoffs
    assert (found.cutoffs > 0) == searcher.pruning
    children = [[] for _ in tree.parents]
    states = [root]
    for node in range(1, found.nodes):
        parent = int(tree.parents[node])
        assert 0 <= parent < node
        children[parent].append(node)
        action = int(tree.actions[node])
        assert action in game.actions(states[parent])
        states.append(game.play(states[parent], action))
    for node in random.Random(0).sample(range(found.nodes), 20):
        assert tree.state(node) == states[node]
        assert tree.children(node) == children[node]
    minimax = isinstance(searcher, Minimax)
    for node in range(1, found.nodes):  # the root has a test of its own
        state, below = states[node], children[node]
        legal = list(game.actions(state))
        tried = [int(tree.actions[child]) for child in below]
        sign = 1 if game.mover(state) == 0 or not minimax else -1
        if game.over(state):
            assert not below and tree.values[node] == sign * game.result(state)
            continue
        assert tried == legal[: len(tried)] and tried
        assert tree.cuts[node] or tried == legal, "without a cut every move is tried"
        if minimax:
            seen = [tree.values[child] for child in below]
        else:
            seen = [
                tree.values[child] * (1 if game.mover(states[child]) == game.mover(state) else -1)
                for child in below
            ]
        assert tree.values[node] == (max(seen) if sign == 1 else min(seen))
        if tree.cuts[node] and sign == 1:
            assert tree.values[node] >= tree.betas[node]
        elif tree.cuts[node]:
            assert tree.values[node] <= tree.alphas[node]
        elif not searcher.pruning:
            assert (tree.alphas[node], tree.betas[node]) == (-INFINITY, INFINITY)


@pytest.mark.parametrize("searcher", EVERY_KIND, ids=str)
@pytest.mark.parametrize(("game", "root"), TREES, ids=lambda value: type(value).__name__)
def test_the_root_of_a_kept_tree_speaks_from_the_same_side_as_its_other_nodes(game, root, searcher):
    """From player 0's side in minimax, from the mover's in negamax, as `Tree` says."""
    tree = search(searcher, game, root, keep_tree=200_000).tree
    below = tree.children(0)
    assert [int(tree.actions[child]) for child in below] == list(game.actions(root))
    if isinstance(searcher, Minimax):
        best = max if game.mover(root) == 0 else min
        assert tree.values[0] == best(tree.values[child] for child in below)
    else:
        assert tree.values[0] == max(
            tree.values[child] * (1 if game.mover(tree.state(child)) == game.mover(root) else -1)
            for child in below
        )


@pytest.mark.parametrize("room", [0, 1, 50])
def test_a_tree_that_had_no_room_says_so_and_the_search_finds_the_same(room):
    game = TicTacToe()
    root = noughts_and_crosses("X.. .O. ...")
    whole = search(Minimax(True), game, root, keep_tree=100_000)
    part = search(Minimax(True), game, root, keep_tree=room)
    assert whole.tree.complete and not part.tree.complete
    assert len(part.tree.parents) == room < whole.nodes
    assert (part.value, part.best_moves, part.nodes, part.cutoffs) == (
        *(whole.value, whole.best_moves),
        *(whole.nodes, whole.cutoffs),
    )
    np.testing.assert_array_equal(part.tree.parents, whole.tree.parents[:room])
    np.testing.assert_array_equal(part.tree.actions, whole.tree.actions[:room])


def test_evidence_speaks_in_words():
    found = search(Minimax(), TicTacToe(), noughts_and_crosses("XX. OO. ..."))
    assert repr(found).startswith("value 1 for X; best: top right; ")
    assert f"{found.nodes:,} nodes, 0 cut-offs" in repr(found)


# ---- two traps -------------------------------------------------------------------------------


def naive_alpha_beta(game, pos, alpha, beta):
    """For player 0, by the naive rules."""
    if game.finished(pos):
        return game.outcome(pos)
    first = game.to_move(pos) == 0
    value = -2 if first else 2
    for move in game.moves(pos):
        reply = naive_alpha_beta(game, game.play(pos, move), alpha, beta)
        value = max(value, reply) if first else min(value, reply)
        alpha, beta = (max(alpha, value), beta) if first else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return value


def best_moves_with_a_narrowed_window(game, pos):
    """The trap: the window is carried over from one move at the root to the next."""
    alpha, beta, values = -2, 2, {}
    first = game.to_move(pos) == 0
    for move in game.moves(pos):
        values[move] = naive_alpha_beta(game, game.play(pos, move), alpha, beta)
        alpha, beta = (
            (max(alpha, values[move]), beta) if first else (alpha, min(beta, values[move]))
        )
    best = max(values.values()) if first else min(values.values())
    return [move for move, value in values.items() if value == best]


def test_a_window_carried_from_move_to_move_makes_wrong_moves_look_equal():
    """
    X | . | .     O must answer in the middle (4). With the window of move 4 the later moves
    . | . | .     return bounds only, and they look as good.
    . | . | .
    """
    game, naive = TicTacToe(), twin(TicTacToe())
    corner = noughts_and_crosses("X.. ... ...")
    wrong = best_moves_with_a_narrowed_window(naive, naively(game, corner))
    right = solvers.best_moves(naive, naively(game, corner))
    assert right == [4]
    assert set(wrong) > {4}
    for searcher in [*PRUNED, with_memory(game)]:
        assert best_moves(searcher, game, corner) == right


def for_the_mover(game, pos, value):
    return value if game.to_move(pos) == 0 else -value


def always_negating(game, pos):
    """The other trap: a negamax that believes that the turn always passes."""
    if game.finished(pos):
        return for_the_mover(game, pos, game.outcome(pos))
    return max(-always_negating(game, game.play(pos, move)) for move in game.moves(pos))


@pytest.mark.parametrize("searcher", [*PLAIN, *PRUNED], ids=str)
def test_who_may_move_again_is_not_taken_for_the_other_player(searcher):
    """On 2 × 2, a search that turns the sign at every move gets most late positions wrong."""
    game = DotsAndBoxes(2, 2)
    naive, memo, traps = twin(game), {}, 0
    for state in [*late_states(game, 4, 20), *late_states(game, 5, 20)]:
        position = naively(game, state)
        truth = for_the_mover(naive, position, solvers.minimax(naive, position, memo))
        found = search(searcher, game, state)
        assert (found.value, found.best_moves) == (truth, solvers.best_moves(naive, position, memo))
        traps += always_negating(naive, position) != truth
    assert traps > 10, "or these positions would tell nothing"


# ---- wrong input -----------------------------------------------------------------------------


def test_a_finished_game_cannot_be_searched():
    with pytest.raises(ValueError, match=r"(?s)finished.* X \| X \| X"):
        search(Minimax(), TicTacToe(), noughts_and_crosses("XXX OO. ..."))


class LastOne(NamedTuple):
    """A game that can't be drawn as text: who takes the last of the stones wins."""

    stones: int = 2

    def start(self):
        return Heap(self.stones, 0)

    def mover(self, state):
        return state.player

    def actions(self, state):
        yield 0

    def play(self, state, action):
        return Heap(state.stones - 1, 1 - state.player)

    def over(self, state):
        return state.stones == 0

    def result(self, state):
        return -1

    def action_count(self):
        return 1


class Heap(NamedTuple):
    stones: int
    player: int


def test_a_finished_game_that_has_no_drawing_cannot_be_searched_either():
    with pytest.raises(ValueError, match="finished"):
        search(Minimax(), LastOne(), Heap(0, 0))


def test_a_negative_size_of_tree_is_refused():
    with pytest.raises(ValueError, match=r"keep_tree=-1: expected .* 0 or more"):
        search(Minimax(), TicTacToe(), TicTacToe().start(), keep_tree=-1)
