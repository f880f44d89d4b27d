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

from course_lib.agents import OneStepLookAhead, Random, Simple, perfect
from course_lib.exact import ceiling
from course_lib.experiments.experiment import percentile
from course_lib.games import TicTacToe
from course_lib.parameters import Choice, parameters
from course_lib.training import Training
from course_lib.widgets.board import Stack, button
from course_lib.widgets.curve import SIZE, CurvePicture, Kept

FRAMES_A_SECOND = 15
SECONDS_A_CHUNK = 0.02
WIDE = ipywidgets.Layout(width="400px")
STYLE = {"description_width": "110px"}
OPPONENTS = {
    "Random": lambda game: Random(),
    "Perfect": perfect,
    "OneStepLookAhead": lambda game: OneStepLookAhead(),
    "Simple": lambda game: Simple(),
}


def control(parameter, value):
    """A slider, a box to tick or a field for one parameter."""
    note = parameter.note
    common = {"description": parameter.name, "tooltip": note.help, "style": STYLE, "layout": WIDE}
    if parameter.kind is bool:
        return ipywidgets.Checkbox(value, indent=True, **common)
    if isinstance(value, tuple):
        return ipywidgets.Text(", ".join(map(str, value)), continuous_update=False, **common)
    low, high = note.usual or (note.low, note.high)
    low, high = min(low, value), max(high, value)
    if parameter.kind is int:
        return ipywidgets.IntSlider(value, low, high, **common)
    return ipywidgets.FloatSlider(value, min=low, max=high, step=(high - low) / 100, **common)


class Part:
    """The controls of one builder: its own, and below a choice those of what was chosen."""

    def __init__(self, build, start, changed):
        self.build, self.changed = build, changed
        self.controls, self.choices = {}, {}
        self.box = ipywidgets.VBox()
        for parameter in parameters(build):
            value = start.get(parameter.name, parameter.default)
            if isinstance(parameter.note, Choice):
                self._add_choice(parameter, value)
            else:
                made = control(parameter, value)
                made.observe(lambda _: self.changed(), "value")
                self.controls[parameter.name] = made
        self._arrange()

    def _add_choice(self, parameter, value):
        options = {cls.__name__: cls for cls in parameter.note.options}
        select = ipywidgets.Dropdown(
            options=options,
            value=type(value),
            description=parameter.name,
            tooltip=parameter.note.help,
            style=STYLE,
            layout=WIDE,
        )

        def chosen(change):
            self.choices[parameter.name] = (select, Part(change["new"], {}, self.changed))
            self._arrange()
            self.changed()

        self.choices[parameter.name] = (
            select,
            Part(type(value), value._asdict(), self.changed),
        )
        select.observe(chosen, "value")

    def _arrange(self):
        rows = [_with_help(made) for made in self.controls.values()]
        for select, part in self.choices.values():
            rows += [_with_help(select), part.box]
        self.box.children = rows

    def values(self):
        found = {name: _value(made) for name, made in self.controls.items()}
        for name, (_, part) in self.choices.items():
            found[name] = part.build(**part.values())
        return found


def _with_help(made):
    """A control and its one line of help."""
    text = f"<span style='opacity:0.75;font-size:12px'>{escape(made.tooltip)}</span>"
    return ipywidgets.HBox([made, ipywidgets.HTML(text)])


def _value(made):
    if not isinstance(made, ipywidgets.Text):
        return made.value
    try:
        return tuple(int(word) for word in made.value.split(","))
    except ValueError:
        raise ValueError(
            f"{made.description}={made.value!r}: expected whole numbers with commas between"
        ) from None


