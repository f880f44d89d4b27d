"""How fast MCTS is, side by side with open_spiel's, in C++ and in Python; and how it keeps time.

    python benchmarks/monte_carlo.py [--quick] [--json FILE]

1,000 simulations from the empty board, with one random rollout each and without proofs. Only the
ratios mean something, and only those from one run: the engines take turns.
"""

import learning
import measure
import numpy as np
import peers
from measure import SPEEDS, Goal, at_least, optional, seconds_of

from course_lib.agents import mcts, monte_carlo
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.twospeed import fast, is_lean

GAMES = {
    "tic-tac-toe": TicTacToe(),
    "Connect4 6×7": Connect4(),
    "dots and boxes 2×2": DotsAndBoxes(),
}
SIMULATIONS = 1000
C = 1.4
SPIEL, SPIEL_PYTHON = "open_spiel, C++", "open_spiel, Python"
SPIEL_GOALS = {"tic-tac-toe": 2, "Connect4 6×7": 6}  # times open_spiel's C++
SPIEL_PYTHON_GOAL = 100  # times open_spiel's Python
Q_GOAL = learning.OPEN_SPIEL_GOAL
BUDGETS = (0.01, 0.05, 0.25, 1.0)  # seconds a move
KEPT_SHARE, KEPT_SECONDS = 0.10, 0.005  # a budget of time is kept within this, whichever is more


# What is measured: {engine: function that does it n times}


def choose(agent, game, state, rng):
    return agent.choose(game, state, rng)


def moves(build, game, speed, **budget):
    """A function that lets an agent move n times from the start."""
    agent, rng = build(game, **budget), np.random.default_rng(0)
    call = fast(choose, speed, is_lean(game, agent))

    def repeat(n):
        for _ in range(n):
            call(agent, game, game.start(), rng)

    return repeat


def simulations(name):
    """Ours at both speeds, and open_spiel's in both languages."""
    engines = {
        engine: moves(mcts, GAMES[name], speed, iterations=SIMULATIONS, c=C)
        for engine, speed in SPEEDS.items()
    }
    return engines | open_spiel_simulations(name)


def open_spiel_simulations(name):
    if not peers.pyspiel:
        return {}
    spiel = peers.pyspiel
    game = spiel.load_game(peers.SPIEL_NAMES[name])
    state = game.new_initial_state()
    evaluator = spiel.RandomRolloutEvaluator(1, 0)
    fast_bot = spiel.MCTSBot(game, evaluator, C, SIMULATIONS, 1000, False, 0, False)
    engines = {SPIEL: measure.times(lambda: fast_bot.mcts_search(state))}
    search = optional("open_spiel.python.algorithms.mcts", "open_spiel")
    if search:
        evaluator = search.RandomRolloutEvaluator(1, np.random.RandomState(0))
        slow_bot = search.MCTSBot(game, C, SIMULATIONS, evaluator, solve=False)
        engines[SPIEL_PYTHON] = measure.times(lambda: slow_bot.mcts_search(state))
    return engines


def overruns(build, seconds, speed, rounds):
    """By how many seconds a budget of time is missed, in each of several moves."""
    repeat = moves(build, Connect4(), speed, seconds=seconds)
    repeat(1)
    return [seconds_of(repeat, 1) - seconds for _ in range(rounds)]


# All of it


def run(quick):
    rounds, seconds = (2, 0.1) if quick else (7, 0.5)
    found, kept = {}, {}

    columns = [*SPEEDS, SPIEL, SPIEL_PYTHON]
    measure.heading("MCTS: simulations a second (compiled is so many times as fast)", columns)
    for name in GAMES:
        found[name] = measure.compare(simulations(name), rounds, seconds)
        measure.line_of(name, found[name], columns, lambda rate: f"{SIMULATIONS * rate:,.0f}")

    columns = [*SPEEDS, learning.OPEN_SPIEL]
    measure.heading("Q-learning on 3×3: training games a second", columns)
    engines = learning.sessions_of(learning.PLAIN_Q) | learning.open_spiel_sessions()
    q = measure.compare(engines, rounds, seconds)
    measure.line_of(learning.PLAIN_Q, q, columns, lambda rate: f"{learning.GAMES * rate:,.0f}")

    columns = [f"{1000 * budget:g} ms" for budget in BUDGETS]
    measure.heading(
        "Connect4 6×7: a move may take so long, and takes more by (median, worst) ms", columns
    )
    for engine, speed in SPEEDS.items():
        for build in (mcts, monte_carlo):
            over = {b: overruns(build, b, speed, 3 if quick else 11) for b in BUDGETS}
            kept[f"{build.__name__}, {engine}"] = over
            cells = [f"{1000 * np.median(o):.2f}, {1000 * max(o):.2f}" for o in over.values()]
            measure.line(f"{build.__name__}, {engine}", cells)
    return {"simulations": found, "Q-learning": q, "seconds over budget": kept}, goals(
        found, q, kept
    )


def goals(found, q, kept):
    for name, goal in SPIEL_GOALS.items():
        ratio = found[name].get(SPIEL, {}).get("ratio")
        yield at_least(f"simulations against open_spiel's C++, {name}", goal, ratio)
    for name in GAMES:
        ratio = found[name].get(SPIEL_PYTHON, {}).get("ratio")
        yield at_least(f"against open_spiel's Python, {name}", SPIEL_PYTHON_GOAL, ratio)
    ratio = q.get(learning.OPEN_SPIEL, {}).get("ratio")
    yield at_least("Q-learning against open_spiel's learner", Q_GOAL, ratio)
    late = [
        (median, f"{who}, {1000 * budget:g} ms: {1000 * median:+.2f} ms")
        for who, over in kept.items()
        for budget, misses in over.items()
        if (median := float(np.median(misses))) > max(KEPT_SHARE * budget, KEPT_SECONDS)
    ]
    worst = max(float(np.median(o)) for over in kept.values() for o in over.values())
    measured = max(late)[1] if late else f"at worst {1000 * worst:.2f} ms over, in the median"
    yield Goal("a budget of time is kept within 10 % or 5 ms", not late, measured)


if __name__ == "__main__":
    measure.main(__doc__, run)
