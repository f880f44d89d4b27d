"""The formula with a slider for each letter."""

import pytest

from course_lib.widgets import update


def test_half_of_the_way_to_the_target():
    step = update(old=0, alpha=0.5, reward=1, gamma=0.9, future=0)
    assert step.target() == 1 and step.new() == 0.5
    assert repr(step) == "new value = (1 − 0.5) · 0 + 0.5 · (1 + 0.9 · 0) = 0.5; the target is 1"


def test_a_slider_changes_picture_and_words():
    step = update()
    picture, line = step.drawing.value, step.line.value
    step.sliders["future"].value = -1
    assert step.drawing.value != picture and step.line.value != line
    assert step.target() == pytest.approx(0.1) and "= 0.05<" in step.line.value


@pytest.mark.parametrize(("alpha", "new"), [(0, -1), (1, 2)])
def test_alpha_0_stays_and_alpha_1_jumps_to_the_target(alpha, new):
    assert update(old=-1, alpha=alpha, reward=2, gamma=0).new() == new


def test_a_value_off_its_slider_is_refused():
    with pytest.raises(ValueError, match=r"alpha=2: expected a number from 0 to 1"):
        update(alpha=2)


def test_without_a_kernel_there_is_a_picture():
    assert update().pictures()["image/svg+xml"].startswith("<svg")
