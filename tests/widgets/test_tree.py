"""The tree of a search without a page."""

import re

import pytest

from course_lib.agents import Minimax, Negamax, search
from course_lib.games import TicTacToe
from course_lib.widgets import tree
from course_lib.widgets.tree import Children, number

GAME = TicTacToe()


def late_position():
    """X has moved top left, middle and middle left; O top middle and bottom right."""
    state = GAME.start()
    for action in (0, 1, 4, 8, 3):
        state = GAME.play(state, action)
    return state


def view_of(searcher=None, room=100_000, state=None):
    searcher = searcher or Negamax(pruning=True)
    return tree(search(searcher, GAME, state or late_position(), keep_tree=room))


def html(view):
    return view.surface.view["html"]


def shown(view):
    return [int(node) for node in re.findall(r'data-node="(\d+)"', html(view))]


def test_at_first_only_the_root_is_open():
    view = view_of()
    assert shown(view) == [0, *view.tree.children(0)]


def test_a_click_opens_a_node_and_another_closes_it():
    view = view_of()
    child = next(c for c in view.tree.children(0) if view.tree.children(c))
    before = html(view)
    view.surface.choose(str(child))
    assert set(view.tree.children(child)) <= set(shown(view))
    view.surface.choose(str(child))
    assert html(view) == before


def test_the_small_boards_cannot_be_clicked():
    view = view_of()
    nodes = re.findall(r'data-action="(\d+)"', html(view))
    assert all(view.tree.children(int(node)) for node in nodes)
    assert "<svg" in html(view)


def test_stepping_follows_the_search_in_its_order():
    view = view_of()
    for step in range(1, view.step.max + 1):
        view.go(1)
        assert f'course-node here" data-cell="{step - 1}"' in html(view)
        assert max(shown(view)) == step - 1
    assert "data-later" not in html(view)


def test_alpha_and_beta_are_shown_at_each_step():
    view = view_of()
    for node in range(len(view.tree.parents)):
        view.step.value = node + 1
        alpha, beta = number(view.tree.alphas[node]), number(view.tree.betas[node])
        assert f"α = {alpha}, β = {beta}" in view.surface.view["status"]


def test_a_value_is_hidden_until_the_search_has_left_its_node():
    view = view_of(Minimax())
    view.step.value = 2
    assert "<b>root</b> value ?" in html(view)
    view.step.value = view.step.max
    assert f"<b>root</b> value {number(view.tree.values[0])}" in html(view)


def test_moves_that_were_cut_off_are_shown_as_not_looked_at():
    view = view_of()
    cut = next(n for n in range(len(view.tree.parents)) if view.tree.cuts[n])
    view.opened = set(view.path(cut))
    view.paint()
    looked_at = {int(view.tree.actions[child]) for child in view.tree.children(cut)}
    legal = set(GAME.actions(view.tree.state(cut)))
    left_out = {int(action) for action in re.findall(r'data-cut="(\d+)"', html(view))}
    assert looked_at | left_out >= legal and left_out & legal == legal - looked_at


def test_without_pruning_nothing_is_cut():
    view = view_of(Negamax())
    view.opened = set(range(len(view.tree.parents)))
    view.paint()
    assert "data-cut" not in html(view)


def test_the_index_of_children_agrees_with_the_tree():
    view = view_of()
    children = Children(view.tree.parents)
    for node in range(len(view.tree.parents)):
        assert children(node) == view.tree.children(node)


def test_a_large_tree_shows_only_a_part_of_itself():
    view = view_of(Negamax(), 100_000, GAME.start())
    view.opened = set(range(100_000))
    view.paint()
    assert len(shown(view)) <= 200 and "close some" in html(view)
    view.step.value = 90_000
    assert len(shown(view)) < 100 and 89_999 in shown(view)


def test_a_value_that_was_not_kept_is_not_invented():
    view = view_of(Negamax(), 50, GAME.start())
    assert "<b>root</b> value ?" in html(view)
    assert "the first 50 are kept" in view.surface.view["status"]


def test_whole_tree_ends_the_stepping():
    view = view_of()
    before = html(view)
    view.go(5)
    view.close_all()
    assert html(view) == before


def test_a_game_without_pictures_is_drawn_as_text():
    class Plain(TicTacToe):
        svg = property()  # hasattr says no

    state = late_position()
    view = tree(search(Negamax(), Plain(), state, keep_tree=1000, speed="python"))
    assert "<pre>" in html(view) and "<svg" not in html(view)


def test_evidence_without_a_tree_is_refused_in_words():
    with pytest.raises(ValueError, match="keep_tree=N"):
        tree(search(Negamax(), GAME, late_position()))
