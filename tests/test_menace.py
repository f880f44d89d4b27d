"""The machine of match boxes: its boxes, its beads, and the games that it plays and learns from."""

import functools
import itertools
import random
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from course_lib.agents import Random, perfect
from course_lib.agents.menace import Box, menace
from course_lib.arena import Frozen, match
from course_lib.games import Connect4, TicTacToe
from course_lib.protocol import DEAD, READY, RESIGN
from course_lib.training import Training, train
from tests import shared_chance
from tests.naive import learners
from tests.sample import after, all_states, naively, noughts_and_crosses

GAME = TicTacToe()
WON, TIED, LOST = [0, 3, 1, 4, 2], [0, 4, 8, 1, 7, 6, 2, 5, 3], [0, 3, 1, 4, 8, 5]


@pytest.fixture(scope="module")
def the_perfect():
    return perfect(GAME)


def pulles(i=1, win=2, tie=1, **options):
    return menace(GAME, i, win, tie, **options)


def jose(**options):
    return menace(GAME, (8, 4, 2, 1), per_orbit=True, forced_box=False, **options)


def box_of(machine, actions):
    """The number of the box for the position after these actions, and how the board is turned."""
    key, symmetry = GAME.canonical(after(GAME, actions))
    return int(machine.table.find(key)), symmetry


def place_of(square, symmetry):
    return next(place for place in range(9) if GAME.seen(place, symmetry) == square)


class Aim(NamedTuple):
    """Chance with one number: it makes the machine draw the bead of a given square."""

    number: float

    def random(self):
        return self.number


def aim(machine, actions, square):
    box, symmetry = box_of(machine, actions)
    place, beads = place_of(square, symmetry), machine.beads[box]
    assert beads[place] > 0
    return Aim((beads[:place].sum() + 0.5) / beads.sum())


def act_out(machine, actions, seat=0):
    """Let the machine play its part of a game: [(box, place) of each own move]."""
    machine.begin()
    drawn = []
    for turn in range(seat, len(actions), 2):
        before = actions[:turn]
        rng = aim(machine, before, actions[turn])
        assert machine.act(GAME, after(GAME, before), rng) == actions[turn]
        box, symmetry = box_of(machine, before)
        drawn.append((box, place_of(actions[turn], symmetry)))
    return drawn


def contents(machine):
    """{canonical key: beads} of all boxes."""
    used = int(machine.table.used[0])
    keys = machine.table.keys[:used].tolist()
    return dict(zip(keys, machine.beads[:used].tolist(), strict=True))


# ---- the boxes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "boxes"),
    [
        ({"forced_box": False}, 304),
        ({"forced_box": True}, 338),
        ({"first": False, "second": True}, 289),
        ({"first": True, "second": True}, 627),
    ],
)
def test_so_many_boxes_as_there_are_positions_up_to_symmetry(options, boxes):
    machine = menace(GAME, **options)
    assert len(machine.boxes()) == boxes
    seats = [seat for seat in (0, 1) if machine.plays(seat)]
    naive = set()
    for state in all_states(GAME):
        legal = learners.moves(naively(GAME, state))
        if state.player in seats and len(legal) > (0 if machine.layout.forced_box else 1):
            naive.add(learners.canonical(naively(GAME, state))[0])
    ours = [learners.canonical(naively(GAME, box.state()))[0] for box in machine.boxes()]
    assert len(ours) == len(set(ours)) and set(ours) == naive


def test_the_boxes_come_stage_by_stage():
    machine = pulles()
    assert [len(machine.boxes(stage)) for stage in range(6)] == [1, 12, 108, 183, 34, 0]
    assert [box.stage() for box in machine.boxes()] == sorted(
        box.stage() for box in pulles().boxes()
    )
    second = menace(GAME, first=False, second=True)
    stages = [len(second.boxes(stage)) for stage in range(5)]
    assert stages[0] == 3 and sum(stages) == 289 and stages[4] == 0


