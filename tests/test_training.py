"""Training in sessions: from one seed, in any chunks, stopped and gone on with at will."""

import signal
from typing import NamedTuple

import numpy as np
import pytest

from course_lib.agents import Random, Simple, perfect
from course_lib.agents.exploration import Constant, Linear
from course_lib.agents.menace import Menace, menace
from course_lib.agents.q_learning import q_learning
from course_lib.arena import AgentError
from course_lib.exact import evaluate
from course_lib.games import TicTacToe
from course_lib.training import Training, train

GAME, LARGE = TicTacToe(), TicTacToe(4)
TINY = TicTacToe(2)  # who moves first wins: two in a row can't be stopped


@pytest.fixture(scope="module")
def the_perfect():
    return perfect(GAME)


def q_against_random(sessions=3, games=60, **options):
    agent = q_learning(GAME, exploration=Linear(0.5, 5, 60))
    return Training(GAME, agent, Random(), games, sessions, seed=8, **options)


def growing():
    """A table that outgrows its first 1024 rows, against another learner."""
    agents = [q_learning(LARGE, 0.3, exploration=Constant(0.4)) for _ in range(2)]
    return Training(LARGE, *agents, games=500, sessions=2, seed=1, starter="alternate")


def growing_beside_menace():
    """One side grows, the other dies in some sessions."""
    agent = q_learning(GAME, 0.3, exploration=Constant(0.8))
    machine = menace(GAME, 1, win=1, tie=0, second=True)
    return Training(GAME, agent, machine, games=1500, sessions=4, seed=3, starter="random")


def dying():
    machine = menace(GAME, 1, win=0, tie=1)
    return Training(GAME, machine, Random(), games=200, sessions=12, seed=2)


def contents(agent):
    """All that a learner knows, row by row."""
    if isinstance(agent, Menace):
        return [agent.beads.tolist(), agent.opened.tolist(), agent.totals.tolist()]
    used = int(agent.table.used[0])
    columns = (agent.table.keys, agent.values, agent.visits)
    return [column[:used].tolist() for column in columns] + [agent.clock.tolist()]


def assert_same(one, other, sides=(0, 1)):
    """Two Trainings ended the same in every respect."""
    for name in ("results", "resigned", "gauges", "played", "died"):
        assert (getattr(one, name) == getattr(other, name)).all(), name
    assert one.session == other.session and one.done() == other.done()
    for side in sides:
        if hasattr(one.trained(side), "fresh"):
            assert contents(one.trained(side)) == contents(other.trained(side))


# ---- session k is session k ------------------------------------------------------------------


def test_a_session_does_not_depend_on_how_many_there_are():
    many = q_against_random(6).go()
    for sessions in (1, 2, 4):
        few = q_against_random(sessions).go()
        assert (few.results == many.results[:sessions]).all()
        assert (few.gauges == many.gauges[:sessions]).all()
    assert len(set(map(bytes, many.results))) == 6


@pytest.mark.parametrize("starter", ["agent", "random"])
def test_a_session_does_not_depend_on_the_speed(starter):
    slow, quick = (
        q_against_random(3, 40, starter=starter, speed=speed).go()
        for speed in ("python", "compiled")
    )
    assert_same(slow, quick)


def test_another_seed_gives_other_sessions():
    one = Training(GAME, q_learning(GAME), Random(), 60, 2, seed=1).go()
    other = Training(GAME, q_learning(GAME), Random(), 60, 2, seed=2).go()
    assert (one.results != other.results).any()


@pytest.mark.parametrize("build", [q_against_random, growing, growing_beside_menace, dying])
@pytest.mark.parametrize("chunk", [7, 333])
def test_chunks_of_any_size_end_the_same(build, chunk):
    whole, parts = build().go(), build()
    while not parts.finished():
        assert parts.advance(chunk) > 0
    assert_same(whole, parts)
    assert parts.advance(chunk) == 0


def test_the_long_runs_do_what_they_are_here_for():
    grown = growing().go()
    assert min(len(grown.trained(side).table.keys) for side in (0, 1)) > 1024
    beside = growing_beside_menace().go()
    assert len(beside.trained().table.keys) > 1024 and 0 < beside.died.sum() < 4
    assert 0 < dying().go().died.sum() < 12


def test_a_grown_table_finds_all_that_it_knew():
    run = growing().go()
    agent = run.trained()
    keys = agent.table.keys[: agent.table.used[0]]
    assert [agent.table.find(int(key)) for key in keys] == list(range(len(keys)))
    assert len(set(keys.tolist())) == len(keys) == np.count_nonzero(agent.visits)
    assert (agent.values[len(keys) :] == 0).all()


