"""Exercises on lecture 0: boards as integers, chance from a generator, a first agent."""

import random
from typing import NamedTuple

import numpy as np

from course_lib.agents import Random
from course_lib.arena import replay
from course_lib.checks.answers import Moves, Numbers, Thing, YesNo, is_whole, short
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import TicTacToe
from course_lib.games.tic_tac_toe import Board
from course_lib.position import Position

NOTEBOOK = "00_welcome"
TITLE = "0 · Boards, agents, chance"
GAME = TicTacToe()
LINES = (0b000000111, 0b000111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100)
DIAGONALS = (0b100010001, 0b001010100)


def after(*moves):
    return replay(GAME, moves)[-1].state


def on_the_board(state, *rest):
    return Position(GAME, state)


# 0.1


def free_squares(state):
    return {square for square in range(9) if not (state.crosses | state.noughts) >> square & 1}


def the_noughts_forgotten(state):
    return {square for square in range(9) if not state.crosses >> square & 1}


def the_crosses_forgotten(state):
    return {square for square in range(9) if not state.noughts >> square & 1}


def taken_squares_instead(state):
    return set(range(9)) - free_squares(state)


def the_last_square_forgotten(state):
    return free_squares(state) - {8}


def the_first_square_forgotten(state):
    return free_squares(state) - {0}


FREE = Task(
    "0.1",
    "The free squares",
    "free_squares",
    cases=[(after(4, 1, 5),), (after(0, 4, 2, 8),), (after(),), (after(1, 0, 4, 7, 3),)],
    truth=free_squares,
    because="A square is free if its bit is 0 in both numbers.",
    hints=(
        "state.crosses >> square & 1 is 1 if there is a cross on the square, else 0.",
        "state.crosses | state.noughts has a 1 for every square that is taken, whoever has it.",
        "Go through range(9) and keep each square whose bit in that number is 0.",
    ),
    mistakes={
        the_noughts_forgotten: "Your list has squares with noughts on them: look at both numbers.",
        the_crosses_forgotten: "Your list has squares with crosses on them: look at both numbers.",
        taken_squares_instead: "These are the squares that are taken. A bit of 1 means a piece.",
        the_last_square_forgotten: "Square 8 is never in your list: range(8) ends before it.",
        the_first_square_forgotten: "Square 0 is never in your list: squares count from 0.",
    },
    answer=Moves(),
    draw=on_the_board,
)


# 0.2


def place(state, square):
    return GAME.play(state, square)


def turn_not_passed(state, square):
    return place(state, square)._replace(player=state.player)


def always_a_cross(state, square):
    return Board(state.crosses | 1 << square, state.noughts, 1 - state.player)


def square_number_instead_of_its_bit(state, square):
    if state.player == 0:
        return Board(state.crosses | square, state.noughts, 1)
    return Board(state.crosses, state.noughts | square, 0)


def older_pieces_lost(state, square):
    if state.player == 0:
        return Board(1 << square, state.noughts, 1)
    return Board(state.crosses, 1 << square, 0)


def pieces_of_the_other(state, square):
    if state.player == 1:
        return Board(state.crosses | 1 << square, state.noughts, 0)
    return Board(state.crosses, state.noughts | 1 << square, 1)


PLACE = Task(
    "0.2",
    "Make a move",
    "place",
    cases=[(after(), 4), (after(4), 2), (after(4, 2), 6), (after(0, 4, 8), 1)],
    truth=place,
    because="A move sets one bit in the number of the player to move, and passes the turn.",
    hints=(
        "1 << square is the number that has a 1 for this square and nothing else.",
        "a | b has all the ones of both numbers: so the pieces that were there stay.",
        "state.player says whose number it is: 0 for the crosses, 1 for the noughts. Afterwards "
        "it is 1 - state.player.",
    ),
    mistakes={
        turn_not_passed: "The piece is on the board, but the same player is to move again. The "
        "third number of the board must change, too.",
        always_a_cross: "You put a cross, whoever is to move. Ask state.player.",
        square_number_instead_of_its_bit: "You put in the number of the square itself. Square 4 "
        "stands for bit 4, which is 1 << 4.",
        older_pieces_lost: "The pieces that were there are gone: join the new bit with |.",
        pieces_of_the_other: "The piece has the wrong colour: player 0 has the crosses.",
    },
    answer=Thing(like=Board(16, 0, 1)),
    draw=on_the_board,
)


# 0.3


def has_line(pieces):
    return any(pieces & line == line for line in LINES + DIAGONALS)


def diagonals_forgotten(pieces):
    return any(pieces & line == line for line in LINES)


def one_of_three_is_enough(pieces):
    return any(pieces & line for line in LINES + DIAGONALS)


def nothing_but_the_line(pieces):
    return pieces in LINES + DIAGONALS


def three_anywhere(pieces):
    return pieces.bit_count() >= 3


def rows_only(pieces):
    return any(pieces & line == line for line in LINES[:3])


def pieces_as_crosses(pieces):
    return Position(GAME, Board(pieces, 0, 1))


