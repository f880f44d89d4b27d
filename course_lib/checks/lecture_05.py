"""The exercises of lecture 5: Q-learning, from one step of the formula to a trained player."""

import numpy as np

from course_lib.agents.baselines import OneStepLookAhead
from course_lib.arena import replay
from course_lib.checks.answers import Moves, Number, Numbers, short
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OverlooksAThreat, OverlooksAWin
from course_lib.games import TicTacToe
from course_lib.position import Position

NOTEBOOK = "05_q_learning"
TITLE = "5 · Q-learning"

game = TicTacToe()


def at(*moves):
    """The state after these moves."""
    return replay(game, list(moves))[-1].state


def nothing_to_draw(*case):
    return None


# 5.1: one step

STEPS = [
    # old, alpha, reward, gamma, future
    (0.0, 0.5, 1.0, 0.9, 0.0),
    (1.0, 0.1, 0.0, 0.9, 0.0),
    (0.5, 0.2, -1.0, 0.9, 0.5),
    (-0.4, 0.7, 0.0, 0.5, 0.8),
    (0.3, 1.0, 2.0, 1.0, -0.25),
]


def new_value(old, alpha, reward, gamma, future):
    return (1 - alpha) * old + alpha * (reward + gamma * future)


def alpha_and_1_minus_alpha_swapped(old, alpha, reward, gamma, future):
    return alpha * old + (1 - alpha) * (reward + gamma * future)


def old_value_kept_whole(old, alpha, reward, gamma, future):
    return old + alpha * (reward + gamma * future)


def discount_on_the_reward_too(old, alpha, reward, gamma, future):
    return (1 - alpha) * old + alpha * gamma * (reward + future)


def no_discount(old, alpha, reward, gamma, future):
    return (1 - alpha) * old + alpha * (reward + future)


def sign_of_the_future_turned(old, alpha, reward, gamma, future):
    return (1 - alpha) * old + alpha * (reward - gamma * future)


def no_future(old, alpha, reward, gamma, future):
    return (1 - alpha) * old + alpha * reward


# 5.2: the best actions it knows

VALUES = [
    # positions, and the row of the Q-table for squares 0 to 8
    (at(), [0.1, 0.0, 0.3, 0.0, 0.2, 0.0, 0.3, 0.0, 0.1]),
    (at(4, 0), [0.9, 0.2, 0.4, 0.1, 0.0, 0.3, 0.4, 0.1, 0.2]),
    (at(0, 4, 8, 2), [0.0, -0.5, 0.0, -0.6, 0.0, -0.7, -0.2, -0.3, 0.0]),
    (at(0, 2, 4, 8, 1, 3), [0.0, 0.0, 0.0, 0.0, 0.0, -0.1, -0.8, -0.1, 0.0]),
]
VALUE_CASES = [(game, state, values) for state, values in VALUES]


def greedy(game, state, values):
    legal = list(game.actions(state))
    best = max(values[action] for action in legal)
    return {action for action in legal if values[action] == best}


def taken_squares_count_too(game, state, values):
    return {action for action in range(9) if values[action] == max(values)}


def smallest_instead_of_largest(game, state, values):
    return greedy(game, state, [-value for value in values])


def only_the_first_of_the_best(game, state, values):
    return {min(greedy(game, state, values))}


def largest_by_size_without_sign(game, state, values):
    return greedy(game, state, [abs(value) for value in values])


class AnySquares(Moves):
    """Moves, taken squares included: to give one is the mistake that is to be named."""

    def nonsense(self, answer, position):
        problem = super().nonsense(answer, None)
        if not problem and not set(answer) <= set(range(9)):
            return f"Your answer is {sorted(answer)}; squares from 0 to 8 were asked for."
        return problem

    def words(self, answer, position):
        legal = set(position.game.actions(position.state))
        taken = sorted(set(answer) - legal)
        words = [super().words(set(answer) & legal, position)] if set(answer) & legal else []
        return ", ".join(words + [f"{square} (taken)" for square in taken]) or "none"


# 5.3: chance

CHANCES = [(0.0,), (0.1,), (0.3,), (0.8,), (1.0,)]
TRIES = 1000


class Share(Number):
    """A share that was counted: it needs to be near the truth only."""

    def agrees(self, answer, truth):
        if truth in (0, 1):
            return answer == truth
        return abs(answer - truth) < 0.06

    def words(self, answer, position):
        return f"{100 * answer:.0f} % of the moves are explored"


