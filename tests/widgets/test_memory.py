"""The drawer and the Q-table without a page."""

import re

import numpy as np
import pytest

from course_lib.agents import Random, menace, q_learning
from course_lib.games import Connect4, TicTacToe
from course_lib.training import train
from course_lib.widgets import drawer, play, qtable
from course_lib.widgets.memory import A_PAGE, code

GAME = TicTacToe()


def shown_without_kernel(view):
    bundle = view._repr_mimebundle_()
    return bundle[0] if isinstance(bundle, tuple) else bundle


def cards(view):
    return re.findall(r'<figure class="(.*?)" data-cell="(\d+)"', view.surface.view["html"])


def test_the_drawer_holds_all_boxes_page_by_page():
    view = drawer(menace(GAME, forced_box=False))
    seen = []
    for _ in range(9):
        seen += [int(number) for _, number in cards(view)]
        view.turn(1)
    assert view.after.disabled and sorted(set(seen)) == list(range(304))


def test_boxes_can_be_filtered_by_stage():
    view = drawer(menace(GAME, forced_box=False))
    counts = []
    for _, stage in view.stage.options[2:]:
        view.stage.value = stage
        counts.append(int(view.count.value.split()[0]))
    assert counts == [1, 12, 108, 183, 0]


@pytest.mark.parametrize("text", ["XO./.../...", "xo./.../...", ".../.../.OX", "O../X../..."])
def test_a_position_is_found_however_it_is_turned(text):
    view = drawer(menace(GAME))
    view.search.value = text
    assert len(cards(view)) == 1
    assert sorted(code(GAME, view.found()[0].state())) == sorted(text.upper())


def test_a_position_that_has_no_box_is_not_found():
    view = drawer(menace(GAME))
    view.search.value = "XXX/OO./..."
    assert view.count.value.startswith("0 positions")


def test_the_boxes_of_the_last_game_are_marked():
    machine = train(GAME, menace(GAME), Random(), games=5).trained()
    view = drawer(machine)
    marked = []
    for _ in range(9):
        marked += [int(number) for kind, number in cards(view) if "drawn" in kind]
        view.turn(1)
    assert set(marked) == {box.number for box, _ in machine.last_game()}


def test_the_boxes_of_the_last_game_can_be_shown_alone_in_the_order_of_play():
    machine = train(GAME, menace(GAME), Random(), games=5).trained()
    view = drawer(machine)
    view.stage.value = "last game"
    assert [int(number) for _, number in cards(view)] == [b.number for b, _ in machine.last_game()]


def test_beads_change_as_it_plays_and_only_then_the_drawer_is_painted():
    board = play(GAME, menace(GAME, first=False, second=True), learn=True)
    view = drawer(board)
    paints = []
    view.surface.observe(lambda change: paints.append(change["new"]), "view")
    before = view.surface.view["html"]
    moves = 0
    while not board.over():
        assert not paints
        board.surface.choose(next(iter(GAME.actions(board.state))))
        moves += 1
    assert moves > 1 and len(paints) == 1
    assert view.surface.view["html"] != before
    board.new()
    assert len(paints) == 1


def test_nothing_on_the_small_boards_can_be_chosen():
    assert "data-action" not in drawer(menace(GAME)).surface.view["html"]


def test_the_beads_are_spoken():
    assert (
        'aria-label="box 1: 36 beads, opened 0×: top left 4'
        in (drawer(menace(GAME)).surface.view["html"])
    )


def test_a_drawer_of_something_else_is_refused_in_words():
    with pytest.raises(ValueError, match="expected a Menace"):
        drawer(Random())
    with pytest.raises(ValueError, match="expected a QLearning"):
        qtable(play(GAME, Random()))


def test_the_most_visited_positions_come_first():
    agent = train(GAME, q_learning(GAME), Random(), games=50).trained()
    view = qtable(agent)
    visits = [int(agent.visits[int(row)]) for _, row in cards(view)]
    assert len(visits) == A_PAGE and visits == sorted(visits, reverse=True)
    assert visits[0] == 50  # the empty board


@pytest.mark.parametrize("symmetry", [False, True])
def test_a_row_shows_the_values_of_its_own_position(symmetry):
    agent = train(GAME, q_learning(GAME, symmetry=symmetry), Random(), games=50).trained()
    for row, state in qtable(agent).found():
        values = sorted(agent.q_values(state).values())
        places = agent.values[row]
        assert np.isin(values, places).all()


def test_the_table_of_a_learner_on_a_board_follows_the_games():
    board = play(GAME, q_learning(GAME), learn=True)
    view = qtable(board)
    assert cards(view) == []
    while not board.over():
        board.surface.choose(next(iter(GAME.actions(board.state))))
    assert len(cards(view)) > 0


def test_a_game_with_too_many_positions_is_told_so():
    view = qtable(q_learning(Connect4()))
    assert "too many to show them one by one" in view.surface.view["message"]
    view.turn(1)
    view.search.value = "X"
    assert "too many to show them one by one" in view.surface.view["message"]


def test_where_no_kernel_runs_a_page_is_a_picture():
    data = shown_without_kernel(drawer(menace(GAME)))
    assert data["text/plain"].startswith("Drawer: 338 boxes")
    assert data["image/svg+xml"].count("<svg") == 9, "eight boxes in one picture"
