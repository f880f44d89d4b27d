"""One source, two speeds: the same games from the same seed, and code that is never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import twospeed
from course_lib.agents import (
    Minimax,
    Negamax,
    OneStepLookAhead,
    Perfect,
    Promise,
    Random,
    Simple,
    best_moves,
    search,
    with_memory,
)
from course_lib.agents.exploration import Constant
from course_lib.agents.q_learning import q_learning
from course_lib.arena import match, play, play_games
from course_lib.exact import ceiling, solve
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.training import Training
from course_lib.twospeed import cache_folder, compilable, fast, is_lean
from tests.sample import all_states, name

LIBRARY = Path(twospeed.__file__).parent


def assert_same_games(one, other):
    assert one.results.tolist() == other.results.tolist()
    assert one.seats.tolist() == other.seats.tolist()
    assert one.lengths.tolist() == other.lengths.tolist()
    assert one.moves.tolist() == other.moves.tolist()


def both_speeds(game, build, opponent=None, games=12, seed=0):
    """The same match at both speeds; agents that remember are built anew for each."""
    slow, quick = (
        match(
            game,
            build(game),
            opponent or Random(),
            games=games,
            seed=seed,
            starter="random",
            speed=speed,
        )
        for speed in ("python", "compiled")
    )
    assert len(slow.results) == games
    assert_same_games(slow, quick)
    return slow


# ---- the same games --------------------------------------------------------------------------

GAMES = [TicTacToe(3), Connect4(4, 5, 3), DotsAndBoxes(2, 2, True)]
AGENTS = {
    "Random": lambda game: Random(),
    "Simple": lambda game: Simple(),
    "OneStepLookAhead": lambda game: OneStepLookAhead(),
    "Minimax": lambda game: Minimax(depth=2, heuristic=Promise()),
    "Minimax with pruning": lambda game: Minimax(True, depth=3, heuristic=Promise()),
    "Negamax": lambda game: Negamax(depth=2),
    "Negamax with pruning": lambda game: Negamax(True, depth=3),
    "NegamaxWithMemory": lambda game: with_memory(game, depth=3, bits=8),
    "Perfect": lambda game: Perfect(game, solution_of(game)),
}


def solution_of(game, solved={}):  # noqa: B006 (one solution of each game is enough)
    if repr(game) not in solved:
        solved[repr(game)] = solve(game)
    return solved[repr(game)]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("game", GAMES, ids=name)
def test_same_seed_same_games_at_both_speeds(game, agent):
    for seed in (0, 1):
        both_speeds(game, AGENTS[agent], games=4, seed=seed)


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(
        st.builds(TicTacToe, st.integers(2, 6)),
        st.sampled_from(
            [
                *(Connect4(), Connect4(1, 20, 5), Connect4(20, 2, 5), Connect4(2, 20, 4)),
                *(Connect4(5, 10, 4), Connect4(7, 7, 4), Connect4(6, 2, 3), Connect4(9, 6, 5)),
            ]
        ),
        st.builds(DotsAndBoxes, st.integers(1, 4), st.integers(1, 4), st.booleans()),
    ),
    st.integers(0, 2**32),
)
def test_boards_of_any_size_and_any_seed_give_the_same_games(game, seed):
    """Up to the largest boards, whose bits fill nearly the whole of a compiled integer."""
    both_speeds(game, lambda game: OneStepLookAhead(), games=2, seed=seed)


def keys_along_a_game(game, rng, keys):
    """Plays at random and notes key, canonical key and symmetry; returns how many positions."""
    state = game.start()
    n = 0
    while not game.over(state):
        count = 0
        for _ in game.actions(state):
            count += 1
        skip = int(rng.random() * count)
        chosen = -1
        for action in game.actions(state):
            if skip == 0:
                chosen = action
            skip -= 1
        state = game.play(state, chosen)
        canonical, symmetry = game.canonical(state)
        keys[n, 0] = game.key(state)
        keys[n, 1] = canonical
        keys[n, 2] = symmetry
        n += 1
    return n


@pytest.mark.parametrize(
    "games",
    [
        [TicTacToe(3), TicTacToe(6)],
        [Connect4(), Connect4(2, 20, 4), Connect4(20, 2, 5)],
        [DotsAndBoxes(2, 2), DotsAndBoxes(4, 5), DotsAndBoxes(4, 4)],
    ],
    ids=["TicTacToe", "Connect4", "DotsAndBoxes"],
)
def test_keys_are_the_same_numbers_at_both_speeds(games):
    for game in games:
        for seed in range(3):
            noted = []
            for speed in ("python", "compiled"):
                keys = np.zeros((game.longest(), 3), np.int64)
                rng = np.random.default_rng(seed)
                n = fast(keys_along_a_game, speed)(game, rng, keys)
                assert n > 1
                noted.append(keys.tolist())
            assert noted[0] == noted[1]


# ---- a learner's own game, agent and heuristic -----------------------------------------------


class Heap(NamedTuple):
    stones: int
    player: int


class Nim(NamedTuple):
    """Take one to three stones from a heap; who takes the last one wins. Nothing but the rules."""

    stones: int = 9

    def start(self):
        return Heap(self.stones, 0)

    def mover(self, state):
        return state.player

    def actions(self, state):
        for take in range(3):
            if take < state.stones:
                yield take

    def play(self, state, action):
        return Heap(state.stones - action - 1, 1 - state.player)

    def pass_turn(self, state):
        return Heap(state.stones, 1 - state.player)

    def over(self, state):
        return state.stones == 0

    def result(self, state):
        return -1

    def key(self, state):
        return 2 * state.stones + state.player

    def action_count(self):
        return 3

    def longest(self):
        return self.stones


class LeavesFours(NamedTuple):
    """Own agent: leaves a multiple of four where it can, else takes one stone."""

    def choose(self, game, state, rng):
        rest = state.stones % 4
        return rest - 1 if rest > 0 else 0


class Parity(NamedTuple):
    """Own heuristic: whoever faces a multiple of four is in trouble."""

    weight: float = 0.5

    def estimate(self, game, state):
        return -self.weight if state.stones % 4 == 0 else self.weight


@pytest.mark.parametrize(
    "agent",
    [
        *("Random", "Simple", "OneStepLookAhead", "Negamax", "Negamax with pruning"),
        *("NegamaxWithMemory", "Perfect"),
    ],
)
def test_an_own_game_is_played_by_every_agent_at_both_speeds(agent):
    played = both_speeds(Nim(), AGENTS[agent])
    assert played.positions(0)[-1].state.stones == 0


def test_an_own_agent_plays_an_own_game_at_both_speeds_and_wins_as_it_should():
    played = both_speeds(Nim(9), lambda game: LeavesFours(), games=40)
    first = played.results[played.seats == 0]
    assert len(first) > 5 and (first == 1).all(), "9 stones are a win for the starter"


def test_an_own_heuristic_guides_a_search_at_both_speeds():
    game = Nim(30)
    guided = both_speeds(game, lambda game: Negamax(True, 1, Parity()), games=20)
    blind = match(game, Negamax(True, 1), Random(), games=20, starter="random")
    assert guided.wins() > blind.wins()
    assert best_moves(Negamax(True, 1, Parity()), game, Heap(11, 0)) == [2]


def test_exact_tools_solve_an_own_game():
    game = Nim(12)
    for speed in ("python", "compiled"):
        solution = solve(game, speed)
        assert solution.positions() == len(all_states(game)) > 12
        for state in all_states(game):
            assert solution.value(game, state) == (-1 if state.stones % 4 == 0 else 1)
        assert ceiling(game, Random(), 1, speed).win == pytest.approx(
            ceiling(game, Random(), 1, "python").win
        )
    assert search(Negamax(), game, game.start()).value == -1


def test_an_own_game_without_a_drawing_can_be_watched():
    record = play(Nim(), LeavesFours(), Simple())
    assert record.result == 1
    assert "LeavesFours (X) played action 0" in record.log()
    assert record.positions()[-1]._repr_svg_() is None
    assert "<pre>" in record.positions()[-1]._repr_html_()
    assert repr(record).splitlines()[0] == "LeavesFours – Simple: X wins"


def test_a_watched_game_of_an_own_game_shows_itself_in_a_notebook():
    record = play(Nim(), LeavesFours(), Simple())
    assert record._repr_svg_() is None, "without a picture the text is shown"


def test_only_named_tuples_can_be_compiled():
    assert compilable(TicTacToe(), Random(), Nim(), TicTacToe().start())
    assert not compilable(TicTacToe(), object())
    assert not compilable((1, 2))


def test_a_game_that_is_defined_again_under_its_name_is_not_served_stale():
    """As in a notebook: the cell with the rules is changed and run again."""

    def define(last_one_wins):
        class Nim(NamedTuple):
            stones: int = 9

            def start(self):
                return Heap(self.stones, 0)

            def mover(self, state):
                return state.player

            def actions(self, state):
                for take in range(3):
                    if take < state.stones:
                        yield take

            def play(self, state, action):
                return Heap(state.stones - action - 1, 1 - state.player)

            def over(self, state):
                return state.stones == 0

            if last_one_wins:

                def result(self, state):
                    return -1
            else:

                def result(self, state):
                    return 1

            def longest(self):
                return self.stones

        return Nim

    outcomes = []
    for last_one_wins in (True, False):
        game = define(last_one_wins)(5)
        played = match(game, Simple(), Simple(), games=3, speed="compiled")
        outcomes.append(played.results.tolist())
    assert outcomes == [[1, 1, 1], [-1, -1, -1]]


# ---- the switch ------------------------------------------------------------------------------


def run(code, folder=None, **environment):
    """Run code in a Python of its own, with course_lib from `folder`, and return its output."""
    variables = {key: value for key, value in os.environ.items() if key != "COURSE_LIB_SPEED"}
    variables |= {"PYTHONPATH": str(folder or LIBRARY.parent), **environment}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=variables,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


REPORT = dedent("""
    from course_lib import twospeed
    from course_lib.agents import OneStepLookAhead, Random
    from course_lib.arena import match, play_games
    from course_lib.games import TicTacToe

    played = match(TicTacToe(), OneStepLookAhead(), Random(), games=10, seed=7)
    print(twospeed.default_speed(), twospeed.fast(play_games) is play_games)
    print(played.moves.tolist())
    try:
        match(TicTacToe(), Random(), Random(), games=1, speed="compiled")
    except Exception as error:
        print(type(error).__name__, error)
    print(twospeed.describe_speed())
