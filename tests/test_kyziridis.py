"""Seed 004: its learner against a naive one, the exhibits, and the experiments' numbers."""

import json
import math
import time

import numpy as np
import pytest

from course_lib import reproduce
from course_lib.agents import OneStepLookAhead, Random, mcts, q_learning
from course_lib.agents.printed import looked_up_by_print
from course_lib.arena import match
from course_lib.experiments import PAPERS, kyziridis2019, winrates
from course_lib.experiments.kyziridis2019 import (
    CONNECT4,
    EXPERIMENTS,
    TABLE_1,
    Size,
    judged,
    learner,
)
from course_lib.games import Connect4, TicTacToe
from course_lib.sweeps import running
from course_lib.table import EMPTY, add_all, grown, new_table
from course_lib.training import Training
from tests import shared_chance
from tests.naive import kyziridis
from tests.sample import after, all_states, naively, random_lines_of_play, twin

SMALL = Connect4(4, 5, 3)
BUDGETS = kyziridis2019.BUDGETS
OPPONENTS = {
    "random": (Random(), kyziridis.random_player),
    "look-ahead": (OneStepLookAhead(), kyziridis.one_step_look_ahead),
    "blocks": (OneStepLookAhead(only_blocks=True), kyziridis.one_step_block),
}
NAIVE_EPSILON = {"fixed": (0.2, 1, 0), "dynamic": (1.0, 0.99, 0.001)}


def naive_learner(game, seed, episodes, alpha, epsilon):
    rng = shared_chance.of_session(seed)
    return kyziridis.Learner(twin(game), rng, episodes, alpha, 0.99, *NAIVE_EPSILON[epsilon])


def arena(game, agent, opponent, games, seed, **options):
    return match(game, agent, opponent, games, seed, starter="alternate", **options)


# ---- algorithm 3 -----------------------------------------------------------------------------


@pytest.mark.parametrize("speed", ["python", "compiled"])
@pytest.mark.parametrize(
    ("game", "opponent", "epsilon"),
    [
        (TicTacToe(), "random", "fixed"),
        (TicTacToe(), "look-ahead", "dynamic"),
        (SMALL, "random", "dynamic"),
        (SMALL, "blocks", "fixed"),
    ],
    ids=str,
)
def test_it_is_the_naive_algorithm_3_game_by_game_and_value_by_value(
    game, opponent, epsilon, speed
):
    episodes, seed = 301, 5
    ours, theirs = OPPONENTS[opponent]
    agent = learner(game, 0.05, epsilon, episodes)
    run = Training(game, agent, ours, episodes, 1, seed, "alternate", speed=speed).go()
    naive = naive_learner(game, seed, episodes, 0.05, epsilon)
    assert run.results[0].tolist() == naive.train(theirs)
    assert run.gauges[0, -1, 0] == pytest.approx(naive.epsilon)
    table = run.trained()
    assert table.table.used[0] == len(naive.table) > 300
    for actions in random_lines_of_play(game, 200):
        state = after(game, actions)
        if not game.over(state):
            sign = 1 if game.mover(state) == 0 else -1
            key = kyziridis.printed(naive.game, naively(game, state), sign)
            expected = naive.table.get(key, dict.fromkeys(game.actions(state), 0.0))
            assert table.q_values(state) == expected


def test_fixed_epsilon_ends_at_two_thirds_and_dynamic_after_688_random_moves():
    run = Training(SMALL, learner(SMALL, episodes=300), Random(), 300).go()
    assert run.gauges[0, :, 0].tolist() == [0.2] * 199 + [0] * 101
    run = Training(SMALL, learner(SMALL, epsilon="dynamic"), Random(), 60_000).go()
    gauge = run.gauges[0, :, 0]
    assert gauge[0] > 0.9 and gauge[-1] == 0 and gauge[gauge > 0].min() >= 0.001
    assert run.trained().clock[1] == 688  # 0.99 ** 688 is the first power below 0.001
    assert np.argmin(gauge) > 10_000  # rare moves make ε fall ever more slowly


