"""A drawing whose parts can be chosen: what all boards and views are made of.

The page shows `view` and sends back what was chosen; everything else happens here in Python.
"""

import traceback
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class WithoutKernel:
    """For a widget: what a notebook shows of it where no kernel runs, such as on a web page."""

    def pictures(self):
        """{MIME type: picture}"""
        return {}

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, *rest = bundle if isinstance(bundle, tuple) else (bundle,)
        # All of the text: ipywidgets would cut it after 110 characters.
        data = {**data, **self.pictures(), "text/plain": repr(self)}
        return (data, *rest) if rest else data


class Surface(WithoutKernel, anywidget.AnyWidget):
    """Shows HTML or SVG. A part with `data-action` can be chosen, one with `data-cell` visited."""

    _esm = HERE / "surface.js"
    _css = HERE / "surface.css"
    view = traitlets.Dict().tag(sync=True)
    click = traitlets.List().tag(sync=True)

    def __init__(self, on_choose=None, as_text=lambda: ""):
        """on_choose is called with the chosen part's name; `as_text()` is what `repr` shows."""
        self.on_choose = on_choose
        self.as_text = as_text
        super().__init__()
        self.show("")

    def show(
        self, html, status="", moves="", message="", busy=False, mover=0, problem=False, spoken=""
    ):
        """Paint once: all of it is sent in one piece. problem: the message tells of a failure.

        spoken: what has happened, for whoever can't see it.
        """
        self.view = {
            "html": html,
            "status": status,
            "moves": moves,
            "message": message,
            "problem": problem,
            "busy": busy,
            "mover": mover,
            "spoken": spoken,
            "answered": self.click[1] if self.click else 0,
        }

    def tell(self, message, problem=True):
        """Show a message below what is there."""
        self.view = {
            **self.view,
            "message": message,
            "problem": problem,
            "answered": self.click[1] if self.click else 0,
        }

    def choose(self, name):
        """What a click does: a failure is shown in place, never swallowed."""
        with self.failures_shown():
            if self.on_choose is not None:
                self.on_choose(name)

    def failures_shown(self):
        return _Shown(self)

    @traitlets.observe("click")
    def _clicked(self, change):
        self.choose(change["new"][0])
        if self.view["answered"] != self.click[1]:
            self.tell(self.view["message"], self.view["problem"])

    def __repr__(self):
        return self.as_text()


class SpokenSliders(anywidget.AnyWidget):
    """Nothing to see: gives the sliders on the page names for screen readers."""

    _esm = HERE / "spoken.js"


class _Shown:
    """Puts the traceback of whatever is raised inside into the surface's message."""

    def __init__(self, surface):
        self.surface = surface

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is None or not isinstance(error, Exception):
            return False
        if isinstance(error, ValueError):  # in words already
            self.surface.tell(str(error))
        else:
            self.surface.tell("".join(traceback.format_exception(error)))
        return True