""")

WITHOUT_NUMBA = dedent("""
    import sys

    class NoNumba:
        def find_spec(self, name, path=None, target=None):
            if name.split(".")[0] == "numba":
                raise ImportError("numba is not for this Python")

    sys.meta_path.insert(0, NoNumba())
""")


def test_the_switch_gives_plain_python_and_the_same_games():
    speed, moves, refusal, words = run(REPORT, COURSE_LIB_SPEED="python").splitlines()
    expected = match(TicTacToe(), OneStepLookAhead(), Random(), games=10, seed=7, speed="compiled")
    assert speed == "python True"
    assert moves == str(expected.moves.tolist())
    assert "speed='compiled' is not to be had here" in refusal
    assert "COURSE_LIB_SPEED=python" in refusal and "COURSE_LIB_SPEED=python" in words


def test_without_numba_the_same_source_still_plays_the_same_games():
    speed, moves, refusal, words = run(WITHOUT_NUMBA + REPORT).splitlines()
    expected = match(TicTacToe(), OneStepLookAhead(), Random(), games=10, seed=7, speed="compiled")
    assert speed == "python True"
    assert moves == str(expected.moves.tolist())
    assert "numba is not for this Python" in refusal
    assert "plain Python only (numba is not for this Python)" in words


def test_asking_for_what_is_not_there_is_a_plain_value_error():
    code = """
        from course_lib.twospeed import fast
        try:
            fast(len, "compiled")
        except ValueError as error:
            print(error)
    """
    assert run(WITHOUT_NUMBA + dedent(code)) == (
        "speed='compiled' is not to be had here: numba is not for this Python"
    )


def test_without_numba_nobody_blames_the_agent_for_the_missing_speed():
    refusal = run(WITHOUT_NUMBA + REPORT).splitlines()[2]
    assert refusal.startswith("ValueError ")


def test_an_unknown_speed_is_refused():
    with pytest.raises(ValueError, match=r"speed='fast': expected one of .*python.*compiled"):
        fast(play_games, "fast")
    assert fast(play_games, "python") is play_games


def test_with_numba_compiled_is_the_usual_speed():
    assert twospeed.default_speed() == "compiled"
    assert twospeed.describe_speed().startswith("compiled by numba")
    assert fast(play_games) is not play_games
    assert fast(play_games) is fast(play_games)


# ---- what is kept on disk --------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path):
    """course_lib in a folder of its own, with a cache of its own."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(LIBRARY, tmp_path / "course_lib", ignore=ignored)
    return tmp_path


