"""How strong is it? Agents with sliders play on and on, and the win rate is shown as it settles."""

import asyncio
import math
import time
from html import escape
from typing import NamedTuple

import ipywidgets

from course_lib import svg
from course_lib.agents import OneStepLookAhead, Random, mcts, monte_carlo, perfect
from course_lib.arena import match
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.parameters import parameters
from course_lib.widgets.board import Stack, button
from course_lib.widgets.controls import choice, help_as_html, made

GAMES = {
    "TicTacToe 3×3": TicTacToe(),
    "TicTacToe 4×4": TicTacToe(4),
    "TicTacToe 5×5": TicTacToe(5),
    "Connect4 (4×5, 3)": Connect4(4, 5, 3),
    "Connect4 (5×6, 4)": Connect4(5, 6, 4),
    "Connect4 (6×7, 4)": Connect4(),
    "Dots and boxes 2×2": DotsAndBoxes(2, 2),
}
BUDGETS = (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000)
OPPONENTS = {
    "Random": lambda game, budget: Random(),
    "OneStepLookAhead": lambda game, budget: OneStepLookAhead(),
    "MCS, equal rollouts": lambda game, budget: monte_carlo(game, rollouts=budget),
    "MCTS as it should be": lambda game, budget: mcts(game, budget),
    "Perfect": lambda game, budget: perfect(game),
}
SOLVABLE = (TicTacToe(), DotsAndBoxes(2, 2))
SWITCHES = (
    *("solver", "keep", "by_value", "skip_ends", "own_reward", "one_side", "wrong_side", "share"),
)
LIMITS = {"games": (20, 5000)}
FRAMES_A_SECOND = 8
SECONDS_A_CHUNK = 0.02
MOST_KEPT = 7
WIDTH, ROW = 620, 34
OUTCOMES = (("won", "#0072B2"), ("tied", "#C8C8C8"), ("lost", "#D55E00"))
NOTES = {each.name: each.note.help for each in parameters(mcts)}
HELP = [
    ("budget", "simulations a move; Monte Carlo search gets as many rollouts"),
    ("games", "how many are played; starters alternate"),
]


class Rates(NamedTuple):
    """What came out so far."""

    label: str
    won: int
    tied: int
    lost: int

    def games(self):
        return self.won + self.tied + self.lost

    def rate(self):
        return self.won / max(1, self.games())

    def error(self):
        """The standard error of the win rate; not 0 where all games were equal."""
        games = max(1, self.games())
        rate = (self.won + 1) / (games + 2)
        return math.sqrt(rate * (1 - rate) / games)

    def __repr__(self):
        return (
            f"{self.label}: won {100 * self.rate():.1f} ± {100 * self.error():.1f} %, "
            f"tied {100 * self.tied / max(1, self.games()):.1f} %, "
            f"lost {100 * self.lost / max(1, self.games()):.1f} % of {self.games()} games"
        )


