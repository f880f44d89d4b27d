"""Labs without a page. Where no event loop runs, an experiment is complete after each change."""

import asyncio
import csv
import io

import ipywidgets
import numpy as np
import pytest
from PIL import Image

from course_lib.agents import Constant, Linear, Random, menace, q_learning
from course_lib.experiments import jose2022, pulles2019
from course_lib.experiments.pulles2019 import FIGURES
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.training import Training
from course_lib.widgets.controls import Part
from course_lib.widgets.curve import CurvePicture, Kept, References
from course_lib.widgets.lab import MOST_KEPT, lab

SMALL = {"games": 30, "sessions": 4}


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)))


def visible_controls(box):
    """Descriptions of all controls that are shown, in order."""
    if hasattr(box, "children"):
        return [name for child in box.children for name in visible_controls(child)]
    return [box.description] if hasattr(box, "description") else []


# From the papers


@pytest.mark.parametrize("name", FIGURES)
def test_a_lab_of_a_paper_begins_with_exactly_its_experiment(name):
    paper = FIGURES[name]
    made = lab(paper=paper)
    assert np.array_equal(made.run.scores(), paper.training().go().scores())


def test_the_machine_of_another_paper_has_its_beads_by_stage():
    paper = next(each for each in jose2022.EXPERIMENTS.values() if hasattr(each, "make"))
    made = lab(paper=paper, sessions=3)
    assert made.part.controls["beads"].value == "8, 4, 2, 1"
    assert np.array_equal(made.run.scores(), paper.training(sessions=3).go().scores())


def test_an_experiment_without_curves_has_no_lab():
    with pytest.raises(ValueError, match="learning curves"):
        lab(paper=pulles2019.EXPERIMENTS["listings"])


def test_the_published_score_is_told_only_where_the_experiment_is_the_papers():
    made = lab(paper=FIGURES["fig3"])
    assert "paper 136: percentile" in made.words
    made.part.controls["win"].value = 5
    assert "paper" not in made.words
    made.reset()
    assert "paper 136: percentile" in made.words
    made.seed.value = 7  # other chances, the same experiment
    assert "paper 136: percentile" in made.words


def test_fewer_games_than_in_the_paper_have_no_published_score():
    made = lab(paper=FIGURES["fig3"], **SMALL)
    assert made.published() is None and "paper" not in made.words


def test_the_published_score_stands_among_the_sessions_that_count():
    made = lab(paper=FIGURES["fig5"])
    assert "that died" in made.words


def test_reset_brings_back_the_papers_values():
    made = lab(paper=FIGURES["fig9"])
    before = made.wanted()
    made.part.controls["alpha"].value = 0.7
    made.part.controls["exploration"].value = Constant
    made.opponent.value = "Simple"
    made.games.value = 20
    assert made.wanted() != before
    made.reset()
    assert made.wanted() == before == made.setting


def test_against_an_opponent_that_learns_there_is_no_ceiling():
    made = lab(paper=FIGURES["fig7"], **SMALL)
    assert made.best is None and "best possible" not in made.words


# Sliders


def test_every_parameter_of_a_learner_has_a_control_with_its_help():
    for build in (menace, q_learning):
        part = Part(build, {}, lambda: None)
        assert all(each.tooltip for each in part.controls.values())
        assert set(part.values()) == set(part.controls)


def test_equal_beads_at_all_stages_are_a_slider_and_others_a_field():
    assert isinstance(lab(menace, beads=4, **SMALL).part.controls["beads"], ipywidgets.IntSlider)
    made = lab(menace, **SMALL)
    field = made.part.controls["beads"]
    field.value = "8, 4, 2, 1"
    assert made.run.agent.layout.by_stage.tolist() == [8, 4, 2, 1]
    field.value = "many"
    assert "expected whole numbers" in made.words


def test_the_sliders_of_the_chosen_schedule_appear_below_it():
    made = lab(q_learning, **SMALL)
    assert "begin" not in visible_controls(made.sliders)
    made.part.controls["exploration"].value = Linear
    assert {"start", "begin", "end", "per_move"} <= set(visible_controls(made.sliders))
    assert made.run.agent.exploration == Linear()


def test_a_schedule_of_a_paper_has_the_papers_values_on_its_sliders():
    part = lab(paper=FIGURES["fig10"], **SMALL).part
    below = part.parts["exploration", Linear].controls
    assert (below["start"].value, below["begin"].value, below["end"].value) == (0.1, 0, 50)


def test_what_was_set_for_a_schedule_is_there_when_one_comes_back_to_it():
    made = lab(q_learning, exploration=Linear(0.5, 3, 20), **SMALL)
    made.part.controls["exploration"].value = Constant
    made.part.controls["exploration"].value = Linear
    assert made.run.agent.exploration == Linear(0.5, 3, 20)


