"""The tasks on MENACE, beyond what holds of all lectures."""

import numpy as np
import pytest

from course_lib.agents import Random, menace, perfect
from course_lib.checks import lecture_04 as lecture
from course_lib.checks.feedback import RIGHT, WRONG
from course_lib.experiments.jose2022 import michie_mean
from course_lib.training import Training, train

TASKS = {task.number: task for task in lecture.TASKS}


def test_the_right_answers_are_those_of_the_library():
    for game, state in TASKS["4.1"].cases:
        assert lecture.box_key(game, state) == game.canonical(state)[0]
    for outcomes, decay in TASKS["4.6"].cases:
        assert lecture.running_mean(outcomes, decay) == pytest.approx(
            michie_mean(outcomes, decay)[-1]
        )


def test_dead_machines_have_lost_as_many_games_as_the_task_says():
    machine = menace(lecture.GAME, beads=1, win=2, tie=2)
    run = Training(lecture.GAME, machine, perfect(lecture.GAME), games=300, sessions=40).go()
    dead = run.died
    assert dead.any()
    for lost, won, tied in zip(run.losses()[dead], run.wins()[dead], run.ties()[dead]):
        assert lost == lecture.losses_at_death(9, 2, 2, won, tied)
    assert lecture.losses_at_death(9, 2, 2, 0, 4) == 17, "figure 5 of Pulles 2019"


def test_a_wrong_way_back_is_named_although_all_its_moves_are_legal():
    for game, state, place in TASKS["4.2"].cases:
        for way in (lecture.square_of_bead, *TASKS["4.2"].mistakes):
            assert way(game, state, place) <= set(game.actions(state))


def test_the_boxes_may_be_changed_in_place():
    """The cases are copied: nobody's answer changes the next one's question."""

    def in_place(boxes, drawn, result, win, tie, loss):
        for box, square in drawn:
            added = {1: win, 0: tie, -1: -loss}[result]
            boxes[box][square] = max(0, boxes[box][square] + added)
        return boxes

    assert TASKS["4.4"].judge(in_place).state == RIGHT
    assert TASKS["4.4"].judge(in_place).state == RIGHT


class Trained:
    """A machine of 5,000 games; unless it draws, it takes the square with the most beads."""

    draws = False

    def __init__(self):
        machine = menace(lecture.GAME, beads=4, win=2, tie=1)
        self.machine = train(lecture.GAME, machine, Random(), games=5000, seed=2).trained()

    def choose(self, game, state, rng):
        if self.draws:
            return self.machine.choose(game, state, rng)
        chances = np.zeros(game.action_count())
        self.machine.policy(game, state, chances)
        return int(chances.argmax())


class Drawing(Trained):
    draws = True


def test_the_contest_tells_a_machine_that_draws_from_one_that_does_not():
    assert TASKS["4.7"].judge(Trained).state == RIGHT
    assert TASKS["4.7"].judge(Drawing).state == WRONG
