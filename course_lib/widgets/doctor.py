"""Is everything there? What to look at first when something does not work."""

import importlib.metadata
import platform

from course_lib.agents import Random
from course_lib.arena import match
from course_lib.games import TicTacToe
from course_lib.twospeed import default_speed, describe_speed
from course_lib.widgets.surface import Surface

PACKAGES = ("numpy", "numba", "matplotlib", "ipywidgets", "anywidget", "jupyterlab")
PART = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">'
    '<rect width="120" height="40" rx="6" fill="#E8EEF4" data-cell="0" data-action="0">'
    '<title>test</title></rect><text x="60" y="25" text-anchor="middle" fill="#333333" '
    'pointer-events="none">click me</text></svg>'
)


def doctor():
    """Print versions and speed, and show a live test of widgets."""
    print(f"Python {platform.python_version()}")
    for name in PACKAGES:
        print(f"{name} {version(name)}")
    print(f"speed: {describe_speed()}")
    if default_speed() != "compiled":
        print("  Labs will be slow. python3 course.py lab sets up numba; unset COURSE_LIB_SPEED")
    played = match(TicTacToe(), Random(), Random(), games=100)
    print(f"100 games: {played.wins()} wins, {played.ties()} ties, {played.losses()} losses")
    clicks = []

    def clicked(_):
        clicks.append(1)
        surface.show(PART, f"widgets work: {len(clicks)} clicks reached Python")

    surface = Surface(clicked, lambda: "a live test: if this is all you see, widgets are not shown")
    surface.show(PART, "click the field: does the number below change?")
    return surface


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "is missing: run python3 course.py lab"
