"""Lecture 5 in a real browser: its board answers, and the formula can be dragged."""

from pathlib import Path

import nbformat

LECTURE = Path(__file__).parents[2] / "notebooks" / "05_q_learning.ipynb"


def cells_with(*parts):
    """The lecture's cells that hold these parts."""
    sources = [
        c.source for c in nbformat.read(LECTURE, as_version=4).cells if c.cell_type == "code"
    ]
    return [next(source for source in sources if part in source) for part in parts]


def test_the_learner_answers_and_the_formula_follows_its_sliders(open_notebook):
    page = open_notebook(cells_with("play(game, player)", "update("))
    page.locator("[data-action='4']").first.click()
    page.wait_for_function("() => document.body.innerText.includes('2. ')")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("() => document.body.innerText.includes('The largest Q-value is')")

    before = page.inner_text(".course-line")
    assert "= 0.25" in before
    picture = page.locator("svg[aria-label^='new value']")
    drawn = picture.get_attribute("aria-label")
    row = page.locator(".widget-slider", has=page.get_by_text("reward", exact=True))
    handle = row.locator(".noUi-handle")
    handle.scroll_into_view_if_needed()
    handle.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "old => document.querySelector('.course-line').innerText !== old", arg=before
    )
    assert picture.get_attribute("aria-label") != drawn
