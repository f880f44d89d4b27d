"""Pictures, drawn onto the Axes that are handed in.

Colours are from the colour-blind-safe palette of Okabe and Ito; what matters is told apart by
line style or place as well.
"""

import numpy as np
from matplotlib.collections import LineCollection
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
