"""The tasks of lecture 3: windows, cut-offs, bounds and the order of moves."""

import math
import numbers
from typing import Any, NamedTuple

from course_lib.agents import OneStepLookAhead
from course_lib.agents.search import for_mover
from course_lib.arena import replay
from course_lib.checks.answers import Moves, Numbers, YesNo
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import Connect4, DotsAndBoxes, MiddleFirst, TicTacToe
from course_lib.position import Position

NOTEBOOK = "03_alpha_beta"
TITLE = "3 · Alpha-beta"

GAME = TicTacToe()
BOXES = DotsAndBoxes(2, 2)
INF = math.inf


def no_board(*case):
    """These cases are about numbers alone."""
    return None


def after(game, *moves):
    return replay(game, moves)[-1].state


# ---- 3.1 when to stop ------------------------------------------------------------------------


def may_stop(alpha, beta):
    return alpha >= beta


def cut_only_beyond_beta(alpha, beta):
    return alpha > beta


def cut_while_the_window_is_open(alpha, beta):
    return alpha <= beta


def never_cut(alpha, beta):
    return False


# ---- 3.2 the window of a child ---------------------------------------------------------------


def window_below(game, state, child, alpha, beta):
    if game.mover(child) == game.mover(state):
        return (alpha, beta)
    return (-beta, -alpha)


def window_handed_on_as_it_is(game, state, child, alpha, beta):
    return (alpha, beta)


def swapped_without_the_signs(game, state, child, alpha, beta):
    return (beta, alpha)


def signs_turned_without_the_swap(game, state, child, alpha, beta):
    return (-alpha, -beta)


def window_turned_at_every_move(game, state, child, alpha, beta):
    return (-beta, -alpha)


def below(game, moves, alpha, beta):
    """A case of 3.2: the last move leads from the state to the child."""
    return (game, after(game, *moves[:-1]), after(game, *moves), alpha, beta)


# ---- 3.3 alpha-beta ----------------------------------------------------------------------------


class Counted:
    """A game that counts how often it is asked whether a position is the end: once a node."""

    def __init__(self, game):
        self.game, self.asked = game, 0

    def over(self, state):
        self.asked += 1
        return self.game.over(state)

    def __getattr__(self, name):
        return getattr(self.game, name)


class Found(NamedTuple):
    """What a search found, and how many nodes it looked at."""

    value: Any
    nodes: int
    exactly: bool = True  # else as many nodes or fewer are as good


class SearchResult(YesNo):
    """A value, found with no more nodes than need be."""

    def nonsense(self, answer, position):
        if answer.value is None or answer.value is ...:
            return f"Your function returns {answer.value!r} here: is a return missing?"
        if isinstance(answer.value, numbers.Real):
            return ""
        return f"Your answer is {answer.value!r}; a number was asked for."

    def agrees(self, answer, truth):
        same = answer.nodes == truth.nodes if truth.exactly else answer.nodes <= truth.nodes
        return answer.value == truth.value and same

    def words(self, answer, position):
        return f"value {answer.value:g}, {answer.nodes:,} nodes looked at"


def ask_counting(function, game, state, alpha, beta):
    """Call a learner's search, and count its nodes.

    What lies outside of the window is only a bound, and any is as good: so it is moved to the edge.
    """
    counted = Counted(game)
    value = function(counted, state, alpha, beta)
    if isinstance(value, numbers.Real):
        value = min(max(value, alpha), beta)
    return Found(value, counted.asked)


def counting(function):
    """A search as a truth or a mistake: from the arguments of a case to a `Found`."""

    def count(*case):
        return ask_counting(function, *case)

    count.__name__ = function.__name__
    count.function = function
    return count


def alpha_beta(game, state, alpha, beta):
    if game.over(state):
        return game.result(state)
    value = -INF
    for action in game.actions(state):
        child = game.play(state, action)
        window = window_below(game, state, child, alpha, beta)
        value = max(value, for_mover(game, state, child, alpha_beta(game, child, *window)))
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return value


def right_search(*case):
    return ask_counting(alpha_beta, *case)._replace(exactly=False)


@counting
def no_cut(game, state, alpha, beta):
    if game.over(state):
        return game.result(state)
    values = [(game.play(state, action)) for action in game.actions(state)]
    return max(for_mover(game, state, c, no_cut.function(game, c, alpha, beta)) for c in values)


