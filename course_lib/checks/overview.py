"""How far a learner is: a bar for each lecture, and the next open task."""

from html import escape
from typing import NamedTuple

from course_lib.checks.feedback import BOX, COLOURS, RIGHT, SIGNS
from course_lib.checks.record import Entry

WIDTH = 20  # characters of a bar


class Overview(NamedTuple):
    """Some lectures with what is remembered of their tasks; shows itself."""

    lectures: list
    entries: dict
    message: str = ""

    def tasks(self):
        return [task for lecture in self.lectures for task in lecture.TASKS]

    def state(self, task):
        return self.entries.get(task.number, Entry()).state

    def done(self, tasks):
        return sum(self.state(task) == RIGHT for task in tasks)

    def next_open(self):
        """The first task that isn't right yet, or None."""
        return next((task for task in self.tasks() if self.state(task) != RIGHT), None)

    def ending(self):
        task = self.next_open()
        if task is None:
            return "All tasks are right."
        return f"Next: {task.number} {task.title}"

    def __repr__(self):
        lines = [self.message] if self.message else []
        longest = max(len(lecture.TITLE) for lecture in self.lectures)
        for lecture in self.lectures:
            done, total = self.done(lecture.TASKS), len(lecture.TASKS)
            filled = WIDTH * done // total
            bar = "█" * filled + "░" * (WIDTH - filled)
            signs = " ".join(f"{SIGNS[self.state(task)]}{task.number}" for task in lecture.TASKS)
            lines.append(f"{lecture.TITLE:{longest}}  {bar} {done} of {total} right   {signs}")
        return "\n".join([*lines, self.ending()])

    def _repr_html_(self):
        content = f"<div>{escape(self.message)}</div>" if self.message else ""
        for lecture in self.lectures:
            done, total = self.done(lecture.TASKS), len(lecture.TASKS)
            signs = " &nbsp; ".join(
                f'<span title="{escape(task.title)}: {self.state(task)}">'
                f"{SIGNS[self.state(task)]}&#8239;{task.number}</span>"
                for task in lecture.TASKS
            )
            content += (
                f"<div><b>{escape(lecture.TITLE)}</b>: {done} of {total} right</div>"
                f"<div>{bar(done / total)} &nbsp; {signs}</div>"
            )
        content += f"<div>{escape(self.ending())}</div>"
        return BOX.format(colour=COLOURS[RIGHT], content=content)


def bar(share):
    """A bar as a picture, that any page shows."""
    label = f"{100 * share:.0f} % right"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="12" role="img" '
        f'aria-label="{label}"><rect width="200" height="12" rx="4" fill="#888888" '
        f'fill-opacity="0.35"/><rect width="{200 * share:.0f}" height="12" rx="4" '
        f'fill="{COLOURS[RIGHT]}"/></svg>'
    )
