"""The exercises of lecture 8: dots and boxes, from counting lines to a player against greed."""

import math

import numpy as np

from course_lib.arena import replay
from course_lib.bits import members
from course_lib.checks.answers import Moves, Number
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.exact.chains import taking
from course_lib.games import DotsAndBoxes

NOTEBOOK = "08_dots_and_boxes"
TITLE = "8 · Dots and boxes"

GAME = DotsAndBoxes(2, 2, tie_loses=True)
LONG = DotsAndBoxes(2, 3)


def at(game, *lines):
    """The state after these lines."""
    return replay(game, list(lines))[-1].state


def nothing_to_draw(*case):
    return None


# 8.1: how many lines

SIZES = [(1, 1), (1, 2), (2, 2), (3, 3), (2, 3), (5, 4)]


def lines_of(rows, cols):
    return rows * (cols + 1) + (rows + 1) * cols


def four_for_each_box(rows, cols):
    return 4 * rows * cols


def two_for_each_box(rows, cols):
    return 2 * rows * cols


def dots_instead_of_lines(rows, cols):
    return (rows + 1) * (cols + 1)


def as_many_columns_as_rows(rows, cols):
    return 2 * rows * (rows + 1)


# 8.2: lines that take a box

TAKING = [
    (GAME, at(GAME, 0, 2, 3)),
    (GAME, at(GAME, 0, 2)),
    (GAME, at(GAME, 0, 1, 2, 4, 5, 6)),
    (GAME, at(GAME, 0, 2, 11, 9, 3, 8)),
    (LONG, at(LONG, 0, 3, 4, 1, 5, 8)),
    (LONG, at(LONG)),
]


def takes_a_box(game, state):
    return set(members(taking(game, state)))


def lines_that_offer_a_box(game, state):
    return {line for line in game.actions(state) if taking(game, game.play(state, line))}


def only_the_first_of_them(game, state):
    return set(sorted(takes_a_box(game, state))[:1])


def every_line_that_is_free(game, state):
    return set(game.actions(state))


def lines_of_the_other_boxes(game, state):
    return set(game.actions(state)) - takes_a_box(game, state)


# 8.3: negamax, in boxes

ENDS = [
    (GAME, at(GAME, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10)),
    (GAME, at(GAME, 0, 1, 2, 3, 4, 5, 6, 7, 8)),
    (GAME, at(GAME, 0, 2, 3, 5, 1, 4, 7, 10)),
    (GAME, at(GAME, 0, 11, 2, 9, 3, 8)),
    (GAME, at(GAME, 0, 2, 1, 9, 7, 8, 4)),
    (LONG, at(LONG, 7, 15, 0, 5, 3, 8, 16, 2, 4, 10, 13)),
]


def finally_ahead(game, state):
    """The final lead of the player to move."""
    return searched(game, state, game.lead, lambda same: 1 if same else -1)


def searched(game, state, result, sign):
    if game.over(state):
        return result(state)
    return max(
        sign(game.mover(child) == game.mover(state)) * searched(game, child, result, sign)
        for child in (game.play(state, line) for line in game.actions(state))
    )


def sign_turned_at_each_line(game, state):
    return searched(game, state, game.lead, lambda same: -1)


def sign_never_turned(game, state):
    return searched(game, state, game.lead, lambda same: 1)


def sign_turned_when_the_turn_stays(game, state):
    return searched(game, state, game.lead, lambda same: -1 if same else 1)


def wins_instead_of_boxes(game, state):
    return int(np.sign(finally_ahead(game, state)))


def boxes_so_far_forgotten(game, state):
    return finally_ahead(game, state) - game.lead(state)


# 8.4: how the learner of 2010 chooses

ROWS = [
    # values of the lines, the free ones
    ([0.0, 1.5, -2.0, 0.0], [0, 1, 2, 3]),
    ([3.0, 1.5, 0.0, 0.0], [0, 1, 3]),
    ([-1.0, -0.5, 0.0, -0.5], [0, 1, 3]),
    ([0.0, 2.0, 2.0, -4.0], [1, 2, 3]),
    ([-0.001, 0.5, -7.0, 0.0005], [0, 1, 2, 3]),
    ([0.0, -10.0, 0.0, -10.0], [1, 3]),
]


def choose_line(values, free):
    untried = [line for line in free if values[line] == 0]
    return untried[0] if untried else max(free, key=lambda line: values[line])


def never_explores(values, free):
    return max(free, key=lambda line: values[line])


def drawn_lines_count_too(values, free):
    return choose_line(values, range(len(values)))


