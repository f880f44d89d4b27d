"""Pictures, drawn onto the Axes that are handed in.

Colours are from the colour-blind-safe palette of Okabe and Ito; what matters is told apart by
line style or place as well.
"""

import io

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
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


def growth(axes, series, across="stage", title=""):
    """Counts that multiply from step to step, as lines on a logarithmic axis.

    series: {label: {step: count}}, such as the nodes of a game tree by stage.
    """
    require(series, "series")
    marks = ("o", "s", "^", "D", "v", "P")
    steps = sorted({step for counts in series.values() for step in counts})
    for i, (name, counts) in enumerate(series.items()):
        require(counts, "steps")
        style = {"color": PALETTE[i % len(PALETTE)], "marker": marks[i % len(marks)]}
        axes.plot(list(counts), list(counts.values()), lw=2, label=name, **style)
    axes.set_yscale("log")
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