def test_the_second_player_has_no_forced_moves_at_noughts_and_crosses():
    """Its last turn leaves two squares: with and without boxes for forced moves it has the same."""
    for forced_box in (True, False):
        machine = menace(GAME, first=False, second=True, forced_box=forced_box)
        assert len(machine.boxes()) == 289


@pytest.mark.parametrize("i", [1, 10])
def test_the_first_beads_of_pulles_are_i_for_every_empty_square(i):
    machine = pulles(i)
    for box in machine.boxes():
        assert box.beads() == dict.fromkeys(learners.moves(naively(GAME, box.state())), i)
    assert sum(machine.boxes(0)[0].beads().values()) == 9 * i
    legal = sum(len(learners.moves(naively(GAME, box.state()))) for box in machine.boxes())
    assert machine.gauge() == i * legal


def test_the_first_beads_of_jose_lie_on_one_square_of_each_orbit():
    machine = jose()
    (first,) = machine.boxes(0)
    filled = [square for square, beads in first.beads().items() if beads]
    assert sorted(first.beads().values()) == [0] * 6 + [8] * 3
    kinds = {0: "corner", 2: "corner", 6: "corner", 8: "corner", 4: "middle"}
    assert {kinds.get(square, "side") for square in filled} == {"corner", "side", "middle"}
    for box in machine.boxes():
        board = naively(GAME, box.state())
        for orbit in learners.orbits(board):
            beads = [box.beads()[square] for square in orbit]
            assert sorted(beads) == [0] * (len(orbit) - 1) + [(8, 4, 2, 1)[box.stage()]]
    orbits = [(b.stage(), len(learners.orbits(naively(GAME, b.state())))) for b in machine.boxes()]
    assert machine.gauge() == sum((8, 4, 2, 1)[stage] * number for stage, number in orbits)


def test_beads_by_stage_the_last_number_for_all_later_stages():
    machine = menace(GAME, (5, 3))
    for box in machine.boxes():
        assert set(box.beads().values()) == {5 if box.stage() == 0 else 3}


@pytest.mark.parametrize("machine", [pulles(), jose(), menace(GAME, second=True)])
def test_only_legal_squares_have_beads_also_after_learning(machine):
    trained = Training(GAME, machine, Random(), games=300, seed=5).go().trained()
    assert (trained.beads >= 0).all() and (trained.beads != machine.beads).any()
    assert (trained.beads[int(trained.table.used[0]) :] == 0).all()
    for box in trained.boxes():
        illegal = set(range(9)) - set(learners.moves(naively(GAME, box.state())))
        assert all(trained.beads[box.number, square] == 0 for square in illegal)


# ---- drawing beads ---------------------------------------------------------------------------


def test_a_square_is_drawn_as_often_as_it_has_beads():
    machine = pulles()
    box, _ = box_of(machine, [])
    machine.beads[box] = [7, 0, 1, 2, 30, 0, 10, 20, 30]
    rng, draws = np.random.default_rng(1), 20_000
    drawn = Counter(machine.choose(GAME, GAME.start(), rng) for _ in range(draws))
    for square in range(9):
        chance = machine.beads[box, square] / 100
        error = np.sqrt(draws * chance * (1 - chance))
        assert abs(drawn[square] - draws * chance) <= 4 * error
    assert drawn[1] == drawn[5] == 0


def test_each_bead_is_drawn_by_its_own_share_of_the_numbers():
    machine = pulles()
    box, _ = box_of(machine, [])
    machine.beads[box] = [1, 0, 2, 0, 1, 0, 0, 0, 0]
    drawn = [machine.choose(GAME, GAME.start(), Aim((n + 0.5) / 4)) for n in range(4)]
    assert drawn == [0, 2, 2, 4]
    assert machine.choose(GAME, GAME.start(), Aim(0.0)) == 0
    assert machine.choose(GAME, GAME.start(), Aim(np.nextafter(1, 0))) == 4


