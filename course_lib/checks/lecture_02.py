"""Exercises on lecture 2: whose side a value is on, negamax, and games where the turn stays."""

from functools import cache

from course_lib.agents import perfect
from course_lib.arena import replay
from course_lib.checks.answers import Moves
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.games import DotsAndBoxes, TicTacToe

NOTEBOOK = "02_negamax"
TITLE = "2 · Negamax"
GAME = TicTacToe()
SMALL, BOXES = DotsAndBoxes(1, 2), DotsAndBoxes(2, 2)


def after(game, *moves):
    """A case: a game, and the state after these moves."""
    return game, replay(game, moves)[-1].state


def children(game, state):
    return [game.play(state, action) for action in game.actions(state)]


def turned_if_the_turn_passes(game, state, child, value):
    return value if game.mover(child) == game.mover(state) else -value


# 2.1


def value_for_x(game, state, value):
    return value if game.mover(state) == 0 else -value


def never_turned(game, state, value):
    return value


def always_turned(game, state, value):
    return -value


def turned_for_x_instead_of_o(game, state, value):
    return -value_for_x(game, state, value)


def always_a_gain(game, state, value):
    return abs(value)


SIDES = Task(
    "2.1",
    "For whom?",
    "value_for_x",
    cases=[
        (*after(GAME, 0, 4), 1),
        (*after(GAME, 0), -1),
        (*after(GAME, 0, 4), -1),
        (*after(GAME, 0, 4, 8), 1),
        (*after(SMALL, 0, 1, 2, 3), 0.5),
        (*after(SMALL, 0, 2, 3, 5), 0.5),
    ],
    truth=value_for_x,
    because="A value for the player to move is for X already if X is to move.",
    hints=(
        "game.mover(state) is 0 if X is to move, 1 if it is O.",
        "What is good for O is as bad for X.",
    ),
    mistakes={
        never_turned: "The sign is never turned: where O is to move, the value is for O.",
        always_turned: "The sign is always turned: where X is to move, it must stay.",
        turned_for_x_instead_of_o: "This is the value for O: you turn the sign for the wrong one.",
        always_a_gain: "A loss stays a loss: do not drop the sign.",
    },
)


# 2.2

LATE = after(GAME, 0, 2, 4, 8, 1, 3)
LATE_FOR_O = after(GAME, 0, 4, 1, 2, 8)
LOST = after(GAME, 0, 1, 4, 8, 3)
POSITIONS = [
    after(GAME, 0, 3, 1, 4, 2),
    after(GAME, 0, 1, 2, 4, 3, 5, 7, 6, 8),
    LATE,
    LATE_FOR_O,
    LOST,
    after(GAME, 0, 4, 8, 1, 7),
    after(GAME, 0, 1, 3, 7),
]


def negamax_value(game, state):
    if game.over(state):
        return game.result(state)
    return max(-negamax_value(game, child) for child in children(game, state))


def sign_not_flipped(game, state):
    if game.over(state):
        return game.result(state)
    return max(sign_not_flipped(game, child) for child in children(game, state))


def leaves_for_x(game, state):
    if game.over(state):
        return value_for_x(game, state, game.result(state))
    return max(-leaves_for_x(game, child) for child in children(game, state))


def sign_flipped_at_the_leaf(game, state):
    if game.over(state):
        return -game.result(state)
    return max(-sign_flipped_at_the_leaf(game, child) for child in children(game, state))


def minimax_value_for_x(game, state):
    return value_for_x(game, state, negamax_value(game, state))


def smallest_instead_of_largest(game, state):
    if game.over(state):
        return game.result(state)
    return min(-smallest_instead_of_largest(game, child) for child in children(game, state))


def draws_scored_as_losses(game, state):
    if game.over(state):
        return game.result(state) or -1
    return max(-draws_scored_as_losses(game, child) for child in children(game, state))


NEGAMAX = Task(
    "2.2",
    "Negamax",
    "negamax_value",
    cases=POSITIONS,
    truth=negamax_value,
    because="The value is for the player to move: the largest of the values behind the moves, "
    "each with its sign turned.",
    hints=(
        "At a leaf, game.result(state) speaks for the player to move: just what is asked.",
        "The value of the position behind a move is for the other player. Turn its sign.",
        "return max(-negamax_value(...) for action in game.actions(state))",
    ),
    mistakes={
        sign_not_flipped: "The sign is not flipped: what comes back from the next position is for "
        "the other player.",
        leaves_for_x: "Your leaves speak for X. Here they must speak for the player to move, as "
        "game.result does.",
        sign_flipped_at_the_leaf: "At the leaf there is a sign too many: game.result speaks for "
        "the player to move already.",
        minimax_value_for_x: "This is the minimax value, for X. It is asked for the player to "
        "move.",
        smallest_instead_of_largest: "You take the smallest. The player to move wants the largest "
        "of the turned values.",
        draws_scored_as_losses: "A tie is scored as a loss, and so for the other as a win. It is "
        "worth 0.",
    },
)