class StrengthLab(Stack):
    """Every change of a control ends the run before and begins another."""

    def __init__(self, game, opponent, algorithm, budget, c, games, switches, seed):
        self.task, self.kept, self.rates = None, [], None
        self.quiet = True
        self.drawn_at = -math.inf
        self.picture, self.line, self.help = (ipywidgets.HTML() for _ in range(3))
        self.seed = seed
        self.games = choice("game", list(GAMES), game, "the game and its size")
        self.opponent = choice("opponent", list(OPPONENTS), opponent, "who plays against it")
        self.algorithm = choice("algorithm", ["MCTS", "MCS"], algorithm, "who is measured")
        self.budget = made(
            ipywidgets.SelectionSlider, "budget", dict(HELP)["budget"], value=budget,
            options=sorted({*BUDGETS, budget}),
        )  # fmt: skip
        self.c = made(
            ipywidgets.FloatSlider, "c", NOTES["c"], value=c, min=0, max=max(5, c), step=0.1
        )
        low, high = LIMITS["games"]
        self.number = made(
            ipywidgets.IntSlider, "games", dict(HELP)["games"], value=games,
            min=min(low, games), max=high, step=20,
        )  # fmt: skip
        self.switches = {
            name: made(ipywidgets.Checkbox, name, NOTES[name], value=name in switches, indent=False)
            for name in SWITCHES
        }
        first = (self.games, self.opponent, self.algorithm, self.budget, self.c, self.number)
        for each in (*first, *self.switches.values()):
            each.observe(lambda _: self.changed(), "value")
        buttons = [
            button("Run", "play again", self.changed),
            button("Stop", "keep what has come so far", self.stop),
            button("Keep this bar", "pin it for comparison", self.keep),
            button("Forget kept bars", "show only the present one", self.forget),
        ]
        wrap = {"flex_flow": "row wrap"}
        boxes = ipywidgets.VBox(list(self.switches.values()))
        left = ipywidgets.VBox([self.picture, self.line, ipywidgets.Box(buttons, layout=wrap)])
        right = ipywidgets.VBox([*first, boxes, self.help])
        super().__init__([ipywidgets.Box([left, right], layout=wrap)])
        self.help.value = help_as_html(
            [("c", NOTES["c"]), *HELP, *((n, NOTES[n]) for n in SWITCHES)]
        )
        self.quiet = False
        self.changed()

    # The games

    def agents(self):
        """The two players, by the controls."""
        game, budget = GAMES[self.games.value], self.budget.value
        if self.opponent.value == "Perfect" and game not in SOLVABLE:
            raise ValueError(f"Perfect is not to be had for {self.games.value}: it is too large")
        if self.algorithm.value == "MCS":
            agent = monte_carlo(game, rollouts=budget)
        else:
            switches = {name: each.value for name, each in self.switches.items()}
            agent = mcts(game, budget, self.c.value, **switches)
        return game, agent, OPPONENTS[self.opponent.value](game, budget)

    def label(self):
        """What the controls say, short."""
        words = [f"{self.algorithm.value} {self.budget.value:,}"]
        if self.algorithm.value == "MCTS":
            words.append(f"C = {self.c.value:g}")
            words += [name for name, each in self.switches.items() if each.value]
        return f"{', '.join(words)}; {self.games.value} against {self.opponent.value}"

    def changed(self):
        if self.quiet:
            return
        is_tree = self.algorithm.value == "MCTS"
        for each in (self.c, *self.switches.values()):
            each.disabled = not is_tree
        self.launch(self.playing())

    def launch(self, steps):
        """In turn with the notebook; at once where no event loop runs."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            for _ in self.watched(steps):
                pass
            return
        self.task = loop.create_task(in_turn(self.watched(steps)))

    def cancel(self):
        if self.task is not None:
            self.task.cancel()
        self.task = None

    def watched(self, steps):
        """What goes wrong is said, and nothing is lost."""
        try:
            yield from steps
        except Exception as error:
            self.say(str(error) if isinstance(error, ValueError) else f"{error!r}", wrong=True)

    def playing(self):
        """Chunk by chunk; the picture now and then. Chunks have their own seeds, and even sizes."""
        yield  # a newer change may come first
        label, wanted = self.label(), self.number.value
        self.rates = Rates(label, 0, 0, 0)
        game, agent, opponent = self.agents()
        self.say("Getting ready: the first time takes some seconds …")
        yield
        n, chunk = 2, 0
        while self.rates.games() < wanted:
            began = time.perf_counter()
            n = min(n, wanted - self.rates.games())
            seed = 10_000 * self.seed + chunk
            played = match(game, agent, opponent, n, seed, "alternate", keep_moves=False)
            won, tied, lost = (
                now + new
                for now, new in zip(
                    self.rates[1:], (played.wins(), played.ties(), played.losses()), strict=True
                )
            )
            self.rates = Rates(label, won, tied, lost)
            chunk += 1
            now = time.perf_counter()
            if now - began < SECONDS_A_CHUNK / 2:
                n *= 2
            if now - self.drawn_at > 1 / FRAMES_A_SECOND:
                self.show()
            yield
        self.show()

    def stop(self):
        self.cancel()
        if self.rates is not None and self.rates.games():
            self.show()

    # What is shown

    def keep(self):
        if self.rates is None or not self.rates.games():
            self.say("there is nothing to keep yet", wrong=True)
        elif len(self.kept) == MOST_KEPT:
            self.say(f"{MOST_KEPT} bars are kept already: forget them first", wrong=True)
        else:
            self.kept.append(self.rates)
            self.show()

    def forget(self):
        self.kept.clear()
        self.show()

    def show(self):
        self.picture.value = bars([self.rates, *self.kept])
        self.say(repr(self.rates))
        self.drawn_at = time.perf_counter()

    def say(self, words, wrong=False):
        self.words = words
        colour = "var(--jp-error-color1, #b00020)" if wrong else "inherit"
        self.line.value = (
            f"<div role='{'alert' if wrong else 'note'}' class='course-line' "
            f"style='color:{colour};white-space:pre-wrap;line-height:1.35'>{escape(words)}</div>"
        )

    def __repr__(self):
        return f"Strength lab: {self.label()}, {self.number.value} games"


async def in_turn(steps):
    """Between two steps, everything else that waits has its turn."""
    for _ in steps:
        await asyncio.sleep(0)


def bars(all_rates):
    """A bar for each: won, tied, lost, and the error bar of the win rate."""
    shapes = []
    for row, rates in enumerate(all_rates):
        y, left = 18 + row * (ROW + 14), 0.0
        shapes.append(
            svg.shape("text", x=2, y=y - 4, font_size=12, fill=svg.INK)[:-2]
            + f">{escape(rates.label)}</text>"
        )
        games = max(1, rates.games())
        for (name, colour), count in zip(OUTCOMES, rates[1:], strict=True):
            share = WIDTH * count / games
            title = f"{name}: {count} of {rates.games()}"
            shapes.append(
                svg.shape("rect", title, x=left, y=y, width=share, height=ROW - 12, fill=colour)
            )
            left += share
        at, error = WIDTH * rates.rate(), WIDTH * rates.error()
        low, high = max(0, at - error), min(WIDTH, at + error)
        middle = y + (ROW - 12) / 2
        path = (
            f"M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 5}v10M{high:.1f} {middle - 5}v10"
        )
        shapes.append(svg.shape("path", d=path, stroke="#000000", stroke_width=2, fill="none"))
        inside = f"{100 * rates.rate():.1f} ± {100 * rates.error():.1f} % won"
        shapes.append(svg.text(inside, WIDTH / 2, y + ROW - 4, 11))
    words = "; ".join(map(repr, all_rates))
    return svg.picture(WIDTH, 18 + len(all_rates) * (ROW + 14), shapes, words)


def strength(
    game="TicTacToe 3×3",
    opponent="Random",
    algorithm="MCTS",
    budget=100,
    c=1.4,
    games=400,
    switches=(),
    seed=0,
):
    """A lab for the win rate of MCTS or Monte Carlo search, by budget, C, opponent and board."""
    for name, value, known in (
        ("game", game, GAMES),
        ("opponent", opponent, OPPONENTS),
        ("algorithm", algorithm, ("MCTS", "MCS")),
    ):
        if value not in known:
            raise ValueError(f"{name}={value!r}: expected one of {', '.join(known)}")
    unknown = [name for name in switches if name not in SWITCHES]
    if unknown:
        raise ValueError(f"switches={unknown}: expected some of {', '.join(SWITCHES)}")
    return StrengthLab(game, opponent, algorithm, budget, c, games, switches, seed)