COUNT = dedent("""
    from course_lib.agents import Simple
    from course_lib.arena import match, play_games
    from course_lib.games import TicTacToe
    from course_lib.twospeed import fast

    played = match(TicTacToe(), Simple(), Simple(), games=1)
    stats = fast(play_games, lean=True).stats
    print(played.results[0], sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
""")


def test_a_second_start_loads_what_the_first_compiled_until_a_rule_changes(copy):
    assert run(COUNT, copy) == "1 0 1"
    assert run(COUNT, copy) == "1 1 0"
    assert len(list((copy / ".course_cache").iterdir())) == 1
    rules = copy / "course_lib" / "games" / "tic_tac_toe.py"
    text = rules.read_text(encoding="utf-8")
    changed = text.replace("return -1 if self.line(state) != 0 else 0", "return 1")
    assert changed != text
    rules.write_text(changed, encoding="utf-8")
    assert run(COUNT, copy) == "-1 0 1", "who completes a line now loses"
    assert len(list((copy / ".course_cache").iterdir())) == 2
    rules.write_text(text, encoding="utf-8")
    assert run(COUNT, copy).split()[0] == "1", "the old rules again"


def test_what_is_written_in_a_notebook_is_compiled_anew_by_each_kernel(copy):
    code = """
        from typing import NamedTuple
        from course_lib.agents import Simple
        from course_lib.arena import match, play_games
        from course_lib.games import TicTacToe
        from course_lib.twospeed import fast

        class Mine(NamedTuple):
            def choose(self, game, state, rng):
                first = -1
                for action in game.actions(state):
                    last = action
                    first = action if first < 0 else first
                return {}

        played = match(TicTacToe(), Mine(), Simple(), games=1, speed="compiled")
        print(played.moves[0, 0], sum(fast(play_games).stats.cache_hits.values()))
    """
    assert run(dedent(code).format("last"), copy) == "8 0"
    assert run(dedent(code).format("first"), copy) == "0 0"
    assert not list((copy / ".course_cache").rglob("*.nbc"))


