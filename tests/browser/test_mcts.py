"""Stepping through MCTS, slot machines and the strength lab in a real browser."""

import re

IMPORTS = """
from course_lib.agents import *
from course_lib.games import TicTacToe
from course_lib.widgets import *
game = TicTacToe()
"""


def handle(page, name):
    """The handle of the slider with this name."""
    row = page.locator(".widget-slider", has=page.get_by_text(name, exact=True))
    return row.locator(".noUi-handle")


def drag(page, name, by):
    at = handle(page, name)
    at.scroll_into_view_if_needed()
    box = at.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by, y, steps=8)
    page.mouse.up()


def status(page, part):
    page.wait_for_function(
        "part => document.querySelector('.course-status')?.textContent.includes(part)", arg=part
    )


def test_the_four_steps_one_after_the_other_and_a_drag_to_many(open_notebook):
    page = open_notebook([IMPORTS, "simulations(mcts(game, 200))"])
    for step in ("Selection", "Expansion", "Rollout", "Update"):
        page.get_by_role("button", name="Step ▶").click()
        status(page, f"simulation 1 of 200, {step}")
    assert page.locator(".course-node.here").count() == 1
    page.get_by_role("button", name="Simulation ▶▶").click()
    status(page, "simulation 2 of 200, Update")
    drag(page, "simulations", 150)
    page.wait_for_function("() => document.querySelectorAll('.course-node').length > 10")
    nodes = page.locator(".course-node").count()
    page.locator(".course-node[data-action]").first.click()  # opens a node
    page.wait_for_function("n => document.querySelectorAll('.course-node').length !== n", arg=nodes)


def test_slot_machines_follow_their_slider(open_notebook):
    page = open_notebook([IMPORTS, "bandit(pulls=100)"])
    page.wait_for_selector("svg:has-text('arm 4')")
    before = page.inner_text(".jp-OutputArea-output")
    drag(page, "C", -200)
    page.wait_for_function(
        "old => document.querySelector('.jp-OutputArea-output').innerText !== old", arg=before
    )


def line(page, pattern):
    page.wait_for_function(
        "p => new RegExp(p).test(document.querySelector('.course-line')?.textContent || '')",
        arg=pattern,
    )


def test_the_strength_lab_plays_again_when_a_control_is_moved(open_notebook):
    page = open_notebook([IMPORTS, "strength(budget=30, games=100)"])
    line(page, "of 100 games")
    first = page.inner_text(".course-line")
    assert re.search(r"MCTS 30, C = 1.4; .*: won \d+\.\d ± \d\.\d %", first)
    page.get_by_role("button", name="Keep this bar").click()
    drag(page, "budget", -80)
    line(page, r"^(?!MCTS 30,)MCTS .*of 100 games")
    assert page.locator("svg[role=img]").last.locator("text=/MCTS 30, C/").count() == 1
    page.get_by_label("own_reward").check()
    line(page, "own_reward.*of 100 games")
