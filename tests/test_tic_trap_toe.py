"""The rules of tic-trap-toe in words, one test a rule and a reading; and its secrets."""

import itertools
import random
import xml.etree.ElementTree as ET
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.agents import Random
from course_lib.arena import match, play
from course_lib.exact import ceiling, solve
from course_lib.games import TicTrapToe
from course_lib.games.tic_trap_toe import HIDDEN, NONE, PLACE, REMOVE, TRAP
from course_lib.position import Position
from course_lib.protocol import RESIGN
from course_lib.twospeed import SPEEDS, fast
from tests.naive import traps
from tests.sample import after, all_states, random_actions, result_for_first

READINGS = [
    TicTrapToe(wins, shown) for wins, shown in itertools.product((False, True), (False, True))
]
DEFAULT = TicTrapToe()
PHASES = ("place", "trap", "remove")


def trap(square):
    return 9 + square


def remove(square):
    return 18 + square


def position(drawing, player, phase=PLACE, x=NONE, o=NONE, placed=NONE, removed=NONE):
    """The state of a drawn board: "XX. OO. ..."."""
    squares = "".join(drawing.split())
    crosses = sum(1 << n for n, mark in enumerate(squares) if mark == "X")
    noughts = sum(1 << n for n, mark in enumerate(squares) if mark == "O")
    start = DEFAULT.start()
    return type(start)(crosses, noughts, "XO".index(player), phase, x, o, placed, removed, 0)


def squares(game, state):
    return [action % 9 for action in game.actions(state)]


def board(state):
    return "".join(DEFAULT.symbol(state, n) for n in range(9))


# ---- the rules of the paper ------------------------------------------------------------------


def test_x_starts_and_may_place_anywhere():
    state = DEFAULT.start()
    assert DEFAULT.mover(state) == 0
    assert list(DEFAULT.actions(state)) == list(range(9))


def test_before_a_turn_ends_its_player_lays_a_trap_on_any_vacant_square():
    state = after(DEFAULT, [4])
    assert (state.player, state.phase) == (0, TRAP)
    assert list(DEFAULT.actions(state)) == [trap(n) for n in (0, 1, 2, 3, 5, 6, 7, 8)]
    state = DEFAULT.play(state, trap(0))
    assert (state.player, state.phase, state.cross_trap) == (1, PLACE, 0)


def test_the_very_first_placement_of_o_can_be_caught():
    state = after(DEFAULT, [4, trap(0), 0])
    assert (state.player, state.phase) == (0, REMOVE)


def test_a_right_guess_removes_one_of_the_opponents_pieces_of_the_trappers_choice():
    state = position("X.. OO. ..X", "O", x=2)
    state = DEFAULT.play(state, 2)
    assert (state.player, state.phase) == (0, REMOVE)
    assert list(DEFAULT.actions(state)) == [remove(2), remove(3), remove(4)]
    assert board(DEFAULT.play(state, remove(4))) == "X.OO....X"


def test_the_piece_just_placed_may_be_the_one_that_is_removed():
    state = after(DEFAULT, [4, trap(0), 0, remove(0)])
    assert board(state) == "....X...."


def test_who_was_caught_lays_a_trap_after_the_removal_also_on_the_freed_square():
    state = after(DEFAULT, [4, trap(0), 0, remove(0)])
    assert (state.player, state.phase) == (1, TRAP)
    assert trap(0) in DEFAULT.actions(state)


def test_after_the_trap_of_the_caught_player_the_turn_passes_to_the_trapper():
    state = after(DEFAULT, [4, trap(0), 0, remove(0), trap(8)])
    assert (state.player, state.phase) == (0, PLACE)


def test_a_player_may_not_place_where_it_laid_its_last_trap():
    state = after(DEFAULT, [4, trap(0), 1, trap(8)])
    assert squares(DEFAULT, state) == [2, 3, 5, 6, 7, 8]


