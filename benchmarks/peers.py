"""How open_spiel and easyAI do the same: random games, and searches of tic-tac-toe.

Both are optional; what is missing is None and has been announced.
"""

import random

import numpy as np
from measure import optional, times

pyspiel = optional("pyspiel", "open_spiel")
spiel_minimax = pyspiel and optional("open_spiel.python.algorithms.minimax", "open_spiel")
easyai = optional("easyAI", "easyAI")

OPEN_SPIEL, TIGHT, EASYAI = "open_spiel", "open_spiel, tight", "easyAI"
SPIEL_NAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "Connect4 6×7": "connect_four",
    "dots and boxes 2×2": "dots_and_boxes(num_rows=2,num_cols=2)",
}


def random_games(name):
    """{engine: function that plays n games}."""
    engines = {}
    if pyspiel:
        game = pyspiel.load_game(SPIEL_NAMES[name])
        engines[OPEN_SPIEL] = times(lambda: as_in_its_example(game))
        engines[TIGHT] = lambda n: as_tight_as_can_be(game, n)
    if easyai and name == "tic-tac-toe":
        engines[EASYAI] = times(easyai_game)
    return engines


def as_in_its_example(game):
    """The loop of open_spiel/python/examples/example.py.

    Left out, which makes it faster: all that it prints, and the branch for simultaneous moves.
    """
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes())
            action = np.random.choice(actions, p=chances)
        else:
            action = random.choice(state.legal_actions(state.current_player()))
        state.apply_action(action)


def as_tight_as_can_be(game, n):
    """As few calls as the Python API allows: a finished state has no legal actions."""
    chance = random.random
    for _ in range(n):
        state = game.new_initial_state()
        legal_actions, apply_action = state.legal_actions, state.apply_action
        while actions := legal_actions():
            apply_action(actions[int(chance() * len(actions))])


def easyai_game():
    game = EasyTicTacToe()
    while not game.is_over():
        game.make_move(random.choice(game.possible_moves()))
        game.switch_player()


def searches(kind):
    """{engine: function that searches tic-tac-toe n times}; kind: "minimax" or "alpha-beta"."""
    engines = {}
    if spiel_minimax:
        game = pyspiel.load_game("tic_tac_toe")
        start = game.new_initial_state()
        once = {
            "minimax": lambda: spiel_minimax.expectiminimax(start, 9, None, 0),
            "alpha-beta": lambda: spiel_minimax.alpha_beta_search(game),
        }[kind]
        engines[OPEN_SPIEL] = times(once)
    if easyai and kind == "alpha-beta":  # it has no search without pruning
        engines[EASYAI] = times(lambda: easyai.Negamax(9)(EasyTicTacToe()))
    return engines


if easyai:
    LINES = (7, 56, 448, 73, 146, 292, 273, 84)  # as sets of squares, see games/tic_tac_toe.py

    class EasyTicTacToe(easyai.TwoPlayerGame):
        """Tic-tac-toe for easyAI, on bitboards as ours is."""

        def __init__(self):
            self.players = [None, None]
            self.current_player = 1
            self.pieces = [0, 0, 0]  # of nobody, of player 1, of player 2

        def possible_moves(self):
            taken = self.pieces[1] | self.pieces[2]
            return [square for square in range(9) if not taken >> square & 1]

        def make_move(self, square):
            self.pieces[self.current_player] |= 1 << square

        def unmake_move(self, square):
            self.pieces[self.current_player] ^= 1 << square

        def lose(self):
            pieces = self.pieces[3 - self.current_player]
            for line in LINES:
                if pieces & line == line:
                    return True
            return False

        def is_over(self):
            return self.lose() or self.pieces[1] | self.pieces[2] == 511

        def scoring(self):
            return -1 if self.lose() else 0
