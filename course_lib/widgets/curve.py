"""Learning curves that are redrawn many times a second.

A new figure for each frame would take ten times as long. Here one figure is kept; while its frame
stays the same, only the curves are drawn onto a copy of the rest ("blitting").
"""

import io

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from PIL import Image

from course_lib.plots import BLACK, GREEN, GREY, ORANGE, PALETTE, RED

SIZE = (7.2, 4.0)
DPI = 100


class Kept:
    """A curve that was kept for comparison."""

    def __init__(self, label, mean):
        self.label, self.mean = label, mean


class CurvePicture:
    """Each session grey, their mean black; kept curves, a prediction and references in colour."""

    def __init__(self):
        self.figure = Figure(figsize=SIZE, dpi=DPI, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)
        self.axes = self.figure.subplots()
        self.behind = None  # what does not change from frame to frame
        self.frame = None  # for which frame that holds

    def png(self, scores, games, kept=(), ceiling=None, published=None, guess=None):
        """The picture as PNG. scores: sessions × games (NaN for games still to come)."""
        frame = self._frame(scores, games, kept, ceiling, published, guess)
        if frame != self.frame:
            self._draw_behind(frame, games, kept, ceiling, published, guess)
            self.frame = frame
        self.canvas.restore_region(self.behind)
        x = np.arange(1, games + 1)
        lines = [np.column_stack([x, each]) for each in scores]
        alpha = max(0.08, min(0.6, 20 / max(1, len(lines))))
        self.grey.set_segments(lines)
        self.grey.set_alpha(alpha)
        self.axes.draw_artist(self.grey)
        if len(scores):
            self.mean.set_data(x, _mean(scores))
            self.axes.draw_artist(self.mean)
        return self._encoded()

    def _frame(self, scores, games, kept, ceiling, published, guess):
        """All that the axes and the legend depend on; the limits go in wide steps."""
        values = [0.0, *(v for each in kept for v in (each.mean.min(), each.mean.max()))]
        if len(scores) and np.isfinite(scores).any():
            values += [np.nanmin(scores), np.nanmax(scores)]
        values += [v for v in (published, ceiling and ceiling * games) if v is not None]
        values += list(guess or ())
        step = max(10.0, 10 ** np.floor(np.log10(max(1, games))) / 2)
        low, high = step * np.floor(min(values) / step), step * np.ceil(max(values) / step)
        names = tuple(each.label for each in kept)
        return games, float(low), float(max(high, low + step)), names, ceiling, published, guess

    def _draw_behind(self, frame, games, kept, ceiling, published, guess):
        axes = self.axes
        axes.clear()
        axes.set_xlim(0, games)
        axes.set_ylim(frame[1], frame[2])
        axes.set_xlabel("games")
        axes.set_ylabel("score (wins − losses)")
        axes.axhline(0, color=GREY, lw=0.8, zorder=0)
        x = np.arange(1, games + 1)
        styles = ("-", "--", "-.", ":")
        for number, each in enumerate(kept):
            axes.plot(
                np.arange(1, len(each.mean) + 1),
                each.mean,
                color=PALETTE[number % len(PALETTE)],
                ls=styles[number % len(styles)],
                lw=1.8,
                label=each.label,
            )
        if ceiling is not None:
            axes.plot(x, ceiling * x, color=GREEN, ls="--", lw=1.5, label="best possible")
        if published is not None:
            axes.plot([games], [published], "D", color=RED, ms=8, clip_on=False, label="paper")
        if guess is not None:
            at = np.linspace(0, games, len(guess) + 1)
            axes.plot(at, [0, *guess], "s:", color=ORANGE, lw=2, label="your prediction")
        # Drawn by hand in each frame, so not with the rest; in the legend all the same.
        self.grey = LineCollection([], colors=GREY, linewidths=0.7, animated=True)
        axes.add_collection(self.grey, autolim=False)
        (self.mean,) = axes.plot([], [], color=BLACK, lw=2, animated=True, label="mean")
        axes.legend(loc="upper left", frameon=False, fontsize=8)
        self.canvas.draw()
        self.behind = self.canvas.copy_from_bbox(self.figure.bbox)

    def _encoded(self):
        picture = Image.fromarray(np.asarray(self.canvas.buffer_rgba())).convert("RGB")
        file = io.BytesIO()
        picture.save(file, "png", compress_level=1)
        return file.getvalue()


def _mean(scores):
    """The mean over the sessions that have come so far; NaN where none has."""
    there = np.isfinite(scores)
    return np.where(there, scores, 0).sum(axis=0) / np.where(
        there.any(axis=0), there.sum(0), np.nan
    )