def test_a_square_freed_by_a_hit_is_barred_to_the_trapper_like_any_last_trap():
    state = after(DEFAULT, [4, trap(0), 0, remove(0), trap(8)])
    assert 0 not in squares(DEFAULT, state)


def test_a_bar_lasts_for_one_turn_only():
    state = after(DEFAULT, [4, trap(0), 1, trap(8), 2, trap(7), 3, trap(6)])
    assert squares(DEFAULT, state) == [0, 5, 6, 8]


def test_a_trap_works_for_one_placement_only():
    state = after(DEFAULT, [4, trap(0), 1, trap(8), 2, trap(7)])
    assert DEFAULT.play(state, 0).phase == TRAP  # X's trap there is of the turn before


def test_a_trap_on_the_square_of_the_opponents_last_trap_can_catch_nobody():
    state = after(DEFAULT, [4, trap(0), 1, trap(0)])
    assert 0 not in squares(DEFAULT, state)  # X's own trap bars it


def test_three_in_a_row_win():
    state = DEFAULT.play(position("XX. OO. ...", "X", o=8), 2)
    assert DEFAULT.over(state)
    assert result_for_first(DEFAULT, state) == 1
    assert Position(DEFAULT, state).status() == "X wins"
    assert DEFAULT.line(state) == 0b111


def test_noughts_in_a_row_win_for_o():
    state = DEFAULT.play(position("XX. OO. X..", "O", x=8), 5)
    assert result_for_first(DEFAULT, state) == -1


def test_with_one_vacant_square_left_no_trap_counts():
    state = position("XOX XOO O.X", "X", o=7)
    state = DEFAULT.play(state, 7)
    assert DEFAULT.over(state)
    assert DEFAULT.result(state) == 0


def test_with_one_vacant_square_left_no_trap_is_laid():
    state = position("XOX XOO ..X", "O", x=7)
    state = DEFAULT.play(state, 6)
    assert (state.player, state.phase, state.nought_trap) == (0, PLACE, NONE)


def test_with_one_vacant_square_left_the_own_trap_does_not_bar():
    assert squares(DEFAULT, position("XOX XOO O.X", "X", x=7)) == [7]


def test_with_two_vacant_squares_left_a_trap_still_counts():
    state = DEFAULT.play(position("XOX XOO ..X", "O", x=6), 6)
    assert state.phase == REMOVE


def test_a_hit_with_two_vacant_squares_left_leaves_two_again_and_a_trap_is_laid():
    state = after(DEFAULT, [])
    state = DEFAULT.play(position("XOX XOO ..X", "O", x=6), 6)
    state = DEFAULT.play(state, remove(1))
    assert (state.player, state.phase) == (1, TRAP)
    assert squares(DEFAULT, state) == [1, 7]


def test_a_full_board_without_a_line_is_a_tie():
    state = DEFAULT.play(position("XOX XOO O.X", "X"), 7)
    assert DEFAULT.over(state)
    assert Position(DEFAULT, state).status() == "a tie"


def test_a_line_on_the_last_vacant_square_wins():
    state = DEFAULT.play(position("XX. OOX XOO", "X", o=2), 2)
    assert result_for_first(DEFAULT, state) == 1


# ---- the readings ----------------------------------------------------------------------------


def test_as_the_authors_play_a_line_on_a_trap_can_be_broken():
    state = DEFAULT.play(position("XX. OO. ...", "X", o=2), 2)
    assert not DEFAULT.over(state)
    assert (state.player, state.phase) == (1, REMOVE)
    state = DEFAULT.play(state, remove(0))
    assert not DEFAULT.over(state)
    assert board(state) == ".XXOO...."


def test_as_the_authors_play_a_line_that_still_stands_after_the_removal_wins():
    state = DEFAULT.play(position("XX. OO. ..X", "X", o=2), 2)
    state = DEFAULT.play(state, remove(8))
    assert DEFAULT.over(state)
    assert result_for_first(DEFAULT, state) == 1


def test_in_the_other_reading_a_line_on_a_trap_wins_at_once():
    game = TicTrapToe(trapped_line_wins=True)
    state = game.play(position("XX. OO. ...", "X", o=2), 2)
    assert game.over(state)
    assert result_for_first(game, state) == 1


