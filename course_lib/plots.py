"""Pictures, drawn onto the Axes that are handed in.

Colours are from the colour-blind-safe palette of Okabe and Ito; what matters is told apart by
line style or place as well.
"""

import io

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, RED, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY = "#999999"
PALETTE = (BLUE, RED, GREEN, PURPLE, ORANGE, SKY)
MOST_LINES = 300  # grey sessions that are drawn: more are only ink


def learning_curves(axes, scores, title="", published=None, ceiling=None, band=True):
    """Running scores as Pulles 2019 draws them: each session grey, their mean black.

    scores: sessions × games. published: the score at the end in the paper. ceiling: the best
    expected score a game. The band holds the middle 90 % of the sessions.
    """
    require(scores, "sessions")
    sessions, games = scores.shape
    x = np.arange(1, games + 1)
    shown = scores[:MOST_LINES]
    lines = [np.column_stack([x, each]) for each in shown]
    alpha = max(0.1, min(0.6, 20 / len(shown)))
    axes.add_collection(LineCollection(lines, colors=GREY, linewidths=0.7, alpha=alpha))
    if band and sessions >= 20:
        low, high = np.percentile(scores, [5, 95], axis=0)
        axes.fill_between(x, low, high, color=SKY, alpha=0.3, lw=0, label="middle 90 %")
    axes.plot(x, scores.mean(axis=0), color=BLACK, lw=2, label=f"mean of {sessions}")
    if ceiling is not None:
        axes.plot(x, ceiling * x, color=GREEN, ls="--", lw=1.5, label="best possible")
    if published is not None:
        axes.plot(
            [games], [published], "D", color=RED, ms=8, clip_on=False, zorder=5, label="paper"
        )
    axes.axhline(0, color=GREY, lw=0.8, zorder=0)
    axes.set_xlim(0, games)
    axes.autoscale(axis="y")
    axes.set_xlabel("games")
    axes.set_ylabel("score (wins − losses)")
    axes.set_title(title)
    axes.legend(loc="best", frameon=False)


def require(things, name):
    if len(things) == 0:
        raise ValueError(f"there are no {name} to draw")


def outcome_bars(axes, groups, title=""):
    """Wins, ties and losses as bars with the middle 90 % of the sessions.

    groups: {label: (wins, ties, losses)}, each an array with one number a session.
    """
    require(groups, "groups")
    for counts in groups.values():
        require(counts[0], "sessions")
    width = 0.8 / len(groups)
    hatches = ("", "//", "..", "xx", "\\\\", "++")
    for i, (name, counts) in enumerate(groups.items()):
        means = np.array([np.mean(each) for each in counts])
        spread = np.array([np.percentile(each, [5, 95]) for each in counts]).T
        errors = np.maximum(0, np.vstack([means - spread[0], spread[1] - means]))
        axes.bar(
            np.arange(3) + (i - (len(groups) - 1) / 2) * width,
            means,
            width * 0.92,
            yerr=errors,
            capsize=4,
            label=name,
            color=PALETTE[i % len(PALETTE)],
            hatch=hatches[i % len(hatches)],
            edgecolor="white",
            ecolor=BLACK,
        )
    axes.set_xticks(range(3), ["wins", "ties", "losses"])
    axes.set_ylabel("games a session")
    axes.set_title(title)
    axes.legend(frameon=False)