@pytest.mark.parametrize("machine", [pulles(), jose()])
def test_the_policy_is_the_share_of_the_beads_on_the_real_board(machine):
    trained = Training(GAME, machine, Random(), games=200, seed=3).go().trained()
    asked = turned = 0
    for state in all_states(GAME):
        if state.player == 1 or GAME.over(state):
            continue
        chances = np.zeros(9)
        trained.policy(GAME, state, chances)
        legal = learners.moves(naively(GAME, state))
        key, symmetry = GAME.canonical(state)
        number = int(trained.table.find(key))
        if number < 0:
            assert len(legal) == 1 and chances[legal[0]] == 1 and chances.sum() == 1
            continue
        shares = Box(trained, number).chances()
        assert sum(shares.values()) in (0, pytest.approx(1))
        for square in range(9):
            expected = shares[place_of(square, symmetry)] if square in legal else 0
            assert chances[square] == pytest.approx(expected)
        asked += 1
        turned += symmetry > 0
    assert asked > 2000 and turned > 1000


def test_an_empty_box_has_no_chances_and_resigns():
    machine = pulles()
    box, _ = box_of(machine, [4, 0])
    machine.beads[box] = 0
    chances = np.zeros(9)
    machine.policy(GAME, after(GAME, [4, 0]), chances)
    assert chances.sum() == 0 and set(Box(machine, box).chances().values()) == {0}
    rng = np.random.default_rng(0)
    assert machine.choose(GAME, after(GAME, [4, 0]), rng) == RESIGN
    assert machine.choose(GAME, after(GAME, [4, 1]), rng) != RESIGN


def test_the_forced_move_needs_no_box():
    machine = jose()
    actions = [0, 4, 8, 1, 7, 6, 2, 5]
    assert box_of(machine, actions)[0] == -1
    rng = np.random.default_rng(0)
    assert machine.choose(GAME, after(GAME, actions), rng) == 3
    machine.begin()
    assert machine.act(GAME, after(GAME, actions), rng) == 3
    assert machine.last_game() == []


def test_choosing_without_learning_changes_nothing():
    machine = Training(GAME, pulles(), Random(), games=50).go().trained()
    before = [machine.beads.copy(), machine.opened.copy(), machine.totals.copy()]
    games = match(GAME, machine, Random(), games=30, speed="python")
    assert len(set(map(bytes, games.moves))) > 10
    for was, now in zip(before, (machine.beads, machine.opened, machine.totals), strict=True):
        assert was.sum() > 0 and (was == now).all()


# ---- learning --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "result", "change"), [(WON, 1, 5), (TIED, 0, 3), (LOST, -1, -2)]
)
def test_every_drawn_bead_is_rewarded_or_punished_and_no_other(actions, result, change):
    machine = menace(GAME, 4, win=5, tie=3, loss=2)
    expected, total = machine.beads.copy(), machine.gauge()
    drawn = act_out(machine, actions)
    assert len(drawn) == (len(actions) + 1) // 2 == len(set(drawn))
    machine.learn(GAME, result)
    for box, place in drawn:
        expected[box, place] += change
    assert (machine.beads == expected).all()
    assert machine.gauge() == total + change * len(drawn) == machine.beads.sum()
    assert [(box.number, place) for box, place in machine.last_game()] == drawn
    assert [box.opened() for box, _ in machine.last_game()] == [1] * len(drawn)
    assert machine.opened.sum() == len(drawn)


def test_the_second_player_learns_from_its_own_moves():
    machine = menace(GAME, 4, win=5, loss=2, first=False, second=True)
    expected = machine.beads.copy()
    drawn = act_out(machine, LOST, seat=1)
    assert len(drawn) == 3
    machine.learn(GAME, 1)
    for box, place in drawn:
        expected[box, place] += 5
    assert (machine.beads == expected).all()


@pytest.mark.parametrize("later", [0, 1, 4])
def test_later_moves_of_a_win_get_more_beads(later):
    machine = pulles(1, 2, 1, later=later)
    drawn = act_out(machine, WON)
    machine.learn(GAME, 1)
    assert [machine.beads[at] for at in drawn] == [1 + 2, 1 + 2 + later, 1 + 2 + 2 * later]


