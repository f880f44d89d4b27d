"""Where agents meet: results, interruptions, and agents that misbehave."""

import re
import signal
import time
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

from course_lib import chunks
from course_lib.agents import Minimax, OneStepLookAhead, Random, Simple, perfect
from course_lib.arena import RESIGN, STARTERS, AgentError, label, match, move, play, replay
from course_lib.chance import random_action
from course_lib.games import DotsAndBoxes, TicTacToe
from tests.sample import after, noughts_and_crosses, result_for_first

GAME = TicTacToe()
SPEEDS = ["python", "compiled"]

# ---- many games ------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", SPEEDS)
def test_wins_ties_and_losses_add_up_to_the_games(speed):
    played = match(GAME, OneStepLookAhead(), Random(), games=200, speed=speed)
    assert len(played.results) == 200
    assert played.wins() + played.ties() + played.losses() == 200
    assert min(played.wins(), played.ties(), played.losses()) > 0
    assert repr(played) == (
        f"OneStepLookAhead against Random: {played.wins()} wins, {played.ties()} ties, "
        f"{played.losses()} losses in 200 games"
    )


@pytest.mark.parametrize("starter", STARTERS)
@pytest.mark.parametrize("game", [GAME, DotsAndBoxes(1, 2)], ids=["3x3", "dots"])
def test_the_moves_of_every_game_lead_to_its_result(game, starter):
    played = match(game, OneStepLookAhead(), Random(), games=60, starter=starter)
    for number in range(60):
        positions = played.positions(number)
        assert len(positions) == played.lengths[number] + 1
        end = positions[-1].state
        assert game.over(end)
        for_first = result_for_first(game, end)
        assert played.results[number] == (for_first if played.seats[number] == 0 else -for_first)
    assert len(set(played.results)) > 1


@pytest.mark.parametrize("starter", STARTERS)
def test_who_starts_is_who_was_asked_to(starter):
    """Simple always takes the lowest free square: where it starts, the first move is 0."""
    played = match(GAME, Simple(), Random(), games=100, starter=starter)
    expected = {"agent": [0] * 100, "opponent": [1] * 100, "alternate": [0, 1] * 50}
    if starter in expected:
        assert list(played.seats) == expected[starter]
    else:
        assert 25 < sum(played.seats) < 75
    simple_moved = [
        played.moves[number, seat : played.lengths[number] : 2]
        for number, seat in enumerate(played.seats)
    ]
    for number, own in enumerate(simple_moved):
        for turn, action in enumerate(own):
            before = played.moves[number, : played.seats[number] + 2 * turn]
            assert action == min(set(range(9)) - set(before))


def test_a_random_starter_follows_from_the_seed_and_leaves_the_games_random():
    one, same, other = (
        match(GAME, Random(), Random(), games=50, seed=seed, starter="random") for seed in (1, 1, 2)
    )
    assert (one.seats == same.seats).all() and (one.moves == same.moves).all()
    assert (one.seats != other.seats).any() and (one.moves != other.moves).any()


def test_the_running_score_goes_up_for_a_win_and_down_for_a_loss():
    played = match(GAME, Random(), Random(), games=300)
    score, curve = 0, []
    for result in played.results:
        score += int(result)
        curve.append(score)
    assert list(played.running_score()) == curve
    assert curve[-1] == played.wins() - played.losses()


def test_a_running_score_may_be_larger_than_a_small_integer_holds():
    played = match(GAME, OneStepLookAhead(), Random(), games=4_000, keep_moves=False)
    assert played.running_score()[-1] == played.wins() - played.losses() > 1_000


@pytest.mark.parametrize("speed", SPEEDS)
def test_games_do_not_depend_on_the_size_of_the_chunks(monkeypatch, speed):
    runs = []
    for seconds in (1e-9, 0.01, 100.0):
        monkeypatch.setattr(chunks, "SECONDS_A_CHUNK", seconds)
        runs.append(match(GAME, Random(), Random(), games=77, starter="random", speed=speed))
    for run in runs[1:]:
        assert (run.moves == runs[0].moves).all() and (run.results == runs[0].results).all()
    assert len(runs[0].results) == 77


