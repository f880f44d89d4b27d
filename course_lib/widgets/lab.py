"""Labs: move a slider, and the whole experiment runs again while you look.

The sliders are made from the parameters that a learner's builder declares, so a lab for another
learner needs no new widget.
"""

import asyncio
import base64
import csv
import io
import time
import traceback
from html import escape

import ipywidgets
import numpy as np

from course_lib.arena import AgentError
from course_lib.experiments.experiment import percentile
from course_lib.games import TicTacToe
from course_lib.parameters import parameters
from course_lib.widgets.board import Stack, button
from course_lib.widgets.controls import STYLE, Part, choice, help_as_html, made, whole
from course_lib.widgets.curve import WIDTH, CurvePicture, Kept, Picture, References
from course_lib.widgets.setting import OPPONENTS, STARTERS, Setting, setting_of
from course_lib.widgets.surface import SpokenSliders

FRAMES_A_SECOND = 15
SECONDS_A_CHUNK = 0.02
TURNS = 8  # of the event loop between two steps: a message from the page takes several to arrive
FIRST_CHUNK = 16  # games
MOST_KEPT = 8  # curves: more can't be told apart
POINTS = 3  # of a prediction
AT_ONCE = 100_000  # games: no more are played before the lab is there
HELP = [
    ("opponent", "who the learner plays against"),
    ("starter", "who moves first"),
    ("games", "games a session"),
    ("sessions", "learners that start from nothing"),
    ("seed", "another number, other chances"),
]