# 2.3


def best_by(value_of_child, game, state):
    values = {action: value_of_child(game.play(state, action)) for action in game.actions(state)}
    return {action for action in values if values[action] == max(values.values())}


def listing_4(game, state, colour):
    if game.over(state):
        return colour * value_for_x(game, state, game.result(state))
    return max(-listing_4(game, child, -colour) for child in children(game, state))


def best_moves(game, state):
    return best_by(lambda child: -negamax_value(game, child), game, state)


def listing_5_as_printed(game, state):
    return best_by(lambda child: -listing_4(game, child, -1), game, state)


def colour_of_o_for_both(game, state):
    return best_by(lambda child: -listing_4(game, child, 1), game, state)


def colour_of_the_parent(game, state):
    colour = value_for_x(game, state, 1)
    return best_by(lambda child: -listing_4(game, child, colour), game, state)


def minus_before_the_call_forgotten(game, state):
    colour = value_for_x(game, state, 1)
    return best_by(lambda child: listing_4(game, child, -colour), game, state)


REPAIR = Task(
    "2.3",
    "Repair listing 5",
    "best_moves",
    cases=[LATE, LATE_FOR_O, LOST, after(GAME, 0, 4, 8, 1, 7), after(GAME, 0, 1, 3, 7)],
    truth=best_moves,
    because="The colour of a position is 1 if X is to move there, and -1 if it is O.",
    hints=(
        "Which player is to move in child, after a move of X? And after a move of O?",
        "The colour must follow from the position: ask game.mover(child), or game.mover(state).",
    ),
    mistakes={
        listing_5_as_printed: "This is the listing as it is printed: it begins with -1, whoever "
        "is to move, and so plays for X alone.",
        colour_of_o_for_both: "Now it plays well for O, and badly for X: the colour may not be a "
        "fixed number.",
        colour_of_the_parent: "This is the colour of state. In child the other player is to move.",
        minus_before_the_call_forgotten: "The value that comes back is for the other player: the "
        "minus before the call is missing.",
    },
    answer=Moves(),
)


# 2.4

ENDS = [
    after(BOXES, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10),
    after(SMALL, 0, 1, 2, 3, 4),
    after(SMALL, 0, 1, 2, 3),
    after(SMALL, 0, 6, 3),
    after(BOXES, 0, 2, 9, 5, 3, 11, 8),
]


def value_in_any_game(game, state):
    if game.over(state):
        return game.result(state)
    return max(
        turned_if_the_turn_passes(game, state, child, value_in_any_game(game, child))
        for child in children(game, state)
    )


def a_minus_always(game, state):
    return negamax_value(game, state)


def never_a_minus(game, state):
    return sign_not_flipped(game, state)


def a_minus_if_the_turn_stays(game, state):
    if game.over(state):
        return game.result(state)
    return max(
        -turned_if_the_turn_passes(game, state, child, a_minus_if_the_turn_stays(game, child))
        for child in children(game, state)
    )


ANY_GAME = Task(
    "2.4",
    "When the turn stays",
    "value_in_any_game",
    cases=[LATE, *ENDS],
    truth=value_in_any_game,
    because="The sign turns only where the turn passes.",
    hints=(
        "In dots and boxes, who closes a box is to move again: then the value of child is for the "
        "same player already.",
        "Compare game.mover(child) with game.mover(state).",
        "In a loop over the actions: value = value_in_any_game(game, child), and if the mover is "
        "another one, value = -value.",
    ),
    mistakes={
        a_minus_always: "This is negamax with a minus always. It takes it for granted that the "
        "turn passes: look at a move that closes a box.",
        never_a_minus: "The sign is not flipped at all, also where the turn passes.",
        a_minus_if_the_turn_stays: "It is the wrong way around: the sign turns where the turn "
        "passes, and stays where it stays.",
    },
    seconds=20,
)


# 2.5