@pytest.mark.parametrize(("actions", "result", "beads"), [(TIED, 0, 2), (LOST, -1, 0)])
def test_later_moves_get_no_more_for_a_tie_or_a_loss(actions, result, beads):
    machine = pulles(1, 2, 1, later=4)
    drawn = act_out(machine, actions)
    machine.learn(GAME, result)
    assert [machine.beads[at] for at in drawn] == [beads] * len(drawn)


def test_no_box_ever_holds_less_than_no_beads():
    machine = menace(GAME, 2, loss=5)
    total = machine.gauge()
    drawn = act_out(machine, LOST)
    machine.learn(GAME, -1)
    assert [machine.beads[at] for at in drawn] == [0, 0, 0]
    assert machine.gauge() == total - 6 == machine.beads.sum()


class Script(NamedTuple):
    """An opponent that takes the first of its squares that is free."""

    squares: tuple

    def choose(self, game, state, rng):
        legal = list(game.actions(state))
        return next(square for square in self.squares if square in legal)


def test_a_scripted_opponent_gives_exactly_the_beads_of_its_results():
    """Game after game: what the boxes of the game hold changes by +2, +1 or −1, nothing else."""
    script = Script((4, 0, 2, 6, 8, 1, 3, 5, 7))
    machine, seen = pulles(3), set()
    for seed in range(60):
        before = machine.beads.copy()
        run = train(GAME, machine, script, games=1, seed=seed, speed="python")
        machine = run.trained()
        result = int(run.results[0, 0])
        for box, place in machine.last_game():
            before[box.number, place] += {1: 2, 0: 1, -1: -1}[result]
        assert (machine.beads == before).all() and len(machine.last_game()) >= 2
        seen.add(result)
    assert seen == {1, 0, -1}


def test_who_resigns_has_lost_and_learns_from_it():
    machine = pulles(2)
    box, _ = box_of(machine, [0, 4])
    machine.totals[1] -= machine.beads[box].sum()
    machine.beads[box] = 0
    expected, total = machine.beads.copy(), machine.gauge()
    drawn = act_out(machine, [0])
    assert machine.act(GAME, after(GAME, [0, 4]), np.random.default_rng(0)) == RESIGN
    machine.learn(GAME, -1)
    expected[drawn[0]] -= 1
    assert (machine.beads == expected).all() and machine.gauge() == total - 1 == expected.sum()
    assert [(box.number, place) for box, place in machine.last_game()] == drawn
    assert machine.opened[box] == 0


def test_a_resigned_game_is_lost_in_the_record_too():
    """All boxes for the second move are empty: a loss after one move each time."""
    machine = pulles(5)
    for box in machine.boxes(1):
        machine.beads[box.number] = 0
    machine.totals[1] = machine.beads.sum()
    run = train(GAME, machine, Random(), games=20, speed="python")
    assert (run.results == -1).all() and (run.resigned == 0).all() and not run.died.any()
    assert run.gauges[0, :, 0].tolist() == [machine.gauge() + 19 - n for n in range(20)]
    assert sum(machine.boxes(0)[0].beads().values()) == 45 - 20


def test_a_turned_opening_changes_the_same_box():
    openings = [[0, 1], [0, 3], [2, 1], [2, 5], [6, 3], [6, 7], [8, 5], [8, 7]]
    machines = [pulles() for _ in openings]
    for machine, opening in zip(machines, openings, strict=True):
        drawn = act_out(machine, [*opening, 4])
        machine.learn(GAME, 1)
        assert machine.beads[drawn[1]] == 3
    second_boxes = [machine.last_game()[1] for machine in machines]
    assert len({(box.number, place) for box, place in second_boxes}) == 1
    for machine in machines[1:]:
        number = second_boxes[0][0].number
        assert (machine.beads[number] == machines[0].beads[number]).all()


# ---- death -----------------------------------------------------------------------------------


def dead_machines(machine, opponent, starter, sessions=60):
    """[(Training, trained machine)] of the sessions that died, a Training each."""
    found = []
    for seed in range(sessions):
        run = Training(GAME, machine, opponent, games=300, seed=seed, starter=starter).go()
        if run.died[0]:
            found.append((run, run.trained()))
    return found