def the_last_of_those_untried(values, free):
    untried = [line for line in free if values[line] == 0]
    return untried[-1] if untried else max(free, key=lambda line: values[line])


def the_last_of_equals(values, free):
    untried = [line for line in free if values[line] == 0]
    return untried[0] if untried else max(free, key=lambda line: (values[line], line))


def nearly_zero_counts_as_zero(values, free):
    return choose_line([0 if abs(value) < 0.01 else value for value in values], free)


def the_largest_by_size(values, free):
    return choose_line([abs(value) for value in values], free)


# 8.5: how far two tables are apart

OURS = [[0.84, 0.83, 0.82], [0.87, 0.87, 0.86], [0.90, 0.91, 0.90]]
THEIRS = [[0.89, 0.94, 0.97], [0.85, 0.94, 0.96], [0.85, 0.93, 0.96]]
TABLES = [
    (OURS, OURS, False),
    (OURS, THEIRS, False),
    (OURS, THEIRS, True),
    ([[0, 0.5], [1, 0]], [[0, 1], [0.5, 0]], True),
    ([[0, 0.5], [1, 0]], [[0, 1], [0.5, 0]], False),
]


def apart(ours, theirs, exchanged):
    ours, theirs = np.array(ours), np.array(theirs)
    ours = ours.T if exchanged else ours
    return math.sqrt(np.mean((ours - theirs) ** 2))


def never_exchanged(ours, theirs, exchanged):
    return apart(ours, theirs, False)


def always_exchanged(ours, theirs, exchanged):
    return apart(ours, theirs, True)


def both_tables_turned(ours, theirs, exchanged):
    return apart(ours, theirs, False) if exchanged else apart(ours, theirs, True)


def root_forgotten(ours, theirs, exchanged):
    return apart(ours, theirs, exchanged) ** 2


def mean_forgotten(ours, theirs, exchanged):
    return apart(ours, theirs, exchanged) * math.sqrt(np.size(ours))


def differences_not_squared(ours, theirs, exchanged):
    ours, theirs = np.array(ours), np.array(theirs)
    return abs(np.mean((ours.T if exchanged else ours) - theirs))


def mean_of_the_sizes(ours, theirs, exchanged):
    ours, theirs = np.array(ours), np.array(theirs)
    return np.mean(np.abs((ours.T if exchanged else ours) - theirs))


# 8.6: against greed


def one_of(lines, rng):
    return lines[int(rng.random() * len(lines))]


def safe_lines(game, state):
    """The lines after which the other can take no box."""
    return [line for line in game.actions(state) if not taking(game, game.play(state, line))]


class Greedy:
    """Takes a box whenever it can; else any line. What it opens, it does not see."""

    def choose(self, game, state, rng):
        return one_of(members(taking(game, state)) or list(game.actions(state)), rng)


class LeavesABox:
    """Never opens a box if it need not, and never takes one for its own sake."""

    def choose(self, game, state, rng):
        return one_of(safe_lines(game, state) or list(game.actions(state)), rng)

    def gives_away(self, game, state, action):
        boxes = taking(game, state)
        return boxes != 0 and not boxes >> action & 1


class OpensABox(Greedy):
    """As greedy as its opponent, and as careless."""

    def gives_away(self, game, state, action):
        safe = safe_lines(game, state)
        return taking(game, state) == 0 and bool(safe) and action not in safe