def share_of_true(explores, epsilon):
    """How often a learner's function says that it explores."""
    rng = np.random.default_rng(0)
    said = [explores(epsilon, rng) for _ in range(TRIES)]
    for each in said:
        if each is None:
            return None
        if not isinstance(each, bool | np.bool_):
            raise TypeError(f"{short(each)} was returned; True or False was asked for")
    return sum(map(bool, said)) / TRIES


def explored(epsilon):
    return epsilon


def compared_the_wrong_way_round(epsilon):
    return 1 - epsilon


def always_explores(epsilon):
    return 1.0


def never_explores(epsilon):
    return 0.0


def a_fair_coin_whatever_epsilon_is(epsilon):
    return 0.5


# 5.4: a schedule

SCHEDULE = [
    # number of the game, ε at the start, εs, εe
    (1, 0.3, 100, 200),
    (100, 0.3, 100, 200),
    (150, 0.3, 100, 200),
    (190, 0.3, 100, 200),
    (200, 0.3, 100, 200),
    (300, 0.3, 100, 200),
    (30, 0.8, 20, 60),
]


def linear(number, start, begin, end):
    if number < begin:
        return start
    return max(0.0, start * (1 - (number - begin) / (end - begin)))


def falls_below_zero(number, start, begin, end):
    return start if number < begin else start * (1 - (number - begin) / (end - begin))


def falls_from_the_first_game_on(number, start, begin, end):
    return max(0.0, start * (1 - number / end))


def begins_too_low(number, start, begin, end):
    return start if number < begin else max(0.0, start * (1 - number / end))


def stops_all_at_once(number, start, begin, end):
    return start if number < end else 0.0


def rises_instead_of_falling(number, start, begin, end):
    return start - linear(number, start, begin, end)


def forgets_the_epsilon_at_the_start(number, start, begin, end):
    return linear(number, 1.0, begin, end)


# 5.5: the target


def q(state, action):
    """A value for every free square of every position; a taken one has the 0 it began with."""
    if not free(state, action):
        return 0.0
    return ((7 * state.crosses + 5 * state.noughts + 3 * action * action) % 19 - 16) / 10


def free(state, square):
    return not (state.crosses | state.noughts) >> square & 1


WAYS = [
    # own move and the answer to it: before and after; reward, gamma
    (at(), at(4, 0), 0.0, 0.9),
    (at(4, 0), at(4, 0, 8, 2), 0.0, 0.5),
    (at(0, 4, 8, 2), at(0, 4, 8, 2, 6, 3), 0.0, 1.0),
    (at(0, 3, 1, 4), at(0, 3, 1, 4, 2), 1.0, 0.9),  # it won
    (at(4, 0, 8, 1), at(4, 0, 8, 1, 5, 2), -1.0, 0.9),  # it lost
]
TARGETS = [(game, before, after, reward, gamma, q) for before, after, reward, gamma in WAYS]