def test_in_the_other_reading_other_hits_remove_a_piece_all_the_same():
    game = TicTrapToe(trapped_line_wins=True)
    assert game.play(position("XX. OO. ...", "X", o=8), 8).phase == REMOVE


def test_a_game_that_does_not_end_is_a_tie_after_200_turns():
    state, turns = DEFAULT.start(), 0
    while not DEFAULT.over(state):  # everybody walks into every trap
        other = DEFAULT.trap(state, 1 - state.player)
        if state.phase == PLACE:
            turns += 1
            action = other if other in squares(DEFAULT, state) else squares(DEFAULT, state)[0]
        elif state.phase == TRAP:
            free = [n for n in squares(DEFAULT, state) if n != other]
            action = trap(free[turns % len(free)])
        else:
            action = remove(state.placed)
        state = DEFAULT.play(state, action)
    assert turns == state.turns == 200
    assert DEFAULT.result(state) == 0


def test_the_number_of_turns_can_be_chosen():
    game = TicTrapToe(most_turns=2)
    state = after(game, [4, trap(0), 1, trap(8)])
    assert game.over(state)
    assert game.result(state) == 0
    with pytest.raises(ValueError, match="most_turns=0"):
        TicTrapToe(most_turns=0)


# ---- the same rules, written by somebody else ------------------------------------------------


def twin(game):
    return traps.TicTrapToe(
        "wins" if game.trapped_line_wins else "removed",
        "shown" if game.missed_traps_shown else "hidden",
        game.most_turns,
    )