def test_chunks_grow_until_they_take_long_enough_and_ask_for_no_more_than_the_total():
    asked = []

    def advance(n):
        asked.append(n)
        return n

    assert chunks.in_chunks(advance, 20) == 20
    assert asked == [1, 2, 4, 8, 5]
    assert chunks.in_chunks(lambda n: n - 1, 20, done=3) == 3, "a chunk that ended early"


def test_moves_that_were_not_kept_are_missed_in_words():
    played = match(GAME, Random(), Random(), games=5, keep_moves=False)
    assert played.moves.shape == (5, 0)
    with pytest.raises(ValueError, match="keep_moves=True"):
        played.positions(0)
    kept = match(GAME, Random(), Random(), games=5)
    assert (kept.results == played.results).all()


def test_no_games_at_all_are_a_match_too():
    played = match(GAME, Random(), Random(), games=0)
    assert (played.wins(), played.ties(), played.losses()) == (0, 0, 0)
    assert len(played.running_score()) == 0


def test_names_tell_what_is_unusual_about_an_agent():
    assert label(Minimax()) == "Minimax"
    assert label(Minimax(depth=3)) == "Minimax(depth=3)"
    assert label(perfect(GAME)) == "Perfect"


# ---- stopping --------------------------------------------------------------------------------


def assert_a_beginning(part, whole):
    n = len(part.results)
    assert 0 < n < len(whole.results)
    assert (part.results == whole.results[:n]).all()
    assert (part.moves == whole.moves[:n]).all()
    assert len(part.seats) == len(part.lengths) == n


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_stop_button_keeps_the_games_so_far(speed):
    looks = iter([False, False, False, True])
    part = match(GAME, Random(), Random(), games=500, speed=speed, stop=lambda: next(looks))
    assert len(part.results) == 1 + 2 + 4
    assert_a_beginning(part, match(GAME, Random(), Random(), games=500))


class PressesCtrlC:
    """Plays like Simple; in its third game somebody presses Ctrl-C."""

    def __init__(self):
        self.games = 0

    def choose(self, game, state, rng):
        if state == game.start():
            self.games += 1
            if self.games == 3:
                signal.raise_signal(signal.SIGINT)
        return next(iter(game.actions(state)))


def test_ctrl_c_keeps_the_games_so_far_and_is_handed_back_afterwards():
    handler = signal.getsignal(signal.SIGINT)
    part = match(GAME, PressesCtrlC(), Random(), games=500)
    assert len(part.results) >= 3
    assert_a_beginning(part, match(GAME, Simple(), Random(), games=500))
    assert signal.getsignal(signal.SIGINT) is handler


def test_ctrl_c_pressed_again_interrupts_at_once():
    class PressesTwice(PressesCtrlC):
        def choose(self, game, state, rng):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        match(GAME, PressesTwice(), Random(), games=5)
    assert signal.getsignal(signal.SIGINT) is handler


# ---- agents that misbehave -------------------------------------------------------------------


class Cheat(NamedTuple):
    """Plays at random, but now and then takes the middle although it is taken."""

    def choose(self, game, state, rng):
        if (state.crosses | state.noughts) >> 4 & 1 and rng.random() < 0.05:
            return 4
        return random_action(game, state, rng)


class Faints(NamedTuple):
    """Raises an error once in a while."""

    def choose(self, game, state, rng):
        if rng.random() < 0.01:
            raise RuntimeError("dizzy")
        return random_action(game, state, rng)


class Resigns(NamedTuple):
    """Gives up when half of the board is full."""

    def choose(self, game, state, rng):
        if game.ply(state) >= 4:
            return -1
        for action in game.actions(state):
            return action
        return -1


@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("starter", ["agent", "opponent"])
def test_an_illegal_move_names_who_made_it_where_and_what_was_legal(speed, starter):
    with pytest.raises(AgentError) as failure:
        match(GAME, Random(), Cheat(), games=100, speed=speed, starter=starter, seed=3)
    error, games = failure.value, failure.value.games
    assert isinstance(error, ValueError)
    assert error.agent == "Cheat"
    number = len(games.results)
    assert 0 < number < 100
    assert str(error).startswith(f"Cheat in game {number + 1}: action 4 is not legal here")
    legal = re.search(r"legal are (.*):\n", str(error)).group(1)
    named = [int(word) for word in re.findall(r"(\d) \(", legal)]
    board = re.sub(r"[^XO.]", "", str(error).split(":\n")[1].rsplit("\n", 1)[0])
    assert named == [n for n, mark in enumerate(board) if mark == "."]
    assert named and 4 not in named
    whole = match(GAME, Random(), Cheat(), games=number, speed=speed, starter=starter, seed=3)
    assert (whole.results == games.results).all()


