"""Tic-trap-toe on the board: what a person must not see is not there."""

import json

import pytest

from course_lib.agents import IfPlayer, Simple, equilibrium, trap_learner
from course_lib.games import TicTrapToe
from course_lib.thoughts import thought
from course_lib.widgets import PERSON, board, play

GAME = TicTrapToe()


def click(shown, *parts):
    for part in parts:
        stamp = shown.surface.click[1] + 1 if shown.surface.click else 1
        shown.surface.click = [str(part), stamp]


def everything(shown):
    """All that the page holds: what is painted, said and told."""
    return json.dumps(shown.surface.view) + repr(shown)


def test_against_an_agent_the_own_trap_is_shown_and_the_other_is_not():
    shown = play(GAME, Simple())
    click(shown, 4, 9 + 8)  # Simple places on 0 and lays its trap on 1
    assert shown.state.nought_trap == 1
    assert " .x" in repr(shown)
    assert "trap of O" not in everything(shown)
    assert "O has a trap that is hidden" in repr(shown)
    assert "trap on bottom right" in shown.surface.view["moves"]
    assert "4. a trap" in shown.surface.view["moves"]


def test_where_the_hidden_trap_lies_changes_nothing_that_is_shown():
    seen = []
    for trap in (1, 2):
        shown = play(GAME, PERSON, first=Simple())
        assert shown.state.phase == 0 and shown.state.player == 1
        shown.states[-1] = shown.state._replace(cross_trap=trap)
        shown.actions[-1] = 9 + trap
        shown.paint()
        seen.append(everything(shown))
    assert seen[0] == seen[1]


def test_a_caught_person_sees_where_the_trap_was():
    shown = play(GAME, PERSON, first=Simple())  # Simple places on 0 and lays its trap on 1
    click(shown, 1)  # caught; Simple takes the piece off at once
    assert shown.state.removed == 1
    assert "trap of X" in everything(shown)


def test_at_the_end_both_traps_are_shown_and_told():
    shown = play(GAME, Simple())
    for action in (8, 9 + 4, 7, 9 + 5, 6):
        click(shown, action)
    assert shown.over()
    assert "a trap" not in shown.surface.view["moves"]
    assert "hidden" not in repr(shown)


def test_two_persons_at_one_screen_see_no_trap_unless_the_mover_looks():
    shown = play(GAME, PERSON)
    click(shown, 4)
    assert "lay a trap (and O looks away)" in shown.surface.view["status"]
    click(shown, 9 + 8, 0, 9 + 1)
    assert shown.state.cross_trap == 8 and shown.state.nought_trap == 1
    assert "trap of" not in everything(shown)
    shown.look_button.click()
    assert "trap of X" in everything(shown) and "trap of O" not in everything(shown)
    click(shown, 2)
    assert "trap of" not in everything(shown)


def test_on_a_shared_screen_the_barred_square_looks_like_any_other():
    shown = play(GAME, PERSON)
    click(shown, 4, 9 + 8, 0, 9 + 1)
    assert 'data-action="8"' in shown.surface.view["html"]
    click(shown, 8)
    assert "you laid your last trap there" in shown.surface.view["message"]
    assert shown.state.placed == 0


def test_two_agents_are_watched_with_everything_in_view():
    shown = play(GAME, Simple(), first=IfPlayer())
    for _ in range(5):
        shown.step_button.click()
    assert "trap of X" in everything(shown) and "trap of O" in everything(shown)


def test_why_does_not_give_a_trap_away():
    shown = play(GAME, IfPlayer())
    click(shown, 4, 9 + 8)
    shown.why_button.click()
    assert "keeps its trap a secret" in shown.surface.view["message"]


def test_no_look_button_without_need():
    shared, alone = play(GAME, PERSON), play(GAME, Simple())
    assert shared.look_button in shared.children[1].children
    assert alone.look_button not in alone.children[1].children


def test_the_equilibrium_says_both_mixes(solved):
    found = thought(solved, solved.game, solved.game.start())
    assert found.marks[4] == "100%"
    state = solved.game.start()
    for action in (4, 9 + 8):
        state = solved.game.play(state, action)
    found = thought(solved, solved.game, solved.game.seen_by(state, 1))
    assert any("/" in text for text in found.marks.values())
    assert "The opponent's trap: " in found.words
    chances = [float(text.split("%")[0]) for text in found.marks.values()]
    assert sum(chances) == pytest.approx(100, abs=4)
    overlaid = board(solved.game, state, mind=solved).surface.view["html"]
    assert all(text in overlaid for text in found.marks.values())


@pytest.fixture(scope="module")
def solved():
    return equilibrium(TicTrapToe(trapped_line_wins=True, missed_traps_shown=True))


def test_a_learner_says_what_its_squares_are_worth():
    learner = trap_learner(GAME)
    assert thought(learner, GAME, GAME.start()).marks[4] == "0.00"
    state = GAME.play(GAME.start(), 4)
    assert "12%" in thought(learner, GAME, state).marks[9]
