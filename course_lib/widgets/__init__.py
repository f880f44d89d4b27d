"""What makes a notebook alive: boards to click, labs with sliders, views into the memory."""

from course_lib.widgets.bandit import BanditView, bandit
from course_lib.widgets.board import Board, Buttons, board
from course_lib.widgets.doctor import doctor
from course_lib.widgets.lab import Lab, lab
from course_lib.widgets.memory import drawer, qtable
from course_lib.widgets.mixing import mixing
from course_lib.widgets.play import PERSON, Play, play
from course_lib.widgets.predict import Answer, Predict, predict
from course_lib.widgets.simulations import Simulations, simulations
from course_lib.widgets.strength import StrengthLab, strength
from course_lib.widgets.tree import tree
from course_lib.widgets.update import update

__all__ = [
    "PERSON",
    "Answer",
    "BanditView",
    "Board",
    "Buttons",
    "Lab",
    "Play",
    "Predict",
    "Simulations",
    "StrengthLab",
    "bandit",
    "board",
    "doctor",
    "drawer",
    "lab",
    "mixing",
    "play",
    "predict",
    "qtable",
    "simulations",
    "strength",
    "tree",
    "update",
]