LINE = Task(
    "0.3",
    "Three in a row",
    "has_line",
    cases=[
        (0b000000111,),
        (0b010000001,),
        (0b000001011,),
        (0b001001001,),
        (0b100010001,),
        (0b001010110,),
        (0b011110000,),
        (0b110111000,),
        (0b010110011,),
        (0b000000000,),
    ],
    truth=has_line,
    because="There is a line if all three of its bits are among the pieces: pieces & line == line.",
    hints=(
        "Write the eight lines as numbers, with a 1 for each of their squares: 0b000000111 is the "
        "top row.",
        "pieces & line keeps those squares of the line that have a piece.",
        "The line is full if that is the whole line. any(... for line in LINES) asks for all "
        "eight.",
    ),
    mistakes={
        diagonals_forgotten: "A full diagonal is not seen. There are eight lines: three rows, "
        "three columns and two diagonals.",
        rows_only: "Only rows are seen. There are columns and diagonals, too.",
        one_of_three_is_enough: "pieces & line is not 0 as soon as one square of the line has a "
        "piece. All three are needed: compare with line.",
        nothing_but_the_line: "It is not seen if there are other pieces as well. Keep the bits of "
        "the line only, with &, before you compare.",
        three_anywhere: "Three pieces that do not stand in a line count as one. Look at each line.",
    },
    answer=YesNo(),
    draw=pieces_as_crosses,
)


# 0.4

DRAWS = 2000


class Drawn(NamedTuple):
    """How often each action was drawn, and whether the same seed drew the same again."""

    shares: list
    repeatable: bool


class Shares(Numbers):
    """Answers of the kind `Drawn`."""

    def nonsense(self, answer, position):
        if isinstance(answer, Drawn):
            return ""
        return f"Your function drew {short(answer)}, which is none of the actions."

    def agrees(self, answer, truth):
        if answer.repeatable != truth.repeatable or len(answer.shares) != len(truth.shares):
            return False
        return np.allclose(answer.shares, truth.shares, atol=0.06)  # 5 standard deviations

    def words(self, answer, position):
        shares = ", ".join(f"{100 * share:.0f} %" for share in answer.shares)
        again = "the same" if answer.repeatable else "other draws"
        return f"shares of the actions: {shares}; {again} with the same seed"


def draw_often(function, actions):
    """Let a function draw many times, twice with the same seed; else the first odd answer."""
    rounds = []
    for _ in range(2):
        rng = np.random.default_rng(1)
        rounds.append([function(list(actions), rng) for _ in range(DRAWS)])
    for each in rounds[0]:
        if not is_whole(each) or each not in actions:
            return each
    shares = [rounds[0].count(action) / DRAWS for action in actions]
    return Drawn(shares, rounds[0] == rounds[1])


def evenly(actions):
    return Drawn([1 / len(actions)] * len(actions), True)


def never_the_last(actions):
    def draw(actions, rng):
        return actions[int(rng.random() * (len(actions) - 1))]

    return draw_often(draw, actions)


def the_ends_half_as_often(actions):
    def draw(actions, rng):
        return actions[round(rng.random() * (len(actions) - 1))]

    return draw_often(draw, actions)


def always_the_same(actions):
    return draw_often(lambda actions, rng: actions[0], actions)


def a_new_generator_each_time(actions):
    def draw(actions, rng):
        return actions[int(np.random.default_rng(7).random() * len(actions))]

    return draw_often(draw, actions)


def chance_from_elsewhere(actions):
    own = random.Random(3)
    return draw_often(lambda actions, rng: own.choice(actions), actions)


CHANCE = Task(
    "0.4",
    "Draw one at random",
    "draw_one",
    cases=[([3, 5, 8],), ([0, 1, 2, 6, 7],)],
    truth=evenly,
    because="Each action is drawn equally often, and the same seed draws the same again.",
    hints=(
        "rng.random() is a number from 0 up to, but not including, 1.",
        "Times len(actions), and without what is behind the point (int), it is the number of a "
        "place in the list.",
    ),
    mistakes={
        never_the_last: "The last action is never drawn. rng.random() stays below 1: so "
        "int(rng.random() * n) is at most n - 1, and needs no further - 1.",
        the_ends_half_as_often: "The first and the last are drawn half as often as the others: "
        "round takes less to them. Cut off with int.",
        always_the_same: "It always takes the first action. Where is the chance?",
        a_new_generator_each_time: "It draws the same action each time: a new generator with the "
        "same seed begins anew. Use the rng that is handed in.",
        chance_from_elsewhere: "The shares are right, but the same seed does not draw the same "
        "again. Take all chance from the rng that is handed in.",
    },
    answer=Shares(),
    draw=lambda actions: None,
    call=draw_often,
)


# 0.5

AGENT = Contest(
    "0.5",
    "An agent with eyes",
    "Watchful",
    game=GAME,
    opponent=Random(),
    least=125,
    because="It takes a win, and else stops one; that alone is far better than chance.",
    hints=(
        "game.play(state, action) is the position after a move. If the game is over there and "
        "game.result(...) is -1, whoever moved has won.",
        "For the other player's wins, look at game.pass_turn(state): the same board, with the "
        "other to move.",
        "First look for an own win and take it. Else look for a win of the other, and take that "
        "square yourself. Else draw one of the actions.",
    ),
    mistakes=OVERLOOKED,
)


TASKS = (FREE, PLACE, LINE, CHANCE, AGENT)
