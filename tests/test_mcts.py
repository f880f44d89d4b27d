"""Monte Carlo tree search: its tree, its strength, its proofs, and each printed departure."""

import math
import random
from functools import partial

import numpy as np
import pytest

from course_lib.agents import OneStepLookAhead, Random, grow, mcts, monte_carlo, perfect
from course_lib.agents.mcts import KEY, SAME, UNPROVEN
from course_lib.arena import label, match
from course_lib.chance import random_index
from course_lib.exact import solve
from course_lib.games import Connect4, DotsAndBoxes, TicTacToe
from course_lib.thoughts import thought
from course_lib.twospeed import is_lean
from tests.naive import solvers, tree_search
from tests.sample import after, naively, name, noughts_and_crosses, random_actions, twin

GAMES = [TicTacToe(), Connect4(4, 5, 3), Connect4(), DotsAndBoxes(2, 2), DotsAndBoxes(1, 2, True)]
SWITCHES = ("solver", "keep", "skip_ends", "own_reward", "one_side", "wrong_side")
SWITCHES += ("share", "list_memory", "by_value")


def late_states(game, moves_left, number, seed=0):
    """Unfinished positions of random games, so many moves before the board is full."""
    rng, states = random.Random(seed), []
    while len(states) < number:
        state = after(game, random_actions(game, rng, game.longest() - moves_left))
        if not game.over(state) and len(list(game.actions(state))) > 1:
            states.append(state)
    return states


# ---- the tree --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_the_tree_is_that_of_a_naive_search_that_draws_the_same_numbers(game):
    """Written apart, with dictionaries and values for player 0: visit for visit, sum for sum."""
    naive = twin(game)
    for state in (game.start(), *late_states(game, 4, 2)):
        found = grow(mcts(game, 300, c=1.2), game, state, seed=7)
        rng = np.random.default_rng([7, 0])
        position = naively(game, state)
        draw = partial(random_index, rng=rng)
        root = tree_search.grow(naive, position, 300, 1.2, draw)
        tree, same = found.tree, [(0, root, position)]
        for node, twin_node, pos in same:
            assert tree.visits[node] == twin_node["visits"]
            actions = {int(tree.actions[child]): child for child in tree.children(node)}
            assert set(actions) == set(twin_node["children"])
            sign = 1 if naive.to_move(pos) == 0 else -1
            for action, child in actions.items():
                below = twin_node["children"][action]
                assert tree.values[child] == sign * below["total"] / below["visits"]
                same.append((child, below, naive.play(pos, action)))
        assert len(same) == len(tree.parents) > 3


