"""Pictures: drawn onto the Axes handed in, labelled, in colours that all can tell apart."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from course_lib import plots

# Okabe and Ito's palette, a grey, and white for the edges of bars.
OKABE_ITO = {"#000000", "#e69f00", "#56b4e9", "#009e73"}
OKABE_ITO |= {"#f0e442", "#0072b2", "#d55e00", "#cc79a7"}
ALLOWED = OKABE_ITO | {"#999999", "#ffffff"}


def scores(sessions=30, games=50, seed=1):
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.integers(-1, 2, (sessions, games)), axis=1)


def three(sessions):
    rng = np.random.default_rng(2)
    return tuple(rng.integers(0, 100, sessions) for _ in range(3))


DRAWN = {
    "learning_curves": lambda axes, n=30, **more: plots.learning_curves(axes, scores(n), **more),
    "outcome_bars": lambda axes, n=30, **more: plots.outcome_bars(
        axes, {"ours": three(n), "theirs": three(n)}, **more
    ),
    "histogram": lambda axes, n=30, **more: plots.histogram(
        axes, scores(n)[:, -1], label="score", **more
    ),
    "board_heat": lambda axes, n=30, **more: plots.board_heat(
        axes, 3, {0: 1.5, 4: n, 8: 0}, {1: "X", 2: "O"}, **more
    ),
    "gauge_curve": lambda axes, n=30, **more: plots.gauge_curve(axes, scores(n), "ε", **more),
    "mean_curves": lambda axes, n=30, **more: plots.mean_curves(
        axes, {"ours": scores(n), "theirs": scores(n)}, "score", **more
    ),
    "rates": lambda axes, n=30, **more: plots.rates(
        axes,
        {"ours": ([1, 10], [0.1, n / 500], [0.1, None]), "theirs": ([1, 9], [0, 1], [0, 0])},
        "budget",
        **more,
    ),
    "running_means": lambda axes, n=30, **more: plots.running_means(
        axes, np.random.default_rng(1).integers(-1, 2, (n, 40)), **more
    ),
    "learnt_against_exact": lambda axes, n=30, **more: plots.learnt_against_exact(
        axes, three(n)[0] % 3 - 1, three(n)[1] / 50, three(n)[2], rewards={1: 2}, **more
    ),
}


@pytest.fixture
def axes():
    return Figure().subplots()


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def line(axes, label):
    (found,) = [each for each in axes.get_lines() if each.get_label().startswith(label)]
    return found


def colours(axes):
    """Every colour of lines, areas, bars and words, without how transparent it is."""
    found = []
    for each in axes.get_lines():
        if each.get_linestyle() != "None":
            found.append(each.get_color())
        if each.get_marker() not in ("None", "_", "|"):  # the caps of error bars have no inside
            found.append(each.get_markerfacecolor())
        found.append(each.get_markeredgecolor())
    for each in axes.collections:
        found += [*each.get_facecolor(), *each.get_edgecolor()]
    for each in axes.patches:
        found += [each.get_facecolor(), each.get_edgecolor()]
    found += [each.get_color() for each in axes.texts]
    return {to_hex(colour) for colour in found}


# ---- all of them -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWN)
def test_it_draws_onto_the_axes_and_makes_no_figure_of_its_own(name):
    before, figure = plt.get_fignums(), Figure()
    left, right = figure.subplots(1, 2)
    DRAWN[name](left)
    figure.canvas.draw()
    assert plt.get_fignums() == before and figure.axes == [left, right]
    assert left.has_data() and not right.has_data() and not right.get_title()


@pytest.mark.parametrize("name", DRAWN)
def test_it_has_the_title_that_was_given(name, axes):
    DRAWN[name](axes, title="How it went")
    assert axes.get_title() == "How it went"


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("learning_curves", "games", "score (wins − losses)"),
        ("histogram", "score", "sessions"),
        ("gauge_curve", "games", "ε"),
    ],
)
def test_both_axes_say_what_they_show(name, x, y, axes):
    DRAWN[name](axes)
    assert (axes.get_xlabel(), axes.get_ylabel()) == (x, y)


@pytest.mark.parametrize("name", DRAWN)
def test_only_colours_of_the_palette_are_used(name, axes):
    more = {"learning_curves": {"published": 9, "ceiling": 0.5}, "histogram": {"published": 9}}
    DRAWN[name](axes, **more.get(name, {}))
    found = colours(axes)
    assert found <= ALLOWED and len(found) >= 2


def test_the_palette_is_that_of_okabe_and_ito_each_colour_once():
    assert {colour.lower() for colour in plots.PALETTE} <= OKABE_ITO
    assert len(set(plots.PALETTE)) == len(plots.PALETTE) >= 6


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("sessions", [1, 2, 500])
def test_any_number_of_sessions_can_be_drawn(name, sessions, axes):
    DRAWN[name](axes, sessions)
    axes.figure.canvas.draw()
    assert np.isfinite([*axes.get_xlim(), *axes.get_ylim()]).all()


NO_SESSIONS = {
    "learning_curves": lambda axes: plots.learning_curves(axes, np.zeros((0, 20))),
    "outcome_bars": lambda axes: plots.outcome_bars(axes, {"ours": ([], [], [])}),
    "outcome_bars, no groups": lambda axes: plots.outcome_bars(axes, {}),
    "histogram": lambda axes: plots.histogram(axes, []),
    "gauge_curve": lambda axes: plots.gauge_curve(axes, np.zeros((0, 20)), "ε"),
}


@pytest.mark.parametrize("name", NO_SESSIONS)
def test_without_sessions_it_says_so_or_draws_an_empty_picture(name, axes):
    """No ZeroDivisionError and no warning of NumPy's: a ValueError that speaks of sessions."""
    try:
        NO_SESSIONS[name](axes)
    except ValueError as error:
        assert "session" in str(error) or "group" in str(error)
    else:
        axes.figure.canvas.draw()


