"""Slot machines on sliders."""

from course_lib.widgets import bandit


def test_a_slider_pulls_again_with_the_same_luck():
    view = bandit(pulls=50)
    before = repr(view)
    view.c.value = 0.0
    assert repr(view) != before
    view.c.value = 1.0
    assert repr(view) == before
    view.other_luck()
    assert repr(view) != before


def test_one_pull_more_goes_to_the_arm_with_the_largest_bound():
    view = bandit(pulls=30)
    for _ in range(20):
        wanted, before = view.found.bounds().argmax(), view.found.pulls.copy()
        view.one_more()
        assert (view.found.pulls - before).tolist() == [int(arm == wanted) for arm in range(4)]


def test_the_truth_is_shown_only_when_asked_for():
    view = bandit()
    assert "truth" not in view.picture.value
    view.truth.value = True
    assert view.picture.value.count("truth") == 4
    assert "arm 4" in view.picture.value and "pulls of each arm" in view.picture.value