def test_the_cache_folder_changes_with_any_source_and_comes_back_with_it(copy, monkeypatch):
    monkeypatch.setattr(twospeed, "LIBRARY", copy / "course_lib")
    before = cache_folder()
    assert before.is_dir() and before.parent == copy / ".course_cache"
    sources = set((copy / "course_lib").rglob("*.py"))
    for source in sorted(sources - twospeed.never_compiled()):
        text = source.read_bytes()
        source.write_bytes(text + b"\n# changed\n")
        assert cache_folder() != before
        source.write_bytes(text)
    assert cache_folder() == before
    (copy / "course_lib" / "widgets" / "board.py").write_text("# never compiled\n")
    assert cache_folder() == before
    compiled = {"games", "agents", "exact", "arena", "training", "table", "bits", "chance"}
    assert not compiled & {path.stem for path in twospeed.never_compiled()}


def test_caches_that_nobody_used_for_weeks_are_forgotten(copy, monkeypatch):
    monkeypatch.setattr(twospeed, "LIBRARY", copy / "course_lib")
    used = cache_folder()
    unused = copy / ".course_cache" / "0123456789abcdef"
    recent = copy / ".course_cache" / "fedcba9876543210"
    for folder, days in ((unused, 30), (recent, 3)):
        folder.mkdir()
        (folder / "code.nbc").write_text("x")
        then = used.stat().st_mtime - days * 86_400
        os.utime(folder, (then, then))
    (copy / "course_lib" / "bits.py").write_text("# changed\n")
    assert cache_folder() != used
    assert not unused.exists() and recent.exists() and used.exists()


# ---- lean: without counting references -------------------------------------------------------


def test_lean_code_plays_the_same_games_and_holds_on_to_no_array():
    game = TicTacToe()
    learner = q_learning(game, exploration=Constant(0.2))
    assert is_lean(game, learner, Random()) and not is_lean(Minimax())
    run = Training(game, learner, Random(), games=200, sessions=2)
    other = Training(game, learner, Random(), games=200, sessions=2)
    other_call = fast(play_games)  # with counting
    run.advance(50)
    held = run.sides[0].values
    before = sys.getrefcount(held)
    run.advance(50)
    after = sys.getrefcount(held)  # not inside of assert, which holds on to what it compares
    assert after == before
    other_call(game, other.sides[0], other.sides[1], other.seats, 100, other.rng, other.log)
    assert np.array_equal(run.log.results, other.log.results)
    assert np.array_equal(run.sides[0].values, other.sides[0].values)


class Hoarder(NamedTuple):
    """An agent that makes an array, and so can't be lean."""

    def choose(self, game, state, rng):
        squares = np.zeros(9)
        for action in game.actions(state):
            squares[action] = rng.random()
        return int(np.argmax(squares))


def test_an_agent_that_makes_arrays_is_compiled_with_counting():
    assert not is_lean(Hoarder())
    played = match(TicTacToe(), Hoarder(), Random(), games=20, speed="compiled")
    assert np.array_equal(
        played.results, match(TicTacToe(), Hoarder(), Random(), games=20, speed="python").results
    )
