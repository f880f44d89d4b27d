"""Shows a function or class as it stands in the library, so that lectures never hold a copy."""

import inspect
import textwrap
from typing import NamedTuple


class Source(NamedTuple):
    """Python text that shows itself: with colours in a notebook, as it is everywhere else."""

    where: str
    text: str

    def __repr__(self):
        return f"# {self.where}\n{self.text}"

    def _repr_markdown_(self):
        return f"```python\n{self!r}\n```"


def show_source(thing):
    """The source of a function, a method or a class, with the name of its module above."""
    try:
        text = inspect.getsource(thing)
    except TypeError:
        raise ValueError(f"{thing!r}: expected a function, a method or a class") from None
    return Source(f"{thing.__module__}.{thing.__qualname__}", textwrap.dedent(text).rstrip())