def naive_move(action):
    return PHASES[action // 9], action % 9


def naive_trap(square):
    return {NONE: None, HIDDEN: "secret"}.get(square, square)


def check_against_naive(game, naive, state, pos):
    assert board(state) == pos[0]
    assert game.mover(state) == naive.to_move(pos)
    assert state.turns == pos[5]
    assert game.over(state) == naive.finished(pos)
    for player in (0, 1):
        seen = game.seen_by(state, player)
        assert (naive_trap(seen.cross_trap), naive_trap(seen.nought_trap)) == naive.sees(
            pos, player
        )
    if game.over(state):
        assert result_for_first(game, state) == naive.outcome(pos)
    else:
        assert PHASES[state.phase] == pos[2]
        assert [naive_move(action) for action in game.actions(state)] == naive.moves(pos)


@pytest.mark.parametrize("game", READINGS, ids=str)
def test_random_games_go_as_by_the_naive_rules(game):
    naive, rng = twin(game), random.Random(1)
    caught = 0
    for _ in range(150):
        state, pos = game.start(), naive.start()
        check_against_naive(game, naive, state, pos)
        while not game.over(state):
            action = rng.choice(list(game.actions(state)))
            caught += action >= 18
            state, pos = game.play(state, action), naive.play(pos, naive_move(action))
            check_against_naive(game, naive, state, pos)
    assert caught > 50


def test_every_game_of_two_turns_goes_as_by_the_naive_rules():
    game, naive = TicTrapToe(most_turns=2), traps.TicTrapToe(most_turns=2)
    states = all_states(game)
    # X places, lays; O misses or is caught; X removes; O lays after a miss or after a removal
    assert len(states) == 1 + 9 + 72 + 72 * 7 + 72 + 72 + 72 * 7 * 7 + 72 * 8
    pairs = [(game.start(), naive.start())]
    seen = set()
    while pairs:
        state, pos = pairs.pop()
        if state in seen:
            continue
        seen.add(state)
        check_against_naive(game, naive, state, pos)
        if not game.over(state):
            pairs += [
                (game.play(state, a), naive.play(pos, naive_move(a))) for a in game.actions(state)
            ]
    assert seen == set(states)


@pytest.mark.parametrize("game", READINGS, ids=str)
def test_both_speeds_play_the_same_games(game):
    games = [match(game, Random(), Random(), games=200, seed=3, speed=speed) for speed in SPEEDS]
    assert np.array_equal(games[0].moves, games[1].moves)
    assert np.array_equal(games[0].results, games[1].results)
    assert games[0].wins() > games[0].losses() > 0


def count_below(game, state, turns):
    """Action sequences up to this many turns."""
    if state.turns == turns or game.over(state):
        return 1
    number = 0
    for action in game.actions(state):
        number += count_below(game, game.play(state, action), turns)
    return number


def test_the_number_of_ways_to_play_two_turns_can_be_counted_by_hand():
    # X: 9 · 8. O on the trap: 1 removal, 8 traps; on one of 7 other squares: 7 traps.
    assert fast(count_below)(DEFAULT, DEFAULT.start(), 2) == 9 * 8 * (1 * 8 + 7 * 7)


# ---- secrets ---------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(READINGS))
def test_moving_the_opponents_hidden_trap_changes_nothing_that_a_player_sees(seed, game):
    rng = random.Random(seed)
    state = game.start()
    while not game.over(state):
        player = game.mover(state)
        seen = game.seen_by(state, player)
        field = ("nought_trap", "cross_trap")[player]
        if getattr(seen, field) == HIDDEN:
            for square in range(9):
                elsewhere = state._replace(**{field: square})
                assert game.seen_by(elsewhere, player) == seen
                assert list(game.actions(elsewhere)) == list(game.actions(seen))
                assert game.key(game.seen_by(elsewhere, player)) == game.key(seen)
        state = game.play(state, rng.choice(list(game.actions(state))))


@pytest.mark.parametrize("game", READINGS, ids=str)
def test_an_active_trap_is_hidden_from_the_opponent_and_known_to_its_owner(game):
    state = after(game, [4, trap(0)])
    assert game.seen_by(state, 1).cross_trap == HIDDEN
    assert game.seen_by(state, 0).cross_trap == 0


def test_on_paper_a_trap_that_caught_nobody_stays_a_secret():
    state = after(DEFAULT, [4, trap(0), 1])
    assert DEFAULT.seen_by(state, 1).cross_trap == HIDDEN
    state = DEFAULT.play(state, trap(8))
    assert DEFAULT.seen_by(state, 1).cross_trap == HIDDEN


def test_in_the_other_reading_a_trap_is_shown_after_the_placement():
    game = TicTrapToe(missed_traps_shown=True)
    state = after(game, [4, trap(0), 1])
    assert game.seen_by(state, 1).cross_trap == 0


@pytest.mark.parametrize("game", READINGS, ids=str)
def test_who_is_caught_knows_where_the_trap_was(game):
    for actions in ([4, trap(0), 0], [4, trap(0), 0, remove(0)]):
        assert game.seen_by(after(game, actions), 1).cross_trap == 0


def test_a_view_is_a_position_in_which_the_same_actions_are_legal():
    rng = random.Random(2)
    for _ in range(100):
        state = after(DEFAULT, random_actions(DEFAULT, rng, rng.randint(0, 20)))
        seen = DEFAULT.seen_by(state, DEFAULT.mover(state))
        assert DEFAULT.over(seen) == DEFAULT.over(state)
        if not DEFAULT.over(state):
            assert list(DEFAULT.actions(seen)) == list(DEFAULT.actions(state))


class Spy(NamedTuple):
    """Resigns as soon as it sees where it would be caught."""

    def choose(self, game, state, rng):
        other = state.nought_trap if state.player == 0 else state.cross_trap
        if state.phase == PLACE and other < NONE:
            return RESIGN
        return Random().choose(game, state, rng)


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("game", READINGS, ids=str)
def test_the_arena_never_shows_an_agent_the_trap_that_waits_for_it(game, speed):
    played = match(game, Spy(), Spy(), games=60, seed=1, speed=speed)
    assert played.wins() > 0
    assert played.lengths.min() >= 9  # a line takes five placements and four traps


def test_the_spy_would_resign_if_it_were_shown_a_trap():
    assert Spy().choose(DEFAULT, after(DEFAULT, [4, trap(0)]), None) == RESIGN


class Remembers:
    """Any action; keeps all it was shown."""

    def __init__(self):
        self.seen = []

    def choose(self, game, state, rng):
        self.seen.append(state)
        return Random().choose(game, state, rng)


@pytest.mark.parametrize("watch", [False, True])
def test_an_agent_is_shown_its_view_and_an_observer_everything(watch):
    agent, moves = Remembers(), []
    if watch:
        record = play(DEFAULT, agent, Random(), seed=5, observers=[moves.append])
        states = [each.state for each in record.positions()]
        assert [move.position.state for move in moves] == states[1:]
    else:
        states = [each.state for each in match(DEFAULT, agent, Random(), 1, 5).positions(0)]
    own = [state for state in states if not DEFAULT.over(state) and state.player == 0]
    assert agent.seen == [DEFAULT.seen_by(state, 0) for state in own]
    assert agent.seen != own


@pytest.mark.parametrize("ask", [solve, lambda game: ceiling(game, Random())])
def test_solvers_that_would_see_everything_refuse_a_game_with_secrets(ask):
    with pytest.raises(ValueError, match="secrets"):
        ask(DEFAULT)


# ---- what people and tables see --------------------------------------------------------------


def test_a_drawing_shows_pieces_traps_and_who_does_what():
    state = after(DEFAULT, [4, trap(0), 1, trap(0)])
    assert DEFAULT.draw(state) == (
        ".xo| O | .\n---+---+---\n . | X | .\n---+---+---\n . | . | .\nX is to place a piece"
    )
    assert DEFAULT.draw(DEFAULT.seen_by(state, 0)).splitlines()[0] == " .x| O | ."
    assert "O has a trap that is hidden" in DEFAULT.draw(DEFAULT.seen_by(state, 0))


def test_actions_are_told_in_words():
    words = [DEFAULT.describe(action) for action in (4, trap(0), remove(5))]
    assert words == ["middle", "trap on top left", "remove middle right"]


def test_what_can_be_chosen_carries_its_action():
    state = after(DEFAULT, [4, trap(0), 0])
    drawn = ET.fromstring(DEFAULT.svg(state))
    actions = [each.get("data-action") for each in drawn.iter() if each.get("data-action")]
    assert actions == [str(remove(0))]
    states = [each.get("data-state") for each in drawn.iter() if each.get("data-state")]
    assert states[:2] == ["Ox", "."]


def test_a_picture_of_a_view_does_not_give_the_trap_away():
    state = after(DEFAULT, [4, trap(0)])
    elsewhere = after(DEFAULT, [4, trap(8)])
    pictures = [DEFAULT.svg(DEFAULT.seen_by(each, 1)) for each in (state, elsewhere)]
    assert pictures[0] == pictures[1] != DEFAULT.svg(state)


@pytest.mark.parametrize("symmetry", range(8))
def test_a_turned_game_goes_the_same_way(symmetry):
    """Playing the turned actions leads to boards whose canonical keys are the same."""
    game, rng = DEFAULT, random.Random(symmetry)
    back = [next(p for p in range(27) if game.seen(p, symmetry) == a) for a in range(27)]
    for _ in range(20):
        state, turned = game.start(), game.start()
        for action in random_actions(game, rng):
            assert game.turned_key(state, symmetry) == game.key(turned)
            assert game.canonical(state)[0] == game.canonical(turned)[0]
            assert sorted(back[a] for a in game.actions(state)) == list(game.actions(turned))
            state, turned = game.play(state, action), game.play(turned, back[action])
        assert game.over(turned)
        assert result_for_first(game, state) == result_for_first(game, turned)


def test_no_two_positions_that_differ_in_what_matters_share_a_key():
    game = TicTrapToe(most_turns=2)
    matters = {state: state[:6] for state in all_states(game)}
    keys = {state: game.key(state) for state in matters}
    assert len(set(keys.values())) == len(set(matters.values()))
