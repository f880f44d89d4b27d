"""How fast learners learn, side by side with plain Python, open_spiel and the drawing of a plot.

    python benchmarks/learning.py [--quick] [--json FILE]

Only the ratios mean something, and only those from one run: the engines take turns.
"""

import io

import measure
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from measure import PYTHON, SPEEDS, Goal, at_least, optional

from course_lib import plots
from course_lib.agents import Random
from course_lib.agents.exploration import Constant
from course_lib.agents.q_learning import q_learning
from course_lib.experiments.pulles2019 import FIGURES, GAME
from course_lib.training import Training

GAMES = 300  # a session, as in the paper; each session begins with a learner that knows nothing
SESSIONS = 50  # of the plot
MENACE, Q, PLAIN_Q = "MENACE, figure 3", "Q-learning, figure 8", "Q-learning, one-step"
OPEN_SPIEL = "open_spiel"
PYTHON_GOAL = 50  # times plain Python
OPEN_SPIEL_GOAL = 200  # times open_spiel's tabular learner
TRAINING, REDRAW, DRAW, PNG = "training", "redraw", "canvas.draw() alone", "writing a PNG"


# What is measured: {engine: function that does it n times}


def training(name, sessions, speed=None):
    if name == PLAIN_Q:  # what open_spiel's learner does, with its parameters, in one long session
        agent = q_learning(GAME, alpha=0.1, gamma=1.0, exploration=Constant(0.2))
        return Training(GAME, agent, Random(), GAMES * sessions, 1, speed=speed)
    figure = FIGURES[{MENACE: "fig3", Q: "fig8"}[name]]
    return figure.training(sessions, GAMES, speed=speed)


def sessions_of(name):
    def learning(speed):
        return lambda n: training(name, n, speed).go()

    return {engine: learning(speed) for engine, speed in SPEEDS.items()}


def open_spiel_sessions():
    """Its tabular learner against its random agent, as in examples/tic_tac_toe_qlearner.py."""
    folder = "open_spiel.python."
    environments = optional(folder + "rl_environment", "open_spiel")
    if not environments:
        return {}
    learners = optional(folder + "algorithms.tabular_qlearner", "open_spiel")
    randoms = optional(folder + "algorithms.random_agent", "open_spiel")
    environment = environments.Environment("tic_tac_toe")
    actions = environment.action_spec()["num_actions"]

    def sessions(n):
        agents = [learners.QLearner(0, actions), randoms.RandomAgent(1, actions)]
        for _ in range(GAMES * n):
            step = environment.reset()
            while not step.last():
                player = step.observations["current_player"]
                step = environment.step([agents[player].step(step).action])
            for agent in agents:
                agent.step(step)

    return {OPEN_SPIEL: sessions}


def plotting():
    """Figure 5: its training, and what drawing its curves takes."""

    def train():
        return FIGURES["fig5"].training(SESSIONS, GAMES).go()

    scores = train().scores()
    figure = Figure()
    FigureCanvasAgg(figure)

    def redraw():
        figure.clear()
        plots.learning_curves(figure.subplots(), scores, "figure 5")
        figure.canvas.draw()

    calls = {
        TRAINING: train,
        REDRAW: redraw,
        DRAW: figure.canvas.draw,  # of what redraw has put there
        PNG: lambda: figure.savefig(io.BytesIO(), format="png"),
    }
    return {name: measure.times(call) for name, call in calls.items()}


# All of it


def run(quick):
    rounds, seconds = (2, 0.1) if quick else (7, 0.3)
    theirs = open_spiel_sessions()
    learning = {}

    columns = [*SPEEDS, OPEN_SPIEL]
    measure.heading("Training games a second (compiled is so many times as fast)", columns)
    for name in (MENACE, Q, PLAIN_Q):
        engines = sessions_of(name) | (theirs if name == PLAIN_Q else {})
        learning[name] = measure.compare(engines, rounds, seconds)
        measure.line_of(name, learning[name], columns, lambda rate: f"{GAMES * rate:,.0f}")

    columns = [TRAINING, REDRAW, DRAW, PNG]
    text = f"Figure 5, {SESSIONS} sessions × {GAMES} games: milliseconds (so many trainings)"
    measure.heading(text, columns)
    drawing = measure.compare(plotting(), 2 * rounds, seconds)
    measure.line_of("", drawing, columns, lambda rate: f"{1000 / rate:,.1f}")
    return {"sessions": learning, "figure 5": drawing}, goals(learning, drawing)


def goals(learning, drawing):
    for name in (MENACE, Q):
        ratio = learning[name][PYTHON]["ratio"]
        yield at_least(f"{name}, against plain Python", PYTHON_GOAL, ratio)
    ratio = learning[PLAIN_Q].get(OPEN_SPIEL, {}).get("ratio")
    yield at_least(f"{PLAIN_Q}, against open_spiel's learner", OPEN_SPIEL_GOAL, ratio)
    ratio = drawing[REDRAW]["ratio"]
    text = f"{SESSIONS} sessions of figure 5 cost less than one redraw of their plot"
    yield Goal(text, ratio > 1, f"{1 / ratio:.2f} of it")


if __name__ == "__main__":
    measure.main(__doc__, run)
