"""The exercises of lecture 6: averages, their errors, and an agent that plays by them."""

import math

from course_lib.agents.baselines import OneStepLookAhead
from course_lib.arena import replay
from course_lib.checks.answers import YesNo
from course_lib.checks.contest import Contest
from course_lib.checks.task import Task
from course_lib.checks.zoo import OVERLOOKED
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.position import Position

NOTEBOOK = "06_monte_carlo"
TITLE = "6 · Monte Carlo search"

game = TicTacToe()
small = Connect4(4, 5, 3)
boxes = DotsAndBoxes(1, 2)


def nothing_to_draw(*case):
    return None


# 6.1: the error of an average

RESULTS = [
    ([1, -1, 1, -1],),
    ([1, 1, 1, -1],),
    ([1, 0, -1, 1, 1, 0, -1, 1, 1],),
    ([0, 0, 0, 1],),
    ([1] * 60 + [-1] * 40,),
]


def mean_of(results):
    return sum(results) / len(results)


def variance_of(results):
    mean = mean_of(results)
    return sum((result - mean) ** 2 for result in results) / len(results)


def standard_error(results):
    return math.sqrt(variance_of(results) / len(results))


def spread_of_single_results(results):
    return math.sqrt(variance_of(results))


def divided_by_n_without_the_root(results):
    return math.sqrt(variance_of(results)) / len(results)


def root_forgotten(results):
    return variance_of(results) / len(results)


def mean_not_subtracted(results):
    return math.sqrt(sum(result**2 for result in results) / len(results) / len(results))


def wins_only(results):
    wins = sum(result == 1 for result in results) / len(results)
    return math.sqrt(wins * (1 - wins) / len(results))


# 6.2: how many games

ERRORS = [(0.05,), (0.1,), (0.02,), (0.25,), (0.5,)]


def games_needed(error):
    return math.ceil(round(0.25 / error**2, 9))


def without_the_square(error):
    return math.ceil(round(0.25 / error, 9))


def chance_of_a_half_not_used(error):
    return math.ceil(round(1 / error**2, 9))


def root_of_a_quarter_kept(error):
    return math.ceil(round(0.5 / error**2, 9))


# 6.3: one rollout

LINES = [
    (game, [0, 2, 4, 8, 1, 3]),
    (game, [4, 0]),
    (game, [0, 4, 8]),
    (small, [1, 1, 2]),
    (small, [2, 2, 0, 1]),
    (boxes, [0, 1, 2]),
    (boxes, [6, 5, 4, 1]),
]


def lowest_move(game, state):
    """Stands in for chance, so that everybody plays the same games."""
    return min(game.actions(state))


def highest_move(game, state):
    return max(game.actions(state))


ROLLOUTS = [
    (a_game, replay(a_game, moves)[-1].state, choose)
    for a_game, moves in LINES
    for choose in (lowest_move, highest_move)
]


def played_out(game, state, choose):
    """The last position, and how many moves led to it."""
    moves = 0
    while not game.over(state):
        state = game.play(state, choose(game, state))
        moves += 1
    return state, moves


def roll_out(game, state, choose):
    end, _ = played_out(game, state, choose)
    result = game.result(end)
    return result if game.mover(end) == game.mover(state) else -result


def for_the_player_to_move_at_the_end(game, state, choose):
    end, _ = played_out(game, state, choose)
    return game.result(end)


def for_the_first_player(game, state, choose):
    end, _ = played_out(game, state, choose)
    return game.result(end) if game.mover(end) == 0 else -game.result(end)


def sign_turned_with_each_move(game, state, choose):
    end, moves = played_out(game, state, choose)
    return game.result(end) * (-1) ** moves


def one_move_only(game, state, choose):
    after = game.play(state, choose(game, state))
    if not game.over(after):
        return 0
    return roll_out(game, state, choose)


# 6.4: the best average