def test_the_first_player_is_dead_when_its_first_box_is_empty(the_perfect):
    dead = dead_machines(pulles(1, 0, 2), the_perfect, "agent")
    assert 5 <= len(dead) < 60
    for run, machine in dead:
        played = int(run.played[0])
        assert played < 300 and sum(machine.boxes(0)[0].beads().values()) == 0
        assert machine.ready(GAME, 0) == DEAD and (run.results[0, played:] == 0).all()
        assert run.results[0, played - 1] == -1
        assert run.wins() + run.ties() + run.losses() == played
        assert (run.scores()[0, played:] == run.scores()[0, played - 1]).all()
        assert (run.gauges[0, played:, 0] == machine.gauge()).all()


def test_the_second_player_is_dead_when_all_three_reply_boxes_are_empty(the_perfect):
    machine = pulles(1, 2, 0, first=False, second=True)
    dead = dead_machines(machine, the_perfect, "opponent", sessions=10)
    assert len(dead) >= 5
    for run, dead_machine in dead:
        assert run.played[0] < 300 and dead_machine.ready(GAME, 1) == DEAD
        assert [sum(box.beads().values()) for box in dead_machine.boxes(0)] == [0, 0, 0]
    for one_left in range(3):
        boxes = [box.number for box in machine.boxes(0)]
        alive = machine.fresh()
        alive.beads[[box for box in boxes if box != boxes[one_left]]] = 0
        assert alive.ready(GAME, 1) == READY
        alive.beads[boxes[one_left]] = 0
        assert alive.ready(GAME, 1) == DEAD


def test_a_machine_for_both_seats_can_be_dead_in_one_of_them():
    machine = menace(GAME, 1, first=True, second=True)
    assert machine.ready(GAME, 0) == machine.ready(GAME, 1) == READY
    machine.beads[box_of(machine, [])[0]] = 0
    assert machine.ready(GAME, 0) == DEAD and machine.ready(GAME, 1) == READY


@pytest.mark.parametrize(
    ("i", "win", "tie", "against_perfect"),
    [(1, 0, 2, True), (1, 2, 2, True), (2, 1, 1, True), (3, 0, 0, True), (1, 0, 0, False)],
)
def test_at_death_losses_are_the_first_beads_and_all_that_were_added(
    the_perfect, i, win, tie, against_perfect
):
    opponent = the_perfect if against_perfect else Random()
    run = Training(GAME, pulles(i, win, tie), opponent, games=300, sessions=150, seed=9).go()
    wins, ties, losses = (tally[run.died] for tally in (run.wins(), run.ties(), run.losses()))
    assert run.died.sum() >= 5
    assert (losses == 9 * i + win * wins + tie * ties).all()
    assert (wins + ties + losses == run.played[run.died]).all()


def test_at_death_the_machine_of_jose_has_lost_24_and_all_that_were_added(the_perfect):
    run = Training(GAME, jose(), the_perfect, games=254, sessions=300, seed=2).go()
    died = run.died
    assert died.sum() >= 15 and run.ties()[died].max() > 0
    assert (run.losses()[died] == 24 + run.ties()[died] + 3 * run.wins()[died]).all()


def test_at_death_after_wins_the_identity_of_jose_holds_too():
    """Against Random wins come in as well, if a loss costs as much as it did with one bead."""
    few = menace(GAME, 1, win=3, tie=1, per_orbit=True, forced_box=False)
    run = Training(GAME, few, Random(), games=300, sessions=1000, seed=4).go()
    died = run.died
    assert died.sum() >= 5 and run.wins()[died].max() > 0
    assert (run.losses()[died] == 3 + run.ties()[died] + 3 * run.wins()[died]).all()


@pytest.mark.parametrize("machine", [pulles(), pulles(later=2), jose()])
def test_the_gauge_is_the_sum_over_all_boxes(machine):
    for seed in range(8):
        run = Training(GAME, machine, Random(), games=40 + seed, seed=seed).go()
        trained = run.trained()
        by_box = sum(sum(box.beads().values()) for box in trained.boxes())
        assert run.gauges[0, -1, 0] == trained.gauge() == by_box == trained.beads.sum()
        assert by_box != machine.gauge()