def reachable(game):
    found = layer = {game.start()}
    while layer:
        alive = [state for state in layer if not game.over(state)]
        layer = {child for state in alive for child in children(game, state)}
        found = found | layer
    return found


def moves_made(game, state):
    return game.longest() - len(list(game.actions(state)))


def even(game, state):
    """A value that depends on the number of moves made, to compare others with."""
    return moves_made(game, state) % 2


def third(game, state):
    return moves_made(game, state) % 3


def zero(game, state):
    return 0


def differing(game, one, other):
    return sum(
        one(game, state) != other(game, state) for state in reachable(game) if not game.over(state)
    )


def only_the_start_compared(game, one, other):
    return int(one(game, game.start()) != other(game, game.start()))


def finished_games_compared_too(game, one, other):
    return sum(one(game, state) != other(game, state) for state in reachable(game))


def positions_counted_once_for_each_way(game, one, other, state=None):
    state = game.start() if state is None else state
    if game.over(state):
        return 0
    below = children(game, state)
    return int(one(game, state) != other(game, state)) + sum(
        positions_counted_once_for_each_way(game, one, other, child) for child in below
    )


def equal_ones_counted(game, one, other):
    return sum(
        one(game, state) == other(game, state) for state in reachable(game) if not game.over(state)
    )


def the_start_forgotten(game, one, other):
    return differing(game, one, other) - only_the_start_compared(game, one, other)


COMPARE = Task(
    "2.5",
    "Ask everywhere",
    "differing",
    cases=[
        (TicTacToe(2), zero, even),
        (SMALL, third, even),
        (SMALL, zero, lambda game, state: 1),
        (DotsAndBoxes(1, 1), a_minus_always, value_in_any_game),
    ],
    truth=differing,
    because="Each position that play can lead to counts once, unless the game is over there.",
    hints=(
        "Collect the positions first: begin with {game.start()}, and again and again add all that "
        "one move leads to.",
        "A set keeps each position once, however many ways lead to it.",
        "Leave out those where game.over(state) is true, then count where one(game, state) and "
        "other(game, state) are not the same.",
    ),
    mistakes={
        only_the_start_compared: "You compare the first position only. That is the test which let "
        "the naive negamax pass.",
        finished_games_compared_too: "Finished games are counted as well. Leave them out.",
        positions_counted_once_for_each_way: "You count nodes of the tree: a position that can be "
        "reached in several ways counts several times. Keep the positions in a set.",
        equal_ones_counted: "You count where the two agree. It is asked where they differ.",
        the_start_forgotten: "The first position itself is missing.",
    },
    draw=lambda *case: None,
    seconds=20,
)


# 2.6


@cache
def exact():
    """The solution of the board, made when it is first asked for."""
    return perfect(BOXES).solution


@cache
def naive(state):
    """Negamax that takes it for granted that the turn passes."""
    if BOXES.over(state):
        return BOXES.result(state)
    return max(-naive(child) for child in children(BOXES, state))


def best_for_naive(state):
    return best_by(lambda child: -naive(child), BOXES, state)


def worth(game, state, action):
    """What a move is really worth for the player to move."""
    child = game.play(state, action)
    return turned_if_the_turn_passes(game, state, child, int(exact().value(game, child)))


class AMinusAlways:
    """Plays one of the moves that look best with a minus always."""

    def choose(self, game, state, rng):
        best = sorted(best_for_naive(state))
        return best[int(rng.random() * len(best))]

    def would_play(self, game, state, action):
        return action in best_for_naive(state)

    def gives_away(self, game, state, action):
        return worth(game, state, action) < exact().value(game, state)


CHAMPION = Contest(
    "2.6",
    "Beat the naive one",
    "BoxPlayer",
    game=BOXES,
    opponent=AMinusAlways(),
    least=135,
    because="A search with the right sign sees each box that the other does not.",
    hints=(
        "Each move has a value: that of the position behind it, with its sign turned if the turn "
        "passes. Play a move with the largest one.",
        "The same positions come again and again. Write the value as a function of the state "
        "alone, with @cache from functools above it.",
        "boxes = DotsAndBoxes(2, 2) is the game. Let the function use value_in_any_game's rule on "
        "it, and let choose call the function for each action.",
    ),
    mistakes={
        AMinusAlways(): "This is the naive negamax itself, which leaves boxes lying: a minus "
        "always. Turn the sign only if the turn passes.",
    },
)


TASKS = (SIDES, NEGAMAX, REPAIR, ANY_GAME, COMPARE, CHAMPION)
