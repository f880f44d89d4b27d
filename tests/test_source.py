"""Source that is shown is the source that runs."""

import inspect

import pytest

from course_lib.agents import Random
from course_lib.agents.negamax import negamax
from course_lib.source import show_source


def test_a_function_is_shown_as_it_stands_in_its_file():
    shown = repr(show_source(negamax))
    assert shown.startswith("# course_lib.agents.negamax.negamax\ndef negamax(")
    assert inspect.getsource(negamax).strip() in shown


def test_a_method_is_shown_without_the_indent_of_its_class():
    assert "\ndef choose(self, game, state, rng):\n    return" in repr(show_source(Random.choose))


def test_a_notebook_colours_it():
    markdown = show_source(negamax)._repr_markdown_()
    assert markdown.startswith("```python\n") and markdown.endswith("\n```")


def test_what_has_no_source_is_refused_in_words():
    with pytest.raises(ValueError, match="expected a function"):
        show_source(3)