def test_a_fresh_machine_has_forgotten_everything():
    machine = pulles(3)
    trained = Training(GAME, machine, Random(), games=50).go().trained()
    assert contents(trained) != contents(machine)
    fresh = trained.fresh()
    assert contents(fresh) == contents(machine) and fresh.opened.sum() == 0
    assert fresh.last_game() == [] and fresh.gauge() == machine.gauge()


# ---- to look at ------------------------------------------------------------------------------


def test_a_box_shows_its_position_its_beads_and_their_chances():
    machine = menace(GAME, (4, 3, 2, 1))
    act_out(machine, WON)
    machine.learn(GAME, 1)
    (first,) = machine.boxes(stage=0)
    assert first.state() == GAME.start() and first.stage() == 0 and first.opened() == 1
    assert first.beads() == {0: 7, **dict.fromkeys(range(1, 9), 4)}
    assert first.chances() == {0: 7 / 39, **dict.fromkeys(range(1, 9), 4 / 39)}
    assert "beads {0: 7, 1: 4" in repr(first) and "opened 1 times" in repr(first)
    assert GAME.draw(GAME.start()) in repr(first)
    for box in machine.boxes():
        key, _ = GAME.canonical(box.state())
        assert GAME.key(box.state()) == key and machine.table.find(key) == box.number
        assert GAME.ply(box.state()) == 2 * box.stage()


def test_the_last_game_is_in_order_and_forgotten_with_the_next():
    machine = pulles()
    act_out(machine, LOST)
    assert [box.stage() for box, _ in machine.last_game()] == [0, 1, 2]
    assert machine.last_game()[0][0].state() == GAME.start() and machine.last_game()[0][1] == 0
    machine.begin()
    assert machine.last_game() == []


# ---- the naive machine -----------------------------------------------------------------------

RUNS = {
    "fig3": (pulles, lambda: learners.Menace(1, 2, 1), Random, "random", 300),
    "fig5": (lambda: pulles(1, 0, 2), lambda: learners.Menace(1, 0, 2), None, "perfect", 300),
    "fig7": (
        pulles,
        lambda: learners.Menace(1, 2, 1),
        lambda: pulles(first=False, second=True),
        lambda: learners.Menace(1, 2, 1),
        300,
    ),
    "jose-random": (jose, learners.Menace002, Random, "random", 400),
    "jose-perfect": (jose, learners.Menace002, None, "perfect", 254),
}


def ours_and_naive(name, the_perfect, sessions, seed):
    """A Training of ours, and a function that plays one naive session."""
    machine, naive, opponent, naive_opponent, games = RUNS[name]
    opponent = the_perfect if opponent is None else opponent()
    run = Training(GAME, machine(), opponent, games=games, sessions=sessions, seed=seed).go()

    def session(rng, twin=lambda learner: learner):
        against = naive_opponent if isinstance(naive_opponent, str) else twin(naive_opponent())
        return learners.session(twin(naive()), against, games, rng)

    return run, session


@pytest.mark.parametrize("name", RUNS)
def test_in_the_mean_it_plays_as_the_naive_machine(name, the_perfect):
    sessions = 400
    run, session = ours_and_naive(name, the_perfect, sessions, seed=11)
    naive = [session(random.Random(seed)) for seed in range(sessions)]
    counts = [Counter(one.outcomes) for one in naive]
    columns = {
        "wins": (run.wins(), [count[1] for count in counts]),
        "ties": (run.ties(), [count[0] for count in counts]),
        "losses": (run.losses(), [count[-1] for count in counts]),
        "deaths": (run.died, [one.died for one in naive]),
    }
    varied = 0
    for column, (ours, theirs) in columns.items():
        ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
        error = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / sessions)
        assert abs(ours.mean() - theirs.mean()) <= 4 * error, column
        varied += error > 0
    assert varied >= (2 if "perfect" in name else 3)


def shares_numbers(learner):
    """The same naive machine, which draws a number for an empty box, too."""
    kind = shared_chance.Menace002 if isinstance(learner, learners.Menace002) else None
    twin = kind() if kind else shared_chance.Menace(learner.beads, 0, 0)
    twin.reward = learner.reward
    return twin


