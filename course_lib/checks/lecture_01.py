"""Exercises on lecture 1: values, best moves, trees, depth, and a player that hurries."""

import numpy as np

from course_lib.agents import OneStepLookAhead
from course_lib.arena import replay
from course_lib.checks.answers import Move, Moves
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe

NOTEBOOK = "01_minimax"
TITLE = "1 · Minimax"
GAME = TicTacToe()
CONNECT4 = Connect4(4, 5, 3)
BOXES = DotsAndBoxes(1, 2)


def after(game, *moves):
    """A case: a game, and the state after these moves."""
    return game, replay(game, moves)[-1].state


def children(game, state):
    return [game.play(state, action) for action in game.actions(state)]


def for_x(game, state, value):
    return value if game.mover(state) == 0 else -value


# 1.1

X_WON, O_WON = after(GAME, 0, 3, 1, 4, 2), after(GAME, 0, 3, 1, 4, 8, 5)
TIED = after(GAME, 0, 1, 2, 4, 3, 5, 7, 6, 8)


def value_of_leaf(game, state):
    return for_x(game, state, game.result(state))


def for_the_player_to_move(game, state):
    return game.result(state)


def for_o_instead_of_x(game, state):
    return -value_of_leaf(game, state)


def every_line_is_good(game, state):
    return abs(game.result(state))


def every_line_is_bad(game, state):
    return -abs(game.result(state))


def a_tie_scored_as_a_loss(game, state):
    return value_of_leaf(game, state) or -1


LEAF = Task(
    "1.1",
    "The value of a leaf",
    "value_of_leaf",
    cases=[X_WON, O_WON, TIED, after(GAME, 0, 1, 4, 2, 8), after(BOXES, 0, 1, 2, 3, 4, 5, 6)],
    truth=value_of_leaf,
    because="game.result speaks for the player to move, who is X or O; the value is for X.",
    hints=(
        "game.mover(state) is 0 if X would be to move, and 1 if it is O.",
        "If X is to move, game.result(state) is for X already. Otherwise it is for O.",
        "What is good for O is as bad for X: turn the sign.",
    ),
    mistakes={
        for_the_player_to_move: "The sign is not turned: game.result speaks for the player to "
        "move. When X has just won, that is O.",
        for_o_instead_of_x: "The sign is turned for the wrong player: your values are for O.",
        every_line_is_good: "A win of O is as bad for X as it can be, and not good.",
        every_line_is_bad: "X's own wins come out as losses: ask who is to move.",
        a_tie_scored_as_a_loss: "A tie is scored as a loss. It is worth 0.",
    },
)


# 1.2

LATE = after(GAME, 0, 2, 4, 8, 1, 3)
LATE_FOR_O = after(GAME, 0, 4, 1, 2, 8)
FORK = after(GAME, 0, 1, 3, 7)
QUIET = after(GAME, 0, 4, 8, 1, 7)
LOST = after(GAME, 0, 1, 4, 8, 3)
END_OF_BOXES = after(BOXES, 0, 1, 2, 3)
POSITIONS = [LATE, LATE_FOR_O, FORK, QUIET, LOST, END_OF_BOXES]


def value_of(game, state):
    if game.over(state):
        return value_of_leaf(game, state)
    values = [value_of(game, child) for child in children(game, state)]
    return max(values) if game.mover(state) == 0 else min(values)


def the_largest_for_both(game, state):
    if game.over(state):
        return value_of_leaf(game, state)
    return max(the_largest_for_both(game, child) for child in children(game, state))


def largest_and_smallest_exchanged(game, state):
    if game.over(state):
        return value_of_leaf(game, state)
    values = [largest_and_smallest_exchanged(game, child) for child in children(game, state)]
    return min(values) if game.mover(state) == 0 else max(values)


def sign_not_turned_at_the_leaf(game, state):
    if game.over(state):
        return game.result(state)
    values = [sign_not_turned_at_the_leaf(game, child) for child in children(game, state)]
    return max(values) if game.mover(state) == 0 else min(values)


def value_for_the_player_to_move(game, state):
    return for_x(game, state, value_of(game, state))


