"""Learning curves that are redrawn many times a second.

A new figure for each frame would take ten times as long. Here one figure is kept; while its frame
stays the same, only the curves are drawn onto a copy of the rest ("blitting").
"""

import io
from typing import NamedTuple

import anywidget
import numpy as np
import traitlets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from PIL import Image

from course_lib.plots import BLACK, GREEN, GREY, MOST_LINES, ORANGE, PALETTE, RED

WIDTH, HEIGHT = 640, 400  # pixels
DPI = 100
STYLES = ("-", "--", "-.", ":")


class Picture(anywidget.AnyWidget):
    """A PNG with its description in words. (ipywidgets' own Image has no room for one.)"""

    # The same <img> gets each new picture: the old one stays until the new one is there.
    _esm = """
    function render({ model, el }) {
      const image = document.createElement("img");
      image.className = "course-curve";
      image.width = model.get("width");
      image.height = model.get("height");
      let url = null;
      const words = () => { image.alt = model.get("alt"); };
      const paint = () => {
        const old = url;
        url = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
        image.onload = () => old && URL.revokeObjectURL(old);
        image.src = url;
      };
      model.on("change:png", paint);
      model.on("change:alt", words);
      words();
      paint();
      el.append(image);
      return () => {
        model.off("change:png", paint);
        model.off("change:alt", words);
        URL.revokeObjectURL(url);
      };
    }
    export default { render };
    """
    _css = """
    .course-curve { max-width: 100%; height: auto; }
    body[data-jp-theme-light="false"] .course-curve { filter: invert(0.9) hue-rotate(180deg); }
    """
    png = traitlets.Bytes().tag(sync=True)
    alt = traitlets.Unicode("learning curve").tag(sync=True)
    width = traitlets.Int(WIDTH).tag(sync=True)
    height = traitlets.Int(HEIGHT).tag(sync=True)


class Kept(NamedTuple):
    """A curve that was kept for comparison."""

    label: str
    mean: np.ndarray


class References(NamedTuple):
    """What stays behind the curves while they grow."""

    games: int
    kept: tuple = ()
    ceiling: float | None = None  # the best expected score a game
    published: float | None = None  # the score at the end
    guess: tuple = ()  # scores at equal distances, the last one at the end


class CurvePicture:
    """Each session grey, their mean black; kept curves, a prediction and references in colour."""

    def __init__(self):
        size = (WIDTH / DPI, HEIGHT / DPI)
        self.figure = Figure(figsize=size, dpi=DPI, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)
        self.behind = None  # what does not change from frame to frame
        self.frame = None  # for which frame that holds

    def png(self, scores, references, complete=True):
        """The picture as PNG. scores: sessions × games (NaN for games still to come).

        Until they are complete the axes only grow: they stay still while curves come and a slider
        is dragged.
        """
        games, low, high = _limits(scores, references)
        if not complete and self.frame is not None:
            (games_before, low_before, high_before), _ = self.frame
            if games == games_before:
                low, high = min(low, low_before), max(high, high_before)
        frame = ((games, low, high), _names(references))
        if frame != self.frame:
            self._draw_behind(frame[0], references)
            self.frame = frame
        self.canvas.restore_region(self.behind)
        x = np.arange(1, references.games + 1)
        lines = [np.column_stack([x, each]) for each in scores[:MOST_LINES]]
        self.grey.set_segments(lines)
        self.grey.set_alpha(max(0.08, min(0.6, 20 / max(1, len(lines)))))
        self.axes.draw_artist(self.grey)
        if len(scores):
            self.mean.set_data(x, _mean(scores))
            self.axes.draw_artist(self.mean)
        return self._encoded()

    def _draw_behind(self, limits, references):
        """Axes, legend and all that stays; some tens of milliseconds."""
        self.figure.clear()
        axes = self.axes = self.figure.subplots()
        games, low, high = limits
        axes.set_xlim(0, games)
        axes.set_ylim(low, high)
        axes.set_xlabel("games")
        axes.set_ylabel("score (wins − losses)")
        axes.axhline(0, color=GREY, lw=0.8, zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
        for number, each in enumerate(references.kept):
            axes.plot(
                np.arange(1, len(each.mean) + 1),
                each.mean,
                color=PALETTE[number % len(PALETTE)],
                ls=STYLES[number % len(STYLES)],
                lw=1.8,
                label=each.label,
            )
        end = references.games
        if references.ceiling is not None:
            best = [0, references.ceiling * end]
            axes.plot([0, end], best, color=GREEN, ls="--", lw=1.5, label="best possible")
        if references.published is not None:
            at = [references.published]
            axes.plot([end], at, "D", color=RED, ms=8, clip_on=False, label="paper")
        if references.guess:
            at = np.linspace(0, end, len(references.guess) + 1)
            guess = [0, *references.guess]
            axes.plot(at, guess, "s:", color=ORANGE, lw=2, clip_on=False, label="your prediction")
        # Drawn by hand in each frame, so not with the rest; in the legend all the same.
        self.grey = LineCollection([], colors=GREY, linewidths=0.7, animated=True)
        axes.add_collection(self.grey, autolim=False)
        (self.mean,) = axes.plot([], [], color=BLACK, lw=2, animated=True, label="mean")
        longest = max(len(name) for name in axes.get_legend_handles_labels()[1])
        columns = 4 if longest < 18 else 2 if longest < 45 else 1
        self.figure.legend(loc="outside upper left", ncols=columns, frameon=False, fontsize=8)
        self.canvas.draw()
        self.behind = self.canvas.copy_from_bbox(self.figure.bbox)

    def _encoded(self):
        picture = Image.fromarray(np.asarray(self.canvas.buffer_rgba())).convert("RGB")
        file = io.BytesIO()
        picture.save(file, "png", compress_level=1)
        return file.getvalue()


def _limits(scores, references):
    """Games, lowest and highest score shown: in wide steps, so that they seldom change."""
    games = max([references.games, *(len(each.mean) for each in references.kept)])
    values = [0.0, *references.guess]
    values += [v for each in references.kept for v in (each.mean.min(), each.mean.max())]
    if len(scores) and np.isfinite(scores).any():
        values += [np.nanmin(scores), np.nanmax(scores)]
    if references.ceiling is not None:
        values.append(references.ceiling * references.games)
    if references.published is not None:
        values.append(references.published)
    step = max(10.0, 10 ** np.floor(np.log10(games)) / 2)
    low, high = step * np.floor(min(values) / step), step * np.ceil(max(values) / step)
    return games, float(low), float(max(high, low + step))


def _names(references):
    """What else is behind the curves, to compare."""
    return references._replace(kept=tuple(each.label for each in references.kept))


def _mean(scores):
    """The mean over the sessions that have come so far; NaN where none has."""
    there = np.isfinite(scores)
    sums, counts = np.where(there, scores, 0).sum(axis=0), there.sum(axis=0)
    return sums / np.where(counts, counts, np.nan)
