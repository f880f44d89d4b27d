"""Predictions: asked for before an experiment, shown beside its answer."""

import pytest

from course_lib.widgets import predict


def test_before_anything_is_chosen_the_text_is_the_question_and_its_choices():
    guess = predict("who wins?", ["X", "O"])
    assert repr(guess) == "Your prediction: who wins?\n( ) X   ( ) O"
    assert repr(guess.answer("X")) == "The answer: X (no prediction yet)"


def test_the_text_of_a_question_does_not_depend_on_what_was_chosen():
    guess = predict("how many?")
    before = repr(guess)
    guess.field.value = "7"
    assert repr(guess) == before


def test_an_answer_follows_the_prediction_also_when_it_was_shown_first():
    guess = predict("who wins?", ["X", "O"])
    answer = guess.answer("O")
    assert answer.verdict() is None and "?" in answer.text.value
    guess.field.value = "X"
    assert answer.verdict() is False and "✗" in answer.text.value
    guess.field.value = "O"
    assert answer.verdict() is True and "✓" in answer.text.value
    assert repr(answer) == "The answer: O (your prediction: O)"


@pytest.mark.parametrize(
    ("choices", "found", "right"),
    [((10, 1000, 100_000), 200, 1000), ((-1, 0, 1), 0, 0), ((0, 0.5, 1), 0.7, 0.5)],
)
def test_of_numbers_the_nearest_is_right(choices, found, right):
    guess = predict("how many?", choices)
    guess.field.value = right
    assert guess.answer(found).verdict() is True


def test_zero_is_a_prediction():
    guess = predict("the value?", [-1, 0, 1])
    guess.field.value = 0
    assert guess.guess() == 0 and guess.answer(1).verdict() is False


def test_a_number_may_be_typed_as_people_write_it():
    guess = predict("how many nodes?")
    guess.field.value = "500,000"
    assert guess.guess() == 500_000
    assert repr(guess.answer(549_946)) == "The answer: 549,946 (your prediction: 500,000)"


def test_what_is_no_number_is_asked_for_again():
    guess = predict("how many nodes?")
    guess.field.value = "many"
    assert guess.guess() is None and "a number, please" in guess.problem.value
    guess.field.value = "12"
    assert guess.problem.value == ""


def test_an_answer_that_nobody_could_choose_is_refused():
    with pytest.raises(ValueError, match="none of the choices: X, O"):
        predict("who wins?", ["X", "O"]).answer("nobody")


def test_a_question_is_text_and_no_html():
    assert "a &lt; b" in predict("is a < b?", ["yes", "no"]).children[0].value


def test_the_text_is_whole_where_widgets_are_not_shown():
    guess = predict("a long question " * 10, ["yes", "no"])
    assert guess._repr_mimebundle_()["text/plain"] == repr(guess)