def test_an_empty_board_is_drawn_empty(axes):
    plots.board_heat(axes, 3, {})
    axes.figure.canvas.draw()
    assert len(axes.texts) == 0 and axes.images[0].get_array().shape == (3, 3)


# ---- learning curves -------------------------------------------------------------------------


def test_learning_curves_show_each_session_and_their_mean(axes):
    plots.learning_curves(axes, scores())
    (grey,) = [each for each in axes.collections if hasattr(each, "get_segments")]
    drawn = np.array(grey.get_segments())
    assert (drawn[:, :, 1] == scores()).all() and (drawn[:, :, 0] == np.arange(1, 51)).all()
    assert (line(axes, "mean of 30").get_ydata() == scores().mean(axis=0)).all()
    assert axes.get_xlim() == (0, 50)


def test_no_curve_runs_out_of_the_picture(axes):
    steep = np.outer([-3, 1, 2, 5], np.arange(1, 41))
    plots.learning_curves(axes, steep, published=260)
    axes.figure.canvas.draw()
    low, high = axes.get_ylim()
    assert low <= -120 and high >= 260


def test_the_band_holds_the_middle_90_percent_and_needs_20_sessions(axes):
    values = np.tile(np.arange(1, 102)[:, None], (1, 10))
    plots.learning_curves(axes, values)
    (band,) = [each for each in axes.collections if each.get_label() == "middle 90 %"]
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (6, 96)
    for few in (scores(19), scores(30)):
        other = Figure().subplots()
        plots.learning_curves(other, few, band=len(few) < 20)
        assert "middle 90 %" not in legend(other)


def test_the_published_score_and_the_ceiling_are_shown_and_explained(axes):
    plots.learning_curves(axes, scores(), published=12, ceiling=0.25)
    assert {"paper", "best possible", "mean of 30", "middle 90 %"} == set(legend(axes))
    mark, best = line(axes, "paper"), line(axes, "best possible")
    assert (list(mark.get_xdata()), list(mark.get_ydata())) == ([50], [12])
    assert best.get_ydata()[-1] == 12.5 and best.get_linestyle() == "--"


def test_nothing_is_in_the_legend_that_was_not_given(axes):
    plots.learning_curves(axes, scores(3))
    assert legend(axes) == ["mean of 3"]


def test_at_most_so_many_sessions_are_drawn_but_all_count_for_the_mean(axes):
    many = scores(plots.MOST_LINES + 50)
    plots.learning_curves(axes, many)
    (grey,) = [each for each in axes.collections if hasattr(each, "get_segments")]
    assert len(grey.get_segments()) == plots.MOST_LINES
    mean = line(axes, f"mean of {plots.MOST_LINES + 50}").get_ydata()
    assert (mean == many.mean(axis=0)).all()


# ---- bars, histograms, boards, gauges --------------------------------------------------------


def test_bars_are_the_means_beside_each_other(axes):
    ours, theirs = ([10, 20], [1, 3], [0, 0]), ([5, 5], [6, 8], [100, 50])
    plots.outcome_bars(axes, {"ours": ours, "theirs": theirs})
    bars = axes.patches
    assert [bar.get_height() for bar in bars] == [15, 2, 0, 5, 7, 75]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["wins", "ties", "losses"]
    assert axes.get_ylabel() == "games a session" and legend(axes) == ["ours", "theirs"]
    edges = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars)
    assert all(left[1] <= right[0] for left, right in zip(edges, edges[1:], strict=False))
    looks = {(to_hex(bar.get_facecolor()), bar.get_hatch()) for bar in bars}
    assert len(looks) == 2 and len({hatch for _, hatch in looks}) == 2