def test_what_does_not_go_together_is_said_and_nothing_is_lost():
    made = lab(paper=FIGURES["fig9"], **SMALL)
    before, picture = made.run, made.picture.png
    end = made.part.parts["exploration", Linear].controls["end"]
    end.value = 50
    assert "can't stop falling before it begins" in made.words
    assert made.run is before and made.picture.png == picture
    made.keep()  # the curve that is shown, with its own label
    assert made.kept[0].label == "as at the start"
    end.value = 150
    assert made.run is not before and made.run.agent.exploration.end == 150
    assert made.words.startswith("score")


def test_wrong_values_to_begin_with_are_refused_in_words():
    with pytest.raises(ValueError, match="opponent='Nobody'"):
        lab(menace, opponent="Nobody")
    with pytest.raises(ValueError, match="luck: menace has beads"):
        lab(menace, luck=3)
    with pytest.raises(ValueError, match="alpha=2"):
        lab(q_learning, alpha=2.0)
    with pytest.raises(ValueError, match="starter='nobody'"):
        lab(menace, starter="nobody")


def test_menace_gets_the_boxes_that_its_seat_needs():
    made = lab(menace, **SMALL)
    for starter, first, second in (("opponent", 0, 1), ("alternate", 1, 1), ("agent", 1, 0)):
        made.starter.value = starter
        assert (made.run.agent.first, made.run.agent.second) == (first, second)
        assert made.words.startswith("score")


def test_a_lab_works_for_another_game_and_for_a_learner_of_ones_own():
    def my_learner(game, alpha=0.3):
        return q_learning(game, alpha)

    made = lab(my_learner, game=DotsAndBoxes(1, 2), **SMALL)
    assert made.words.startswith("score")


def test_a_failure_in_a_run_is_shown_in_the_labs_line():
    made = lab(menace, **SMALL)

    class Broken(Training):
        def advance(self, n):
            raise ZeroDivisionError("out of beads")

    def training(self):
        return Broken(TicTacToe(), menace(TicTacToe()), Random())

    before = made.wanted()
    made.wanted = lambda: type("Odd", (), {"training": training, "best_score": lambda self: 0})()
    made.changed()
    assert "ZeroDivisionError: out of beads" in made.words
    del made.wanted
    made.changed()
    assert made.setting == before and made.words.startswith("score")


# In a notebook


def in_a_notebook(scenario):
    """Run a coroutine as a notebook would: with an event loop."""
    return asyncio.run(scenario())


def test_a_whole_drag_runs_only_its_last_value_to_the_end():
    started = []

    async def scenario():
        made = lab(menace, beads=1)
        advance = Training.advance

        def counting(self, n):
            started.append(self)
            return advance(self, n)

        Training.advance = counting
        try:
            for win in range(10):
                made.part.controls["win"].value = win
            for win in range(9, 0, -1):
                made.part.controls["win"].value = win
                await asyncio.sleep(0)
            last = made.task
            await last
        finally:
            Training.advance = advance
        return made

    made = in_a_notebook(scenario)
    assert made.run.finished() and made.setting.values["win"] == 1
    complete = [run for run in dict.fromkeys(started) if run.finished()]
    assert complete == [made.run]
    others = [run for run in started if run is not made.run]
    assert len(others) <= 9  # at most one chunk for each value that had its turn


def test_a_change_cancels_the_run_that_is_under_way():
    async def scenario():
        made = lab(menace, sessions=1000, games=2000)
        while made.run is None:
            await asyncio.sleep(0)
        first, run = made.task, made.run
        made.sessions.value = 2
        await made.task
        return made, first, run

    made, first, run = in_a_notebook(scenario)
    assert first.cancelled() and not run.finished()
    assert made.run.finished() and made.run.sessions == 2


def test_stop_keeps_what_has_come_and_run_goes_on_from_there():
    async def scenario():
        made = lab(menace, sessions=200)
        while made.run is None or made.run.session < 2:
            await asyncio.sleep(0)
        made.stop()
        stopped, said = made.run.done(), made.words
        await asyncio.sleep(0.01)
        assert made.run.done() == stopped
        run = made.run
        made.go_on()
        await made.task
        assert made.run is run
        return made, stopped, said

    made, stopped, said = in_a_notebook(scenario)
    assert said.startswith(f"Stopped. {stopped:,} of 60,000 games")
    whole = lab(menace, sessions=200)
    assert np.array_equal(made.run.scores(), whole.run.scores())


def test_while_it_runs_it_says_how_far_it_is():
    async def scenario():
        made = lab(menace, sessions=50)
        while made.run is None or not made.run.session:
            await asyncio.sleep(0)
        made.show()
        words = made.words
        await made.task
        return words, made.words

    partial, final = in_a_notebook(scenario)
    assert "of 15,000 games" in partial
    assert "of 15,000 games" not in final


