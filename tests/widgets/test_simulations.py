"""Stepping through the simulations of a tree search, without a page."""

import re

import pytest

from course_lib.agents import grow, mcts, monte_carlo
from course_lib.agents.mcts import ACTION, VISITS
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.widgets import simulations
from course_lib.widgets.simulations import STEPS


def html(view):
    return view.surface.view["html"]


def status(view):
    return view.surface.view["status"]


def test_it_begins_with_the_root_alone():
    view = simulations(mcts(TicTacToe(), 50))
    assert re.findall(r'data-node="(\d+)"', html(view)) == ["0"]
    assert "press Step" in status(view) and "<svg" in html(view)


def test_the_four_steps_follow_each_other_and_then_the_next_simulation():
    view = simulations(mcts(TicTacToe(), 50))
    for number in (1, 2, 3):
        for step in STEPS:
            view.step()
            assert f"simulation {number} of 50, {step}:" in status(view)
    assert view.done == view.slider.value == 3


def test_a_new_node_is_new_until_the_update_counts_it():
    view = simulations(mcts(TicTacToe(), 50))
    view.step()
    assert html(view).count("data-node") == 1
    view.step()
    assert html(view).count("data-node") == 2 and "<small>new</small>" in html(view)
    view.step()
    assert "the rollout ended so" in html(view) and "<small>new</small>" in html(view)
    view.step()
    assert "1 visit" in html(view) and "<small>new</small>" not in html(view)


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(4, 5, 3), DotsAndBoxes(2, 2)], ids=str)
def test_after_all_steps_the_tree_is_the_one_that_the_agent_grows_by_itself(game):
    agent = mcts(game, 80)
    view = simulations(agent, seed=5)
    for _ in range(7):
        view.step()
    view.to(80)
    found = grow(agent, game, game.start(), seed=5)
    for child in view.below(0):
        action = int(view.agent.tree.nodes[child, ACTION])
        assert int(view.agent.tree.nodes[child, VISITS]) == found.visits[action]
    view.step()
    assert view.done == 80, "there are no more"


def test_back_and_the_slider_lead_to_the_same_tree_as_forward():
    view = simulations(mcts(TicTacToe(), 60))
    view.to(20)
    at_20 = html(view), status(view)
    view.slider.value = 35
    assert view.done == 35
    view.step()
    view.to(20)
    assert (html(view), status(view)) == at_20 and view.slider.value == 20
    view.to(19)
    assert view.done == 19
    view.to(-5)
    assert view.done == 0


def test_a_click_opens_a_node_and_the_path_is_always_open():
    view = simulations(mcts(TicTacToe(), 200))
    view.to(200)
    names = re.findall(r'data-action="(\d+)"', html(view))
    assert names, "there are nodes to open"
    before = html(view)
    view.surface.choose(names[0])
    assert len(html(view)) > len(before)
    view.surface.choose(names[0])
    assert html(view) == before
    assert html(view).count("course-node here") == len(view.path()) - 1


def test_numbers_say_for_whom_they_are_and_how_the_bound_comes_about():
    view = simulations(mcts(TicTacToe(), 100, c=1.0))
    view.to(100)
    text = repr(view)
    assert "for X" in text and "root: 100 visits" in text
    value, bonus, bound = map(
        float, re.search(r"bound (-?[\d.]+) \+ ([\d.]+) = (-?[\d.]+)", text).groups()
    )
    assert abs(value + bonus - bound) < 0.011


def test_the_agent_itself_is_not_touched():
    agent = mcts(TicTacToe(), 100)
    grow(agent, agent.game, agent.game.start())
    before = agent.tree.nodes.copy()
    simulations(agent).to(50)
    assert (agent.tree.nodes == before).all()


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="mcts"):
        simulations(monte_carlo(TicTacToe()))
    game, state = TicTacToe(), TicTacToe().start()
    for action in (0, 3, 1, 4, 2):
        state = game.play(state, action)
    with pytest.raises(ValueError, match="finished"):
        simulations(mcts(game), state)
