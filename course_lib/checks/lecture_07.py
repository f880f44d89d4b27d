"""Exercises on lecture 7: bounds, selection, update, the final move, a slow list, an own MCTS."""

import math

from course_lib.agents import OneStepLookAhead
from course_lib.checks.answers import Move, Number, Numbers
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import TicTacToe

NOTEBOOK = "07_mcts"
TITLE = "7 · Monte Carlo tree search"
GAME = TicTacToe()


def nothing_to_draw(*case):
    return None


# 7.1


def bound(value, visits, parent_visits, c):
    if visits == 0:
        return math.inf
    return value + c * math.sqrt(math.log(parent_visits) / visits)


def the_childs_own_count_in_the_logarithm(value, visits, parent_visits, c):
    return math.inf if visits == 0 else value + c * math.sqrt(math.log(visits) / visits)


def the_root_forgotten(value, visits, parent_visits, c):
    return math.inf if visits == 0 else value + c * math.log(parent_visits) / visits


def the_logarithm_forgotten(value, visits, parent_visits, c):
    return math.inf if visits == 0 else value + c * math.sqrt(parent_visits / visits)


def c_under_the_root(value, visits, parent_visits, c):
    return math.inf if visits == 0 else value + math.sqrt(c * math.log(parent_visits) / visits)


def c_forgotten(value, visits, parent_visits, c):
    return bound(value, visits, parent_visits, 1)


def the_bonus_taken_away(value, visits, parent_visits, c):
    return math.inf if visits == 0 else 2 * value - bound(value, visits, parent_visits, c)


def an_unvisited_child_is_worth_nothing(value, visits, parent_visits, c):
    return 0.0 if visits == 0 else bound(value, visits, parent_visits, c)


BOUND = Task(
    "7.1",
    "The upper confidence bound",
    "bound",
    cases=[
        (0.5, 10, 100, 1.0),
        (-0.2, 40, 200, 2.0),
        (0.9, 1, 2, 0.5),
        (0.0, 0, 30, 1.4),
        (0.3, 25, 1000, 0.0),
    ],
    truth=bound,
    because="The bound is the value plus C times the root of (ln of the parent's visits, divided "
    "by the own); a child without visits comes before all others.",
    hints=(
        "math.log is the natural logarithm, math.sqrt the root.",
        "Under the root stands math.log(parent_visits) / visits. C stands before the root.",
        "With 0 visits you can't divide: return math.inf, which is larger than any number.",
    ),
    mistakes={
        the_childs_own_count_in_the_logarithm: "The logarithm is of the parent's visits. With the "
        "child's own, a child that is never visited never becomes more interesting.",
        the_root_forgotten: "math.sqrt is missing: without it the bonus dies away too fast.",
        the_logarithm_forgotten: "The logarithm of the parent's visits is missing: without it, bad "
        "children are tried for ever, nearly as often as good ones.",
        c_under_the_root: "C stands before the root, not under it.",
        c_forgotten: "Your answer is the same whatever C is. Multiply the root by c.",
        the_bonus_taken_away: "You subtract the bonus. Then what is little known looks bad, and is "
        "never tried: a lower bound instead of an upper one.",
        an_unvisited_child_is_worth_nothing: "A child without visits must be tried first: its "
        "bound is math.inf. With 0 it may never be tried at all.",
    },
    answer=Number(),
    draw=nothing_to_draw,
)


# 7.2


def best(scores):
    """All indices of the largest score."""
    return {index for index, score in enumerate(scores) if score == max(scores)}


def choose_child(values, visits, c):
    total = sum(visits)
    return best([bound(value, n, total, c) for value, n in zip(values, visits, strict=True)])


def an_unvisited_child_is_never_tried(values, visits, c):
    total = sum(visits)
    pairs = zip(values, visits, strict=True)
    return best([bound(value, n, total, c) if n else -math.inf for value, n in pairs])


def only_the_value_counts(values, visits, c):
    return best(values)


def only_the_visits_count(values, visits, c):
    return best(visits)


def the_least_visited(values, visits, c):
    return best([-n for n in visits])


def the_smallest_bound(values, visits, c):
    total = sum(visits)
    return best([-bound(value, n, total, c) for value, n in zip(values, visits, strict=True)])


def own_counts_in_the_logarithm(values, visits, c):
    pairs = zip(values, visits, strict=True)
    return best([the_childs_own_count_in_the_logarithm(value, n, 0, c) for value, n in pairs])