TASKS = (
    Task(
        "8.1",
        "How many lines",
        "lines_of",
        SIZES,
        lines_of,
        "Each row has one standing line more than it has boxes, and there is one row of lying "
        "lines more than there are rows of boxes.",
        (
            "Draw the board of 1 × 2 boxes and count. Which lines belong to two boxes?",
            "Standing lines: in each of the rows, cols + 1. Lying lines: turn the board.",
        ),
        {
            four_for_each_box: "This counts lines between two boxes twice: it is right for a "
            "single box only.",
            two_for_each_box: "This gives each box its upper and its left line. Who counts those "
            "at the right and at the bottom edge?",
            dots_instead_of_lines: "These are the dots. For one box there happen to be as many "
            "lines.",
            as_many_columns_as_rows: "This is right for square boards only. Where are the columns?",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "8.2",
        "What can be taken",
        "takes_a_box",
        TAKING,
        takes_a_box,
        "A line takes a box if the same player is to move after it, or the game is over with it: "
        "all four sides are there then.",
        (
            "game.boxes_completed(lines, line) says which boxes beside a line are full, if `lines` "
            "are drawn. Which lines must you hand over?",
            "Try each free line: state.lines | 1 << line is the board with it.",
        ),
        {
            lines_that_offer_a_box: "These are lines after which the *other* can take a box.",
            only_the_first_of_them: "Several boxes may be open: return all lines that take one.",
            every_line_that_is_free: "These are all free lines, whether they complete a box or "
            "not. Did you ask the board after the line?",
            lines_of_the_other_boxes: "This is just the contrary: the lines that take no box.",
        },
        Moves(),
    ),
    Task(
        "8.3",
        "Negamax, in boxes",
        "finally_ahead",
        ENDS,
        finally_ahead,
        "At the end it is the lead of the player to move; before, the largest value of the next "
        "positions, each with the other sign if the turn has passed.",
        (
            "game.lead(state) is how far the player to move is ahead. When the game is over, that "
            "is the answer.",
            "game.mover(child) == game.mover(state): the same player moves on, and the value is "
            "already on the right side.",
            "`for_mover(game, state, child, value)` of course_lib.agents.search turns the sign "
            "where it has to be turned.",
        ),
        {
            sign_turned_at_each_line: "This takes it for granted that the turn passes. Look at the "
            "line that completes a box: who moves next?",
            sign_never_turned: "This never turns the sign, so the other player seems to help.",
            sign_turned_when_the_turn_stays: "The sign is turned in the wrong case: it has to be "
            "turned when the turn *passes*.",
            wins_instead_of_boxes: "This says who wins. Boxes were asked for: game.lead, not "
            "game.result.",
            boxes_so_far_forgotten: "This counts the boxes to come only. Those of before are part "
            "of the final lead.",
        },
    ),
    Task(
        "8.4",
        "How the learner of 2010 chooses",
        "choose_line",
        ROWS,
        choose_line,
        "As long as a free line has the value 0 it is the lowest of these, else the free line with "
        "the largest value, the lowest of equals.",
        (
            "First the free lines with the value 0. Is there any?",
            "max(free, key=...) takes the first of equals.",
        ),
        {
            never_explores: "This plays the best it knows from the first game on: a 0 looks better "
            "than what has lost, and worse than what has won once.",
            drawn_lines_count_too: "A line that is drawn keeps its 0 for ever, so this would "
            "draw it again. Look at the free ones only.",
            the_last_of_those_untried: "The highest of the untried ones; the lowest was asked for.",
            the_last_of_equals: "Of equal values this takes the last. `>=` where `>` was meant?",
            nearly_zero_counts_as_zero: "−0.001 is not 0: something has come back for this line.",
            the_largest_by_size: "This forgets the sign: −7 is a bad value, and not a large one.",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "8.5",
        "The detective's number",
        "apart",
        TABLES,
        apart,
        "Square the differences, take their mean, take the root; with exchanged axes, compare our "
        "row with their column.",
        (
            "For two lists of lists: the sum over i and j of (ours[i][j] − theirs[i][j])².",
            "If exchanged: ours[j][i] instead of ours[i][j]. With arrays: ours.T.",
            "Mean, not sum: divide by the number of cells. Then math.sqrt.",
        ),
        {
            never_exchanged: "This does not look at `exchanged`.",
            always_exchanged: "This exchanges the axes always. What should it do for False?",
            both_tables_turned: "False and True have changed places.",
            root_forgotten: "This is the mean of the squares. The root is missing: without it, "
            "0.1 becomes 0.01.",
            mean_forgotten: "This is larger for larger tables: a sum where a mean was asked for.",
            differences_not_squared: "Here errors up and down cancel out. Square them first.",
            mean_of_the_sizes: "The mean of the sizes is a good measure as well, but another one: "
            "the root mean square was asked for.",
        },
        Number(),
        draw=nothing_to_draw,
    ),
    Contest(
        "8.6",
        "Against greed",
        "Champion",
        GAME,
        Greedy(),
        140,
        "Rules of thumb are not enough: take what you can, open nothing as long as you need not, "
        "and then count, or learn, or search.",
        (
            "Two rules first: take a box if you can; else draw a line after which the other can't.",
            "These score about 100 points. What is missing is which of the last lines to give.",
            "`perfect(GAME)` knows each position. A learner that has played against another one "
            'is as good: memory = long_run(0.2, 0.8, 300_000, 1, "learner")["memory"], then '
            "remembering(learner(), memory).",
        ),
        {
            LeavesABox(): "Here a box could be had, and your agent left it. On this board that is "
            "never better.",
            OpensABox(): "Here your agent drew the third side of a box although it need not. Look "
            "at what the other can do after your line.",
        },
    ),
)