def test_growing_loses_nothing():
    """A table that is large from the start learns the same."""
    roomy = q_learning(LARGE, 0.3, exploration=Constant(0.4))
    for _ in range(3):
        roomy = roomy.grown()
    other = q_learning(LARGE, 0.3, exploration=Constant(0.4))
    run = train(LARGE, roomy, other, games=500, seed=1, starter="alternate")
    grown = growing()
    grown.advance(500)
    assert (run.results[0] == grown.results[0]).all()
    assert contents(run.trained()) == contents(grown.trained())


# ---- stopping and going on -------------------------------------------------------------------


@pytest.mark.parametrize("build", [q_against_random, growing, growing_beside_menace, dying])
@pytest.mark.parametrize("chunks", [1, 4, 6])
def test_stopped_after_any_chunk_and_continued_it_ends_the_same(build, chunks):
    run, left = build(), [True] * chunks
    run.go(stop=lambda: not left or not left.pop())
    assert 0 < run.done() < run.sessions * run.games and not run.finished()
    assert_same(build().go(), run.go())


def test_stopped_before_the_first_game_nothing_was_played():
    run = q_against_random().go(stop=lambda: True)
    assert run.done() == run.complete() == 0 and run.scores().shape == (0, 60)
    assert_same(q_against_random().go(), run.go())


@pytest.mark.parametrize("build", [q_against_random, growing_beside_menace])
def test_after_ctrl_c_what_was_played_is_kept_and_it_can_go_on(build):
    run, times = build(), []

    def press():
        times.append(run.done())
        if len(times) == 5:
            signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    run.go(stop=press)
    assert signal.getsignal(signal.SIGINT) is handler
    assert times[-1] < run.done() < run.sessions * run.games
    assert_same(build().go(), run.go())


class PressesCtrlC:
    """An opponent in plain Python during whose move Ctrl-C is pressed."""

    def __init__(self, at):
        self.moves, self.at = 0, at

    def choose(self, game, state, rng):
        self.moves += 1
        if self.moves == self.at:
            signal.raise_signal(signal.SIGINT)
        return Random().choose(game, state, rng)


def test_ctrl_c_in_the_middle_of_a_game_leaves_no_half_game():
    def build(at):
        return Training(GAME, q_learning(GAME), PressesCtrlC(at), games=90, sessions=2, seed=4)

    run = build(at=40).go()
    done = run.done()
    assert 5 < done < 180 and (run.results[0, done:] == 0).all()
    assert_same(build(at=-1).go(), run.go())


# ---- who learns ------------------------------------------------------------------------------


def test_both_learners_learn_from_the_same_game():
    first = menace(GAME, 2, win=3, tie=1)
    second = menace(GAME, 2, win=5, tie=2, first=False, second=True)
    seen = set()
    for seed in range(12):
        run = Training(GAME, first, second, games=1, seed=seed).go()
        result = int(run.results[0, 0])
        seen.add(result)
        for side, before, wins in ((0, first, 3), (1, second, 5)):
            after = run.trained(side)
            change = {1: wins, 0: 1 + side, -1: -1}[result if side == 0 else -result]
            assert len(after.last_game()) >= 2
            assert after.gauge() - before.gauge() == change * len(after.last_game())
            assert run.gauges[0, 0, side] == after.gauge()
    assert {1, -1} <= seen


@pytest.mark.parametrize(("agent_learns", "opponent_learns"), [(True, False), (False, True)])
def test_who_does_not_learn_is_left_as_it_was(agent_learns, opponent_learns):
    agent = train(GAME, q_learning(GAME), Random(), games=50).trained()
    machine = menace(GAME, first=False, second=True)
    before = [contents(agent), contents(machine)]
    learns = {"agent_learns": agent_learns, "opponent_learns": opponent_learns}
    run = train(GAME, agent, machine, games=40, **learns)
    changed = [contents(run.trained(side)) != before[side] for side in (0, 1)]
    assert changed == [agent_learns, opponent_learns]
    still = 0 if opponent_learns else 1
    assert (run.gauges[:, :, still] == 0).all()


def test_each_session_begins_anew_and_leaves_the_given_learner_alone():
    agent = train(GAME, q_learning(GAME), Random(), games=50).trained()
    before = contents(agent)
    run = Training(GAME, agent, Random(), games=30, sessions=2, seed=9).go()
    assert contents(agent) == before
    assert (run.results == Training(GAME, q_learning(GAME), Random(), 30, 2, 9).go().results).all()