CHOOSE = Task(
    "7.2",
    "Selection",
    "choose_child",
    cases=[
        ([0.1, 0.6, 0.3], [10, 12, 11], 0.5),
        ([0.5, 0.4, 0.1], [100, 60, 40], 0.0),
        ([0.5, 0.4, 0.1], [100, 10, 40], 1.4),
        ([0.5, 0.45, 0.3], [100, 30, 22], 0.4),
        ([0.9, 0.0, 0.5], [20, 0, 20], 1.0),
        ([-0.2, -0.6, -0.3, -0.25], [60, 8, 50, 59], 1.0),
        ([0.2, 0.6, 0.5], [2, 50, 9], 0.3),
        ([0.7, 0.5, -0.1], [20, 100, 10], 0.6),
    ],
    truth=choose_child,
    because="Selection takes the child with the largest bound; a child without visits comes first.",
    hints=(
        "The parent's visits are the sum of the children's here.",
        "Compute bound(values[i], visits[i], sum(visits), c) for each i, with your function 7.1.",
        "max(range(len(values)), key=...) gives the i for which the key is largest.",
    ),
    mistakes={
        an_unvisited_child_is_never_tried: "A child without visits is passed over, for ever. It "
        "must be tried first.",
        only_the_value_counts: "This takes the largest value and forgets the bonus: what had bad "
        "luck once is never tried again.",
        only_the_visits_count: "This takes the child with most visits. That is a rule for the "
        "final move; a simulation that follows it learns nothing new.",
        the_least_visited: "This takes the child with the fewest visits, as Monte Carlo search "
        "does: all get the same, the bad ones, too.",
        the_smallest_bound: "This takes the smallest bound. Each child's value is for the player "
        "who chooses: so the largest is best for them.",
        own_counts_in_the_logarithm: "The logarithm takes the parent's visits, sum(visits), not "
        "the child's own.",
    },
    answer=Move(),
    draw=nothing_to_draw,
)


# 7.3


def update(path, result):
    return [
        (visits + 1, total + (result if player == 0 else -result)) for player, visits, total in path
    ]


def the_sign_never_turned(path, result):
    return [(visits + 1, total + result) for _, visits, total in path]


def values_for_the_player_to_move(path, result):
    return [
        (visits + 1, total - (result if player == 0 else -result)) for player, visits, total in path
    ]


def a_tie_counts_as_a_loss(path, result):
    if result == 0:
        return [(visits + 1, total - 1) for _, visits, total in path]
    return update(path, result)


def the_turn_passes_each_time(path, result):
    sign = 1 if path[-1][0] == 0 else -1
    updated = []
    for _, visits, total in reversed(path):
        updated.append((visits + 1, total + sign * result))
        sign = -sign
    return updated[::-1]


def the_root_is_left_out(path, result):
    return [path[0][1:], *update(path[1:], result)]


def only_the_last_node(path, result):
    return [*(node[1:] for node in path[:-1]), *update(path[-1:], result)]


def visits_not_counted(path, result):
    return [(visits - 1, total) for visits, total in update(path, result)]


def only_wins_are_counted(path, result):
    pairs = zip(path, update(path, result), strict=True)
    return [(visits, max(total, before)) for (_, _, before), (visits, total) in pairs]


UPDATE = Task(
    "7.3",
    "Update",
    "update",
    cases=[
        ([(1, 4, 1), (0, 2, -1)], 1),
        ([(1, 9, -3), (0, 5, 2), (1, 2, 0)], -1),
        ([(1, 7, 2), (0, 3, 1), (1, 1, -1)], 0),
        ([(1, 20, 4), (0, 9, 3), (0, 4, 1), (1, 2, -2)], 1),
        ([(0, 6, 0), (1, 3, 1), (1, 2, 1), (1, 1, 1)], -1),
    ],
    truth=update,
    because="Every node of the path counts one visit, and the result for the player who moved in.",
    hints=(
        "Each node comes as (player, visits, total); you return (visits, total) for each.",
        "The result is for player 0. For player 1 it is -result.",
        "A tie adds 0, for both. And look at who moved into each node: in dots and boxes the same "
        "player may move twice.",
    ),
    mistakes={
        the_sign_never_turned: "The result is added as it is, whoever moved there. What is good "
        "for player 0 is bad for player 1: a tree with this update believes that the other helps.",
        values_for_the_player_to_move: "All signs are turned. The value is for the player who "
        "moved *into* the node.",
        a_tie_counts_as_a_loss: "A tie takes 1 away: then a tie looks as bad as a loss, and the "
        "tree does not care to hold one. A tie adds 0.",
        the_turn_passes_each_time: "You turn the sign at each step. In dots and boxes a player may "
        "move twice in a row: ask each node who moved into it.",
        the_root_is_left_out: "The first node, the root, is not updated. Its visits stand in the "
        "logarithm of the bound.",
        only_the_last_node: "Only the last node counts the result: then the nodes above, where "
        "the moves are chosen, learn nothing.",
        visits_not_counted: "The visits stay as they are. Add 1 to each.",
        only_wins_are_counted: "Losses are not taken away from the total. Add the result, also "
        "where it is -1.",
    },
    answer=Numbers(),
    draw=nothing_to_draw,
)