def test_chunks_begin_small():
    asked = []
    advance = Training.advance

    def noting(self, n):
        asked.append(n)
        return advance(self, n)

    Training.advance = noting
    try:
        lab(menace, sessions=3)
    finally:
        Training.advance = advance
    assert asked[0] <= 16 and all(b <= 2 * a for a, b in zip(asked, asked[1:]))


# Comparing, predicting, exporting


def test_a_kept_curve_stays_with_its_parameters_in_the_legend():
    made = lab(menace, **SMALL)
    made.keep()
    made.part.controls["win"].value = 7
    made.keep()
    assert [each.label for each in made.kept] == ["as at the start", "win=7"]
    assert np.array_equal(made.kept[1].mean, made.run.scores().mean(axis=0))
    made.forget()
    assert made.kept == []


def test_too_many_kept_curves_are_refused_in_words():
    made = lab(menace, **SMALL)
    for _ in range(MOST_KEPT):
        made.keep()
    made.safe(made.keep)()
    assert "forget them first" in made.words and len(made.kept) == MOST_KEPT


def test_a_prediction_comes_first_and_its_gap_is_named():
    made = lab(menace, predict=True, games=30, sessions=4)
    assert made.run is None and made.hidden
    made.guesses[-1].value = 25
    assert "25 points" in made.words
    made.part.controls["win"].value = 5
    assert made.run is None  # still hidden
    made.go_on()
    end = made.run.scores()[:, -1].mean()
    assert f"{25 - end:.1f} too high after game 30" in made.words
    assert all(each.disabled for each in made.guesses)
    made.reset()
    assert made.hidden and not made.guesses[0].disabled


def test_a_prediction_can_reach_every_possible_score():
    made = lab(menace, predict=True, games=30, sessions=4)
    made.games.value = 500
    assert (made.guesses[0].min, made.guesses[0].max) == (-500, 500)


def test_nothing_can_be_kept_or_exported_before_it_is_revealed():
    made = lab(menace, predict=True, **SMALL)
    for action in (made.keep, made.export):
        made.safe(action)()
        assert "no session is complete" in made.words


@pytest.mark.parametrize("name", ["fig3", "fig5", "fig9", "fig14"])
def test_the_exported_python_makes_this_curve(name):
    made = lab(paper=FIGURES[name], **SMALL)
    made.seed.value = 3
    names = {}
    exec(made.setting.python(), names)
    assert np.array_equal(names["scores"], made.run.scores())


def test_the_export_has_the_picture_the_numbers_and_the_python():
    made = lab(menace, **SMALL)
    made.export()
    for part in ('download="curve.png"', 'download="curve.csv"', "from course_lib.training import"):
        assert part in made.exported.value
    rows = list(csv.reader(io.StringIO(made.csv())))
    assert rows[0] == ["game", "session 1", "session 2", "session 3", "session 4"]
    assert np.array_equal(np.array(rows[1:], int)[:, 1:].T, made.run.scores())


# The picture


def test_the_picture_is_described_in_words():
    made = lab(menace, **SMALL)
    assert made.picture.alt == f"learning curve: {made.words}"


def test_a_frame_drawn_onto_the_old_background_is_the_same_as_one_drawn_anew():
    scores = np.cumsum(np.ones((3, 40)), axis=1)
    references = References(40, ceiling=1.0)
    again = CurvePicture()
    again.png(scores[:1] / 2, references)
    assert np.array_equal(
        pixels(again.png(scores, references)), pixels(CurvePicture().png(scores, references))
    )


def test_the_axes_stay_still_while_curves_come():
    high, low = np.full((1, 40), 35.0), np.full((1, 40), 5.0)
    picture = CurvePicture()
    picture.png(high, References(40))
    limits = picture.axes.get_ylim()
    picture.png(low, References(40), complete=False)
    assert picture.axes.get_ylim() == limits
    picture.png(low, References(40))
    assert picture.axes.get_ylim() == (0, 10), "and fit in the end"


def test_kept_curves_change_the_picture():
    scores = np.zeros((1, 40))
    picture = CurvePicture()
    without = picture.png(scores, References(40))
    kept = (Kept("win=5", np.linspace(0, 30, 60)),)
    assert picture.png(scores, References(40, kept)) != without
    assert picture.axes.get_xlim() == (0, 60)  # a longer one is shown whole


def test_a_lab_shows_itself_as_text_where_widgets_cannot():
    assert repr(lab(menace, **SMALL)).startswith("Lab of menace: beads=(4, 3, 2, 1, 1), win=3")