def draws_scored_as_losses(game, state):
    if game.over(state):
        return value_of_leaf(game, state) or -1
    values = [draws_scored_as_losses(game, child) for child in children(game, state)]
    return max(values) if game.mover(state) == 0 else min(values)


def one_move_deep(game, state):
    values = [
        value_of_leaf(game, child) if game.over(child) else 0 for child in children(game, state)
    ]
    return max(values) if game.mover(state) == 0 else min(values)


def the_first_move_only(game, state):
    while not game.over(state):
        state = children(game, state)[0]
    return value_of_leaf(game, state)


def the_average(game, state):
    if game.over(state):
        return value_of_leaf(game, state)
    values = [the_average(game, child) for child in children(game, state)]
    return sum(values) / len(values)


VALUE = Task(
    "1.2",
    "The value of any position",
    "value_of",
    cases=POSITIONS,
    truth=value_of,
    because="X takes the largest value of the moves and O the smallest, down to the leaves.",
    hints=(
        "A finished game is a leaf: its value you have already.",
        "Else try all moves: the function can ask itself for the value of each position that "
        "follows.",
        "If game.mover(state) is 0, the value is the max of these, else the min.",
    ),
    mistakes={
        the_largest_for_both: "This is a world in which O helps X. When O is to move, O takes the "
        "smallest value.",
        largest_and_smallest_exchanged: "X takes the smallest and O the largest: it is the other "
        "way around.",
        sign_not_turned_at_the_leaf: "The leaves speak for the player to move: look at task 1.1.",
        value_for_the_player_to_move: "Your value is for the player to move. It is asked for X.",
        draws_scored_as_losses: "A tie is scored as a loss. It is worth 0.",
        one_move_deep: "You look one move ahead and no further. The value of a move is the value "
        "of the position behind it, and not only whether the game ends there.",
        the_first_move_only: "Only the first move of each position is followed. Try all of them.",
        the_average: "This is the mean over all moves, as if the players drew lots. They choose.",
    },
)


# 1.3


def moves_worth(value, game, state, wanted):
    """The moves whose value, by this function, is what max or min picks."""
    values = {action: value(game, game.play(state, action)) for action in game.actions(state)}
    return {action for action in values if values[action] == wanted(values.values())}


def best_moves(game, state):
    return moves_worth(value_of, game, state, max if game.mover(state) == 0 else min)


def best_for_x_always(game, state):
    return moves_worth(value_of, game, state, max)


def best_for_o_always(game, state):
    return moves_worth(value_of, game, state, min)


def worst_instead_of_best(game, state):
    return moves_worth(value_of, game, state, min if game.mover(state) == 0 else max)


def only_one_of_the_best(game, state):
    return {min(best_moves(game, state))}


def only_the_last_of_the_best(game, state):
    return {max(best_moves(game, state))}


def only_moves_that_win(game, state):
    own = 1 if game.mover(state) == 0 else -1
    return {
        action for action in game.actions(state) if value_of(game, game.play(state, action)) == own
    }


BEST = Task(
    "1.3",
    "All best moves",
    "best_moves",
    cases=POSITIONS,
    truth=best_moves,
    because="Best are all moves whose value is as good as any for the player to move.",
    hints=(
        "Collect the value of each move: values[action] = value_of(game, ...).",
        "X wants the largest of the values, O the smallest.",
        "Keep all actions whose value is the wanted one; there may be several.",
    ),
    mistakes={
        best_for_x_always: "For O, too, you take the moves with the largest value, as the paper's "
        "listing 2 does. That helps X. Ask game.mover.",
        best_for_o_always: "You take the smallest value for both players: X wants the largest.",
        worst_instead_of_best: "These are the worst moves: largest and smallest are exchanged.",
        only_one_of_the_best: "You stop at the first of the best moves. All of them are asked.",
        only_the_last_of_the_best: "You keep the last of the best moves only. With >= in the "
        "comparison, a later one takes the place of an equal one.",
        only_moves_that_win: "Where no move wins, the best ones tie, or lose. There is always one.",
    },
    answer=Moves(),
)


# 1.4


def count_nodes(game, state):
    if game.over(state):
        return 1
    return 1 + sum(count_nodes(game, child) for child in children(game, state))


def the_root_forgotten(game, state):
    return count_nodes(game, state) - 1