def variant(name, window=window_below, stop=may_stop, sign=for_mover, raises_alpha=True):
    """An alpha-beta with one thing changed."""

    def search(game, state, alpha, beta):
        if game.over(state):
            return game.result(state)
        value = -INF
        for action in game.actions(state):
            child = game.play(state, action)
            reply = search(game, child, *window(game, state, child, alpha, beta))
            value = max(value, sign(game, state, child, reply))
            if raises_alpha:
                alpha = max(alpha, value)
            if stop(max(alpha, value), beta):
                break
        return value

    search.__name__ = name
    return counting(search)


def never_turned(game, state, child, value):
    return value


def always_turned(game, state, child, value):
    return -value


window_not_turned = variant("window_not_turned", window_handed_on_as_it_is)
window_swapped_without_signs = variant("window_swapped_without_signs", swapped_without_the_signs)
window_always_turned = variant("window_always_turned", window_turned_at_every_move)
turn_always_passes = variant("turn_always_passes", window_turned_at_every_move, sign=always_turned)
sign_not_turned = variant("sign_not_turned", sign=never_turned)
alpha_never_raised = variant("alpha_never_raised", raises_alpha=False)
cut_too_late = variant("cut_too_late", stop=cut_only_beyond_beta)
cut_at_the_wrong_bound = variant("cut_at_the_wrong_bound", stop=cut_while_the_window_is_open)


# ---- 3.4 the best moves ----------------------------------------------------------------------


def values_of(game, state, search, carry):
    """The value of each move, each with a full window or with that of its siblings."""
    values, alpha = {}, -INF
    for action in game.actions(state):
        values[action] = -search(game, game.play(state, action), -INF, -alpha)
        if carry:
            alpha = max(alpha, values[action])
    return values


def those_worth(values, wanted):
    return {action for action, value in values.items() if value == wanted}


def all_best(game, state, search):
    values = values_of(game, state, search, carry=False)
    return those_worth(values, max(values.values()))


def window_carried_over(game, state, search):
    values = values_of(game, state, search, carry=True)
    return those_worth(values, max(values.values()))


def best_for_the_other(game, state, search):
    values = values_of(game, state, search, carry=False)
    return those_worth(values, min(values.values()))


def only_the_first(game, state, search):
    return {min(all_best(game, state, search))}


# ---- 3.5 what a table's entry is good for ------------------------------------------------------


def is_enough(kind, value, alpha, beta):
    if kind == "at least":
        return value >= beta
    if kind == "at most":
        return value <= alpha
    return True


def bound_taken_for_exact(kind, value, alpha, beta):
    return True


def bounds_the_other_way_round(kind, value, alpha, beta):
    if kind == "at least":
        return value <= alpha
    return value >= beta if kind == "at most" else True


def bounds_held_against_the_wrong_end(kind, value, alpha, beta):
    if kind == "at least":
        return value >= alpha
    return value <= beta if kind == "at most" else True


def only_exact_values_used(kind, value, alpha, beta):
    return kind == "exactly"


# ---- 3.6 the order of moves --------------------------------------------------------------------


def by_promise(game, state, sign, turned=for_mover):
    """The moves, by what the game promises after them."""

    def rank(action):
        child = game.play(state, action)
        return sign * turned(game, state, child, game.promise(child))

    return sorted(game.actions(state), key=rank)


def best_first(game, state):
    return by_promise(game, state, -1)


def best_for_the_other_first(game, state):
    return by_promise(game, state, 1)


def as_the_game_lists_them(game, state):
    return list(game.actions(state))


def from_the_right(game, state):
    return list(game.actions(state))[::-1]


CONNECT4 = Connect4()
SMALL = MiddleFirst(5, 6, 4)


