"""What is special in the checks of lecture 6; what holds of all lectures is in test_lectures.py."""

import math

import numpy as np
import pytest

from course_lib.agents import Random
from course_lib.arena import match
from course_lib.checks import lecture_06
from course_lib.checks.feedback import RIGHT, WRONG
from course_lib.exact import exact_rates
from course_lib.games import TicTacToe

TASKS = {task.number: task for task in lecture_06.TASKS}
GAME = TicTacToe()


def test_the_standard_error_is_how_far_averages_of_random_games_lie_from_the_truth():
    truth = exact_rates(GAME, Random(), Random()).score()
    rows = match(GAME, Random(), Random(), games=20_000).results.reshape(200, 100)
    far = [(row.mean() - truth) / lecture_06.standard_error(row.tolist()) for row in rows]
    assert math.sqrt(sum(each**2 for each in far) / 200) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("error",), lecture_06.ERRORS)
def test_so_many_games_are_enough_for_the_worst_win_rate_and_one_less_is_not(error):
    games = lecture_06.games_needed(error)
    errors = [math.sqrt(0.25 / n) for n in (games, games - 1) if n]
    assert errors[0] <= error + 1e-12 and all(each > error for each in errors[1:])


def test_a_number_that_is_not_whole_is_no_answer_to_how_many_games_only_if_it_differs():
    assert TASKS["6.2"].judge(lambda error: 0.25 / error**2 + 0.5).state == WRONG


def test_an_agent_that_takes_the_worst_average_loses_the_contest():
    class Worst:
        def choose(self, game, state, rng):
            def random_move(game, state):
                actions = list(game.actions(state))
                return actions[int(rng.random() * len(actions))]

            averages = {}
            for action in game.actions(state):
                after = game.play(state, action)
                rows = [lecture_06.roll_out(game, after, random_move) for _ in range(3)]
                averages[action] = sum(rows)  # for the other player: the sign is missing
            return max(averages, key=averages.get)

    feedback = TASKS["6.6"].judge(Worst)
    assert feedback.state == WRONG and feedback.mistake.startswith("Overlooks")


def test_actions_as_numpy_numbers_are_moves_too():
    feedback = TASKS["6.4"].judge(lambda results: np.int64(lecture_06.best_average(results)))
    assert feedback.state == RIGHT