@pytest.mark.parametrize("values", [[5], [3, 3, 3], list(range(-200, 400, 7)), [0, 1, 1, 2, 61]])
def test_every_session_is_in_the_histogram(values, axes):
    plots.histogram(axes, values, published=4, label="wins")
    assert sum(bar.get_height() for bar in axes.patches) == len(values)
    assert legend(axes) == [f"our mean {np.mean(values):.1f}", "paper 4"]
    assert set(line(axes, "our mean").get_xdata()) == {np.mean(values)}
    assert set(line(axes, "paper").get_xdata()) == {4}


def test_a_histogram_without_a_published_number_shows_none(axes):
    plots.histogram(axes, [1, 2, 3])
    assert legend(axes) == ["our mean 2.0"]


def test_a_board_shows_its_numbers_and_pieces_where_they_belong(axes):
    plots.board_heat(axes, 3, {0: 0.25, 5: 3, 7: -1.5}, {4: "X", 8: "O"}, form="{:.2f}")
    shown = {(text.get_position(), text.get_text()) for text in axes.texts}
    places = {((0, 0), "0.25"), ((2, 1), "3.00"), ((1, 2), "-1.50")}
    assert shown == places | {((1, 1), "X"), ((2, 2), "O")}
    (image,) = axes.images
    board = np.ma.filled(image.get_array(), np.nan)
    assert board[0, 0] == 0.25 and board[1, 2] == 3 and board[2, 1] == -1.5
    assert np.isnan(board).sum() == 6 and len(axes.get_xticks()) == 0
    assert image.norm.vmin == -image.norm.vmax < -3  # 0 is in the middle of the colours


@pytest.mark.parametrize("number", [0, 7])
def test_a_board_of_equal_numbers_can_be_drawn(number, axes):
    plots.board_heat(axes, 4, dict.fromkeys(range(16), number))
    axes.figure.canvas.draw()
    assert [text.get_text() for text in axes.texts] == [str(number)] * 16


def test_a_gauge_is_its_mean_over_the_games(axes):
    gauges = np.tile(np.linspace(0.3, 0, 40), (25, 1)) + np.arange(25)[:, None]
    plots.gauge_curve(axes, gauges, "ε", "exploration")
    assert line(axes, "mean").get_ydata() == pytest.approx(np.linspace(0.3, 0, 40) + 12)
    assert legend(axes) == ["middle 90 %", "mean"] and axes.get_xlim() == (0, 40)
    few = Figure().subplots()
    plots.gauge_curve(few, gauges[:1], "ε")
    assert legend(few) == ["mean"]


# ---- curves side by side, values side by side, pictures of their own ---------------------------


def test_mean_curves_tell_groups_apart_by_line_style_as_well(axes):
    plots.mean_curves(axes, {"a": scores(3), "b": scores(4), "c": scores(5)}, "score")
    assert len({each.get_linestyle() for each in axes.get_lines()}) == 3
    assert legend(axes) == ["a", "b", "c"]


def test_mean_curves_draw_the_mean_of_each_group(axes):
    plots.mean_curves(axes, {"a": scores(7)}, "score", ceiling=0.5)
    assert np.allclose(line(axes, "a").get_ydata(), scores(7).mean(axis=0))
    assert np.allclose(line(axes, "best").get_ydata()[-1], 25)


def test_learnt_values_stand_in_the_column_of_their_exact_value(axes):
    plots.learnt_against_exact(axes, [-1, -1, 0, 1], [-0.5, -1, 0.3, 2], [1, 4, 9, 16])
    x, y = axes.collections[0].get_offsets().T
    assert list(np.round(x)) == [-1, -1, 0, 1] and list(y) == [-0.5, -1, 0.3, 2]


def test_a_picture_shows_itself_as_png_and_speaks_in_words():
    shown = plots.picture(plots.gauge_curve, scores(), "ε", title="How ε falls")
    assert shown._repr_png_().startswith(b"\x89PNG") and repr(shown) == "picture: How ε falls"
    again = plots.picture(plots.gauge_curve, scores(), "ε", title="How ε falls")
    assert again.png == shown.png


def test_growth_is_drawn_on_a_logarithmic_axis_with_a_line_each(axes):
    plots.growth(axes, {"nodes": {1: 9, 2: 81}, "positions": {1: 9, 2: 72}})
    assert axes.get_yscale() == "log"
    assert list(line(axes, "positions").get_ydata()) == [9, 72]


def test_bars_of_counts_carry_their_numbers_in_the_order_given(axes):
    plots.count_bars(axes, {"all": 549_946, "cut": 30_710}, "nodes")
    assert [text.get_text() for text in axes.texts] == ["549,946", "30,710"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["all", "cut"]
    assert axes.yaxis_inverted()