TASKS = (
    Task(
        number="3.1",
        title="When to stop looking",
        name="may_stop",
        cases=[
            (-INF, INF),
            (0, 1),
            (1, 0),
            (0, 0),
            (-1, -1),
            (1, INF),
            (-INF, -1),
            (0.25, 0.5),
            (0.5, 0.25),
        ],
        truth=may_stop,
        because="No value lies between α and β once α ≥ β: the window is shut.",
        hints=(
            "Only values above α and below β still matter. When are there none?",
            "If both players are sure of the same value, is there anything left to find?",
            "return alpha >= beta",
        ),
        mistakes={
            cut_only_beyond_beta: "This behaves like a search that cuts only when α > β. "
            "It stays right, but looks at far too much. Look at the case α = β.",
            cut_while_the_window_is_open: "This behaves like a search that stops while "
            "there is still something to find. Look at which side is the larger one.",
            never_cut: "This behaves like a search that never cuts: plain minimax.",
        },
        answer=YesNo(),
        draw=no_board,
    ),
    Task(
        number="3.2",
        title="The window of the next position",
        name="window_below",
        cases=[
            below(GAME, (4,), -INF, INF),
            below(GAME, (4, 0), -1, INF),
            below(GAME, (4, 0), 0, 1),
            below(GAME, (4, 0, 1), -INF, 0),
            below(BOXES, (0,), -1, 0),
            below(BOXES, (0, 2, 3, 5), 0, 1),
            below(BOXES, (0, 2, 3, 5), -1, INF),
        ],
        truth=window_below,
        because="If the turn passes, the window becomes (−β, −α). If not, it stays as it is.",
        hints=(
            "First the usual case: the other player moves next. What I am sure of is then "
            "the most that you can still get, seen from your side.",
            "Swap the two ends and turn both signs: (−β, −α).",
            "In dots and boxes the mover may stay: compare game.mover(child) with "
            "game.mover(state). If they are equal, return (alpha, beta).",
        ),
        mistakes={
            window_handed_on_as_it_is: "This behaves like one who forgets that the other player "
            "sees every value with the other sign. Look at α and β: they must change places.",
            swapped_without_the_signs: "This behaves like one who swaps α and β and keeps the "
            "signs. Look at (0, 1): the other player's window is (−1, 0).",
            signs_turned_without_the_swap: "This behaves like one who turns the signs, and leaves "
            "α and β in their places. Look: is your lower end still the smaller number?",
            window_turned_at_every_move: "This behaves like one who believes that the turn always "
            "passes. Look at dots and boxes after a box was closed.",
        },
        answer=Numbers(),
        draw=lambda game, state, child, *window: Position(game, child),
    ),
    Task(
        number="3.3",
        title="Alpha-beta",
        name="alpha_beta",
        cases=[
            (GAME, after(GAME, 0, 4, 2, 7), -INF, INF),
            (GAME, after(GAME, 0, 2, 4, 8), -1, 1),
            (GAME, after(GAME, 0, 4, 8), -INF, INF),
            (GAME, after(GAME, 1, 3, 2, 4), 0, 1),
            (GAME, after(GAME, 0, 4, 8, 1), -1, 0),
            (GAME, after(GAME, 0, 1), -1, 1),
            (BOXES, after(BOXES, 0, 1, 2, 3, 4, 6, 7), -INF, INF),
            (BOXES, after(BOXES, 0, 2, 9, 5, 11, 8), -1, 1),
            (BOXES, after(BOXES, 0, 2, 3, 9, 4, 7), -INF, INF),
        ],
        truth=right_search,
        because="Within the window the value is that of negamax, and no node is looked at that a "
        "cut can spare.",
        hints=(
            "Begin with negamax of lecture 2, and hand α and β down with window_below.",
            "After each move: raise alpha to the value if that is larger. Then ask: stop?",
            "The loop: child, window, reply, value = max(value, ±reply), alpha = max(alpha, "
            "value), if alpha >= beta: break. The sign turns only if the turn passes: for_mover.",
        ),
        mistakes={
            no_cut: "This behaves like a search without a cut: right, but it looks at everything. "
            "Look for the break, and whether alpha is raised before it.",
            alpha_never_raised: "This behaves like a search that cuts at β, but never raises α: "
            "the next positions don't hear of what has been found. Look at alpha after each move.",
            cut_too_late: "This behaves like a search that cuts when α > β. Look at your "
            "condition: at α = β nothing can change any more.",
            cut_at_the_wrong_bound: "This behaves like a search that stops while the window is "
            "open. Look at the direction of your comparison.",
            window_not_turned: "This behaves like a search whose α and β were not swapped. "
            "Look at the window that you hand to the next position.",
            window_swapped_without_signs: "This behaves like a search that swaps α and β but "
            "keeps their signs. Look at the window that you hand to the next position.",
            window_always_turned: "This behaves like a search that turns the window even if the "
            "same player moves again. Look at dots and boxes.",
            turn_always_passes: "This behaves like a search for games in which the turn always "
            "passes. Look at dots and boxes: who closes a box moves again.",
            sign_not_turned: "This behaves like a search without the minus: the other player's "
            "values come back as one's own. Look at what the recursive call returns.",
        },
        answer=SearchResult(),
        call=ask_counting,
    ),
    Task(
        number="3.4",
        title="All the best moves",
        name="all_best_moves",
        cases=[
            (GAME, after(GAME, 0, 4, 2, 7), alpha_beta),
            (GAME, after(GAME, 0, 4, 1, 2), alpha_beta),
            (GAME, after(GAME, 1, 4), alpha_beta),
            (GAME, after(GAME, 0, 4), alpha_beta),
            (GAME, after(GAME, 0), alpha_beta),
            (GAME, after(GAME, 4), alpha_beta),
        ],
        truth=all_best,
        because="Each move needs a window in which its value comes back exact, not as a bound.",
        hints=(
            "Search the position after each move, and collect the moves with the largest value.",
            "The value that comes back is for the other player: turn its sign.",
            "Call search(game, child, -inf, inf) for each child. Do not hand on what the moves "
            "before have shown, or the later values are mere bounds.",
        ),
        mistakes={
            window_carried_over: "This behaves like one who carries the window from move to move. "
            "Then wrong moves come back with a bound and look as good. Look at the α that you "
            "hand down.",
            best_for_the_other: "This behaves like one who takes the best values of the other "
            "player. Look at the sign.",
            only_the_first: "This behaves like one who keeps only the first of the best moves. "
            "Look at how you treat a value equal to the best.",
        },
        answer=Moves(),
    ),
    Task(
        number="3.5",
        title="Is what the table says enough?",
        name="is_enough",
        cases=[
            ("exactly", 0, -1, 1),
            ("exactly", 1, -1, 0),
            ("at least", 0, -1, 1),
            ("at least", 1, -1, 1),
            ("at least", 0, -1, 0),
            ("at least", -1, -1, 1),
            ("at most", 0, -1, 1),
            ("at most", -1, -1, 1),
            ("at most", 0, 0, 1),
            ("at most", 1, 0, 1),
            ("at least", -1, 0, 1),
            ("at most", 1, -1, 0),
        ],
        truth=is_enough,
        because="An exact value always is. A lower bound is enough from β up, an upper bound "
        "from α down.",
        hints=(
            "Three cases, one for each kind. Which one is always enough?",
            "If the value is at least β, the search would be cut anyway.",
            "at least: value >= beta. at most: value <= alpha.",
        ),
        mistakes={
            bound_taken_for_exact: "This behaves like a table that takes each bound for the exact "
            "value. Look at 'at least 0' when the window is (−1, 1): it could still be 1.",
            bounds_the_other_way_round: "This behaves like a table that has lower and upper "
            "bounds exchanged. Look at 'at least': which end of the window can it pass?",
            bounds_held_against_the_wrong_end: "This behaves like a table that holds each bound "
            "against the wrong end of the window. Look at 'at least α': is it known whether the "
            "value is above β?",
            only_exact_values_used: "This behaves like a table that never uses a bound. It stays "
            "right, but bounds are most of what a search finds. Look at 'at least' with a "
            "value of β or more.",
        },
        answer=YesNo(),
        draw=no_board,
    ),
    Task(
        number="3.6",
        title="The most promising move first",
        name="best_first",
        cases=[
            (CONNECT4, CONNECT4.start()),
            (CONNECT4, after(CONNECT4, 3)),
            (CONNECT4, after(CONNECT4, 3, 2, 3)),
            (CONNECT4, after(CONNECT4, 0, 3, 0, 3)),
            (GAME, after(GAME, 0)),
        ],
        truth=best_first,
        because="The move after which the promise for me is largest comes first; equal ones stay "
        "in the order of the game.",
        hints=(
            "sorted(game.actions(state), key=...) sorts; equal ones keep their order.",
            "game.promise(child) is between −1 and 1, for the player to move *there*.",
            "For me it is worth −game.promise(child), and sorted puts the smallest first. Two "
            "signs: they cancel.",
        ),
        mistakes={
            best_for_the_other_first: "This behaves like one who puts the best move of the other "
            "player first: the worst order of all. Look at whose side game.promise(child) is on.",
            as_the_game_lists_them: "This behaves like one who leaves the moves as they are. "
            "Look at the key that you sort by.",
            from_the_right: "This behaves like one who only turns the list around. Look at the "
            "key that you sort by.",
        },
        answer=Numbers(),
    ),
    Contest(
        number="3.7",
        title="An agent for Connect4",
        name="Searcher",
        game=SMALL,
        opponent=OneStepLookAhead(),
        least=16,
        because="A search some moves ahead sees what this opponent does not, and with cuts it is "
        "quick enough.",
        hints=(
            "Your opponent wins if it can and stops you if it must, but sees no further. Your "
            "alpha_beta needs a depth and, at depth 0, game.promise(state).",
            "choose: value each move with a search of the position after it, then take one of "
            "the best.",
            "The library's own does as well: search(Negamax(True, 4, Promise()), game, state) "
            "has best_moves.",
        ),
        mistakes=OVERLOOKED,
        games=20,
        seconds=60,
    ),
)