# ---- the exhibits ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "drops"), [(SMALL, True), (TicTacToe(), False)], ids=str)
def test_looked_up_by_print_it_plays_as_the_naive_one_with_real_prints(game, drops):
    """The naive table has NumPy's prints as keys; −0. is all that the second player suffers."""
    naive = naive_learner(game, 3, 600, 0.1, "fixed")
    naive.train(kyziridis.random_player)
    run = Training(game, learner(game, 0.1, episodes=600), Random(), 600, 1, 3, "alternate").go()
    table = looked_up_by_print(run.trained())
    ours = arena(game, table, Random(), 300, 9)
    naive.rng = shared_chance.Shared(np.random.default_rng([9, 0]))
    look = kyziridis.printed_in_the_arena
    theirs, unknown = naive.arena(kyziridis.random_player, 300, look)
    assert ours.results.tolist() == theirs
    second = ours.seats == 1
    own_moves_of_second = int((ours.lengths[second] // 2).sum())
    assert (unknown[1] == own_moves_of_second) == drops


def test_as_second_player_with_prints_it_is_a_random_player_and_as_first_it_is_itself():
    agent = Training(SMALL, learner(SMALL, episodes=20_000), Random(), 20_000, 1, 1, "alternate")
    agent = agent.go().trained()
    printed = looked_up_by_print(agent)
    rates = {
        name: [
            np.mean(match(SMALL, each, Random(), 4000, 2, seat, False).results == 1)
            for seat in ("agent", "opponent")
        ]
        for name, each in {"itself": agent, "printed": printed, "random": Random()}.items()
    }
    assert rates["printed"][0] == rates["itself"][0] > 0.9
    assert rates["printed"][1] == pytest.approx(rates["random"][1], abs=0.04)
    assert rates["itself"][1] > 0.85


def test_the_player_that_only_blocks_misses_every_win_and_blocks_like_the_other():
    sees, blocks = OneStepLookAhead(), OneStepLookAhead(only_blocks=True)
    rules, wins, rng = twin(SMALL), 0, np.random.default_rng(1)
    for actions in random_lines_of_play(SMALL, 400):
        state = after(SMALL, actions)
        if SMALL.over(state):
            continue
        pos, me = naively(SMALL, state), SMALL.mover(state)
        winning = {m for m in rules.moves(pos) if rules.wins_at(pos, m, me)}
        stopping = {m for m in rules.moves(pos) if rules.wins_at(pos, m, 1 - me)}
        for agent, best in ((sees, winning or stopping), (blocks, stopping)):
            chances = np.zeros(SMALL.action_count())
            agent.policy(SMALL, state, chances)
            expected = best or set(rules.moves(pos))
            assert set(np.flatnonzero(chances)) == expected and chances.sum() == pytest.approx(1)
            assert agent.choose(SMALL, state, rng) in expected
        wins += bool(winning - stopping)
    assert wins > 20


# ---- tables of millions ----------------------------------------------------------------------


def test_a_table_that_has_grown_finds_each_key_in_its_row():
    rng = np.random.default_rng(4)
    keys = np.unique(rng.integers(-(1 << 61), 1 << 61, 3000))
    rng.shuffle(keys)
    table, values = new_table(16), np.zeros((16, 2))
    for row, key in enumerate(keys.tolist()):
        if table.free() == 0:
            table, values = grown(table, values)
        assert table.add(key) == row
        values[row] = row, -key
    assert [table.find(key) for key in keys.tolist()] == list(range(len(keys)))
    assert table.find(12345) == EMPTY and len(table.keys) == len(values) == 4096
    assert (values[: len(keys), 1] == -keys).all()


def test_growing_to_a_million_rows_is_quicker_than_a_python_loop_over_a_tenth_of_them():
    half_a_million = 1 << 19
    table = new_table(half_a_million)
    table.keys[:] = np.arange(half_a_million) * 977
    table.used[0] = half_a_million
    grown(new_table(16))  # compiled
    began = time.process_time()
    (bigger,) = grown(table)
    compiled = time.process_time() - began
    assert bigger.find(977 * 123_456) == 123_456
    began = time.process_time()
    add_all(new_table(half_a_million), table.keys, half_a_million // 10)
    assert compiled < time.process_time() - began


def test_the_prints_of_the_second_player_never_meet_a_real_key():
    game = Connect4(3, 3, 3)
    states = all_states(game)
    eyes = looked_up_by_print(q_learning(game)).eyes
    real = {game.key(state) for state in states}
    seen = {state: eyes.look(game, state)[0] for state in states}
    assert all((key in real) == (game.mover(state) == 0) for state, key in seen.items())
    assert len(set(seen.values())) == len(states)


# ---- cells -----------------------------------------------------------------------------------

SHARES = {"win", "draw", "loss", "win_first", "win_second", "se"}


def test_the_rates_of_some_games_are_counted_by_hand():
    found = winrates.rates([1, 1, -1, 0, 1, -1, 1, 0], [0, 1, 0, 1, 0, 1, 0, 1])
    assert found["win"] == 4 / 8 and found["draw"] == 2 / 8 and found["loss"] == 2 / 8
    assert found["win_first"] == 3 / 4 and found["win_second"] == 1 / 4
    assert found["se"] == pytest.approx(math.sqrt(0.25 / 8))
    assert winrates.rates([1, 1], [0, 0])["win_second"] is None
    assert 0 < winrates.rates([1] * 20, [0] * 20)["se"] < 0.1  # not sure of it


def test_rates_of_several_seeds_are_those_of_all_games_and_spread_as_the_seeds_do():
    one, two = winrates.rates([1, 0], [0, 1]), winrates.rates([1, 1, 1, -1, 1, 1], [0, 1] * 3)
    both = winrates.together([one, two])
    everything = winrates.rates([1, 0, 1, 1, 1, -1, 1, 1], [0, 1] * 4)
    assert {n: both[n] for n in SHARES - {"se"}} == {n: everything[n] for n in SHARES - {"se"}}
    sd = abs(one["win"] - two["win"]) / math.sqrt(2)
    assert both["sd"] == pytest.approx(sd) and both["seeds"] == 2 and both["games"] == 8
    assert both["se"] == pytest.approx(sd / math.sqrt(2))
    steady = winrates.together([everything] * 5)
    assert steady["sd"] == 0 and steady["se"] == winrates.standard_error(0.75, 40)


def test_a_searchers_cell_is_that_match():
    found = winrates.searching(SMALL, "MCTS", {"iterations": 20, "c": 1.0}, "Random", 30, 7)
    played = arena(SMALL, mcts(SMALL, 20), Random(), 30, 7)
    assert found == winrates.rates(played.results, played.seats)


def test_a_learners_cell_is_its_training_and_its_arena():
    options = kyziridis2019.options_of(0.1, "fixed", 3000)
    found = winrates.learning(SMALL, options, [1000, 3000], "Random", ["Random"], 11)
    run = Training(SMALL, q_learning(SMALL, **options), Random(), 3000, 1, 11, "alternate").go()
    assert [cell["win"] for cell in found["training"]] == [
        np.mean(part == 1) for part in (run.results[0, :1000], run.results[0, 1000:])
    ]
    played = arena(SMALL, run.trained(), Random(), 300, 11 + 3000)  # 10 · 3000 / 100
    assert found["arena"]["Random"][-1]["win"] == np.mean(played.results == 1)
    assert found["positions"] == run.trained().table.used[0]
    assert found["bytes"] > found["positions"] * 8 * SMALL.action_count()
    naive = naive_learner(SMALL, 11, 3000, 0.1, "fixed")
    naive.train(kyziridis.random_player)
    _, unknown = naive.arena(kyziridis.random_player, 300)
    turns = sum((length + 1) // 2 for length in played.lengths)  # at least about so many
    assert found["unknown"] == pytest.approx(sum(unknown) / turns, abs=0.1)


# ---- verdicts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gaps", "holds"),
    [
        ([(0.10, 0.01)], True),
        ([(0.00, 0.01)], False),
        ([(-0.10, 0.02)], False),
        ([(0.02, 0.02)], None),
        ([(0.10, 0.01), (0.00, 0.01)], False),
        ([(0.10, 0.01), (0.05, 0.03)], None),
    ],
)
def test_a_claim_holds_where_all_gaps_are_clear_and_fails_where_one_is_clearly_missing(gaps, holds):
    assert judged(gaps) is holds


def cell(win, se=0.005, **more):
    return {"win": win, "se": se, "sd": 0.02, "seeds": 5, "loss": 1 - win, "draw": 0.0} | more


def a_figure(mcs, tree):
    which = (TicTacToe(), "Random")
    curves = {
        (*which, "MCS", None): {10: cell(mcs), 1000: cell(mcs)},
        (*which, "MCTS", 1): {10: cell(tree), 1000: cell(tree)},
    }
    return curves, [which]


@pytest.mark.parametrize(("mcs", "tree", "holds"), [(0.9, 0.8, True), (0.9, 0.9, False)])
def test_mcs_wins_more_only_if_it_does(mcs, tree, holds):
    verdict = kyziridis2019.mcs_wins_more()(*a_figure(mcs, tree))
    assert verdict.holds is holds and f"{100 * (mcs - tree):+.1f}" in verdict.why


def test_the_budget_of_convergence_is_the_first_after_which_nothing_strays():
    curve = {10: cell(0.5), 50: cell(0.89), 100: cell(0.7), 250: cell(0.9), 1000: cell(0.9)}
    assert kyziridis2019.converged(curve) == 250
    assert kyziridis2019.converged({10: cell(0.9), 1000: cell(0.9)}) == 10


@pytest.mark.parametrize(("law", "factor"), [(math.sqrt, 2.0), (float, 0.1)])
def test_the_law_by_which_table_1_was_made_is_found(law, factor, monkeypatch):
    """Win rates that rise sooner or later with the simulations, on six made-up boards."""
    curves = {
        game: {n: cell(1 - math.exp(-n / needed)) for n in kyziridis2019.FEW}
        for game, needed in zip(kyziridis2019.EPISODES, (5, 10, 20, 50, 100, 200), strict=True)
    }
    made_up = {
        (game, "Random"): (
            1,
            kyziridis2019.expected_average(curve, lambda ms: factor * law(ms)),
        )
        for game, curve in curves.items()
    }
    monkeypatch.setattr(kyziridis2019, "TABLE_1", TABLE_1 | made_up)
    found, miss = kyziridis2019.fitted(curves, law)
    assert found == pytest.approx(factor, rel=0.05) and miss < 0.006
    _, other_miss = kyziridis2019.fitted(curves, float if law is math.sqrt else math.sqrt)
    assert other_miss > 2 * miss


def drop(training, in_arena, printed):
    """The results of one seed for three boards of Connect4."""
    one = {
        "training": [cell(training, games=1000, win_first=0.9, win_second=0.5)],
        "arena": {"Random": [cell(in_arena, games=1000, win_first=0.9, win_second=0.5)]},
        "exhibits": {"by print Random": cell(printed, games=1000, win_first=0.9, win_second=0.5)},
        **{"positions": 10, "useful": 5, "bytes": 100, "unknown": 0.1},
    }
    return {(game, 0.05, "fixed", "Random", True): [one] for game in CONNECT4}


@pytest.mark.parametrize(("in_arena", "holds"), [(0.71, True), (0.97, False)])
def test_the_drop_is_there_only_if_the_arena_is_below_training(in_arena, holds):
    reading = kyziridis2019.where_the_rest_went(drop(0.98, in_arena, 0.7), Size(1, 1, 0, ""))
    assert reading.verdict.holds is holds
    assert sum("(paper: Arena 71)" in line for line in reading.lines) == 2


# ---- the experiments -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def little(tmp_path_factory):
    """Two budgets, a folder of its own, one process."""
    with pytest.MonkeyPatch.context() as patch, running(1):
        patch.setattr(kyziridis2019, "BUDGETS", (10, 1000))
        patch.setattr(kyziridis2019, "LARGE", (100, 1000, 10_000))
        folder = tmp_path_factory.mktemp("cells")
        patch.setattr(kyziridis2019, "results_folder", lambda: folder)
        yield folder


def test_all_figures_the_table_and_the_questions_are_there():
    wanted = {"table1", *(f"fig{n}" for n in range(1, 17)), *(f"rq{n}" for n in range(1, 7))}
    assert wanted < set(EXPERIMENTS) and PAPERS["kyziridis2019"] is EXPERIMENTS
    assert all(name == each.name for name, each in EXPERIMENTS.items())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_cell_in_the_json_has_its_shares_and_they_add_up(name, little):
    outcome = EXPERIMENTS[name].run(sessions=2, games=2)
    found = outcome.json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert (found["paper"], found["figure"], found["games"]) == ("kyziridis2019", name, 2)
    cells = found["ours"]["cells"]
    assert len(cells) >= 2
    for each in cells:
        assert set(each) >= SHARES and each["se"] > 0
        assert each["win"] + each["draw"] + each["loss"] == pytest.approx(1)
        seats = [each[seat] for seat in ("win_first", "win_second") if each[seat] is not None]
        assert each["win"] == pytest.approx(sum(seats) / len(seats))
    assert outcome.verdict.why and "nan" not in repr(outcome)
    assert outcome.picture()._repr_png_().startswith(b"\x89PNG")


def test_the_cells_of_a_figure_are_all_its_boards_opponents_and_budgets(little):
    cells = EXPERIMENTS["fig4"].run(2, 2).json()["ours"]["cells"]
    keys = {(c["game"], c["opponent"], c["algorithm"], c.get("C"), c["budget"]) for c in cells}
    assert len(keys) == len(cells) == 2 * 2 * 2
    assert ("Connect4 (4×5, 3)", "OneStepLookAhead", "MCTS", 4, 10) in keys
    cells = EXPERIMENTS["table1"].run(2, 2).json()["ours"]["cells"]
    assert len(cells) == 9 * 6 * 2


def test_the_command_goes_by_iterations_or_by_time_and_keeps_its_cells(
    little, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(kyziridis2019, "BUDGETS", (1, 1000))
    monkeypatch.setattr(kyziridis2019, "search_cell", in_two_milliseconds)
    file = tmp_path / "a.json"
    asked = ["kyziridis2019", "fig11", "--sessions", "2", "--games", "2", "--json", str(file)]
    for by in ("iterations", "time"):
        assert reproduce.main([*asked, "--by", by, "--workers", "1"]) == 0
        assert json.loads(file.read_text("utf-8"))["ours"]["by"] == by
    kept = sorted(little.glob("kyziridis2019/*"))
    assert reproduce.main([*asked, "--by", "time", "--workers", "1"]) == 0
    assert sorted(little.glob("kyziridis2019/*")) == kept
    assert reproduce.main(["kyziridis2019", "fig5", "--by", "time"]) == 2
    assert "no response times" in capsys.readouterr().err


def in_two_milliseconds(*which, search_cell=kyziridis2019.search_cell):
    """The same cell with a thousandth of its time, and under another key."""
    key, made = search_cell(*which)
    options = dict(made.parameters["options"])
    if "seconds" in options:
        options["seconds"] /= 500
    return key, made._replace(parameters=made.parameters | {"options": options})


def test_a_long_run_says_before_how_long_it_will_take(capsys, monkeypatch):
    monkeypatch.setattr(kyziridis2019, "BUDGETS", BUDGETS)  # all of them
    monkeypatch.setattr(kyziridis2019, "seconds_a_rollout", lambda game: 1e-6)
    for by, sessions, games, words in (
        ("iterations", 1, 100, ["540 cells", "minutes of one core", "--games"]),
        ("time", 1, 100, ["540 cells", "hours of one core"]),
        ("iterations", 2, 1, []),
    ):
        size, table = Size(sessions, games, 0, by), EXPERIMENTS["table1"]
        kyziridis2019.say_how_long(table, table.plan(size), size)
        said = capsys.readouterr().err
        assert all(word in said for word in words) and bool(said) == bool(words)


def test_by_time_as_many_seconds_are_expected_as_the_moves_may_take():
    size = Size(5, 100, 0, "time")
    cells = EXPERIMENTS["fig12"].plan(size)
    a_game = 42 / 4 * sum(kyziridis2019.BUDGETS) / 1000
    assert kyziridis2019.estimate(cells) == pytest.approx(2 * 5 * 100 * a_game)


def test_on_5_by_5_nothing_that_was_learnt_is_ever_used():
    """Any two learning rates play the very same games: as good as random."""
    game = TicTacToe(5)
    runs = [
        Training(game, learner(game, alpha, episodes=3000), Random(), 3000, 1, 2, "alternate").go()
        for alpha in (0.01, 0.1)
    ]
    assert (runs[0].results == runs[1].results).all()
    assert np.count_nonzero(runs[0].trained().values) > 500
    assert winrates.useful(runs[0].trained()) == 0
    small = Training(SMALL, learner(SMALL, episodes=3000), Random(), 3000).go().trained()
    assert winrates.useful(small) > 200