@pytest.mark.parametrize("speed", SPEEDS)
def test_an_illegal_move_is_found_without_the_record_too(speed):
    with pytest.raises(AgentError, match=r"Cheat returned action 4 in game \d+.*keep_moves=True"):
        match(GAME, Cheat(), Random(), games=100, speed=speed, keep_moves=False)


@pytest.mark.parametrize("speed", SPEEDS)
def test_an_agent_that_raises_an_error_is_named_and_the_games_so_far_are_kept(speed):
    with pytest.raises(AgentError, match=r"Faints failed in game .*RuntimeError: dizzy") as failure:
        match(GAME, Random(), Faints(), games=500, speed=speed)
    games = failure.value.games
    assert failure.value.agent == "Faints"
    assert isinstance(failure.value.__cause__, RuntimeError)
    assert 0 < len(games.results) < 500
    assert f"failed in game {len(games.results) + 1}:" in str(failure.value)
    n = len(games.results)
    again = match(GAME, Random(), Faints(), games=n, speed=speed)
    assert (again.results == games.results).all() and (again.moves == games.moves).all()


def test_both_speeds_fail_in_the_same_game():
    lengths = []
    for speed in SPEEDS:
        with pytest.raises(AgentError) as failure:
            match(GAME, Random(), Faints(), games=500, speed=speed)
        lengths.append(failure.value.games.lengths.tolist())
    assert lengths[0] == lengths[1]


class Dawdles(NamedTuple):
    """Never answers from the second game on (squares 0, 1, 2 in the first)."""

    patience: Any

    def choose(self, game, state, rng):
        self.patience[0] -= 1
        while self.patience[0] < 0:
            pass
        for action in game.actions(state):
            return action
        return -1


def test_an_endless_loop_ends_with_the_time_limit():
    began = time.perf_counter()
    with pytest.raises(AgentError, match=r"Dawdles failed.*TimeoutError.*0.2 s") as failure:
        match(GAME, Dawdles(np.full(1, 12)), Simple(), games=50, time_limit=0.2)
    assert failure.value.agent == "Dawdles"
    assert len(failure.value.games.results) == 3, "Simple loses in four moves each, three times"
    assert time.perf_counter() - began < 5


def test_an_endless_loop_ends_a_watched_game_too_and_keeps_its_moves():
    with pytest.raises(AgentError, match=r"Dawdles as X failed: TimeoutError") as failure:
        play(GAME, Dawdles(np.full(1, 2)), Simple(), time_limit=0.2)
    assert [move.action for move in failure.value.games.moves] == [0, 1, 2, 3]


def test_who_answers_in_time_plays_as_without_a_limit():
    limited = match(GAME, OneStepLookAhead(), Random(), games=20, time_limit=5)
    free = match(GAME, OneStepLookAhead(), Random(), games=20)
    assert (limited.moves == free.moves).all()


@pytest.mark.parametrize("speed", SPEEDS)
def test_who_resigns_loses_and_the_moves_so_far_are_kept(speed):
    first = match(GAME, Resigns(), Simple(), games=10, speed=speed)
    second = match(GAME, Simple(), Resigns(), games=10, speed=speed)
    assert first.losses() == 10 and second.wins() == 10
    assert set(first.lengths) == {4} and set(second.lengths) == {5}
    assert [len(first.positions(n)) for n in range(10)] == [5] * 10


class PlainRandom:
    """An agent as a beginner writes it: an ordinary class."""

    def choose(self, game, state, rng):
        return Random().choose(game, state, rng)


class KeepsBooks(NamedTuple):
    """Uses a dictionary of lists, which numba does not compile."""

    book: Any

    def choose(self, game, state, rng):
        self.book.setdefault("seen", []).append(state)
        return Random().choose(game, state, rng)


class Formats(NamedTuple):
    """Uses a language feature that numba does not compile."""

    def choose(self, game, state, rng):
        try:
            with open("no such file") as file:
                return len(file.read())
        except OSError:
            return Random().choose(game, state, rng)


def test_an_ordinary_class_plays_at_python_speed_without_a_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played = match(GAME, PlainRandom(), Random(), games=30)
    assert (played.moves == match(GAME, Random(), Random(), games=30).moves).all()