COLLECTED = [
    ({0: [1, 1, -1], 1: [1, -1], 2: [0, 1]},),
    ({3: [1, 1, 1, -1, -1, -1], 5: [1, 0, 1], 7: [0, 0]},),
    ({0: [-1, -1], 4: [-1, 0, -1], 8: [-1, -1, -1, -1]},),
    ({1: [0, 0, 0], 2: [1, -1, -1], 6: [-1]},),
    ({0: [1, 1, 1, 1, 0, 0, 0, 0], 5: [1, 1, 0]},),
]


def largest(values):
    return max(values, key=values.get)


def best_average(results):
    return largest({action: mean_of(row) for action, row in results.items()})


def largest_sum(results):
    return largest({action: sum(row) for action, row in results.items()})


def most_wins(results):
    return largest({action: row.count(1) for action, row in results.items()})


def draws_count_as_losses(results):
    return largest({action: row.count(1) / len(row) for action, row in results.items()})


def smallest_average(results):
    return largest({action: -mean_of(row) for action, row in results.items()})


# 6.5: is it better?

PAIRS = [
    # wins and games of one, wins and games of the other
    (60, 100, 40, 100),
    (55, 100, 45, 100),
    (92, 100, 85, 100),
    (920, 1000, 850, 1000),
    (57, 100, 43, 100),
    (40, 100, 60, 100),
    (9, 10, 5, 10),
    (540, 1000, 500, 1000),
    (54, 100, 46, 100),
    (52, 100, 50, 100),
]


def squared_error(wins, games):
    return wins / games * (1 - wins / games) / games


def surely_better(wins, games, other_wins, other_games):
    error = math.sqrt(squared_error(wins, games) + squared_error(other_wins, other_games))
    return wins / games - other_wins / other_games > 2 * error


def any_difference_counts(wins, games, other_wins, other_games):
    return wins / games > other_wins / other_games


def one_error_instead_of_two(wins, games, other_wins, other_games):
    error = math.sqrt(squared_error(wins, games) + squared_error(other_wins, other_games))
    return wins / games - other_wins / other_games > error


def errors_added_without_squares(wins, games, other_wins, other_games):
    error = math.sqrt(squared_error(wins, games)) + math.sqrt(
        squared_error(other_wins, other_games)
    )
    return wins / games - other_wins / other_games > 2 * error


def other_player_has_no_error(wins, games, other_wins, other_games):
    error = math.sqrt(squared_error(wins, games))
    return wins / games - other_wins / other_games > 2 * error


def better_or_worse(wins, games, other_wins, other_games):
    error = math.sqrt(squared_error(wins, games) + squared_error(other_wins, other_games))
    return abs(wins / games - other_wins / other_games) > 2 * error


def the_position(game, state, *rest):
    return Position(game, state)