# 7.4


def final_move(values, visits):
    most = [index for index in range(len(visits)) if visits[index] == max(visits)]
    return {index for index in most if values[index] == max(values[i] for i in most)}


def the_most_valuable(values, visits):
    return best(values)


def the_first_of_the_most_visited(values, visits):
    return {visits.index(max(visits))}


def the_largest_total(values, visits):
    return best([value * n for value, n in zip(values, visits, strict=True)])


def the_one_that_was_tried_least(values, visits):
    return best([-n for n in visits])


FINAL = Task(
    "7.4",
    "The final move",
    "final_move",
    cases=[
        ([0.2, 0.4, 0.1], [100, 700, 200]),
        ([1.0, 0.4, 0.3], [2, 700, 298]),
        ([0.3, -0.1, 0.5], [450, 100, 450]),
        ([-0.6, -0.4, -0.9], [300, 600, 100]),
        ([-0.3, -0.9, -0.8, -0.2], [800, 20, 30, 150]),
    ],
    truth=final_move,
    because="The move with most visits is the one that has stood the test most often; a large "
    "value after two visits is luck. Among equals the larger value decides.",
    hints=(
        "max(visits) is the largest number of visits. Which moves have it?",
        "Among these take the one with the largest value.",
        "Tuples are compared from the left: max(range(n), key=lambda i: (visits[i], values[i])).",
    ),
    mistakes={
        the_most_valuable: "This plays the move of the largest value, though it may rest on two "
        "lucky rollouts. Look at the visits.",
        the_first_of_the_most_visited: "Where two have equally many visits, take the one with the "
        "larger value, not the first.",
        the_largest_total: "Values times visits: with negative values this prefers what was hardly "
        "tried. Take the visits themselves.",
        the_one_that_was_tried_least: "This is the move with the fewest visits, the one that the "
        "search liked least.",
    },
    answer=Move(),
    draw=nothing_to_draw,
)


# 7.5


def simulations_in(comparisons, children):
    done, entries = 0, 0
    while comparisons >= children * (entries + 1):
        entries += 1
        comparisons -= children * entries
        done += 1
    return done


def a_list_that_does_not_grow(comparisons, children):
    return comparisons // children


def one_simulation_too_many(comparisons, children):
    return simulations_in(comparisons, children) + 1


def the_root_of_the_budget(comparisons, children):
    return math.isqrt(comparisons // children)


def children_forgotten(comparisons, children):
    return simulations_in(comparisons, 1)


LIST = Task(
    "7.5",
    "A list that is searched",
    "simulations_in",
    cases=[(6, 2), (100, 1), (1_000, 7), (10_000, 7), (100_000, 7), (100_000, 25)],
    truth=simulations_in,
    because="Simulation number i costs children · i comparisons; so many fit until the budget is "
    "spent, and their number grows with its square root.",
    hints=(
        "Simulation 1 costs children · 1, simulation 2 costs children · 2, and so on.",
        "Take the cost of the next simulation away from what is left, as long as there is enough.",
        "Count only the simulations that can be finished.",
    ),
    mistakes={
        a_list_that_does_not_grow: "Here each simulation costs the same. But the list grows by one "
        "entry with each simulation, so simulation i costs children · i.",
        one_simulation_too_many: "The last one that you count can't be finished any more.",
        the_root_of_the_budget: "It does grow like a root, but the sum 1 + 2 + ... + n is "
        "n (n + 1) / 2, not n². Count step by step.",
        children_forgotten: "In each simulation every child is looked for: multiply by children.",
    },
    answer=Number(),
    draw=nothing_to_draw,
)


# 7.6

SIMULATIONS = 150

CONTEST = Contest(
    "7.6",
    "A tree search of your own",
    "TreeSearcher",
    game=GAME,
    opponent=OneStepLookAhead(),
    least=9,
    because="It needs no rule about wins and threats: the tree finds them.",
    hints=(
        "A node can be a small object or a dictionary: visits, total, its children by move, and "
        "the moves that are not tried yet.",
        "One simulation: keep a list of (player who moved in, node). Go down with the bound while "
        "a node has no untried moves; add one child; play on with rng; update all of the list.",
        f"{SIMULATIONS} simulations a move are enough. Play the move with most visits.",
        "If it plays badly, look at the signs: the total of a node is for the player who moved "
        "into it, and rollouts end with a result for game.mover(state).",
    ),
    mistakes=OVERLOOKED,
    games=60,
    seconds=90,
)


TASKS = (BOUND, CHOOSE, UPDATE, FINAL, LIST, CONTEST)