@pytest.mark.parametrize("agent", [KeepsBooks({}), Formats()], ids=["dictionary", "file"])
def test_an_agent_that_cannot_be_compiled_plays_at_python_speed_with_a_warning(agent):
    with pytest.warns(UserWarning, match=f"{type(agent).__name__}.*Python speed. numba says: ."):
        played = match(GAME, agent, Random(), games=30)
    assert (played.moves == match(GAME, Random(), Random(), games=30).moves).all()


class CannotBeCompiledAndFaints(NamedTuple):
    book: Any

    def choose(self, game, state, rng):
        self.book.setdefault("seen", []).append(state)
        raise RuntimeError("dizzy")


def test_an_agent_that_cannot_be_compiled_and_fails_at_once_is_named_as_well():
    with (
        pytest.warns(UserWarning, match="Python speed"),
        pytest.raises(AgentError, match="CannotBeCompiledAndFaints failed in game 1"),
    ):
        match(GAME, CannotBeCompiledAndFaints({}), Random(), games=3)


def test_an_agent_that_forgets_to_return_is_told_what_was_legal():
    class Forgets:
        def choose(self, game, state, rng):
            Random().choose(game, state, rng)

    with pytest.raises(AgentError, match=r"(?s)Forgets.*action None is not legal.*top left"):
        play(GAME, Forgets(), Random())
    with pytest.raises(AgentError, match=r"(?s)Forgets.*None.*legal"):
        match(GAME, Forgets(), Random(), games=2)


# ---- one game to watch -----------------------------------------------------------------------


def test_observers_see_every_move_as_it_is_made():
    seen, also = [], []
    record = play(GAME, OneStepLookAhead(), Random(), seed=4, observers=[seen.append, also.append])
    assert seen == also == record.moves and 5 <= len(seen) <= 9
    states = [move.position.state for move in seen]
    assert states == [position.state for position in record.positions()[1:]]
    assert [move.player for move in seen] == [n % 2 for n in range(len(seen))]
    assert {move.agent for move in seen} == {"OneStepLookAhead", "Random"}
    assert [move.position.last for move in seen] == [move.action for move in seen]
    assert record.result == result_for_first(GAME, states[-1])
    stamps = [move.at for move in seen]
    assert stamps == sorted(stamps)


def test_a_watched_game_is_the_first_game_of_a_match():
    for seed in range(5):
        record = play(GAME, OneStepLookAhead(), Random(), seed=seed)
        played = match(GAME, OneStepLookAhead(), Random(), games=1, seed=seed)
        actions = played.moves[0, : played.lengths[0]].tolist()
        assert [move.action for move in record.moves] == actions
        assert record.result == played.results[0]


def test_the_log_tells_the_game_in_words_with_times():
    record = play(GAME, Simple(), Simple())
    lines = record.log().splitlines()
    assert len(lines) == 7 + 1
    stamp = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d "
    assert re.fullmatch(stamp + r"Simple \(X\) played top left", lines[0])
    assert re.fullmatch(stamp + r"Simple \(O\) played top middle", lines[1])
    assert re.fullmatch(stamp + r"Simple \(X\) won", lines[-1])
    assert repr(record).splitlines()[0] == "Simple – Simple: X wins"


def test_who_resigns_in_a_watched_game_loses_it_in_the_log_too():
    record = play(GAME, Resigns(), Simple())
    assert record.result == -1
    assert record.moves[-1].action == RESIGN and record.moves[-1].player == 0
    lines = record.log().splitlines()
    assert lines[-2].endswith("Resigns (X) resigned") and lines[-1].endswith("Simple (O) won")
    assert len(record.positions()) == 5


def test_a_resigned_game_does_not_show_itself_as_going_on():
    shown = repr(play(GAME, Resigns(), Simple()))
    assert "to move" not in shown.splitlines()[0]
    assert "O wins" in shown or "resigned" in shown


def test_a_watched_game_that_failed_does_not_call_itself_a_tie():
    class AlwaysFirst:
        def choose(self, game, state, rng):
            return 0

    with pytest.raises(AgentError, match=r"AlwaysFirst: action 0 is not legal") as failure:
        play(GAME, Simple(), AlwaysFirst())
    assert failure.value.agent == "AlwaysFirst"
    assert [move.action for move in failure.value.games.moves] == [0]
    assert "tie" not in failure.value.games.log()