def target(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    return reward + gamma * max(q(after, action) for action in game.actions(after))


def position_before_the_move(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    return reward + gamma * max(q(before, action) for action in game.actions(before))


def maximum_over_taken_squares_too(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    return reward + gamma * max(q(after, action) for action in range(9))


def future_after_the_end(game, before, after, reward, gamma, q):
    return reward + gamma * max(q(after, action) for action in range(9) if free(after, action))


def smallest_value_of_the_next_position(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    return reward + gamma * min(q(after, action) for action in game.actions(after))


def mean_value_of_the_next_position(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    values = [q(after, action) for action in game.actions(after)]
    return reward + gamma * sum(values) / len(values)


def sign_turned_as_in_negamax(game, before, after, reward, gamma, q):
    if game.over(after):
        return reward
    return reward - gamma * max(q(after, action) for action in game.actions(after))


def after_the_answer(game, before, after, *rest):
    """What to draw: the position whose values count."""
    return Position(game, after)


# 5.6: what a game teaches

GAMES = [
    # the own moves, their values before, reward, alpha
    ([("first", 4)], [0.0], 1.0, 0.5),
    ([("first", 4), ("second", 0)], [0.0, 0.0], 2.0, 0.1),
    ([("first", 0), ("second", 5), ("third", 7)], [0.5, -0.2, 1.0], -1.0, 0.25),
    ([("first", 8), ("second", 1), ("third", 2), ("fourth", 3)], [1.0, 1.0, 0.5, 0.0], 1.0, 1.0),
]
GAME_CASES = [
    (dict(zip(moves, before, strict=True)), moves, reward, alpha)
    for moves, before, reward, alpha in GAMES
]


def values_after(learn_game, values, moves, reward, alpha):
    """The values of the own moves once a learner's function has changed them."""
    learn_game(values, moves, reward, alpha)
    return [values[move] for move in moves]


def moved(values, moves, rewards, alpha):
    return [
        (1 - alpha) * values[move] + alpha * reward
        for move, reward in zip(moves, rewards, strict=True)
    ]


def learnt(values, moves, reward, alpha):
    return moved(values, moves, [reward] * len(moves), alpha)


def only_the_last_move_learns(values, moves, reward, alpha):
    return [values[move] for move in moves[:-1]] + learnt(values, moves[-1:], reward, alpha)


def reward_doubled_on_each_move(values, moves, reward, alpha):
    return moved(values, moves, [reward * 2**turn for turn in range(len(moves))], alpha)


def reward_shared_out(values, moves, reward, alpha):
    return moved(values, moves, [reward / len(moves)] * len(moves), alpha)


def sign_alternates_from_move_to_move(values, moves, reward, alpha):
    turns = range(len(moves))
    return moved(values, moves, [reward * (-1) ** turn for turn in reversed(turns)], alpha)


def values_replaced_by_the_reward(values, moves, reward, alpha):
    return [reward] * len(moves)


def nothing_changes(values, moves, reward, alpha):
    return [values[move] for move in moves]


TASKS = (
    Task(
        "5.1",
        "One step",
        "new_value",
        STEPS,
        new_value,
        "The value goes the share α of the way from where it was to r + γ · future.",
        (
            "Call r + γ · future the target. With α = 0 nothing changes; with α = 1 the new value "
            "is the target.",
            "(1 − alpha) times the old value, plus alpha times the target.",
        ),
        {
            alpha_and_1_minus_alpha_swapped: "This behaves like a formula in which α and 1 − α "
            "have changed places. Try α = 0: your value jumps, and it should stay where it is.",
            old_value_kept_whole: "This adds to the old value instead of moving it. Repeat the "
            "step many times, and your value grows for ever. What should (1 − α) be times?",
            discount_on_the_reward_too: "γ has caught the reward as well. It belongs to the "
            "future alone.",
            no_discount: "This is right for γ = 1 only. What is the future to be times?",
            sign_of_the_future_turned: "The future has a minus here. In this formula it counts "
            "for the one who learns.",
            no_future: "This is right for γ = 0 only: the next position is missing.",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "5.2",
        "The best it knows",
        "greedy",
        VALUE_CASES,
        greedy,
        "Of the free squares, all whose value is the largest among the free ones.",
        (
            "Begin with legal = list(game.actions(state)), and forget all other squares.",
            "First the largest value of the legal squares, then all legal squares that have it.",
        ),
        {
            taken_squares_count_too: "This behaves like a player who looks at all nine squares. "
            "A taken square keeps its 0 for ever, and 0 may be more than all that is left.",
            smallest_instead_of_largest: "This takes the worst that it knows. Did a minus from "
            "lecture 2 come along? These values speak for whoever is to move.",
            only_the_first_of_the_best: "One of several equals is missing, so it would never be "
            "tried. Return all of them.",
            largest_by_size_without_sign: "This looks at the size of a value and not at its sign: "
            "−0.8 is far from 0, but it is bad.",
        },
        AnySquares(),
    ),
    Task(
        "5.3",
        "Explore, or not?",
        "explores",
        CHANCES,
        explored,
        "It is True for a share ε of the calls: never for ε = 0, always for ε = 1.",
        (
            "rng.random() is evenly spread from 0 to 1. How often is it below 0.3?",
            "Return whether rng.random() is less than epsilon.",
        ),
        {
            compared_the_wrong_way_round: "This behaves like a player who explores with chance "
            "1 − ε: the comparison is the wrong way round. Ask what happens for ε = 0.",
            always_explores: "This explores at every move, whatever ε is.",
            never_explores: "This never explores, whatever ε is.",
            a_fair_coin_whatever_epsilon_is: "This tosses a fair coin. Compare with epsilon.",
        },
        Share(),
        draw=nothing_to_draw,
        call=share_of_true,
    ),
    Task(
        "5.4",
        "ε falls",
        "epsilon_at",
        SCHEDULE,
        linear,
        "ε stays at its start until game εs, falls in a straight line, and is 0 from game εe on.",
        (
            "Three stretches: before begin, between begin and end, after end.",
            "Which share of the way from begin to end has been gone? (number − begin) / "
            "(end − begin). ε is start times what is left.",
            "max(0, …) takes care of all games after the end.",
        ),
        {
            falls_below_zero: "After the end this is negative. A chance can't be; cut it off at 0.",
            falls_from_the_first_game_on: "This begins to fall in the first game. Where is begin?",
            begins_too_low: "This jumps down at begin: the share of the way must be 0 there.",
            stops_all_at_once: "This stays up and drops to 0 at once. In between it should fall "
            "in a straight line.",
            rises_instead_of_falling: "This rises from 0: what is left, not what is gone.",
            forgets_the_epsilon_at_the_start: "This starts from 1, whatever ε at the start is.",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "5.5",
        "The target",
        "target",
        TARGETS,
        target,
        "The target is r + γ · the largest value of a legal move in the next own position, and r "
        "alone where the game is over.",
        (
            "`before` is where the own move was made. What counts is what can be done in `after`.",
            "When the game is over there is no next move, so there is no future.",
            "max(q(after, action) for action in game.actions(after)), times gamma, plus reward.",
        ),
        {
            position_before_the_move: "This takes the values of the position before the move. "
            "Then a value is drawn towards itself, and no news comes back from the end.",
            maximum_over_taken_squares_too: "This takes the maximum over all nine squares. What a "
            "table holds for a taken square means nothing.",
            future_after_the_end: "This looks for a future where the game is over. After the last "
            "move only the reward counts.",
            smallest_value_of_the_next_position: "This expects itself to choose the worst. In "
            "`after` it is the learner's own turn.",
            mean_value_of_the_next_position: "This expects itself to move at random in `after`. "
            "Q-learning asks for the best.",
            sign_turned_as_in_negamax: "This turns the sign, as negamax does. But `after` is the "
            "learner's own turn again: the opponent has answered already.",
        },
        draw=after_the_answer,
    ),
    Task(
        "5.6",
        "Learn from a game",
        "learn_game",
        GAME_CASES,
        learnt,
        "Each own move of the game goes the share α of the way to the same final reward.",
        (
            "A loop over moves; values[move] is what has to change.",
            "values[move] = (1 − alpha) * values[move] + alpha * reward",
        ),
        {
            only_the_last_move_learns: "Only the last move has changed. In the paper the reward "
            "goes to every own move of the game.",
            reward_doubled_on_each_move: "The reward doubles from move to move. Each own move "
            "gets the same.",
            reward_shared_out: "The reward is divided among the moves. Each gets all of it.",
            sign_alternates_from_move_to_move: "The sign turns from move to move. These are all "
            "moves of the same player.",
            values_replaced_by_the_reward: "The old values are gone: this is right for α = 1 only.",
            nothing_changes: "The values are as before. Did you change a copy? Write to "
            "values[move].",
        },
        Numbers(),
        draw=nothing_to_draw,
        call=values_after,
    ),
    Contest(
        "5.7",
        "Beat perfection",
        "Champion",
        game,
        OneStepLookAhead(),
        105,
        "Against this opponent Perfect does not get there: it plays safe, while a learner "
        "finds out what this opponent does wrong.",
        (
            "train(game, learner, opponent, games=..., starter=...).trained() is what you need.",
            "You are asked to play first and second in turn: train both, with "
            'starter="alternate". Train against the one whom you want to beat.',
            "q_learning(game, alpha=0.1, symmetry=True, exploration=Constant(0.2)) and 20,000 "
            "games are enough.",
        ),
        {
            OverlooksAWin(): "Here your agent could have won at once. Does it play the largest "
            "of its values? Did it train in this seat, and for enough games?",
            OverlooksAThreat(): "Here the opponent was about to win, and your agent let it. It has "
            "not met this often enough: more games, more exploration, both seats?",
        },
        seconds=120,
    ),
)
