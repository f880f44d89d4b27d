"""The tables of Frederiksen & Gunnarsson 2019, run small."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from course_lib import plots
from course_lib.agents import IfPlayer, Random, trap_learner
from course_lib.experiments import PAPERS
from course_lib.experiments import frederiksen2019 as paper
from course_lib.games import TicTrapToe

GAME = TicTrapToe()


def test_the_paper_is_listed_with_its_tables():
    assert list(PAPERS["frederiksen2019"])[:2] == ["table1", "table2"]


def test_the_published_rates_add_up():
    for table in (paper.TABLE_1, paper.TABLE_2):
        assert {sum(rates) for rates in table.values()} == {100}


def test_the_learner_has_the_parameters_of_section_4():
    q = trap_learner(GAME)
    assert (q.alpha, q.gamma, q.epsilon, q.floor) == (0.4, 1.0, 0.9, 0.001)
    assert (q.win, q.loss, q.tie, q.good_trap, q.failed_trap) == (1, -1, 0.5, 0.25, -0.15)
    assert paper.TRAINING_GAMES == 20_000


def quick(table, found):
    """A table whose runs are given."""
    runs = iter(found)
    return table._replace(play=lambda game, games, seed: next(runs))


def run_of(*rows):
    return dict(zip(("Q v If", "Q v If, any of equal squares", "Q v Random"), rows, strict=True))


def outcome_of(*runs, games=100):
    table = quick(PAPERS["frederiksen2019"]["table1"], [*runs, *runs])
    return table.run(sessions=len(runs), games=games, seed=3)


FIRST = run_of([8, 82, 10], [30, 60, 10], [50, 40, 10])
SECOND = run_of([12, 80, 8], [40, 50, 10], [56, 35, 9])


def test_each_published_rate_is_put_beside_our_range():
    lines = outcome_of(FIRST, SECOND).lines
    assert "Q v If: 10 (8 to 12), 81 (80 to 82), 9 (8 to 10); paper 9/81/10, all inside" in lines[2]
    assert "paper 9/81/10, 1 of 3 inside" in lines[3]
    assert "paper 57/31/12, 0 of 3 inside" in lines[4]


def test_a_rate_that_was_rounded_lies_inside_by_half_a_per_cent():
    assert paper.inside(9, np.array([9.4, 12]))
    assert not paper.inside(9, np.array([9.6, 12]))


def test_the_verdict_says_whether_the_claim_holds_in_both_readings():
    assert outcome_of(FIRST, SECOND).verdict.holds is True
    turned = run_of([82, 8, 10], [60, 30, 10], [50, 40, 10])
    assert outcome_of(turned, turned).verdict.holds is False


def test_an_outcome_can_be_written_down_and_drawn():
    outcome = outcome_of(FIRST, SECOND)
    written = json.loads(json.dumps(outcome.json()))
    assert written["ours"]["trap first"]["Q v If"]["win"]["mean"] == 10
    figure = Figure()
    outcome.draw(figure)
    assert [axes.get_title() for axes in figure.axes] == ["trap first", "line first"]


def test_stopping_keeps_the_seeds_so_far():
    table = quick(PAPERS["frederiksen2019"]["table1"], [FIRST, FIRST])
    outcome = table.run(sessions=5, games=10, stop=lambda: True)
    assert "8 (8 to 8)" in outcome.lines[2]


def test_a_player_that_trained_further_is_a_copy():
    q = paper.self_play(trap_learner(GAME), games=50)
    star = paper.trained_against(q, Random(), games=50)
    assert star.clock[0] == 100 and q.clock[0] == 50


def test_q_loses_to_the_if_player_and_q_star_does_not():
    q = paper.self_play(trap_learner(GAME), seed=1)
    before = paper.rates(q, IfPlayer(), 1000, 1)
    star = paper.trained_against(q, IfPlayer(), seed=2)
    after = paper.rates(star, IfPlayer(), 1000, 1)
    assert before[1] > 40
    assert after[1] < 2
    assert sum(before) == sum(after) == pytest.approx(100)


def test_equation_2_as_printed_makes_values_that_no_game_can_pay():
    outcome = paper.Equations().run(sessions=2, games=10_000)
    assert outcome.ours["1"]["mean"] < 1.26 < outcome.ours["2 as printed"]["mean"]
    assert outcome.verdict.holds is False
    figure = Figure()
    outcome.draw(figure)
    assert len(figure.axes[0].get_yticklabels()) == 2


def test_what_section_5_proposes_is_compared_match_by_match():
    found = paper.play_future(GAME, 100, 1)
    assert len(found) == 6
    assert all(sum(rates) == pytest.approx(100) for rates in found.values())


def test_ranges_and_values_need_something_to_draw():
    axes = Figure().subplots()
    for draw, things in ((plots.rate_ranges, ({}, {})), (plots.value_dots, ({},))):
        with pytest.raises(ValueError, match="there are no"):
            draw(axes, *things)