def leaves_only(game, state):
    if game.over(state):
        return 1
    return sum(leaves_only(game, child) for child in children(game, state))


def leaves_forgotten(game, state):
    return count_nodes(game, state) - leaves_only(game, state)


def different_positions_only(game, state):
    layer = found = {state}
    while layer:
        layer = {c for each in layer if not game.over(each) for c in children(game, each)}
        found = found | layer
    return len(found)


def a_won_game_goes_on(game, state):
    actions = list(game.actions(state))
    return 1 + sum(a_won_game_goes_on(game, game.play(state, action)) for action in actions)


NODES = Task(
    "1.4",
    "Count the nodes",
    "count_nodes",
    cases=[TIED, LATE, LATE_FOR_O, QUIET, END_OF_BOXES, after(GAME, 0, 4, 8)],
    truth=count_nodes,
    because="The tree has the position itself and, if the game goes on, all trees below it.",
    hints=(
        "A leaf is a tree of one node.",
        "Any other position counts as 1, and what its children count comes on top.",
        "return 1 + sum(count_nodes(...) for action in game.actions(state))",
    ),
    mistakes={
        the_root_forgotten: "It is one short: the root is a node, too.",
        leaves_only: "You count the leaves only. A position with moves is a node as well: 1 more.",
        leaves_forgotten: "The leaves are missing: a finished game is a node, too.",
        different_positions_only: "You count each position once. A tree has it as often as there "
        "are ways that lead to it.",
        a_won_game_goes_on: "You play on after the game was won. Ask game.over before the moves.",
    },
)


# 1.5


def estimate(game, state):
    return for_x(game, state, game.promise(state))


def value_to_depth(game, state, depth):
    if game.over(state):
        return value_of_leaf(game, state)
    if depth == 0:
        return estimate(game, state)
    values = [value_to_depth(game, child, depth - 1) for child in children(game, state)]
    return max(values) if game.mover(state) == 0 else min(values)


def depth_off_by_one(game, state, depth):
    return value_to_depth(game, state, max(depth - 1, 0))


def one_move_too_deep(game, state, depth):
    return value_to_depth(game, state, depth + 1)


def with_estimate(estimate, ask_first, state, depth):
    """Search with another estimate, perhaps asking for it before the rules."""
    if CONNECT4.over(state) and not (ask_first and depth == 0):
        return value_of_leaf(CONNECT4, state)
    if depth == 0:
        return estimate(CONNECT4, state)
    below = children(CONNECT4, state)
    values = [with_estimate(estimate, ask_first, child, depth - 1) for child in below]
    return max(values) if CONNECT4.mover(state) == 0 else min(values)


def sign_of_the_estimate_not_turned(game, state, depth):
    return with_estimate(lambda game, state: game.promise(state), False, state, depth)


def estimate_before_the_rules(game, state, depth):
    return with_estimate(estimate, True, state, depth)


def zero_for_an_estimate(game, state, depth):
    return with_estimate(lambda game, state: 0, False, state, depth)


EARLY, OPEN = after(CONNECT4, 2), after(CONNECT4, 2, 1, 3)
WON = after(CONNECT4, 2, 0, 2, 0, 2)
CLOSE = after(CONNECT4, 2, 0, 2, 0)
DEPTH = Task(
    "1.5",
    "Stop at a depth",
    "value_to_depth",
    cases=[(*EARLY, 0), (*EARLY, 1), (*OPEN, 0), (*OPEN, 1), (*EARLY, 2), (*WON, 0), (*CLOSE, 1)],
    truth=value_to_depth,
    because="At depth 0 the estimate stands for the value, but a finished game needs none.",
    hints=(
        "It is value_of with one more case: at depth 0 the search stops.",
        "First ask whether the game is over, then whether the depth is 0.",
        "game.promise(state) is for the player to move: for O, turn its sign.",
        "For the positions that follow, the depth is one less.",
    ),
    mistakes={
        depth_off_by_one: "You stop one move too early: at depth 1, look at the positions after "
        "one move, and estimate those.",
        one_move_too_deep: "You go one move too far: at depth 0 the position itself is estimated.",
        sign_of_the_estimate_not_turned: "game.promise speaks for the player to move. For O, turn "
        "the sign, as at a leaf.",
        estimate_before_the_rules: "A finished game is estimated, though its value is known. Ask "
        "game.over before you ask for the depth.",
        zero_for_an_estimate: "At depth 0 you return 0: ask game.promise(state) there.",
    },
)