@pytest.mark.parametrize("game", GAMES, ids=name)
@pytest.mark.parametrize("switch", ["", *SWITCHES])
def test_both_speeds_grow_the_same_tree(game, switch):
    agent = mcts(game, 120, **({switch: True} if switch else {}))
    assert is_lean(agent)
    state = late_states(game, 5, 1)[0]
    slow, quick = (grow(agent, game, state, 3, speed) for speed in ("python", "compiled"))
    assert slow.simulations == quick.simulations
    assert slow.comparisons == quick.comparisons
    for ours, theirs in zip(slow.tree[2:], quick.tree[2:], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert repr(slow) == repr(quick)


def test_both_speeds_play_the_same_games_with_a_tree_that_is_kept():
    game = DotsAndBoxes(2, 2)
    for options in ({"keep": True}, {"keep": True, "solver": True}, {"solver": True}):
        slow, quick = (
            match(game, mcts(game, 40, **options), monte_carlo(game, 4), 4, 1, "alternate", speed=s)
            for s in ("python", "compiled")
        )
        np.testing.assert_array_equal(slow.moves, quick.moves)


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_every_simulation_adds_a_node_and_is_counted_by_all_above_it(game):
    found = grow(mcts(game, 500), game, game.start())
    tree = found.tree
    assert tree.visits[0] == found.simulations == 500
    ends = 0
    for node in range(1, len(tree.parents)):
        assert 0 <= tree.parents[node] < node
        below = tree.children(node)
        if game.over(tree.state(node)):
            ends += tree.visits[node] - 1
            assert not below
        else:
            assert tree.visits[node] == 1 + sum(tree.visits[child] for child in below)
        assert -1 <= tree.values[node] <= 1
    assert len(tree.parents) == 501 - ends
    assert sum(found.visits) == 500


def test_the_bound_is_value_plus_c_times_the_root_of_log_visits_over_own_visits():
    game = TicTacToe()
    found = grow(mcts(game, 200, c=0.7), game, game.start())
    for action in range(9):
        bonus = 0.7 * math.sqrt(math.log(200) / found.visits[action])
        assert found.bounds[action] == pytest.approx(found.values[action] + bonus)


def test_without_exploration_it_stays_with_what_was_good_at_first_and_with_much_it_tries_all():
    game = TicTacToe()
    shares = [grow(mcts(game, 900, c), game, game.start()).visits.max() / 900 for c in (0, 1.4, 50)]
    assert shares[0] > 0.8 > shares[1] > 0.2 > shares[2] > 1 / 9


def test_a_full_tree_grows_no_more_but_goes_on_counting():
    game = Connect4()
    found = grow(mcts(game, 2000, room=50), game, game.start())
    assert len(found.tree.parents) == 50 and found.visits.sum() == 2000
    assert match(game, mcts(game, 300, room=20), Random(), 40).wins() > 35


# ---- strength --------------------------------------------------------------------------------


def test_with_3000_simulations_it_loses_none_of_100_games_to_the_perfect_player():
    game = TicTacToe()
    games = match(game, mcts(game, 3000), perfect(game), 100, starter="opponent")
    assert (games.losses(), games.wins()) == (0, 0)
    weaker = match(game, monte_carlo(game, rollouts=3000), perfect(game), 100, starter="opponent")
    assert weaker.losses() > 10


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(4, 5, 3), DotsAndBoxes(2, 2)], ids=name)
def test_no_won_late_position_slips(game):
    solution, tested = solve(game), 0
    for left in (4, 5, 6) if isinstance(game, DotsAndBoxes) else (4, 5, 6, 7, 8):
        for state in late_states(game, left, 40, seed=left):
            best = int(solution.best_actions(game, state))
            if solution.value(game, state) == 1 and best.bit_count() < len(
                list(game.actions(state))
            ):
                tested += 1
                for move in grow(mcts(game, 10_000), game, state).best_moves:
                    assert best >> move & 1, game.draw(state)
    assert tested > 30


def test_at_equal_rollouts_the_tree_beats_flat_search_on_connect4_clearly():
    game = Connect4()
    games = match(game, mcts(game, 300), monte_carlo(game, rollouts=300), 120, 0, "alternate")
    lead = games.results.mean()
    assert lead > 4 * games.results.std() / math.sqrt(120), games


def test_on_connect4_it_beats_the_player_that_looks_one_step_ahead():
    game = Connect4()
    games = match(game, mcts(game, 400), OneStepLookAhead(), 60, starter="alternate")
    assert games.wins() >= 55


def test_a_larger_budget_plays_better():
    game = Connect4(4, 5, 3)
    assert match(game, mcts(game, 800), mcts(game, 40), 200, 0, "alternate").results.mean() > 0.2


# ---- the tree from move to move --------------------------------------------------------------


@pytest.mark.parametrize("game", [TicTacToe(), Connect4(), DotsAndBoxes(2, 2)], ids=name)
def test_what_is_kept_is_the_part_of_the_tree_below_the_new_position(game):
    agent = mcts(game, 400, keep=True)
    first = grow(agent, game, game.start())
    reply = max(
        (n for n in range(len(first.tree.parents)) if first.tree.parents[n] > 0),
        key=lambda n: first.tree.visits[n],
    )
    state = first.tree.state(reply)
    second = grow(agent._replace(iterations=1), game, state)
    kept = first.tree.visits[reply]
    assert second.tree.visits[0] == kept + 1 > 5

    def below(tree, node):
        """All that is known below a node, by the moves that lead there."""
        found = {}
        for child in tree.children(node):
            visits, action = int(tree.visits[child]), int(tree.actions[child])
            found[(action,)] = (visits, float(tree.values[child]))
            found |= {(action, *path): known for path, known in below(tree, child).items()}
        return found

    before, now = below(first.tree, reply), below(second.tree, 0)
    changed = [path for path in before if now[path] != before[path]]
    assert set(before) <= set(now) and len(now) <= len(before) + 1
    assert all(now[path][0] == before[path][0] + 1 for path in changed)
    assert second.tree.root == state


