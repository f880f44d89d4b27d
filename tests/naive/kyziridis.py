"""Algorithm 3 of seed 004 with dicts, and its Arena with boards of numbers that are printed.

Readings: a tie is worth 0; ε = 0 once it is below its least (text of section 5.2; the listing
would let it stay there); a board's print is its key, floats for Connect4 and whole numbers for
TicTacToe, as in the environments of 2019. In training the agent is always 1 and nothing is
multiplied; the Arena multiplies the board by the player who is to move.
"""

import numpy as np

from .rules import Connect4


def board_of(game, pos):
    """The first player's pieces as 1, the second's as −1, by rows; floats for Connect4."""
    if isinstance(game, Connect4):
        board = np.zeros((game.rows, game.cols))
        for column, pieces in enumerate(pos):
            for row, who in enumerate(pieces):
                board[row, column] = 1 - 2 * who
        return board
    return np.array([{"X": 1, "O": -1, ".": 0}[mark] for mark in pos]).reshape(game.m, game.m)


def printed(game, pos, sign):
    """The board with the agent's pieces as 1, made without a multiplication."""
    board = board_of(game, pos)
    board[board != 0] *= sign
    return str(board)


def printed_in_the_arena(game, pos, sign):
    return str(board_of(game, pos) * sign)


class Learner:
    def __init__(self, game, rng, episodes, alpha, gamma, epsilon, discount, least):
        self.game, self.rng, self.episodes = game, rng, episodes
        self.alpha, self.gamma = alpha, gamma
        self.epsilon, self.discount, self.least = epsilon, discount, least
        self.table = {}

    def train(self, opponent):
        return [self.episode(number, opponent) for number in range(1, self.episodes + 1)]

    def episode(self, number, opponent):
        """One training game: +1, 0 or −1. The agent starts the odd ones."""
        game = self.game
        if number == 2 * self.episodes // 3 and self.discount == 1:
            self.epsilon = 0
        me, sign = (0, 1) if number % 2 else (1, -1)
        pos = game.start()
        if me == 1:
            pos = game.play(pos, opponent(game, pos, self.rng))
        key = self.row(pos, sign)
        while True:
            action = self.choose(pos, key)
            pos = game.play(pos, action)
            if not game.finished(pos):
                pos = game.play(pos, opponent(game, pos, self.rng))
            if game.finished(pos):
                result = sign * game.outcome(pos)
                self.update(key, action, result, 0.0)
                return result
            following = self.row(pos, sign)
            self.update(key, action, 0.0, max(self.table[following].values()))
            key = following

    def row(self, pos, sign):
        key = printed(self.game, pos, sign)
        self.table.setdefault(key, dict.fromkeys(self.game.moves(pos), 0.0))
        return key

    def choose(self, pos, key):
        if self.rng.random() < self.epsilon:
            self.epsilon *= self.discount
            if self.epsilon < self.least:
                self.epsilon = 0
            return self.rng.choice(self.game.moves(pos))
        return self.best(self.table[key])

    def best(self, row):
        return self.rng.choice([action for action in row if row[action] == max(row.values())])

    def update(self, key, action, reward, future):
        old = self.table[key][action]
        self.table[key][action] = (1 - self.alpha) * old + self.alpha * (
            reward + self.gamma * future
        )

    def arena(self, opponent, games, look=printed):
        """Games with the table as it is; in a position that is not in it, any legal move."""
        results, unknown = [], [0, 0]
        for number in range(games):
            me, sign = (0, 1) if number % 2 == 0 else (1, -1)
            pos = self.game.start()
            while not self.game.finished(pos):
                if self.game.to_move(pos) == me:
                    row = self.table.get(look(self.game, pos, sign))
                    unknown[me] += row is None
                    action = self.best(row or dict.fromkeys(self.game.moves(pos), 0.0))
                else:
                    action = opponent(self.game, pos, self.rng)
                pos = self.game.play(pos, action)
            results.append(sign * self.game.outcome(pos))
        return results, unknown


def random_player(game, pos, rng):
    return rng.choice(game.moves(pos))


def one_step_look_ahead(game, pos, rng, only_blocks=False):
    me = game.to_move(pos)
    wins = [] if only_blocks else [m for m in game.moves(pos) if game.wins_at(pos, m, me)]
    blocks = [m for m in game.moves(pos) if game.wins_at(pos, m, 1 - me)]
    return rng.choice(wins or blocks or game.moves(pos))


def one_step_block(game, pos, rng):
    return one_step_look_ahead(game, pos, rng, only_blocks=True)