def test_an_agent_from_elsewhere_runs_as_plain_python_in_a_watched_game():
    class Talks(NamedTuple):
        heard: Any

        def choose(self, game, state, rng):
            self.heard.append(state)  # a list of states: not compiled
            return Simple().choose(game, state, rng)

    heard = []
    record = play(GAME, Talks(heard), Simple())
    assert heard == [position.state for position in record.positions()[:-1:2]]


def test_the_mover_may_stay_the_same_in_a_watched_game():
    game = DotsAndBoxes(1, 2)
    record = play(game, perfect(game), Random(), seed=1)
    movers = [game.mover(position.state) for position in record.positions()[:-1]]
    assert [move.player for move in record.moves] == movers
    assert any(one == two for one, two in zip(movers, movers[1:]))


# ---- wrong input -----------------------------------------------------------------------------


@pytest.mark.parametrize("arrange", [match, play])
def test_a_class_is_no_agent_until_it_is_built(arrange):
    with pytest.raises(ValueError, match=r"Random is a class: write Random\(\)"):
        arrange(GAME, Random, Simple())
    with pytest.raises(ValueError, match=r"Simple is a class: write Simple\(\)"):
        arrange(GAME, Random(), Simple)


@pytest.mark.parametrize("arrange", [match, play])
@pytest.mark.parametrize(
    "nobody", [None, 3, "Random", object()], ids=["None", "3", "str", "object"]
)
def test_who_cannot_choose_is_no_agent(arrange, nobody):
    with pytest.raises(
        ValueError, match=r"is no agent: it has no method choose\(game, state, rng\)"
    ):
        arrange(GAME, nobody, Random())


@pytest.mark.parametrize("arrange", [match, play])
def test_an_agent_that_was_made_for_another_game_is_refused(arrange):
    with pytest.raises(ValueError, match=r"Perfect was made for TicTacToe\(size=3\).*size=4"):
        arrange(TicTacToe(4), perfect(GAME), Random())


class Threes(NamedTuple):
    """Another game with the same number in it: as tuples Threes(3) and TicTacToe(3) are equal."""

    size: int = 3


def test_another_kind_of_game_with_equal_parameters_is_another_game():
    with pytest.raises(ValueError, match="was made for Threes"):
        match(GAME, perfect(GAME)._replace(game=Threes(3)), Random(), games=1)


def test_a_negative_number_of_games_is_refused():
    with pytest.raises(ValueError, match="games=-1: expected 0 or more"):
        match(GAME, Random(), Random(), games=-1)


def test_an_unknown_starter_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError) as refusal:
        match(GAME, Random(), Random(), starter="me")
    assert "starter='me'" in str(refusal.value)
    assert all(starter in str(refusal.value) for starter in STARTERS)


def test_an_unknown_speed_is_refused_as_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match=r"speed='warp': expected one of") as refusal:
        match(GAME, Random(), Random(), games=1, speed="warp")
    assert not isinstance(refusal.value, AgentError), "no agent is to blame"


def test_an_illegal_move_of_a_person_is_answered_with_the_legal_ones():
    state = noughts_and_crosses("XO. .X. ..O")
    for wrong in (0, 9, -1, "top right", None):
        with pytest.raises(ValueError) as refusal:
            move(GAME, state, wrong)
        assert f"action {wrong!r} is not legal here" in str(refusal.value)
        assert (
            "legal are 2 (top right), 3 (middle left), 5 (middle right), 6 (bottom left), "
            "7 (bottom middle):" in str(refusal.value)
        )
        assert " X | O | ." in str(refusal.value)
    assert move(GAME, state, 2) == GAME.play(state, 2)


def test_nobody_moves_in_a_finished_game():
    with pytest.raises(ValueError, match=r"(?s)finished; start a new one.* X \| X \| X"):
        move(GAME, noughts_and_crosses("XXX OO. ..."), 5)


def test_replaying_stops_at_an_illegal_move():
    assert [p.state for p in replay(GAME, [4, 0])] == [
        after(GAME, []),
        after(GAME, [4]),
        after(GAME, [4, 0]),
    ]
    with pytest.raises(ValueError, match="action 4 is not legal"):
        replay(GAME, [4, 4])