class Lab(Stack):
    """Sliders, a live curve and one line that says what came out."""

    def __init__(self, start, predict=False):
        """start: the Setting to begin with, and to come back to."""
        self.start = start
        self.setting = None  # of the run that is shown
        self.run = None
        self.best = None
        self.task = None
        self.kept = []
        self.drawn_at = -np.inf
        self.drawing = 0.0  # seconds of the last frame
        self.frames = 0  # how many were drawn so far
        self.computing = 0.0  # seconds of the run that is shown
        self.quiet = False  # while many controls change at once
        self.predicting = predict
        self.hidden = predict  # until the prediction is made
        self.curve = CurvePicture()
        self.picture = Picture()
        self.line = ipywidgets.HTML()
        self.words = ""
        self.exported = ipywidgets.HTML()
        self._make_controls()
        self._arrange()
        self.reset()

    def _make_controls(self):
        start, help = self.start, dict(HELP)
        opponents = list(dict.fromkeys([*OPPONENTS, start.opponent]))
        self.opponent = choice("opponent", opponents, start.opponent, help["opponent"])
        self.starter = choice("starter", list(STARTERS), start.starter, help["starter"])
        self.games = whole("games", start.games, 10, 2000, help["games"])
        self.sessions = whole("sessions", start.sessions, 1, 1000, help["sessions"])
        self.seed = made(ipywidgets.BoundedIntText, "seed", help["seed"], value=0, max=10**9)
        self.size = {name: getattr(self, name) for name, _ in HELP}
        for each in self.size.values():
            each.observe(lambda _: self.changed(), "value")
        self.sliders = ipywidgets.VBox()
        self.help = ipywidgets.HTML()
        self.guesses = [
            ipywidgets.IntSlider(0, description=f"after {part}/{POINTS}", style=STYLE)
            for part in range(1, POINTS + 1)
        ]
        for each in self.guesses:
            each.observe(lambda _: self.safely(self.show), "value")

    def _arrange(self):
        """The picture and its line at the left, the sliders beside it where there is room."""
        paper = self.start.paper
        title = "" if paper is None else f"<b>{escape(f'{paper.paper} {paper.name}')}</b>: "
        title += "" if paper is None else escape(paper.title)
        back = "back to the paper's values" if paper else "back to the values at the start"
        buttons = [
            button("Run", "run it again, or go on after a stop", self.safe(self.go_on)),
            button("Stop", "keep what has come so far", self.safe(self.stop)),
            button("Keep this curve", "pin it for comparison", self.safe(self.keep)),
            button("Forget kept curves", "show only the present one", self.safe(self.forget)),
            button("Reset", back, self.safe(self.reset)),
            button("Export", "PNG, CSV and the Python that makes it", self.safe(self.export)),
        ]
        self.prediction = ipywidgets.VBox(
            [
                ipywidgets.HTML("<b>Predict first:</b> which score will it have? Then press Run."),
                ipywidgets.Box(self.guesses, layout={"flex_flow": "row wrap"}),
            ]
        )
        wrap = {"flex_flow": "row wrap", "align_items": "flex-start"}
        left = ipywidgets.VBox(
            [
                *([self.prediction] if self.predicting else []),
                self.picture,
                self.line,
                ipywidgets.Box(buttons, layout=wrap),
                ipywidgets.Box(list(self.size.values()), layout=wrap),
            ],
            layout={"width": f"{WIDTH + 20}px", "max_width": "100%"},
        )
        right = ipywidgets.VBox([self.sliders, self.help], layout={"width": "340px"})
        body = ipywidgets.Box([left, right], layout=wrap)
        super().__init__([ipywidgets.HTML(title), body, self.exported, SpokenSliders()])

    # The experiment

    def wanted(self):
        """What the controls say. A ValueError says what does not go together."""
        size = {name: each.value for name, each in self.size.items()}
        return self.start._replace(values=self.part.values(), **size)

    def changed(self):
        """A control was moved: run again from the start; what was under way is void."""
        if self.quiet:
            return
        self.help.value = help_as_html([*self.part.help(), *HELP])
        for each in self.guesses:
            each.min, each.max = -self.games.value, self.games.value
        if self.hidden:
            self.safely(self.show)
        else:
            self.launch(self.restart())

    def launch(self, steps):
        """Do these steps in turn with the notebook; at once where no event loop runs."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            for _ in self.watched(steps):
                pass
            return
        self.task = loop.create_task(in_turn(self.watched(steps)))

    def cancel(self):
        """Whether there was something to cancel."""
        running = self.running()
        if running:
            self.task.cancel()
        self.task = None
        return running

    def running(self):
        return self.task is not None and not self.task.done()

    def watched(self, steps):
        """The same steps; what goes wrong is said in the lab's line, and nothing is lost."""
        with self.failures_said():
            yield from steps

    def restart(self):
        """Set the experiment up and play it, step by step."""
        yield  # a newer change may come first: then nothing of this was done
        setting = self.wanted()
        run = setting.training()
        if self.run is None:
            self.say("Getting ready: the first time takes some seconds …")
            yield
        self.setting, self.run, self.best = setting, run, setting.best_score()
        self.computing = 0.0
        yield from self.playing()

    def playing(self):
        """Chunk by chunk to the end; a frame now and then."""
        run, n = self.run, FIRST_CHUNK
        while not run.finished():
            before = time.perf_counter()
            run.advance(n)
            now = time.perf_counter()
            self.computing += now - before
            if now - before < SECONDS_A_CHUNK / 2:
                n *= 2
            elif now - before > SECONDS_A_CHUNK:
                n = max(1, n // 2)
            # On a slow computer, at most half of the time is spent on drawing.
            pause = max(1 / FRAMES_A_SECOND, self.drawing)
            if now - self.drawn_at > pause and not run.finished():
                self.show()
            yield
        self.show()

    # What is shown

    def show(self):
        """Draw all of it anew and say what came out."""
        began = time.perf_counter()
        if self.hidden or self.run is None:
            guess = self._guess()
            references = References(self.games.value, tuple(self.kept), guess=guess)
            self.picture.png = self.curve.png(np.zeros((0, self.games.value)), references)
            words = "your prediction; the result is still hidden"
            if self.hidden:
                self.say(f"You expect {', '.join(map(str, guess))} points. Press Run to see.")
        else:
            references = References(
                self.run.games, tuple(self.kept), self.best, self.published(), self._guess()
            )
            self.picture.png = self.curve.png(self.scores(), references, self.run.finished())
            words = self.result()
            self.say(words)
        self.picture.alt = f"learning curve: {words}"
        self.drawn_at = time.perf_counter()
        self.drawing = self.drawn_at - began
        self.frames += 1

    def scores(self):
        """Running scores so far, sessions × games; NaN for games still to come."""
        run = self.run
        begun = min(run.session + 1, run.sessions)
        scores = np.cumsum(run.results[:begun], axis=1, dtype=float)
        if run.session < run.sessions:
            scores[run.session, run.played[run.session] :] = np.nan
        return scores

    def published(self):
        """The published score, as long as the experiment is the paper's."""
        return self.setting.published() if self.setting.is_of_paper() else None

    def result(self):
        """What came out, in words."""
        run = self.run
        words = "" if run.finished() else f"{run.done():,} of {run.sessions * run.games:,} games: "
        if run.session == 0:
            return words + "no session is complete yet"
        ends = run.scores()[:, -1]
        words += (
            f"score {ends.mean():.1f} ± {ends.std():.1f} after {run.games} games "
            f"(sessions: {run.session}); wins {run.wins().mean():.1f}, "
            f"ties {run.ties().mean():.1f}, losses {run.losses().mean():.1f}"
        )
        if self.best is not None:
            words += f"; best possible {self.best * run.games:.1f}"
        if run.died.any():
            words += f"; died: {int(run.died.sum())}"
        return words + self._paper_in_words(ends) + self._gap_in_words()

    def _paper_in_words(self, ends):
        """Where the published score stands among those of our sessions that count."""
        published, paper = self.published(), self.start.paper
        if published is None or not self.run.finished():
            return ""
        counted = paper.chosen(self.run)
        which = "" if paper.only == "all" else f" that {paper.only}"
        if not counted.any():
            return f"; paper {published}, but none of ours {paper.only}"
        at = percentile(ends[counted], published)
        return f"; paper {published}: percentile {at:.0f} of ours{which}"

    def _guess(self):
        return tuple(each.value for each in self.guesses) if self.predicting else ()

    def _gap_in_words(self):
        """How far the prediction was off at each of its points."""
        if not self.predicting or not self.run.finished():
            return ""
        mean = self.run.scores().mean(axis=0)
        at = [max(1, round(len(mean) * part / POINTS)) for part in range(1, POINTS + 1)]
        gaps = []
        for game, guess in zip(at, self._guess(), strict=True):
            gap = guess - mean[game - 1]
            how = "too high" if gap > 0.05 else "too low" if gap < -0.05 else "right"
            off = "" if how == "right" else f"{abs(gap):.1f} "
            gaps.append(f"{off}{how} after game {game}")
        return f"\nYour prediction was {', '.join(gaps)}"

    def say(self, words, wrong=False):
        self.words = words
        colour = "var(--jp-error-color1, #b00020)" if wrong else "inherit"
        self.line.value = (
            f"<div role='{'alert' if wrong else 'note'}' class='course-line' "
            f"style='color:{colour};white-space:pre-wrap;line-height:1.35;"
            # As high as three lines: the sliders below must stay under the mouse that drags them.
            f"min-height:4.05em'>{escape(words)}</div>"
        )

    def failures_said(self):
        return _Said(self)

    def safely(self, call):
        with self.failures_said():
            call()

    def safe(self, call):
        """For buttons: the same call, and what goes wrong in it is said."""
        return lambda: self.safely(call)

    # What a person does

    def go_on(self):
        """Reveal what was predicted, go on after a stop, or run again."""
        for each in self.guesses:
            each.disabled = True
        self.hidden = False
        if self.run is None or self.run.finished() or self.setting != self.wanted():
            self.launch(self.restart())
        elif not self.running():
            self.launch(self.playing())

    def stop(self):
        if self.cancel() and self.run is not None:
            self.show()
            self.say(f"Stopped. {self.words}")

    def keep(self):
        """Pin the mean of the sessions that are complete."""
        if self.hidden or self.run is None or not self.run.session:
            raise ValueError("there is nothing to keep yet: no session is complete")
        if len(self.kept) == MOST_KEPT:
            raise ValueError(f"{MOST_KEPT} curves are kept already: forget them first")
        label = "as in the paper" if self.setting.is_of_paper() else "as at the start"
        label = self.setting.differences(self.start) or label
        self.kept.append(Kept(label, self.run.scores().mean(axis=0)))
        self.show()

    def forget(self):
        self.kept.clear()
        self.show()

    def reset(self):
        """All controls back, and a prediction hidden again; one run."""
        self.cancel()
        self.quiet = True
        self.part = Part(self.start.build, self.start.values, self.changed)
        self.sliders.children = [self.part.box]
        for name, each in self.size.items():
            each.value = getattr(self.start, name)
        for each in self.guesses:
            each.disabled = False
        self.quiet = False
        self.hidden = self.predicting
        self.changed()

    def csv(self):
        """The running score of every complete session, a row a game."""
        file = io.StringIO()
        writer = csv.writer(file)
        scores = self.run.scores()
        writer.writerow(["game", *(f"session {n + 1}" for n in range(len(scores)))])
        writer.writerows([game + 1, *row] for game, row in enumerate(scores.T.tolist()))
        return file.getvalue()

    def export(self):
        """Links to the picture and its numbers, and the Python that makes them."""
        if self.hidden or self.run is None or not self.run.session:
            raise ValueError("there is nothing to export yet: no session is complete")
        files = (
            ("curve.png", "image/png", self.picture.png),
            ("curve.csv", "text/csv", self.csv().encode()),
        )
        links = " · ".join(
            f'<a download="{name}" style="text-decoration:underline" '
            f'href="data:{kind};base64,{base64.b64encode(content).decode()}">{name}</a>'
            for name, kind, content in files
        )
        self.exported.value = (
            f"{links}<pre style='white-space:pre-wrap;line-height:1.35'>"
            f"{escape(self.setting.python())}</pre>"
        )

    def pictures(self):
        """The complete curve, unless it is a long way to it or still hidden."""
        if self.running() and self.games.value * self.sessions.value <= AT_ONCE:
            self.cancel()
            for _ in self.watched(self.restart()):
                pass
        return {"image/png": base64.b64encode(self.picture.png).decode()}

    def __repr__(self):
        values = ", ".join(f"{name}={value}" for name, value in self.start.values.items())
        start = self.start
        lines = [
            f"Lab of {start.build.__name__}: {values}; against {start.opponent}, "
            f"{start.sessions} sessions of {start.games} games"
        ]
        if self.hidden or (self.run is not None and self.run.finished()):
            lines.append(self.words)
        return "\n".join(lines)


class _Said:
    """Says in the lab's line whatever is raised inside: words as they are, a failure in full."""

    def __init__(self, lab):
        self.lab = lab

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if not isinstance(error, Exception):
            return False
        in_words = isinstance(error, ValueError | AgentError)
        words = str(error) if in_words else "".join(traceback.format_exception(error))
        self.lab.say(words, wrong=True)
        return True


async def in_turn(steps):
    """Between two steps, everything else that waits has its turn."""
    for _ in steps:
        for _ in range(TURNS):
            await asyncio.sleep(0)


def lab(build=None, paper=None, game=None, predict=False, **start):
    """A lab for the learner that `build(game, ...)` makes, or for an experiment of a paper.

        lab(menace)    lab(q_learning, opponent="Perfect", alpha=0.5)    lab(paper=FIGURES["fig3"])

    start: what to begin with: values of the builder's parameters, and opponent, games, sessions,
    starter, seed. predict: guess first, then run.
    """
    if paper is not None:
        first = setting_of(paper)
        if build not in (None, first.build):
            raise ValueError(f"{paper.name} is an experiment with {first.build.__name__}")
    elif build is None:
        raise ValueError("expected a builder such as menace, or paper=FIGURES['fig3']")
    else:
        values = {each.name: each.default for each in parameters(build)}
        first = Setting(build, TicTacToe() if game is None else game, values)
    size = {name: start.pop(name) for name, _ in HELP if name in start}
    unknown = set(start) - set(first.values)
    if unknown:
        names = ", ".join(first.values)
        raise ValueError(f"{', '.join(sorted(unknown))}: {first.build.__name__} has {names}")
    for name, known in (("opponent", [*OPPONENTS, first.opponent]), ("starter", STARTERS)):
        if name in size and size[name] not in known:
            raise ValueError(f"{name}={size[name]!r}: expected one of {', '.join(known)}")
    first = first._replace(values={**first.values, **start}, **size)
    first.training()  # a wrong value is told here, not in the lab
    return Lab(first, predict)