@pytest.mark.parametrize("agent", [q_learning(GAME), menace(GAME)])
def test_train_goes_on_from_what_was_learnt(agent):
    """In two parts with the chance of one: the same as all at once."""
    whole = train(GAME, agent.fresh(), Simple(), games=120, seed=1)
    part = Training(GAME, agent.fresh(), Simple(), games=50, seed=1).go()
    rest = Training(GAME, part.trained(), Simple(), games=70, seed=1, fresh=False)
    rest.rng = part.rng
    rest.go()
    assert (np.hstack([part.results, rest.results]) == whole.results).all()
    assert contents(rest.trained()) == contents(whole.trained())


def test_a_dead_machine_plays_no_more(the_perfect):
    run = train(GAME, menace(GAME, 1, win=0, tie=0), the_perfect, games=500)
    assert run.died[0] and run.played[0] < 500
    more = train(GAME, run.trained(), the_perfect, games=20)
    assert more.died[0] and more.played[0] == 0 and more.finished()
    assert more.wins() == more.ties() == more.losses() == 0


# ---- who starts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starter", "results"), [("agent", [1] * 6), ("opponent", [-1] * 6), ("alternate", [1, -1] * 3)]
)
def test_the_starter_is_as_said(starter, results):
    """On 2 × 2 squares who starts wins."""
    run = Training(TINY, q_learning(TINY), Random(), 6, 2, starter=starter).go()
    assert run.results.tolist() == [results] * 2


def test_a_random_starter_is_a_fair_coin_of_its_own_in_each_session():
    sessions, games = 10, 400
    run = Training(TINY, q_learning(TINY), Random(), games, sessions, 6, "random").go()
    assert set(run.results.ravel()) == {1, -1} and len(set(map(bytes, run.results))) == sessions
    assert abs(run.results.sum()) <= 4 * np.sqrt(sessions * games)
    pairs = run.results[:, 1:] * run.results[:, :-1]
    assert abs(pairs.sum()) <= 4 * np.sqrt(pairs.size)


# ---- what is written down --------------------------------------------------------------------


def test_shapes_and_meaning_of_the_results():
    run = dying().go()
    assert run.results.shape == run.resigned.shape == (12, 200)
    assert run.gauges.shape == (12, 200, 2) and run.played.shape == run.died.shape == (12,)
    assert (run.wins() + run.ties() + run.losses() == run.played).all()
    assert ((run.played < 200) == run.died).all()
    assert run.scores().shape == (12, 200)
    assert (run.scores()[:, -1] == run.wins() - run.losses()).all()
    assert (np.diff(run.scores(), axis=1) == run.results[:, 1:]).all()
    for k in np.flatnonzero(run.died):
        n = run.played[k]
        assert (run.results[k, n:] == 0).all() and (run.resigned[k, n:] == -1).all()
        assert (run.gauges[k, n:, 0] == run.gauges[k, n - 1, 0]).all()
    assert (run.gauges[:, :, 1] == 0).all()  # Random has nothing to watch


def test_who_resigned_is_written_down_and_has_lost():
    run = growing_beside_menace().go()
    assert set(run.resigned.ravel().tolist()) == {1, -1}  # only MENACE ever resigns
    assert (run.results[run.resigned == 1] == 1).all()


def test_the_gauges_are_the_beads_and_epsilon():
    agent, machine = q_learning(GAME, exploration=Linear(0.4, 2, 6, False)), menace(GAME, 3)
    run = Training(GAME, machine, agent, games=8, seed=1).go()
    assert run.gauges[0, -1, 0] == run.trained(0).beads.sum() != machine.beads.sum()
    assert run.gauges[0, :, 1] == pytest.approx([0.4, 0.4, 0.3, 0.2, 0.1, 0, 0, 0])


def test_only_complete_sessions_are_counted():
    run = q_against_random(3, 60)
    run.advance(130)
    assert run.complete() == 2 and run.done() == 130 and run.played.tolist() == [60, 60, 10]
    assert len(run.scores()) == len(run.wins()) == len(run.losses()) == 2