def test_a_new_game_begins_with_a_new_tree():
    game = TicTacToe()
    agent = mcts(game, 100, keep=True)
    once = match(game, agent, Random(), 20, seed=4)
    again = match(game, agent, Random(), 20, seed=4)
    np.testing.assert_array_equal(once.moves, again.moves)


def test_a_kept_tree_plays_at_least_as_well():
    game = Connect4(4, 5, 3)
    games = match(game, mcts(game, 60, keep=True), mcts(game, 60), 400, 0, "alternate")
    assert games.results.mean() > -0.02


# ---- proofs ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [Connect4(4, 5, 3), TicTacToe(), DotsAndBoxes(2, 2), DotsAndBoxes(2, 2, True)], ids=name
)
def test_what_is_proven_is_true_and_late_positions_are_proven(game):
    naive, memo, values = twin(game), {}, []
    agent = mcts(game, 20_000, solver=True)
    for state in [state for left in (3, 4, 6, 8) for state in late_states(game, left, 40)]:
        pos = naively(game, state)
        sign = 1 if game.mover(state) == 0 else -1
        value = sign * solvers.minimax(naive, pos, memo)
        if values.count(value) == 12:
            continue
        values.append(value)
        found = grow(agent, game, state)
        assert found.tree.proven[0] != UNPROVEN and found.simulations < 20_000
        best = found.best_moves[0]
        assert found.proven[best] == value
        assert best in solvers.best_moves(naive, pos, memo)
        for action, proven in found.proven.items():
            assert proven == sign * solvers.minimax(naive, naive.play(pos, action), memo)
    assert values.count(1) == 12 and len(set(values)) > 1


def test_noughts_and_crosses_is_proven_a_tie_from_the_start():
    game = TicTacToe()
    found = grow(mcts(game, 300_000, solver=True, room=300_000), game, game.start())
    assert found.tree.proven[0] == 0 and found.simulations < 300_000


def test_a_proof_ends_the_search_and_a_lost_position_is_still_played():
    game = TicTacToe()
    won = grow(mcts(game, 10_000, solver=True), game, noughts_and_crosses("XX. OO. ..."))
    assert won.best_moves == [2] and won.simulations < 200
    lost = grow(mcts(game, 10_000, solver=True), game, noughts_and_crosses("X.O .O. X.X"))
    assert set(lost.proven.values()) == {-1} and lost.best_moves[0] in (1, 3, 5, 7)


def test_with_proofs_it_is_not_weaker():
    game = Connect4(4, 5, 3)
    games = match(game, mcts(game, 100, solver=True), mcts(game, 100), 400, 0, "alternate")
    assert games.results.mean() > 0.05


# ---- MCTS as printed: each switch alone ------------------------------------------------------


def test_a_skipped_end_is_chosen_for_ever():
    game, state = TicTacToe(), noughts_and_crosses("XX. OO. ...")
    few, many = (grow(mcts(game, n, skip_ends=True), game, state) for n in (1000, 4000))
    assert few.visits.sum() == many.visits.sum() < 200
    assert grow(mcts(game, 4000), game, state).visits.sum() == 4000


def test_with_own_rewards_only_finished_positions_have_a_value():
    game = TicTacToe()
    found = grow(mcts(game, 2000, own_reward=True), game, noughts_and_crosses("X.. .O. ..."))
    tree, ends = found.tree, 0
    for node in range(1, len(tree.parents)):
        state = tree.state(node)
        if game.over(state):
            ends += tree.values[node] != 0
            assert tree.values[node] == (0 if game.result(state) == 0 else 1)
        else:
            assert tree.values[node] == 0
    assert ends > 5


def test_on_one_side_the_tree_believes_that_the_other_player_helps():
    """O threatens to win on 8; X (to move) has nothing: it believes that O will not do it."""
    game, state = TicTacToe(), noughts_and_crosses("O.X .OX X.O".replace("X.O", "..."))
    trusting = grow(mcts(game, 4000, one_side=True), game, state)
    fair = grow(mcts(game, 4000), game, state)
    assert game.mover(state) == 0
    assert fair.best_moves == [8]
    assert trusting.values[0:].max(initial=-2, where=~np.isnan(trusting.values)) > 0.9
    seat = match(game, mcts(game, 500, one_side=True), perfect(game), 100, starter="opponent")
    assert seat.losses() > 30


