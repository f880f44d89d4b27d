"""The references against truths known from elsewhere; without these they'd be no second opinion."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from . import counts, learners, solvers
from .rules import Connect4, DotsAndBoxes, TicTacToe

GAMES = [TicTacToe(), TicTacToe(4), Connect4(), Connect4(4, 5, 3), DotsAndBoxes(2, 3)]


@pytest.fixture(scope="module")
def tic_tac_toe_layers():
    return counts.layers(TicTacToe())


def test_tic_tac_toe_has_5478_positions_in_a_tree_of_549946_nodes(tic_tac_toe_layers):
    assert sum(len(layer) for layer in tic_tac_toe_layers) == 5478
    assert sum(layer.total() for layer in tic_tac_toe_layers) == 549_946


def test_tic_tac_toe_has_255168_games(tic_tac_toe_layers):
    game = TicTacToe()
    won = Counter()
    for layer in tic_tac_toe_layers:
        for pos, ways in layer.items():
            if game.finished(pos):
                won[game.outcome(pos)] += ways
    assert won == {1: 131_184, -1: 77_904, 0: 46_080}


def test_tic_tac_toe_has_765_essentially_distinct_positions_627_of_them_open(tic_tac_toe_layers):
    game = TicTacToe()
    essential = [counts.classes(game, layer) for layer in tic_tac_toe_layers]
    assert sum(map(len, essential)) == 765
    assert sum(not game.finished(pos) for layer in essential for pos in layer) == 627


def test_menace_has_304_boxes_and_34_for_the_ninth_move():
    assert counts.menace_boxes(0) == [1, 12, 108, 183, 34]
    assert counts.menace_boxes(1) == [3, 38, 153, 95]


def test_connect4_counts_agree_with_the_published_ones():
    layers = counts.layers(Connect4(), 5)
    assert [layer.total() for layer in layers] == [1, 7, 49, 343, 2401, 16807]
    assert [len(layer) for layer in layers] == [1, 7, 49, 238, 1120, 4263]


def test_dots_lines_can_be_drawn_in_any_order():
    layers = counts.layers(DotsAndBoxes(1, 2))
    assert [layer.total() for layer in layers] == [1, 7, 42, 210, 840, 2520, 5040, 5040]
    assert sum(len({pos[0] for pos in layer}) for layer in layers) == 2**7


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_both_ways_of_counting_sequences_agree(game):
    layers = counts.layers(game, 3)
    assert [counts.perft(game, d) for d in range(4)] == [layer.total() for layer in layers]


def test_dots_lines_are_numbered_row_by_row():
    assert DotsAndBoxes(2, 2).sides == [[0, 2, 3, 5], [1, 3, 4, 6], [5, 7, 8, 10], [6, 8, 9, 11]]


def test_a_box_gives_another_move_and_an_equal_score_loses_for_the_starter():
    game = DotsAndBoxes(1, 2)  # 0 1 | 2 3 4 | 5 6
    pos = game.start()
    for line, player in ((0, 0), (2, 1), (5, 0), (3, 1), (1, 1), (4, 0), (6, 1)):
        assert game.to_move(pos) == player
        pos = game.play(pos, line)
    assert game.score(pos) == (0, 2)
    tied = ((1,) * 7, (0, 1), 1)
    assert game.outcome(tied) == -1
    assert DotsAndBoxes(1, 2, "draw").outcome(tied) == 0


def test_one_line_can_complete_two_boxes():
    game = DotsAndBoxes(1, 2)
    before = ((1, 1, 1, 0, 1, 1, 1), (None, None), 1)
    assert game.play(before, 3) == ((1,) * 7, (1, 1), 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_symmetric_positions_have_the_same_number_of_moves_and_the_same_end(game):
    rng = random.Random(1)
    pos = game.start()
    while not game.finished(pos):
        pos = game.play(pos, rng.choice(game.moves(pos)))
        for image in game.images(pos):
            assert len(game.moves(image)) == len(game.moves(pos))
            assert counts.canonical(game, image) == counts.canonical(game, pos)
    assert {game.outcome(image) for image in game.images(pos)} == {game.outcome(pos)}


@pytest.mark.parametrize(
    ("rows", "cols", "margin"), [(1, 1, -1), (1, 2, 0), (2, 1, 0), (2, 2, 2), (2, 3, -2)]
)
def test_dots_values_of_small_boards(rows, cols, margin):
    assert solvers.dots_solver(rows, cols)() == margin


def test_the_two_dots_solvers_agree_on_every_position_of_1x2():
    game, best, memo = DotsAndBoxes(1, 2, "draw"), solvers.dots_solver(1, 2), {}
    for layer in counts.layers(game):
        for pos in layer:
            mine, yours = game.score(pos)
            rest = best([n for n, drawn in enumerate(pos[0]) if drawn])
            margin = mine - yours + (rest if game.to_move(pos) == 0 else -rest)
            assert solvers.minimax(game, pos, memo) == (margin > 0) - (margin < 0)


def test_minimax_values():
    assert solvers.minimax(TicTacToe()) == 0
    assert solvers.minimax(DotsAndBoxes(1, 2)) == -1
    assert solvers.minimax(DotsAndBoxes(2, 2)) == 1


def test_random_tic_tac_toe_is_won_by_the_first_player_in_737_of_1260_games():
    played = solvers.fixed_play(TicTacToe(), *[solvers.random_opponent] * 2)
    assert played == (
        Fraction(737, 1260),
        Fraction(8, 63),
        Fraction(121, 420),
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_does_better_than_a_tie_against_a_perfect_player(seat):
    assert solvers.best_response(TicTacToe(), solvers.perfect_opponent(), seat) == (0, 1, 0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["random", "lowest", "lookahead"])
def test_best_play_scores_at_least_what_perfect_play_scores(name, seat):
    opponent, perfect = getattr(solvers, f"{name}_opponent"), solvers.perfect_opponent()
    best = solvers.best_response(TicTacToe(), opponent, seat)
    players = (perfect, opponent) if seat == 0 else (opponent, perfect)
    played = solvers.fixed_play(TicTacToe(), *players)
    safe = played if seat == 0 else played[::-1]
    assert sum(best) == sum(safe) == 1
    assert best[0] - best[2] >= safe[0] - safe[2]
    assert safe[2] == 0


def test_best_play_against_random_ties_once_in_192_games_and_as_second_risks_a_loss():
    first = solvers.best_response(TicTacToe(), solvers.random_opponent, 0)
    second = solvers.best_response(TicTacToe(), solvers.random_opponent, 1)
    assert first == (Fraction(191, 192), Fraction(1, 192), 0)
    assert second == (Fraction(883, 945), Fraction(53, 945), Fraction(1, 105))


def test_the_look_ahead_player_wins_before_it_blocks_and_blocks_before_it_guesses():
    both = tuple("XX.OO....")  # X wins on 2, O would win on 5
    assert solvers.lookahead_opponent(TicTacToe(), both) == {2: 1}
    block = tuple("X...O.X..")  # O must stop 3
    assert solvers.lookahead_opponent(TicTacToe(), block) == {3: 1}
    assert len(solvers.lookahead_opponent(TicTacToe(), TicTacToe().start())) == 9


def test_a_canonical_square_maps_back_to_the_same_square():
    rng, pos = random.Random(2), TicTacToe().start()
    while learners.moves(pos):
        representative, p = learners.canonical(pos)
        for square in learners.moves(representative):
            after = learners.play(pos, p[square])
            assert (
                learners.canonical(after)[0]
                == learners.canonical(learners.play(representative, square))[0]
            )
        pos = learners.play(pos, rng.choice(learners.moves(pos)))


def test_first_boxes_hold_9i_and_24_beads():
    empty = TicTacToe().start()
    assert sum(learners.Menace(4, 2, 1).box(empty).values()) == 36
    assert learners.Menace002().box(empty) == {0: 8, 1: 8, 4: 8}


@pytest.mark.parametrize(("beads", "win", "tie"), [(1, 2, 1), (1, 2, 2), (2, 3, 1)])
def test_losses_at_death_are_9i_and_the_rewards(beads, win, tie):
    dead = 0
    for seed in range(40):
        run = learners.menace_session(beads, win, tie, "perfect", random.Random(seed))
        score = Counter(run.outcomes)
        first_box = run.learner.box(TicTacToe().start())
        left = 9 * beads + win * score[1] + tie * score[0] - score[-1]
        assert left == sum(first_box.values())
        assert run.died == (left == 0 and len(run.outcomes) < 300)
        dead += run.died
    assert dead > 0


def test_losses_at_death_of_seed_002_are_24_and_the_rewards():
    for seed in range(40):
        run = learners.menace002_session("perfect", random.Random(seed), 254)
        score = Counter(run.outcomes)
        left = 24 + 3 * score[1] + score[0] - score[-1]
        assert left == sum(run.learner.box(TicTacToe().start()).values())
        assert run.died == (left == 0 and len(run.outcomes) < 254)


def test_menace_as_second_player_dies_with_its_three_reply_boxes():
    menace = learners.Menace(1, 2, 1)
    assert not menace.dead(1)
    replies = [
        menace.box(learners.canonical(learners.play(TicTacToe().start(), m))[0]) for m in (0, 1, 4)
    ]
    for box in replies:
        assert not menace.dead(1)
        box.update(dict.fromkeys(box, 0))
    assert menace.dead(1)
    assert not menace.dead(0)


@pytest.mark.parametrize("per", ["move", "round"])
def test_gamma_has_no_effect_unless_starters_alternate(per):
    def run(gamma, alternate):
        parameters = (0.1, gamma, 0.2, 50, 100, 2, 1, -1)
        rng = random.Random(3)
        return learners.q_session(parameters, "random", rng, 200, per, alternate).outcomes

    assert run(0.0, False) == run(0.9, False)
    assert run(0.0, True) != run(0.9, True)


def test_epsilon_falls_per_move_or_per_round():
    q = learners.QLearner(0.1, 0.9, 0.4, 100, 200, 2, 1, -1, per="round")
    expected = {1: 0.4, 99: 0.4, 100: 0.4, 150: 0.2, 199: 0.004, 200: 0.0, 300: 0.0}
    for number, epsilon in expected.items():
        q.round = number
        assert q.epsilon() == pytest.approx(epsilon)
    q = learners.QLearner(0.1, 0.9, 0.4, 2, 12, 2, 1, -1, per="move")
    seen, rng = [], random.Random(4)
    for number in (1, 2, 3):
        q.round = number
        for _ in range(5):
            q.choose(TicTacToe().start(), rng)
            seen.append(q.epsilon())
    falling = [0.36, 0.32, 0.28, 0.24, 0.2, 0.16, 0.12, 0.08, 0.04, 0.0]
    assert seen == pytest.approx([0.4] * 5 + falling)


def test_nobody_wins_against_the_perfect_player():
    for seed in range(5):
        rng = random.Random(seed)
        assert 1 not in learners.q_session(learners.Q10, "perfect", rng).outcomes


def test_menace_against_random_scores_about_figure_3():
    runs = [learners.menace_session(1, 2, 1, "random", random.Random(s)) for s in range(40)]
    wins = sum(run.outcomes.count(1) for run in runs) / len(runs)
    assert 185 < wins < 209
