"""How long a lab takes from a moved slider to its curve, and what dragging a slider costs.

    python benchmarks/widgets.py [--quick] [--json FILE]

Measured in the kernel: the way to the page and back is not in it. Every lab of the papers begins
with the paper's experiment; what is changed is the seed, so that each run is that experiment again.
"""

import asyncio
import statistics
import time

import measure
from measure import Goal

from course_lib.agents.menace import menace
from course_lib.experiments import PAPERS
from course_lib.games import TicTacToe
from course_lib.parameters import parameters
from course_lib.widgets.curve import CurvePicture, References
from course_lib.widgets.lab import Lab
from course_lib.widgets.setting import Setting, setting_of

PERFECT = "MENACE, 50 × 300 games against Perfect"
CHANGES_A_SECOND = 60  # of a slider that is dragged: once a frame of the page
FIRST, COMPLETE, COMPUTING, DRAWING, FRAMES = "first frame", "complete", "computing", "drawing", "n"
BLITTED, ANEW, ALL = "the last frame", "a new picture", "all frames"


class TimedLab(Lab):
    """Notes when it draws and for how long, and which runs it starts and finishes."""

    def __init__(self, start):
        self.forget_times()
        super().__init__(start)

    def forget_times(self):
        self.began, self.drawn, self.in_frames = time.perf_counter(), [], 0.0
        self.started, self.finished, self.in_vain = 0, 0, 0

    def show(self):
        before = time.perf_counter()
        super().show()
        now = time.perf_counter()
        self.in_frames += now - before
        self.drawn.append(now - self.began)

    def playing(self):
        self.started += 1
        this = self.started
        for step in super().playing():
            self.in_vain += this != self.started  # a newer one has begun: who wants this?
            yield step
        self.finished += 1


def labs():
    """{name: Setting}: all labs of the papers, and the experiment of the goal."""
    found = {
        f"{paper} {name}": setting_of(each)
        for paper, experiments in PAPERS.items()
        for name, each in experiments.items()
        if hasattr(each, "make")
    }
    usual = {each.name: each.default for each in parameters(menace)}
    return {**found, PERFECT: Setting(menace, TicTacToe(), usual, "Perfect")}


# What is measured


async def changes(lab, rounds):
    """The medians of what a change of the lab's seed costs, in seconds."""
    await lab.task  # as it opens
    found = {FIRST: [], COMPLETE: [], COMPUTING: [], DRAWING: [], FRAMES: []}
    for seed in range(1, rounds + 2):
        await asyncio.sleep(0.1)  # it stands still before it is changed
        lab.forget_times()
        lab.seed.value = seed
        await lab.task
        if seed > 1:  # the first change loads what is compiled
            found[FIRST].append(lab.drawn[0])
            found[COMPLETE].append(lab.drawn[-1])
            found[COMPUTING].append(lab.computing)
            found[DRAWING].append(lab.in_frames)
            found[FRAMES].append(len(lab.drawn))
    return {name: statistics.median(values) for name, values in found.items()}


def of_one_run(setting, rounds):
    """Computing an experiment against drawing it, each in seconds: all of it in one process."""

    async def measured():
        lab = TimedLab(setting)
        medians = await changes(lab, rounds)
        references = References(lab.run.games, (), lab.best, lab.published())
        scores = lab.scores()

        def blitted():
            lab.curve.png(scores, references)

        def anew():
            CurvePicture().png(scores, references)

        blitted()
        times = {
            name: statistics.median(measure.seconds_of(call) for _ in range(rounds))
            for name, call in ((BLITTED, blitted), (ANEW, anew))
        }
        return {COMPUTING: medians[COMPUTING], **times, ALL: medians[DRAWING]}

    return asyncio.run(measured())


def drag(setting, seconds):
    """A slider dragged for so long: which runs began, which ended, and how late it was."""

    async def dragging():
        lab = TimedLab(setting)
        await lab.task
        slider = lab.part.controls["win"]
        values = [slider.min, slider.max]
        tasks, late, most = [], [], 0
        lab.forget_times()
        began = time.perf_counter()
        for number in range(round(seconds * CHANGES_A_SECOND)):
            wait = began + number / CHANGES_A_SECOND - time.perf_counter()
            await asyncio.sleep(max(0, wait))
            late.append(time.perf_counter() - began - number / CHANGES_A_SECOND)
            slider.value = values[number % 2]
            tasks.append(lab.task)
            most = max(most, sum(not each.done() for each in tasks))
        released = time.perf_counter()
        before = lab.started
        await lab.task
        return {
            "changes": len(tasks),
            "started": lab.started,
            "finished": lab.finished,
            "frames": len(lab.drawn),
            "alive at once": most,  # the newest, and one that is just being cancelled
            "steps in vain": lab.in_vain,
            "started after the release": lab.started - before,
            "latest": max(late),
            "release to complete": time.perf_counter() - released,
        }

    return asyncio.run(dragging())


# All of it


def run(quick):
    rounds = 3 if quick else 11
    columns = [FIRST, COMPLETE, COMPUTING, DRAWING, "frames"]
    measure.heading("From a change to the curve: milliseconds", columns)
    settings, found = labs(), {}
    for name, setting in settings.items():
        found[name] = each = asyncio.run(timed(setting, rounds))
        cells = [f"{1000 * each[column]:,.0f}" for column in columns[:4]]
        measure.line(name[:27], [*cells, f"{each[FRAMES]:.0f}"])

    one = of_one_run(settings[PERFECT], 2 * rounds + 1)
    measure.heading(f"{PERFECT}: milliseconds", list(one))
    measure.line("", [f"{1000 * each:,.1f}" for each in one.values()])

    dragged = drag(settings[PERFECT], 1 if quick else 3)
    measure.heading("A slider dragged, 60 changes a second", [])
    for name, value in dragged.items():
        text = f"{1000 * value:,.0f} ms" if isinstance(value, float) else str(value)
        measure.line(name, [text])
    return {"changes": found, "one run": one, "drag": dragged}, goals(found, one, dragged)


async def timed(setting, rounds):
    return await changes(TimedLab(setting), rounds)


def goals(found, one, dragged):
    for name in (ALL, ANEW, BLITTED):
        ratio = one[COMPUTING] / one[name]
        yield Goal(f"{PERFECT}: computing against {name}", ratio <= 1, f"{ratio:.2f} of it")
    slowest = max(each[FIRST] for each in found.values())
    yield Goal("the first frame of each lab within 0.2 s", slowest <= 0.2, f"{slowest:.2f} s")
    held = dragged["alive at once"] <= 2 and dragged["steps in vain"] == 0
    held = held and dragged["started after the release"] <= 1
    yield Goal(
        "a drag queues nothing up: no step of a run that was replaced, one run after the release",
        held,
        f"{dragged['changes']} changes, {dragged['started']} runs started, "
        f"{dragged['finished']} finished",
    )


if __name__ == "__main__":
    measure.main(__doc__, run)
