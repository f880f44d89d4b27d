"""Lecture 8 in a real browser: its first board counts boxes, and its lab trains the learner."""

from pathlib import Path

import nbformat
from playwright.sync_api import expect

LECTURE = Path(__file__).parents[2] / "notebooks" / "08_dots_and_boxes.ipynb"


def cells_with(*parts):
    """The lecture's cells that hold these parts."""
    sources = [
        c.source for c in nbformat.read(LECTURE, as_version=4).cells if c.cell_type == "code"
    ]
    return [next(source for source in sources if part in source) for part in parts]


def test_the_first_board_counts_boxes_and_the_lab_trains_the_learner_of_2010(open_notebook):
    page = open_notebook(cells_with("words=True", "import learner", "lab(learner"))
    output = page.locator(".jp-OutputArea-output", has=page.locator(".course-surface")).first
    message = output.locator(".course-message").first
    expect(message).to_contain_text("+2 boxes for the player to move")
    for line in (0, 2, 3):
        part = output.locator(f"[data-cell='{line}']").first
        part.evaluate("part => part.scrollIntoView({block: 'center'})")
        box = part.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(output.locator(f"[data-cell='{line}']").first).to_have_attribute(
            "data-state", "drawn"
        )
    expect(message).to_contain_text("by line 5")

    said = page.locator(".course-line").filter(has_text="20000 games").first
    expect(said).to_contain_text("best possible 19981.5")
    before = said.inner_text()
    row = page.locator(".widget-slider", has=page.get_by_text("alpha", exact=True)).first
    handle = row.locator(".noUi-handle")
    handle.scroll_into_view_if_needed()
    handle.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "old => [...document.querySelectorAll('.course-line')].some("
        "line => line.innerText.includes('after 20000 games') && line.innerText !== old)",
        arg=before,
    )