def histogram(axes, values, published=None, label="", title=""):
    """The distribution of a result over sessions, with the published number in it."""
    require(values, "sessions")
    values = np.asarray(values)
    low, high = int(values.min()), int(values.max())
    step = max(1, (high - low) // 30)
    axes.hist(values, bins=np.arange(low, high + 2 * step, step) - 0.5, color=SKY, ec="white")
    axes.axvline(values.mean(), color=BLACK, lw=2, label=f"our mean {values.mean():.1f}")
    if published is not None:
        axes.axvline(published, color=RED, lw=2, ls="--", label=f"paper {published:g}")
    axes.set_xlabel(label)
    axes.set_ylabel("sessions")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(title)
    axes.legend(frameon=False)


def board_heat(axes, size, values, pieces=None, title="", form="{:g}"):
    """A number for each square of a size × size board: beads, probabilities or Q-values.

    values: {square: number}; pieces: {square: "X" or "O"}.
    """
    shown = np.full((size, size), np.nan)
    for square, value in values.items():
        shown[divmod(square, size)] = value
    largest = np.nanmax(np.abs(shown)) if values else 1
    signed = np.nanmin(shown) < 0 if values else False
    axes.imshow(
        shown,
        cmap="RdBu" if signed else "Blues",
        vmin=-1.4 * (largest or 1) if signed else 0,
        vmax=1.4 * (largest or 1),
    )
    for square, value in values.items():
        row, column = divmod(square, size)
        axes.text(column, row, form.format(value), ha="center", va="center", fontsize=12)
    for square, piece in (pieces or {}).items():
        row, column = divmod(square, size)
        colour = BLUE if piece == "X" else RED
        axes.text(column, row, piece, ha="center", va="center", fontsize=20, color=colour)
    for i in range(1, size):
        axes.axhline(i - 0.5, color=BLACK, lw=1)
        axes.axvline(i - 0.5, color=BLACK, lw=1)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title(title)


def gauge_curve(axes, gauges, label, title=""):
    """A number watched over the games (ε, beads in all boxes): its mean and middle 90 %."""
    require(gauges, "sessions")
    x = np.arange(1, gauges.shape[1] + 1)
    if len(gauges) >= 20:
        low, high = np.percentile(gauges, [5, 95], axis=0)
        axes.fill_between(x, low, high, color=ORANGE, alpha=0.25, lw=0, label="middle 90 %")
    axes.plot(x, gauges.mean(axis=0), color=RED, lw=2, label="mean")
    axes.set_xlim(0, gauges.shape[1])
    axes.set_xlabel("games")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.legend(frameon=False)


STYLES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)))


def mean_curves(axes, groups, label, title="", ceiling=None):
    """The mean of several groups of sessions, each with a line style of its own.

    groups: {name: sessions × games}. ceiling: a number a game that none can exceed on average.
    """
    require(groups, "groups")
    for i, (name, curves) in enumerate(groups.items()):
        require(curves, "sessions")
        mean = np.mean(curves, axis=0)
        x = np.arange(1, len(mean) + 1)
        style = {"color": PALETTE[i % len(PALETTE)], "ls": STYLES[i % len(STYLES)]}
        axes.plot(x, mean, lw=2, label=name, **style)
    if ceiling is not None:
        axes.plot(x, ceiling * x, color=GREY, lw=1.5, label="best possible")
    axes.set_xlabel("games")
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.legend(frameon=False)


def rates(axes, groups, across, title="", logarithmic=True):
    """Win rates over a budget or over training, with error bars.

    groups: {name: (x, win rates, spreads)}; a spread may be None, then there is no bar.
    """
    require(groups, "groups")
    marks = ("o", "s", "^", "D", "v", "P")
    for i, (name, (x, wins, spreads)) in enumerate(groups.items()):
        bars = [0 if each is None else each for each in spreads]
        style = {"color": PALETTE[i % len(PALETTE)], "ls": STYLES[i % len(STYLES)]}
        mark = {"marker": marks[i % len(marks)], "ms": 4, "capsize": 2}
        axes.errorbar(x, wins, bars, lw=1.5, label=name, **style, **mark)
    if logarithmic:
        axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", color=GREY, alpha=0.3)
    axes.set_xlabel(across)
    axes.set_ylabel("win rate")
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)


def running_means(axes, results, title="", exact=None):
    """How averages settle: the mean so far of each row of results, and two standard errors.

    results: rows × rollouts, of +1, 0 and −1. exact: what the mean would be after all of them.
    """
    require(results, "results")
    number = np.shape(results)[1]
    x = np.arange(1, number + 1)
    for i, row in enumerate(np.asarray(results, float)):
        axes.plot(x, np.cumsum(row) / x, lw=1.2, color=PALETTE[i % len(PALETTE)])
    middle = np.mean(results) if exact is None else exact
    spread = 2 * np.std(results) / np.sqrt(x)
    label = "two standard errors"
    axes.fill_between(x, middle - spread, middle + spread, color=GREY, alpha=0.3, lw=0, label=label)
    axes.axhline(
        middle, color=BLACK, lw=1, ls="--", label="mean of all" if exact is None else "exact"
    )
    axes.set_xscale("log")
    axes.set_xlim(1, number)
    axes.set_ylim(-1.05, 1.05)
    axes.set_xlabel("rollouts")
    axes.set_ylabel("average result so far")
    axes.set_title(title)
    axes.legend(frameon=False)


