"""Every lecture in a real browser: it runs, and everything on its page answers a hand."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.hands import drag, middle_when_still

LECTURES = sorted(Path(__file__).parents[2].glob("notebooks/*.ipynb"))
# What was chosen must have been answered, and nobody may still be thinking.
ANSWERED = """([surface, old]) =>
    surface.dataset.answered !== old && !surface.classList.contains("busy")"""


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda path: path.stem)
def test_everything_in_a_lecture_answers(lecture, open_notebook):
    page = open_notebook(lecture)
    make_predictions(page)
    choose_on_each_surface(page)
    drag_in_each_lab(page)
    assert not page.locator(".jp-OutputArea-output", has_text="Traceback").count()


def make_predictions(page):
    """Each question gets an answer, and each answer shows it."""
    for choices in page.locator(".widget-radio-box").all():
        choices.get_by_role("radio").first.check()
    for field in page.get_by_placeholder("a number", exact=True).all():
        field.fill("10")
        field.press("Enter")
    expect(page.get_by_text("no prediction yet")).to_have_count(0)


def choose_on_each_surface(page):
    for surface in page.locator(".course-surface:has([data-action])").all():
        wait_for = surface.element_handle()
        page.wait_for_function("each => !each.classList.contains('busy')", arg=wait_for)
        answered = surface.get_attribute("data-answered")
        page.mouse.click(*middle_when_still(page, surface.locator("[data-action]").first))
        page.wait_for_function(ANSWERED, arg=[wait_for, answered])
        message = surface.locator(".course-message")
        assert "failed" not in message.inner_text()


def drag_in_each_lab(page):
    """Another number of games, or another prediction: another picture."""
    for output in page.locator(".jp-OutputArea-output:has(img.course-curve)").all():
        picture = output.locator("img.course-curve")
        before = picture.get_attribute("src")
        drag(page, output.locator(".widget-slider").first, -20)  # a long run stands at the end
        expect(picture).not_to_have_attribute("src", before)