TASKS = (
    Task(
        "6.1",
        "The error of an average",
        "standard_error",
        RESULTS,
        standard_error,
        "The standard error is the root of (variance / number): four times as many results, half "
        "the error.",
        (
            "First the mean, then the mean of the squared distances from it: that is the variance.",
            "The variance is of one result. The average of n of them has variance / n.",
            "math.sqrt turns a variance into an error, at the very end.",
        ),
        {
            spread_of_single_results: "This is how far single results lie from their mean. An "
            "average of n results is closer: where is n?",
            divided_by_n_without_the_root: "The error shrinks with the root of n, not with n: "
            "divide the variance by n before you take the root.",
            root_forgotten: "This is the variance of the average. Its root is the error.",
            mean_not_subtracted: "Distances are from the mean, not from 0: subtract the mean "
            "before you square.",
            wins_only: "Ties and losses are different results, too. This is the error of the share "
            "of wins.",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "6.2",
        "How many games?",
        "games_needed",
        ERRORS,
        games_needed,
        "The error of a win rate p after n games is the root of p(1 − p)/n, and p(1 − p) is 1/4 at "
        "the most.",
        (
            "Which win rate has the largest error? Put it into √(p(1 − p)/n).",
            "Solve √(1/4 / n) = error for n: square both sides first.",
            "math.ceil makes a whole number of it. (Numbers such as 0.25 / 0.05**2 come out as "
            "99.99… or 100.00…1: round(…, 9) before.)",
        ),
        {
            without_the_square: "Half the error takes four times as many games, not twice as many: "
            "square the error.",
            chance_of_a_half_not_used: "p(1 − p) is largest at p = 1/2. How large is it there?",
            root_of_a_quarter_kept: "Under the root there is 1/4. Squaring both sides leaves 1/4, "
            "not 1/2.",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "6.3",
        "One rollout",
        "roll_out",
        ROLLOUTS,
        roll_out,
        "The result is for the player who is to move in the position where the rollout *begins*.",
        (
            "A while loop plays on until game.over(state).",
            "game.result speaks for the player to move in the last position.",
            "Keep game.mover(state) before you play on, and compare it with the mover at the end.",
        ),
        {
            for_the_player_to_move_at_the_end: "game.result speaks for the player to move in the "
            "last position. Was it that player's turn at the beginning, too?",
            for_the_first_player: "This is the result for player 0. Who is to move in the position "
            "that was handed in?",
            sign_turned_with_each_move: "In dots and boxes the same player may move twice in a "
            "row: compare the movers, do not count moves.",
            one_move_only: "A rollout goes on to the end of the game.",
        },
        draw=the_position,
    ),
    Task(
        "6.4",
        "The best average",
        "best_move",
        COLLECTED,
        best_average,
        "The move with the best *average* is played, however many rollouts each move had.",
        (
            "results is a dictionary: results.items() gives each action with its list.",
            "sum(row) / len(row) is an average, with a tie as 0.",
            "max(..., key=...) finds the action with the largest.",
        ),
        {
            largest_sum: "A sum grows with the number of rollouts. Divide by it.",
            most_wins: "More rollouts bring more wins, and losses are forgotten here.",
            draws_count_as_losses: "This is the share of wins: a tie counts no better than a loss. "
            "Is a tie worth nothing to you?",
            smallest_average: "This is best for the other player: whose side are the results on?",
        },
        draw=nothing_to_draw,
    ),
    Task(
        "6.5",
        "Better, or lucky?",
        "surely_better",
        PAIRS,
        surely_better,
        "A difference counts if it is more than two of *its own* standard errors: the root of both "
        "squared errors added.",
        (
            "The squared error of one win rate is p(1 − p)/n.",
            "Squared errors add up. The error of the difference is the root of the sum.",
            "Is the first rate less the second more than two of these?",
        ),
        {
            any_difference_counts: "Two equal players differ in any two matches. How large is the "
            "error of the difference?",
            one_error_instead_of_two: "Equal players differ by more than one standard error "
            "in every third comparison. Two were asked for.",
            errors_added_without_squares: "Errors do not add up, squared errors do: bad luck of "
            "both at once is rare.",
            other_player_has_no_error: "The other win rate is a sample as well.",
            better_or_worse: "The first must be better, not merely different.",
        },
        answer=YesNo(),
        draw=nothing_to_draw,
    ),
    Contest(
        "6.6",
        "An agent that rolls out",
        "Roller",
        small,
        OneStepLookAhead(),
        least=20,
        because="An agent that tries each move in some thirty rollouts, and takes the best average "
        "for the player to move, beats a player who looks one step ahead.",
        hints=(
            "For each action: play it, then roll out from there several times, at random.",
            "rng.random() draws a number below 1: list(actions)[int(rng.random() * len(actions))] "
            "is any of the actions.",
            "After your move the other player moves. The result must be for you: compare "
            "game.mover at the end with game.mover before your move.",
        ),
        mistakes=OVERLOOKED,
        games=100,
        seconds=60,
    ),
)