def learnt_against_exact(axes, exact, learnt, visits, title="", rewards=None):
    """Each entry of a Q-table: its exact value across, what was learnt upwards, its visits as area.

    exact: +1, 0 or −1 for the player to move. rewards: {exact value: reward} draws where the
    learnt values would be if every later move were perfect.
    """
    exact, learnt, visits = (np.asarray(each, float) for each in (exact, learnt, visits))
    require(exact, "values")
    for value, reward in (rewards or {}).items():
        axes.plot([value - 0.4, value + 0.4], [reward, reward], color=GREEN, lw=3)
    place = exact.copy()
    for value in np.unique(exact):  # spread evenly, so that no two cover each other
        at = np.flatnonzero(exact == value)
        place[at] += np.linspace(-0.35, 0.35, len(at)) if len(at) > 1 else 0
    axes.scatter(place, learnt, s=6 + 2 * np.sqrt(visits), color=BLUE, alpha=0.5, lw=0)
    axes.set_xticks([-1, 0, 1], ["loses", "ties", "wins"])
    axes.set_xlabel("exact value of the move")
    axes.set_ylabel("learnt value")
    axes.set_title(title)


class Picture:
    """A drawing that a notebook shows; elsewhere it is told in words."""

    def __init__(self, figure, words):
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
        self.png, self.words = file.getvalue(), words

    def _repr_png_(self):
        return self.png

    def __repr__(self):
        return self.words


def picture(draw, *things, size=(8, 4), words=None, **options):
    """A figure of its own for one drawing: picture(gauge_curve, gauges, "ε", title="...")."""
    figure = Figure(figsize=size, dpi=100)
    axes = figure.subplots()
    draw(axes, *things, **options)
    figure.tight_layout()
    return Picture(figure, words or f"picture: {axes.get_title() or draw.__name__}")


def growth(axes, series, across="stage", title="", logarithmic=False):
    """Counts that multiply from step to step, as lines on a logarithmic axis.

    series: {label: {step: count}}, such as the nodes of a game tree by stage. logarithmic: the
    axis of the steps, too: then a power is a straight line.
    """
    require(series, "series")
    marks = ("o", "s", "^", "D", "v", "P")
    steps = sorted({step for counts in series.values() for step in counts})
    for i, (name, counts) in enumerate(series.items()):
        require(counts, "steps")
        style = {"color": PALETTE[i % len(PALETTE)], "marker": marks[i % len(marks)]}
        axes.plot(list(counts), list(counts.values()), lw=2, label=name, **style)
    axes.set_yscale("log")
    if logarithmic:
        axes.set_xscale("log")
        axes.minorticks_off()
        axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xticks(steps)
    axes.set_xlabel(across)
    axes.set_ylabel("how many")
    axes.grid(axis="y", color=GREY, alpha=0.3)
    axes.set_title(title)
    axes.legend(frameon=False)


def count_bars(axes, counts, label="", title=""):
    """One bar a count, from the top down as given, with its number: {label: count}."""
    require(counts, "counts")
    names = list(counts)
    bars = axes.barh(names, list(counts.values()), color=BLUE)
    axes.bar_label(bars, [f"{count:,}" for count in counts.values()], padding=4)
    axes.set_xscale("log")
    axes.set_xlim(right=8 * max(counts.values()))  # room for the numbers
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel(f"{label} (each step is ten times the one before)")
    axes.set_title(title)