# ---- how good it has become ------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("build", [q_learning, lambda game: menace(game, 2, second=True)])
def test_no_trained_agent_is_above_the_ceiling(build, seat, the_perfect):
    starter = ("agent", "opponent")[seat]
    for opponent in (Random(), Simple()):
        agent = train(GAME, build(GAME), opponent, games=800, starter=starter).trained()
        found = evaluate(GAME, agent, opponent, seat, solution=the_perfect.solution)
        assert found.gap() >= -1e-9 and 0 <= found.optimal <= 1
        assert sum(found.rates) == pytest.approx(1)
        untrained = evaluate(GAME, build(GAME), opponent, seat, solution=the_perfect.solution)
        assert found.rates.score() > untrained.rates.score()


def test_perfect_play_is_all_optimal(the_perfect):
    for seat in (0, 1):
        found = evaluate(GAME, the_perfect, Random(), seat, solution=the_perfect.solution)
        assert found.optimal == 1.0 and found.gap() >= 0
        assert found.rates.loss == pytest.approx(0, abs=1e-12)


# ---- failures and wrong inputs ---------------------------------------------------------------


class Breaks:
    """A learner that raises an error in its third game: when it has to act, or to learn."""

    def __init__(self, when):
        self.when, self.games = when, 0

    def _maybe(self, now):
        if now == self.when and self.games == 3:
            raise RuntimeError(f"no idea how to {now}")

    def choose(self, game, state, rng):
        return self.act(game, state, rng)

    def begin(self):
        self.games += 1
        self._maybe("begin")

    def act(self, game, state, rng):
        self._maybe("act")
        return next(iter(game.actions(state)))

    def learn(self, game, result):
        self._maybe("learn")

    def ready(self, game, seat):
        return 0

    def gauge(self):
        return 0.5

    def fresh(self):
        return Breaks(self.when)

    def grown(self):
        return self


@pytest.mark.parametrize("when", ["begin", "act", "learn"])
@pytest.mark.parametrize("side", [0, 1])
def test_an_agent_that_fails_is_named_and_the_games_before_are_kept(when, side):
    """On 2 × 2 squares who starts also makes the last move: here that is the other one."""
    pair, starter = ([Breaks(when), Random()], "opponent")
    if side == 1:
        pair, starter = pair[::-1], "agent"
    run = Training(TINY, *pair, games=20, starter=starter, speed="python")
    with pytest.raises(AgentError, match=f"game 3.*no idea how to {when}") as caught:
        run.go()
    assert caught.value.games is run and run.played.tolist() == [2] and run.done() == 2
    assert (run.gauges[0, :2, side] == 0.5).all() and (run.gauges[0, 2:] == 0).all()
    assert caught.value.agent == "Breaks" and str(caught.value).startswith("Breaks failed")


class Cheats(NamedTuple):
    """Always takes the middle, taken or not."""

    def choose(self, game, state, rng):
        return 4


@pytest.mark.parametrize("speed", ["python", "compiled"])
def test_an_illegal_move_in_training_names_who_made_it(speed):
    run = Training(GAME, q_learning(GAME), Cheats(), games=20, speed=speed)
    with pytest.raises(AgentError, match="Cheats returned action 4 in game 1") as caught:
        run.go()
    assert caught.value.agent == "Cheats" and run.played[0] == 0


@pytest.mark.parametrize("name", ["games", "sessions"])
@pytest.mark.parametrize("number", [0, -3, 2.5, "10", None, True])
def test_wrong_numbers_are_refused_in_words(name, number):
    with pytest.raises(ValueError, match=f"{name}={number!r}: expected a whole number, 1 or more"):
        Training(GAME, q_learning(GAME), Random(), **{name: number})


@pytest.mark.parametrize("seed", [-1, 1.5, "one", None])
def test_a_wrong_seed_is_refused_in_words(seed):
    with pytest.raises(ValueError, match=f"seed={seed!r}: expected"):
        Training(GAME, q_learning(GAME), Random(), seed=seed)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"starter": "me"}, "starter='me': expected one of"),
        ({"speed": "quick"}, "speed='quick': expected one of"),
        ({"fresh": False, "sessions": 2}, "sessions=2: with fresh=False there is only one"),
        ({"agent": Random}, r"Random is a class: write Random\(\)"),
        ({"agent": 7}, "7 is no agent: it has no method choose"),
        ({"opponent": q_learning(LARGE)}, r"was made for TicTacToe\(size=4\)"),
    ],
)
def test_other_wrong_input_is_refused_in_words(options, words):
    with pytest.raises(ValueError, match=words):
        Training(**{"game": GAME, "agent": q_learning(GAME), "opponent": Random()} | options).go()