# 1.6


def chosen(agent, game, state):
    """What an agent plays; a class is made into an agent first."""
    agent = agent() if isinstance(agent, type) else agent
    return agent.choose(game, state, np.random.default_rng(0))


def with_length(game, state):
    """The value for the player to move and the moves to come, if the winner hurries."""
    if game.over(state):
        return game.result(state), 0
    replies = [with_length(game, child) for child in children(game, state)]
    value = max(-reply for reply, _ in replies)
    lengths = [length for reply, length in replies if -reply == value]
    return value, 1 + (max(lengths) if value < 0 else min(lengths))


def by_length(game, state, wanted):
    """Of the best moves, those after which `wanted` of the lengths of the game are to come."""
    lengths = {
        action: with_length(game, game.play(state, action))[1] for action in best_moves(game, state)
    }
    return {action for action in lengths if lengths[action] == wanted(lengths.values())}


def in_time(game, state):
    return by_length(game, state, max if with_length(game, state)[0] < 0 else min)


def in_no_hurry(game, state):
    return {min(best_moves(game, state))}


def in_no_hurry_from_the_other_end(game, state):
    return {max(best_moves(game, state))}


def the_slowest_win(game, state):
    return by_length(game, state, min if with_length(game, state)[0] < 0 else max)


def hurries_to_lose(game, state):
    return by_length(game, state, min)


def slow_in_everything(game, state):
    return by_length(game, state, max)


HURRY = Task(
    "1.6",
    "An agent that hurries",
    "Hurried",
    cases=[
        FORK,
        after(GAME, 8, 7, 5, 1),
        after(GAME, 0, 1, 4, 2),
        after(GAME, 1, 0, 2, 3),
        after(GAME, 8, 0, 1, 4, 7),
        after(GAME, 0, 1, 4, 8, 3),
        after(GAME, 4, 0, 3, 5, 6),
        after(GAME, 5, 0, 2, 4),
        LATE,
        LATE_FOR_O,
        QUIET,
    ],
    truth=in_time,
    because="A win is best as soon as possible; a loss, if it must be, as late as possible.",
    hints=(
        "Let a win that is near be worth more than one that is far, and a loss that is near be "
        "worse than one that is far.",
        "Count the moves: a win for X after n moves may be worth 10 - n, a win for O n - 10, and "
        "a tie stays 0.",
        "Write value_of once more with a number that says how many moves were made, one more in "
        "each call; game.ply(state) counts them as well.",
    ),
    mistakes={
        in_no_hurry: "This is a player in no hurry: among the moves that win it takes the first, "
        "not the quickest.",
        in_no_hurry_from_the_other_end: "This is a player in no hurry: among the moves that win it "
        "takes the last in the list, not the quickest.",
        the_slowest_win: "This player takes the longest way to a win, and the shortest to a loss: "
        "the sign of the length is wrong.",
        hurries_to_lose: "It wins quickly, but it loses quickly, too. Where all moves lose, take "
        "the one that takes longest: the other may make a mistake.",
        slow_in_everything: "It loses slowly, but it wins slowly, too.",
    },
    answer=Move(),
    call=chosen,
    seconds=20,
)


# 1.7

PLANNER = Contest(
    "1.7",
    "Look ahead at Connect4",
    "Planner",
    game=CONNECT4,
    opponent=OneStepLookAhead(),
    least=15,
    because="Your agent sees what its opponent does not: two moves ahead.",
    hints=(
        "value_to_depth gives a value to each position that one move leads to. These values are "
        "for X.",
        "If your agent is X, it plays the move with the largest value, if it is O the smallest. "
        "game.mover(state) tells.",
        "Depth 2 or 3 after the move is enough. Each step deeper takes five times as long.",
    ),
    mistakes=OVERLOOKED,
    games=60,
    seconds=30,
)


TASKS = (LEAF, VALUE, BEST, NODES, DEPTH, HURRY, PLANNER)
