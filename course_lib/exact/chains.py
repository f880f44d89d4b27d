"""Chains in dots and boxes, and why a good player gives boxes away.

A chain is a row of boxes that fall one after the other once the first of them is opened. Who must
open a long one loses it. Who is offered one may take all of it, and must then move; or all but two
boxes and give these away with one line, the double-cross, so that the other must move.
"""

from typing import NamedTuple

from course_lib.bits import contains, members
from course_lib.exact.solve import BoxesSolution, solve
from course_lib.games.dots_and_boxes import Board
from course_lib.twospeed import fast


def sides(game, box):
    """The four lines around a box, as bits."""
    top = box // game.cols * game.row_of_lines() + box % game.cols
    return 1 << top | 3 << top + game.cols | 1 << top + game.row_of_lines()


def taking(game, state):
    """The lines that complete a box, as bits."""
    found = 0
    for line in game.actions(state):
        if game.boxes_completed(state.lines | 1 << line, line):
            found |= 1 << line
    return found


def chains(game, state):
    """The chains of a position, longest first: lists of boxes.

    Boxes with two or three drawn sides belong together where the line between them is free.
    """
    boxes = range(game.rows * game.cols)
    drawn = {box: (sides(game, box) & state.lines).bit_count() for box in boxes}
    waiting = {box for box in boxes if drawn[box] in (2, 3)}
    found = []
    while waiting:
        chain, ends = [], [min(waiting)]
        while ends:
            box = ends.pop()
            if box not in waiting:
                continue
            waiting.remove(box)
            chain.append(box)
            free = sides(game, box) & ~state.lines
            ends += [other for other in sorted(waiting) if sides(game, other) & free]
        found.append(sorted(chain))
    return sorted(found, key=lambda chain: (-len(chain), chain))


# Positions where greed loses


def lead_if_greedy(game, lines, margins):
    """The mover's lead in the boxes to come if it takes all that it can, and then plays well."""
    lead = 0
    state = Board(lines, 0, 0, 0)
    found = taking(game, state)
    while found:
        line = ((found & -found) - 1).bit_count()
        lead += game.boxes_completed(state.lines | 1 << line, line).bit_count()
        state = Board(state.lines | 1 << line, 0, 0, 0)
        found = taking(game, state)
    return lead + margins[state.lines]


def count_declining(game, margins):
    """Sets of lines in which a box can be taken and every best line takes none."""
    found = 0
    for lines in range(len(margins) - 1):
        state = Board(lines, 0, 0, 0)
        boxes = taking(game, state)
        if boxes and not keeps_by_taking(game, lines, boxes, margins):
            found += 1
    return found


def keeps_by_taking(game, lines, boxes, margins):
    """Whether one of the lines that take a box is a best one."""
    for line in range(game.longest()):
        if contains(boxes, line):
            made = game.boxes_completed(lines | 1 << line, line).bit_count()
            if made + margins[lines | 1 << line] == margins[lines]:
                return True
    return False


def search_double_cross(game, margins):
    """A set of lines without a full box in which greed turns a clear win into a loss, or -1."""
    chosen = -1
    best = 0
    for lines in range(len(margins) - 1):
        if margins[lines] > 0 and not any_full(game, lines):
            if taking(game, Board(lines, 0, 0, 0)):
                greedy = lead_if_greedy(game, lines, margins)
                if greedy < 0 and margins[lines] - greedy > best:
                    best = margins[lines] - greedy
                    chosen = lines
    return chosen


def any_full(game, lines):
    for box in range(game.rows * game.cols):
        if lines & sides(game, box) == sides(game, box):
            return True
    return False


def declining_positions(game, solution=None, speed=None):
    """How many sets of lines there are in which it is best to leave a box to the other."""
    margins = (solution or solve(game, speed)).margins
    return int(fast(count_declining, speed)(game, margins))


class DoubleCross(NamedTuple):
    """A position in which greed loses, and how it goes on until the turn passes."""

    state: Board
    greedy: list  # lines: takes all boxes, and must then give others away
    greedy_lead: int  # the final lead of the player to move
    best: list  # lines: takes all boxes but two
    best_lead: int


def double_cross(solution: BoxesSolution, speed=None):
    """Arvidsson & Wallgren 2010, figures 3 and 4: a position of this kind, if the board has one."""
    game, margins = solution.game, solution.margins
    lines = int(fast(search_double_cross, speed)(game, margins))
    if lines < 0:
        raise ValueError(f"{game}: there is no such position")
    state = Board(lines, 0, 0, lines.bit_count() % 2)
    return DoubleCross(
        state,
        until_the_turn_passes(solution, state, greedy=True),
        int(lead_if_greedy(game, lines, margins)),
        until_the_turn_passes(solution, state),
        int(margins[lines]),
    )


def until_the_turn_passes(solution, state, greedy=False):
    """The lines of the player to move, as they are best; greedy: after all boxes are taken."""
    game, drawn = solution.game, []
    mover = state.player
    while not game.over(state) and state.player == mover:
        boxes = members(taking(game, state))
        choices = boxes if greedy and boxes else members(game.free_lines(state))
        line = max(choices, key=lambda each: (ends_with(solution, state, each), each in boxes))
        drawn.append(line)
        state = game.play(state, line)
    return drawn


def ends_with(solution, state, line):
    """The final lead of the player to move after this line."""
    game = solution.game
    after = game.play(state, line)
    lead = solution.margin(game, after)
    return lead if after.player == state.player else -lead


def best_line(solution, state):
    """One way on for both, best to the end: the lowest line of those that keep the lead."""
    game, drawn = solution.game, []
    while not game.over(state):
        lead = solution.margin(game, state)
        line = next(
            each for each in game.actions(state) if ends_with(solution, state, each) == lead
        )
        drawn.append(line)
        state = game.play(state, line)
    return drawn