@pytest.mark.parametrize("name", RUNS)
def test_with_the_same_random_numbers_it_is_the_naive_machine_game_by_game(name, the_perfect):
    seed, sessions = 21, 40
    run, session = ours_and_naive(name, the_perfect, sessions, seed)
    with shared_chance.classes():
        for k in range(sessions):
            naive = session(shared_chance.of_session(seed, k), shares_numbers)
            assert run.results[k, : run.played[k]].tolist() == naive.outcomes
            assert run.died[k] == naive.died
    sides = [naive.learner, naive.opponent]
    for side, machine in enumerate(sides):
        if not isinstance(machine, learners.Menace):
            continue
        ours = contents(run.trained(side))
        assert len(machine.boxes) >= 3
        for board, beads in machine.boxes.items():
            expected = [beads.get(square, 0) for square in range(9)]
            assert ours[shared_chance.library_key(board)] == expected


# ---- wrong inputs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "beads",
    [0, -1, (4, 0), (4, -3), 2.5, (1, 2.5), (), 1001, "4", "many", float("nan"), float("inf")],
)
def test_beads_that_are_no_whole_numbers_from_1_on_are_refused(beads):
    with pytest.raises(ValueError, match=r"beads=.*expected whole numbers from 1 to 1000"):
        menace(GAME, beads)


@pytest.mark.parametrize("beads", [None, [[1]], True])
def test_beads_of_a_wrong_type_are_refused_in_words(beads):
    with pytest.raises(ValueError, match=r"beads=.*expected whole numbers"):
        menace(GAME, beads)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *itertools.product(["win", "tie", "loss", "later"], [-1, 101, 1.5, "1", None, True]),
        *itertools.product(["first", "second"], [1, "yes"]),
    ],
)
def test_wrong_parameters_are_refused_by_name(option, value):
    with pytest.raises(ValueError, match=f"{option}={value!r}: expected"):
        menace(GAME, **{option: value})


def test_a_game_without_symmetries_is_refused():
    with pytest.raises(ValueError, match="needs a game with symmetries"):
        menace(SimpleGame())


class SimpleGame(NamedTuple):
    """Nothing that MENACE could use."""

    def action_count(self):
        return 2


def test_a_machine_has_boxes_for_one_seat_at_least():
    with pytest.raises(ValueError, match="at least one"):
        menace(GAME, first=False, second=False)


def test_a_game_with_too_many_positions_is_refused():
    with pytest.raises(ValueError, match="match boxes: take a smaller board"):
        menace(Connect4(4, 5, 4) if hasattr(Connect4, "canonical") else TicTacToe(4))


@pytest.mark.parametrize(
    "arrange", [functools.partial(Training, GAME), functools.partial(match, GAME)]
)
@pytest.mark.parametrize(
    ("starter", "options", "place"),
    [
        ("opponent", {}, "second"),
        ("alternate", {}, "second"),
        ("agent", {"first": False, "second": True}, "first"),
    ],
)
def test_a_seat_without_boxes_is_refused(arrange, starter, options, place):
    with pytest.raises(ValueError, match=f"can't move {place}: build it with {place}=True"):
        arrange(menace(GAME, **options), Random(), games=10, starter=starter)


def test_a_seat_without_boxes_is_refused_on_the_other_side_too():
    with pytest.raises(ValueError, match="can't move second: build it with second=True"):
        Training(GAME, Random(), menace(GAME), games=10)


def test_a_machine_for_another_board_is_refused():
    with pytest.raises(ValueError, match="was made for"):
        Training(GAME, menace(TicTacToe(2)), Random())


def test_an_opponent_of_the_wrong_seat_in_a_drawn_board():
    """A position of the other seat has no box; asking for it is no forced move."""
    machine = pulles()
    state = noughts_and_crosses("X.. ... ...")
    assert machine.table.find(GAME.canonical(state)[0]) == -1
    assert not machine.plays(1) and isinstance(Frozen(machine).agent, type(machine))
