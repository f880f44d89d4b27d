"""Games against agents without a browser."""

import asyncio
import sys
from typing import NamedTuple

import pytest

from course_lib.agents import Random, Simple, menace, perfect
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.widgets import PERSON, play

GAME = TicTacToe()


class Raising(NamedTuple):
    def choose(self, game, state, rng):
        raise KeyError("no plan")


class Quitting(NamedTuple):
    def choose(self, game, state, rng):
        raise SystemExit


class Cheating(NamedTuple):
    def choose(self, game, state, rng):
        return 4


class Endless(NamedTuple):
    def choose(self, game, state, rng):
        while True:
            pass


def click(shown, *parts):
    for part in parts:
        stamp = shown.surface.click[1] + 1 if shown.surface.click else 1
        shown.surface.click = [str(part), stamp]


def message(shown):
    return shown.surface.view["message"]


async def until(holds):
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("waited in vain")


def test_a_game_is_won_and_counted():
    shown = play(GAME, Simple())
    click(shown, 4, 2, 6)  # Simple answers 0, 1
    assert "you (X) won" in repr(shown) and "you 1, ties 0, Simple 0" in repr(shown)
    click(shown, 8)
    assert "finished" in message(shown)
    assert shown.score == {"first": 1, "ties": 0, "second": 0}


def test_a_finished_game_counts_once_even_if_moves_are_taken_back():
    shown = play(GAME, Simple())
    click(shown, 4, 2, 6)
    shown.undo_button.click()
    assert shown.actions == [4, 0, 2, 1]
    click(shown, 6)
    assert shown.score["first"] == 1


def test_undo_goes_back_to_the_persons_turn():
    shown = play(GAME, Simple())
    click(shown, 4)
    shown.undo_button.click()
    assert shown.actions == []


def test_after_swapping_the_agent_begins_and_the_score_follows_the_player():
    shown = play(GAME, Simple())
    click(shown, 4, 2, 6)
    shown.swap_button.click()
    assert shown.actions == [0] and "you 1, ties 0, Simple 0" in repr(shown)


def test_a_swap_that_the_agent_can_not_play_is_refused_in_words():
    shown = play(GAME, menace(GAME, first=False, second=True))
    shown.swap_button.click()
    assert "can't move first" in message(shown)
    click(shown, 4)
    assert len(shown.actions) == 2


def test_whoever_closes_a_box_moves_again():
    shown = play(DotsAndBoxes(1, 2), Simple())
    click(shown, 2, 5)  # Simple draws 0, then 1
    assert shown.game.mover(shown.state) == 0 and not shown.background.busy()


def test_the_answer_of_the_agent_is_spoken():
    shown = play(GAME, Simple())
    assert shown.surface.view["spoken"] == ""
    click(shown, 4)
    assert shown.surface.view["spoken"] == "O played top left"
    shown.undo_button.click()
    assert shown.surface.view["spoken"] == ""


def test_a_hint_is_a_note_with_numbers_on_the_board_and_no_problem():
    shown = play(GAME, Simple(), hints=[perfect(GAME)])
    shown.hint_button.click()
    assert "a tie" in message(shown) and not shown.surface.view["problem"]
    assert len(shown.marks) == 9
    click(shown, 4)
    assert not shown.marks and message(shown) == ""


def test_why_names_the_move_and_its_reasons():
    shown = play(GAME, Random())
    shown.why_button.click()
    assert message(shown) == "No agent has moved yet"
    click(shown, 4)
    shown.why_button.click()
    assert "Random played" in message(shown) and "12%" in message(shown)


def test_a_learner_learns_from_the_game():
    machine = menace(GAME, first=False, second=True)
    before = machine.gauge()
    shown = play(GAME, machine, learn=True)
    while not shown.over():
        click(shown, next(iter(GAME.actions(shown.state))))
    assert machine.gauge() != before and "Menace" in message(shown) and "learnt" in message(shown)


def test_without_learn_a_learner_stays_as_it_is():
    machine = menace(GAME, first=False, second=True)
    before = machine.beads.copy()
    shown = play(GAME, machine)
    while not shown.over():
        click(shown, next(iter(GAME.actions(shown.state))))
    assert (machine.beads == before).all()


def test_taking_moves_back_again_and_again_leaves_a_learner_unharmed():
    machine = menace(GAME, first=False, second=True)
    before = machine.beads.copy()
    shown = play(GAME, machine, learn=True)
    for _ in range(20):
        click(shown, 4)
        shown.undo_button.click()
    while not shown.over():
        click(shown, next(iter(GAME.actions(shown.state))))
    assert (machine.beads == before).all() and "taken back" in message(shown)


def test_a_dead_learner_resigns_and_says_why():
    machine = menace(GAME)
    machine.beads[:] = 0
    shown = play(GAME, PERSON, first=machine, learn=True)
    assert "resigned" in repr(shown) and "is dead" in message(shown)


@pytest.mark.parametrize(
    "agent, said",
    [(Raising(), "KeyError: 'no plan'"), (Cheating(), "not legal"), (Quitting(), "SystemExit")],
)
def test_an_agent_that_fails_is_named_and_the_board_goes_on(agent, said):
    shown = play(GAME, agent)
    click(shown, 4)
    assert f"{type(agent).__name__} failed" in message(shown) and said in message(shown)
    assert shown.surface.view["problem"] and not shown.surface.view["busy"]
    shown.undo_button.click()
    assert shown.actions == [] and message(shown) == ""


def test_two_agents_play_step_by_step_and_to_the_end():
    shown = play(GAME, Simple(), first=Simple())
    shown.step_button.click()
    assert shown.actions == [0]
    shown.undo_button.click()
    assert shown.actions == []
    shown.run_button.click()
    assert shown.over() and shown.score["first"] == 1
    shown.run_button.click()
    assert not shown.running, "there is nothing to run any more"


def test_each_move_is_painted_once_while_an_agent_thinks_in_the_background():
    async def game():
        shown = play(GAME, Simple())
        seen = []
        shown.surface.observe(lambda change: seen.append(change["new"]["busy"]), "view")
        click(shown, 4)
        await until(lambda: not shown.background.busy())
        assert seen == [True, False] and shown.actions == [4, 0]

    asyncio.run(game())


def test_an_endless_agent_can_be_stopped_and_the_game_goes_on():
    async def game():
        shown = play(GAME, Endless(), hints=[Simple()])
        click(shown, 4)
        worker = shown.background.worker
        assert shown.surface.view["busy"] and "Endless (O) is thinking" in repr(shown)
        shown.hint_button.click()
        assert "wait, or stop" in message(shown) and shown.background.busy()
        shown.stop_button.click()
        assert not shown.surface.view["busy"] and "Stopped" in message(shown)
        await until(lambda: not worker.is_alive())
        click(shown, 5)
        assert "agent's turn" in message(shown)
        shown.undo_button.click()
        assert shown.actions == []

    asyncio.run(game())


def test_a_board_shows_itself_with_the_first_move_unless_that_takes_long(monkeypatch):
    async def text_with_first_move_of(agent):
        shown = play(GAME, PERSON, first=agent)
        bundle = shown._repr_mimebundle_()
        shown.background.stop()
        return (bundle[0] if isinstance(bundle, tuple) else bundle)["text/plain"]

    assert "O to move" in asyncio.run(text_with_first_move_of(Simple()))
    module = sys.modules["course_lib.widgets.play"]  # the package has a function of this name
    monkeypatch.setattr(module, "FIRST_MOVE", 0.05)
    assert "is thinking" in asyncio.run(text_with_first_move_of(Endless()))