def state_table(axes, rows, columns, states, title=""):
    """Who has done what: a square for each row and column, by {(row, column): state}.

    States are "right", "wrong" and "not attempted"; any other one is marked with "!".
    """
    require(rows, "rows")
    looks = {"right": (GREEN, "✓"), "wrong": (RED, "✗"), "not attempted": (GREY, "○")}
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if (row, column) in states:
                colour, sign = looks.get(states[row, column], (PURPLE, "!"))
                square = Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, color=colour, alpha=0.35, lw=0)
                axes.add_patch(square)
                axes.text(x, y, sign, ha="center", va="center", fontsize=11)
    axes.set_xlim(-0.6, max(len(columns), 6) - 0.4)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xticks(range(len(columns)), columns, fontsize=9)
    axes.set_yticks(range(len(rows)), [str(row)[:24] for row in rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    if title:
        axes.set_title(title)


def ratio_curves(axes, curves, every, title="", best=None):
    """Shares of won games so far, each curve with a line style of its own.

    curves: {label: one number for each `every` games}. best: the largest share there can be.
    """
    require(curves, "curves")
    for i, (name, ratios) in enumerate(curves.items()):
        require(ratios, "games")
        style = {"color": PALETTE[i % len(PALETTE)], "ls": STYLES[i % len(STYLES)]}
        axes.plot(every * np.arange(1, len(ratios) + 1), ratios, lw=1.8, label=name, **style)
    if best is not None:
        axes.axhline(best, color=GREY, lw=1.5, label="best possible")
    axes.set_xlabel("games")
    axes.set_ylabel("won so far, as a share")
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)


def two_tables(axes, table, other, rows, columns, title="", form="{:.3f}"):
    """A table of numbers, coloured by how far each lies from that of another table.

    table, other: rows × columns. rows, columns: (name, values) of the two axes.
    """
    table, other = np.asarray(table, float), np.asarray(other, float)
    require(table, "numbers")
    away = table - other
    axes.imshow(away, cmap="RdBu", vmin=-0.25, vmax=0.25)
    for (row, column), value in np.ndenumerate(table):
        text = f"{form.format(value)}\n({away[row, column]:+.3f})"
        axes.text(column, row, text, ha="center", va="center", fontsize=9)
    axes.set_xticks(range(len(columns[1])), columns[1])
    axes.set_yticks(range(len(rows[1])), rows[1])
    axes.set_xlabel(columns[0])
    axes.set_ylabel(rows[0])
    axes.set_title(title, fontsize=10)


def rate_ranges(axes, rows, published, title=""):
    """Wins, losses and ties in per cent, a line of dots each: one dot a session, the paper's as ◇.

    rows: {label: sessions × 3}. published: {label: three numbers or None}.
    """
    require(rows, "rows")
    kinds = (("win", BLUE, "o"), ("lose", RED, "s"), ("tie", GREY, "^"))
    for place, (row, values) in enumerate(rows.items()):
        require(values, "sessions")
        for i, (kind, colour, marker) in enumerate(kinds):
            y = np.full(len(values), place + 0.22 * (i - 1))
            name = kind if place == 0 else None
            axes.plot(values[:, i], y, marker, color=colour, ms=5, alpha=0.6, mew=0, label=name)
            if published.get(row) is not None:
                paper = "paper" if place == 0 and i == 0 else None
                style = {"mfc": "none", "mec": BLACK, "ms": 9, "zorder": 5, "clip_on": False}
                axes.plot(published[row][i], y[0], "D", label=paper, **style)
    axes.set_yticks(range(len(rows)), list(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.grid(axis="x", color=GREY, alpha=0.3)
    axes.set_xlabel("per cent of games")
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)


def value_dots(axes, groups, label="", title=""):
    """One dot a session in a row for each group, and the mean as a number: {name: values}."""
    require(groups, "groups")
    for place, values in enumerate(groups.values()):
        require(values, "sessions")
        axes.plot(values, np.full(len(values), place), "o", color=BLUE, ms=7, alpha=0.6, mew=0)
        axes.annotate(
            f"{np.mean(values):.3g}",
            (np.max(values), place),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(range(len(groups)), list(groups))
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.margins(x=0.15)
    axes.grid(axis="x", color=GREY, alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel(label)
    axes.set_title(title)


def mixing(axes, payoffs, chance, title="", names=("left", "right")):
    """What a mix of two rows is worth against each column, and against the worst of both.

    chance: of the first row; a vertical line stands there.
    """
    p = np.linspace(0, 1, 101)
    payoffs = np.asarray(payoffs, float)
    against = [p * payoffs[0, c] + (1 - p) * payoffs[1, c] for c in (0, 1)]
    for c, (colour, style) in enumerate(((BLUE, "-"), (RED, "--"))):
        axes.plot(p, against[c], color=colour, ls=style, lw=2, label=f"trap {names[c]}")
    axes.plot(p, np.minimum(*against), color=BLACK, lw=5, alpha=0.25, label="the worse of both")
    axes.axvline(chance, color=BLACK, lw=1)
    here = [chance * payoffs[0, c] + (1 - chance) * payoffs[1, c] for c in (0, 1)]
    axes.plot([chance], [min(here)], "o", color=BLACK, ms=8)
    axes.annotate(
        f"{min(here):+.2f}", (chance, min(here)), xytext=(8, -14), textcoords="offset points"
    )
    axes.set_xlabel(f"chance to place {names[0]}")
    axes.set_ylabel("expected score")
    axes.set_xlim(0, 1)
    axes.set_title(title)
    axes.legend(frameon=False, fontsize=8)
