"""Sliders and fields made from the parameters that a builder declares."""

from html import escape

import ipywidgets

from course_lib.parameters import Choice, Parameter, parameters, ranges

WIDE = ipywidgets.Layout(width="320px")
STYLE = {"description_width": "90px"}


def control(parameter, value):
    """A slider, a box to tick or a field for one parameter."""
    note = parameter.note
    if isinstance(value, bool):
        return made(ipywidgets.Checkbox, parameter.name, note.help, value=value, indent=True)
    if isinstance(value, tuple):
        text = ", ".join(map(str, value))
        field = ipywidgets.Text
        return made(field, parameter.name, note.help, value=text, continuous_update=False)
    low, high = note.usual or (note.low, note.high)
    low, high = min(low, value), max(high, value)
    if parameter.kind is int:
        return whole(parameter.name, value, low, high, note.help)
    return made(
        ipywidgets.FloatSlider,
        parameter.name,
        note.help,
        value=value,
        min=low,
        max=high,
        step=(high - low) / 100,
        readout_format=".2f" if high - low >= 1 else ".3f",
    )


def whole(name, value, low, high, help):
    """A slider for a whole number; wide enough for the value it begins with."""
    low, high = min(low, value), max(high, value)
    return made(ipywidgets.IntSlider, name, help, value=value, min=low, max=high)


def choice(name, options, value, help):
    return made(ipywidgets.Dropdown, name, help, options=options, value=value)


def made(kind, name, help, **given):
    return kind(description=name, tooltip=help, style=STYLE, layout=WIDE, **given)


def value_of(control):
    """What a control says; a ValueError where a field holds no numbers."""
    if not isinstance(control, ipywidgets.Text):
        return control.value
    try:
        numbers = tuple(int(word) for word in control.value.split(","))
    except ValueError:
        raise ValueError(
            f"{control.description}={control.value!r}: expected whole numbers with commas between"
        ) from None
    return numbers[0] if len(numbers) == 1 else numbers


def declared(build):
    """The parameters of a function that builds, or of a NamedTuple that checks its own."""
    if not isinstance(build, type):
        return parameters(build)
    usual = build._field_defaults
    return [Parameter(name, *kind, usual[name]) for name, kind in ranges(build).items()]


class Part:
    """The controls of one builder: its own, and below a choice those of what was chosen."""

    def __init__(self, build, start, changed):
        """start: values to begin with, where they are not the builder's own defaults."""
        self.build, self.changed = build, changed
        self.controls = {}
        self.parts = {}  # by the name of a choice and the class chosen: kept for coming back
        for parameter in declared(build):
            value = start.get(parameter.name, parameter.default)
            if isinstance(parameter.note, Choice):
                made = self._choice(parameter, value)
            else:
                made = control(parameter, value)
            self.controls[parameter.name] = made
            made.observe(self._changed, "value")
        self.box = ipywidgets.VBox()
        self._arrange()

    def _choice(self, parameter, value):
        for option in parameter.note.options:
            start = value._asdict() if isinstance(value, option) else {}
            self.parts[parameter.name, option] = Part(option, start, self.changed)
        options = {option.__name__: option for option in parameter.note.options}
        return choice(parameter.name, options, type(value), parameter.note.help)

    def _changed(self, change):
        self._arrange()
        self.changed()

    def _arrange(self):
        """Each control; below a choice, the controls of what is chosen. Boxes to tick come last."""
        rows = []
        for name, each in self.controls.items():
            rows.append(each)
            if (name, each.value) in self.parts:
                rows.append(self.parts[name, each.value].box)
        rows.sort(key=lambda row: isinstance(row, ipywidgets.Checkbox))
        if list(self.box.children) != rows:
            self.box.children = rows

    def values(self):
        """{parameter: value}; a ValueError says what does not go together."""
        found = {}
        for name, each in self.controls.items():
            chosen = self.parts.get((name, each.value))
            found[name] = value_of(each) if chosen is None else chosen.build(**chosen.values())
        return found

    def help(self):
        """All lines of help, for whoever can't point at a slider to read its tooltip."""
        lines = [(name, each.tooltip) for name, each in self.controls.items()]
        for (name, option), part in self.parts.items():
            if self.controls[name].value is option:
                lines += part.help()
        return lines


def help_as_html(lines):
    """A list that opens with a click."""
    rows = "".join(f"<li><b>{escape(name)}</b>: {escape(text)}</li>" for name, text in lines)
    return (
        "<details><summary style='cursor:pointer'>What these mean</summary>"
        f"<ul style='line-height:1.35;padding-left:1.2em;margin:0'>{rows}</ul></details>"
    )