class Lab(Stack):
    """Sliders, a live curve and one line that says what came out."""

    def __init__(
        self, build, start, paper, game, opponent, games, sessions, starter, seed, predict
    ):
        self.build, self.start, self.paper, self.game = build, dict(start), paper, game
        self.first = (opponent, games, sessions, starter, seed)
        self.kept, self.run, self.task, self.seconds = [], None, None, 0.0
        self.frames, self.quiet = 0, False
        self.picture = CurvePicture()
        width, height = (f"{100 * side:.0f}px" for side in SIZE)
        self.image = ipywidgets.Image(format="png", layout={"width": width, "height": height})
        self.line = ipywidgets.HTML()
        self.exported = ipywidgets.HTML()
        self.sliders = ipywidgets.VBox()
        self.opponent = ipywidgets.Dropdown(
            options=list(OPPONENTS), description="opponent", style=STYLE, layout=WIDE
        )
        self.games = _whole("games", games, 10, 2000, "games a session")
        self.sessions = _whole("sessions", sessions, 1, 1000, "learners that start from nothing")
        self.starter = ipywidgets.Dropdown(
            options=["agent", "opponent", "alternate", "random"],
            description="starter",
            style=STYLE,
            layout=WIDE,
        )
        self.seed = ipywidgets.IntText(seed, description="seed", style=STYLE, layout=WIDE)
        self.guesses = [
            ipywidgets.IntSlider(0, -games, games, description=f"after {part}/3", style=STYLE)
            for part in (1, 2, 3)
        ]
        self.predicting = predict
        self.set_up = (self.opponent, self.games, self.sessions, self.starter, self.seed)
        self.run_button = button("Run", "run the experiment", self.reveal)
        buttons = ipywidgets.HBox(
            [
                button("Keep this curve", "pin it for comparison", self.keep),
                button("Reset", "back to the paper's values", self.reset),
                button("Forget kept curves", "only the present one", self.forget),
                button("Stop", "keep what has come so far", self.stop),
                button("Export", "PNG, CSV and the line of Python", self.export),
            ]
        )
        self.prediction = ipywidgets.VBox(
            [
                ipywidgets.HTML("<b>Predict first:</b> which score will it have? Then run."),
                *self.guesses,
                self.run_button,
            ]
        )
        for each in self.guesses:
            each.observe(lambda _: self.show(), "value")
        for each in self.set_up:
            each.observe(lambda _: self.restart(), "value")
        title = "" if paper is None else f"<b>{escape(paper.paper)} {paper.name}</b>: {paper.title}"
        super().__init__(
            [
                ipywidgets.HTML(title),
                *([self.prediction] if predict else []),
                self.image,
                self.line,
                buttons,
                self.exported,
                self.sliders,
                ipywidgets.VBox(list(self.set_up)),
            ]
        )
        self.reset()

    # The experiment

    def training(self):
        """The experiment as the sliders say. Errors are in words."""
        agent = self.build(self.game, **self.part.values(), **self._seats())
        return Training(
            self.game,
            agent,
            OPPONENTS[self.opponent.value](self.game),
            games=self.games.value,
            sessions=self.sessions.value,
            seed=self.seed.value,
            starter=self.starter.value,
        )

    def _seats(self):
        """A learner that must say which seats it can take gets those that it needs."""
        import inspect

        if "second" not in inspect.signature(self.build).parameters:
            return {}
        return {"second": self.starter.value != "agent"}

    def restart(self):
        """Run again from the start; what was under way is void."""
        if self.quiet or (self.predicting and not self.run_button.disabled):
            return
        self.stop(quietly=True)
        try:
            self.run = self.training()
            self.best = self._ceiling()
        except ValueError as error:
            self.say(str(error), wrong=True)
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            for _ in self._steps(self.run):
                pass
            return
        self.task = loop.create_task(self._go(self.run))

    async def _go(self, run):
        try:
            self.say("compiling, which takes some seconds the first time …")
            await asyncio.sleep(0)
            for _ in self._steps(run):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            raise
        except Exception:
            self.say(traceback.format_exc(), wrong=True)

    def _steps(self, run):
        """Chunk by chunk to the end; a frame now and then."""
        began = drawn = time.perf_counter()
        n = 1
        self.computing = 0.0
        while not run.finished():
            before = time.perf_counter()
            run.advance(n)
            now = time.perf_counter()
            self.computing += now - before
            if now - before < SECONDS_A_CHUNK / 2:
                n *= 2
            elif now - before > 2 * SECONDS_A_CHUNK:
                n = max(1, n // 2)
            if now - drawn > 1 / FRAMES_A_SECOND and not run.finished():
                self.show()
                drawn = time.perf_counter()
            yield
        self.seconds = time.perf_counter() - began
        self.show()

    def _ceiling(self):
        """The best expected score a game."""
        seats = {"agent": [0], "opponent": [1], "alternate": [0, 1], "random": [0, 1]}
        opponent = OPPONENTS[self.opponent.value](self.game)
        scores = [ceiling(self.game, opponent, s).score() for s in seats[self.starter.value]]
        return sum(scores) / len(scores)

    # What is shown

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
        if self.paper is None or "wins" not in self.paper.published:
            return None
        same = self.part.values() == self.paper_values and self._set_up() == self.first
        return self.paper.published["wins"] - self.paper.published["losses"] if same else None

    def _set_up(self):
        return tuple(each.value for each in self.set_up)

    def show(self):
        hidden = self.predicting and not self.run_button.disabled
        scores = np.zeros((0, self.games.value)) if hidden or not self.run else self.scores()
        guess = tuple(each.value for each in self.guesses) if self.predicting else None
        best = None if hidden or self.run is None else self.best
        self.image.value = self.picture.png(
            scores, self.games.value, self.kept, best, None if hidden else self.published(), guess
        )
        self.frames += 1
        if not hidden and self.run is not None:
            self.say(self.result())

    def result(self):
        """One line on what came out."""
        run = self.run
        if run.session == 0:
            return f"{run.done():,} of {run.games:,} games played"
        ends = run.scores()[:, -1]
        words = (
            f"{run.session} of {run.sessions} sessions: score {ends.mean():.1f} ± {ends.std():.1f} "
            f"after {run.games} games; wins {run.wins().mean():.1f}, ties {run.ties().mean():.1f}, "
            f"losses {run.losses().mean():.1f}; the best possible is {self.best * run.games:.1f}"
        )
        if run.died.any():
            words += f"; {int(run.died.sum())} died"
        published = self.published()
        if published is not None and run.finished():
            at = percentile(ends, published)
            words += f"; paper {published}, percentile {at:.0f} of ours"
        if self.predicting and run.finished():
            gap = self.guesses[-1].value - ends.mean()
            side = "too high" if gap > 0 else "too low"
            words += f"; you said {self.guesses[-1].value}: {abs(gap):.1f} points {side}"
        return words

    def alt(self, words):
        return f"learning curve: {words}"

    def say(self, words, wrong=False):
        colour = "#b00020" if wrong else "inherit"
        self.line.value = (
            f"<div role='status' style='color:{colour};white-space:pre-wrap;line-height:1.4'>"
            f"{escape(words)}</div>"
        )
        self.words = words

    # What a person does

    def reveal(self):
        """After the prediction: run."""
        self.run_button.disabled = True
        for each in self.guesses:
            each.disabled = True
        self.restart()

    def keep(self):
        if self.run is None or not self.run.session:
            return
        self.kept.append(Kept(self.label(), self.run.scores().mean(axis=0)))
        self.show()

    def label(self):
        """The parameters that are not the paper's."""
        values, start = self.part.values(), self.paper_values
        other = [f"{name}={value}" for name, value in values.items() if value != start[name]]
        names = ("opponent", "games", "sessions", "starter", "seed")
        other += [
            f"{name}={value}"
            for name, value, before in zip(names, self._set_up(), self.first, strict=True)
            if value != before
        ]
        return ", ".join(other) or "at the start"

    def forget(self):
        self.kept.clear()
        self.show()

    def reset(self):
        """All sliders back; one run."""
        self.quiet = True
        self.part = Part(self.build, self.start, self.restart)
        self.sliders.children = [self.part.box]
        self.paper_values = self.part.values()
        for each, value in zip(self.set_up, self.first, strict=True):
            each.value = value
        self.quiet = False
        if self.predicting and not self.run_button.disabled:
            self.show()
        else:
            self.restart()

    def stop(self, quietly=False):
        if self.task is not None and not self.task.done():
            self.task.cancel()
            if not quietly:
                self.show()
        self.task = None

    def python(self):
        """The line that makes this curve."""
        values = {**self.part.values(), **self._seats()}
        given = ", ".join(f"{name}={value!r}" for name, value in values.items())
        opponent = self.opponent.value
        against = f"perfect({self.game!r})" if opponent == "Perfect" else f"{opponent}()"
        return (
            f"Training({self.game!r}, {self.build.__name__}({self.game!r}, {given}), {against}, "
            f"games={self.games.value}, sessions={self.sessions.value}, seed={self.seed.value}, "
            f"starter={self.starter.value!r}).go().scores()"
        )

    def csv(self):
        """The running score of every session, a row a game."""
        file = io.StringIO()
        writer = csv.writer(file)
        scores = self.run.scores()
        writer.writerow(["game", *(f"session {n + 1}" for n in range(len(scores)))])
        writer.writerows([game + 1, *row] for game, row in enumerate(scores.T.tolist()))
        return file.getvalue()

    def export(self):
        if self.run is None:
            return
        links = " · ".join(
            f'<a download="{name}" href="data:{kind};base64,{_coded(content)}">{name}</a>'
            for name, kind, content in (
                ("curve.png", "image/png", self.image.value),
                ("curve.csv", "text/csv", self.csv().encode()),
            )
        )
        self.exported.value = (
            f"{links}<pre style='white-space:pre-wrap'>{escape(self.python())}</pre>"
        )

    def __repr__(self):
        settings = ", ".join(f"{name}={value}" for name, value in self.part.values().items())
        return f"Lab of {self.build.__name__}: {settings}; against {self.opponent.value}"


def _whole(name, value, low, high, tooltip):
    return ipywidgets.IntSlider(
        value,
        min(low, value),
        max(high, value),
        description=name,
        tooltip=tooltip,
        style=STYLE,
        layout=WIDE,
    )


def _coded(content):
    return base64.b64encode(content).decode()


def lab(
    build,
    paper=None,
    game=None,
    opponent="Random",
    games=None,
    sessions=None,
    starter="agent",
    seed=0,
    predict=False,
    **start,
):
    """A lab for the learner that `build(game, ...)` makes, such as `menace` or `q_learning`.

    paper: an experiment whose games, sessions and published numbers it begins with.
    start: values of the builder's parameters to begin with. predict: guess first, then run.
    """
    if opponent not in OPPONENTS:
        raise ValueError(f"opponent={opponent!r}: expected one of {', '.join(OPPONENTS)}")
    unknown = set(start) - {each.name for each in parameters(build)}
    if unknown:
        names = ", ".join(each.name for each in parameters(build))
        raise ValueError(f"{', '.join(sorted(unknown))}: {build.__name__} has {names}")
    games = games or (paper.games if paper else 300)
    sessions = sessions or (paper.sessions if paper else 50)
    game = TicTacToe() if game is None else game
    return Lab(build, start, paper, game, opponent, games, sessions, starter, seed, predict)