def test_from_the_wrong_side_it_plays_to_lose():
    game = TicTacToe()
    assert match(game, mcts(game, 500, wrong_side=True), Random(), 100).losses() > 60


def test_shared_transpositions_are_one_node_with_the_visits_of_all_ways_to_it():
    game = TicTacToe()
    agent = mcts(game, 2000, share=True)
    found = grow(agent, game, game.start())
    nodes = agent.tree.nodes[: len(found.tree.parents)]
    ways = {}
    for node in range(len(nodes)):
        ways.setdefault(int(nodes[node, KEY]), []).append(node)
    assert max(map(len, ways.values())) >= 3
    for key, same in ways.items():
        assert len(set(nodes[same, SAME])) == 1
        assert all(game.key(found.tree.state(node)) == key for node in same)
        assert len(set(found.tree.visits[same])) == 1
    alone = grow(mcts(game, 2000), game, game.start())

    def visits_below(tree, depth):
        nodes = [0]
        for _ in range(depth):
            nodes = [child for node in nodes for child in tree.children(node)]
        return sum(tree.visits[nodes])

    assert visits_below(found.tree, 1) == visits_below(alone.tree, 1) == 2000
    assert visits_below(found.tree, 3) > 2000 > visits_below(alone.tree, 3)


def test_by_value_may_differ_from_by_visits():
    game = TicTacToe()
    pairs = [
        [
            grow(mcts(game, 40, by_value=way), game, game.start(), seed).best_moves
            for way in (False, True)
        ]
        for seed in range(30)
    ]
    assert any(most != best for most, best in pairs)
    for seed in range(30):
        found = grow(mcts(game, 40, by_value=True), game, game.start(), seed)
        assert found.values[found.best_moves[0]] == np.nanmax(found.values)


def test_a_list_as_memory_finds_the_same_but_looks_at_four_times_as_much_for_twice_as_many():
    game = Connect4()
    looked = []
    for n in (500, 1000, 2000):
        found = grow(mcts(game, n, list_memory=True), game, game.start())
        usual = grow(mcts(game, n), game, game.start())
        np.testing.assert_array_equal(found.tree.visits, usual.tree.visits)
        assert usual.comparisons == 0
        looked.append(found.comparisons)
    for small, large in zip(looked, looked[1:], strict=False):
        assert 3.5 < large / small < 6


# ---- what it says, and wrong input -----------------------------------------------------------


def test_the_evidence_speaks_in_words():
    game = TicTacToe()
    found = grow(mcts(game, 1000), game, noughts_and_crosses("XX. OO. ..."))
    assert repr(found).startswith("1,000 simulations; best: top right (")
    assert found.line[0] == 2 and len(found.line) == 1
    line = grow(mcts(game, 3000), game, noughts_and_crosses("X.. .O. ..X")).line
    assert line[0] in (1, 3, 5, 7) and len(line) >= 3


def test_a_thought_shows_values_visits_and_bounds_on_the_board():
    game, state = TicTacToe(), noughts_and_crosses("XX. OO. ...")
    found = thought(mcts(game, 1000), game, state)
    assert set(found.marks) == {2, 5, 6, 7, 8} and "≤" in found.marks[5]
    assert "top right" in found.words
    assert thought(mcts(game, 1000, solver=True), game, state).marks[2] == "won"


def test_an_agent_says_what_is_unusual_about_it():
    assert label(mcts(TicTacToe(), 50, 2, solver=True)) == "MCTS(iterations=50, c=2.0, solver=True)"


def test_wrong_input_is_refused():
    game = TicTacToe()
    with pytest.raises(ValueError, match="iterations=0: expected a whole number from 1"):
        mcts(game, 0)
    with pytest.raises(ValueError, match="c=-1"):
        mcts(game, 10, -1)
    with pytest.raises(ValueError, match="share and keep"):
        mcts(game, 10, share=True, keep=True)
    with pytest.raises(ValueError, match="room=1"):
        mcts(game, 10, room=1)
    with pytest.raises(ValueError, match="finished"):
        grow(mcts(game), game, noughts_and_crosses("XXX OO. ..."))
    with pytest.raises(ValueError, match="was made for"):
        match(TicTacToe(4), mcts(game), Random())
