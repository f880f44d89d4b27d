"""What learners meet: feedback that cannot be crashed or hung, hints in steps, kept progress."""

import ast
import json
import threading
import time
from fractions import Fraction

import numpy as np
import pytest

from course_lib.arena import replay
from course_lib.checks import answers, begin, check, hint, progress, record, solution
from course_lib.checks.classroom import written_solution
from course_lib.checks.contest import Contest
from course_lib.checks.feedback import OPEN, RIGHT, WRONG, Feedback, Note, in_plain_words
from course_lib.checks.lectures import tasks
from course_lib.checks.record import Entry, Record
from course_lib.checks.task import Task
from course_lib.checks.trial import MOST_PRINTED, try_out
from course_lib.games import TicTacToe
from course_lib.position import Position

GAME = TicTacToe()
LATE = Position(GAME, replay(GAME, [0, 2, 4, 8, 1, 3])[-1].state)  # X to move; 5, 6, 7 are free


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    path = tmp_path / "exercises" / "progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(path))
    return path


# ---- answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (answers.Number(), 1),
        (answers.Number(), 0.5),
        (answers.Number(), np.float32(2)),
        (answers.Number(), Fraction(1, 3)),
        (answers.Number(), float("inf")),
        (answers.YesNo(), np.bool_(True)),
        (answers.Numbers(), [1, 2]),
        (answers.Numbers(), np.zeros((2, 2))),
        (answers.Move(), 7),
        (answers.Move(), np.int8(7)),
        (answers.Moves(), [5, 7]),
        (answers.Moves(), set()),
        (answers.Thing(like=(1,)), (2, 3)),
    ],
)
def test_what_is_of_its_kind_is_no_nonsense_and_has_words(kind, answer):
    assert kind.nonsense(answer, LATE) == ""
    assert kind.agrees(answer, {answer} if type(kind) is answers.Move else answer)
    assert kind.words(answer, LATE)


@pytest.mark.parametrize(
    ("kind", "answer", "part"),
    [
        (answers.Number(), "1", "a number was asked for"),
        (answers.Number(), True, "a number was asked for"),
        (answers.Number(), float("nan"), "NaN"),
        (answers.Number(), 10**400, "more than 300 digits"),
        (answers.YesNo(), 1, "True or False"),
        (answers.Numbers(), 3, "a list or an array"),
        (answers.Numbers(), ["a"], "numbers were asked for"),
        (answers.Move(), 5.0, "the number of a move"),
        (answers.Move(), 4, "move 4, which is not legal here; legal are 5, 6, 7"),
        (answers.Moves(), 5, "a list of moves"),
        (answers.Moves(), [5, 5], "a move is in it twice"),
        (answers.Moves(), ["5"], "whole numbers"),
        (answers.Moves(), [5, 9], "move 9, which is not legal"),
        (answers.Thing(like=(1,)), [1], "something like (1,)"),
    ],
)
def test_nonsense_gets_a_sentence_that_says_what_was_asked_for(kind, answer, part):
    assert part in kind.nonsense(answer, LATE)


def test_numbers_agree_but_for_rounding_and_moves_in_any_order():
    assert answers.Number().agrees(0.1 + 0.2, 0.3)
    assert not answers.Number().agrees(0.301, 0.3)
    assert answers.Moves().agrees((7, 5), {5, 7})
    assert not answers.Moves().agrees([5], {5, 7})
    assert not answers.Numbers().agrees([1, 2], [[1, 2]])


# ---- code that misbehaves --------------------------------------------------------------------


def double(number):
    return 2 * number


def half(number):
    return number / 2


DOUBLE = Task(
    "7.1",
    "Twice",
    "double",
    cases=[(1,), (2,), (8,)],
    truth=double,
    because="Twice is a number and itself.",
    hints=("Add.",),
    mistakes={half: "You divide."},
    draw=lambda number: None,
    seconds=0.5,
)


def test_right_wrong_and_not_attempted():
    assert DOUBLE.judge(lambda number: number + number).state == RIGHT
    assert DOUBLE.judge(lambda number: number + 1).state == WRONG
    for nothing in (..., None, lambda number: ..., lambda number: None):
        assert DOUBLE.judge(nothing).state == OPEN


def test_code_that_calls_a_stub_is_told_which():
    def stub(number):
        raise NotImplementedError

    stub.__code__ = stub.__code__.replace(co_qualname="value_of")
    called = DOUBLE.judge(lambda number: stub(number))
    assert called.state == OPEN
    assert "calls value_of, which is not written yet" in called.sentence
    own = DOUBLE._replace(call=lambda cls, number: cls().choose(None, None, None)).judge(Stub)
    assert own.state == OPEN and "Replace the line" in own.sentence


def test_the_first_wrong_answer_is_shown_with_the_right_one():
    feedback = DOUBLE.judge(lambda number: number + 1)
    assert feedback.compared == (("asked", "double(2)"), ("your answer", "3"), ("right", "4"))
    assert feedback.mistake == ""


def test_a_mistake_is_named_only_if_all_answers_are_its_own():
    assert DOUBLE.judge(half).mistake == "half"
    assert "You divide." in repr(DOUBLE.judge(half))
    assert DOUBLE.judge(lambda number: 0.5 if number == 1 else 7).mistake == ""


def fails(number):
    return 1 / 0


def recurses(number):
    return recurses(number)


def leaves(number):
    raise SystemExit


def loops(number):
    while True:
        pass


def loops_on(number):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def stops_later(number):
    if number > 1:
        raise KeyError("later")
    return 2


@pytest.mark.parametrize(
    ("function", "part"),
    [
        (fails, "fails with ZeroDivisionError: division by zero, in line"),
        (recurses, "calls itself without end"),
        (leaves, "asks Python to exit"),
        (loops, "stopped after 0.5 seconds: it seems to run for ever"),
        (loops_on, "stopped after 0.5 seconds"),
        (stops_later, "fails with KeyError: 'later'"),
        (lambda: 1, "fails with TypeError"),
        (lambda number: "two", "Your answer is 'two'"),
        (lambda number: 2 if number == 1 else None, "is a return missing?"),
        (lambda number: print(number), "is a return missing?"),
        (7, "no function. Hand over the function itself"),
    ],
)
def test_code_that_gives_no_answer_gets_a_sentence(function, part):
    feedback = DOUBLE.judge(function)
    assert feedback.state == WRONG
    assert part in feedback.sentence
    assert feedback.headline() in feedback._repr_html_()


def test_code_is_asked_no_longer_than_its_time_and_leaves_no_thread_behind():
    before, began = threading.active_count(), time.monotonic()
    DOUBLE.judge(loops)
    assert time.monotonic() - began < 3
    assert threading.active_count() == before


def test_a_flood_of_text_is_cut_and_shown_only_with_a_failure():
    def talks(number):
        for _ in range(10_000):
            print("all work and no play")
        return 0

    feedback = DOUBLE.judge(talks)
    assert feedback.printed.startswith("all work") and len(feedback.printed) <= MOST_PRINTED
    assert DOUBLE.judge(lambda number: print("hm") or 2 * number).printed == ""


def test_arguments_may_be_changed_without_harm():
    given = [3, 1, 2]
    trial = try_out(lambda numbers: numbers.sort() or numbers, [(given,), (given,)], 1)
    assert trial.answers == [[1, 2, 3], [1, 2, 3]] and given == [3, 1, 2]


def test_a_generator_and_a_list_that_changes_later_are_answers_as_they_are_now():
    kept = []
    trial = try_out(lambda number: kept.append(number) or kept, [(1,), (2,)], 1)
    assert trial.answers == [[1], [1, 2]]
    assert try_out(lambda number: (n for n in (1, number)), [(2,)], 1).answers == [[1, 2]]


def test_a_thing_that_cannot_show_itself_is_nonsense_and_no_crash():
    class Shy:
        def __repr__(self):
            raise RuntimeError

    assert "a Shy" in DOUBLE.judge(lambda number: Shy()).sentence


# ---- contests --------------------------------------------------------------------------------


class Last:
    def choose(self, game, state, rng):
        return max(game.actions(state))


class First:
    def choose(self, game, state, rng):
        return min(game.actions(state))

    def gives_away(self, game, state, action):
        return action == min(game.actions(state))


SMALL_CONTEST = Contest(
    "7.2",
    "Win",
    "Player",
    game=GAME,
    opponent=Last(),
    least=1000,
    because="That is a lot.",
    hints=("Win.",),
    mistakes={First(): "You are the first."},
    games=4,
    seconds=1,
)


class Cheats:
    def choose(self, game, state, rng):
        return 4


class Thinks:
    def choose(self, game, state, rng):
        while True:
            pass


class Stub:
    def choose(self, game, state, rng):
        raise NotImplementedError


@pytest.mark.parametrize(
    ("agent", "part"),
    [
        (Cheats, "action 4 is not legal here"),
        (Thinks, "stopped after 1 seconds"),
        (object, "has no method choose"),
        (type("Silent", (), {"choose": lambda *_: None}), "returns None: is a return missing?"),
        (12, "no agent"),
        (type("Fails", (), {"choose": lambda *_: 1 / 0}), "ZeroDivisionError"),
        (type("Shy", (), {"__init__": lambda self, name: None}), "TypeError"),
    ],
)
def test_an_agent_that_cannot_play_gets_a_sentence(agent, part):
    feedback = SMALL_CONTEST.judge(agent)
    assert feedback.state == WRONG and part in feedback.sentence


def test_an_agent_is_open_right_or_wrong_by_its_score():
    assert SMALL_CONTEST.judge(Stub).state == SMALL_CONTEST.judge(...).state == OPEN
    wrong = SMALL_CONTEST.judge(First)
    assert wrong.state == WRONG and "at least 1000 were asked for" in wrong.sentence
    assert SMALL_CONTEST._replace(least=-4).judge(First()).state == RIGHT


def test_a_player_is_named_only_if_it_may_have_made_all_the_moves():
    class Picky(First):
        def would_play(self, game, state, action):
            return action != 4

    picky = SMALL_CONTEST._replace(mistakes={Picky(): "You are picky."}, opponent=First())
    assert picky.judge(Last).mistake == ""
    assert SMALL_CONTEST._replace(opponent=First()).judge(Last).state == WRONG


# ---- how it looks ----------------------------------------------------------------------------


def test_a_wrong_answer_draws_its_position_with_both_moves():
    task = tasks()["1.3"]
    feedback = task.judge(lambda game, state: [5])
    assert feedback.position.state == LATE.state
    assert feedback.marks == {5: "yours", 7: "✓"}
    page = feedback._repr_html_()
    assert "<svg" in page and "yours" in page and "your answer: 5 (middle right)" in page
    assert GAME.draw(LATE.state) in repr(feedback)


def test_what_a_learner_wrote_is_never_taken_for_a_page():
    feedback = Feedback("1.1", "<b>", WRONG, "<script>", printed="<img>", compared=(("a", "<i>"),))
    page = feedback._repr_html_()
    assert not any(tag in page for tag in ("<script>", "<img>", "<i>", "<b><b>"))
    assert "<script>" not in Note("<script>", "<script>", "<script>")._repr_html_()


def test_names_of_mistakes_are_put_in_plain_words():
    assert in_plain_words("AMinusAlways") == "a minus always"
    assert in_plain_words("sign not flipped") == "sign not flipped"


# ---- hints and solutions ---------------------------------------------------------------------


def test_hints_come_in_steps_and_the_solution_after_the_last():
    total = len(tasks()["1.1"].hints)
    for step in range(1, total + 1):
        assert "hint" in solution("1.1").headline.lower() and not solution("1.1").code
        shown = hint("1.1")
        assert shown.headline.startswith(f"Hint {step} of {total}")
        assert ('solution("1.1")' in shown.text) == (step == total)
    assert "def value_of_leaf" in solution("1.1").code
    assert "SOLUTION" not in solution("1.1").code
    assert hint("1.1").headline.startswith(f"Hint {total} of {total}"), "and stays the last"


def test_a_right_answer_opens_the_solution_at_once():
    check("2.1", tasks()["2.1"].truth)
    assert "def value_for_x" in solution("2.1").code


@pytest.mark.parametrize("number", tasks())
def test_every_task_has_a_written_solution_that_is_python(number):
    code = written_solution(tasks()[number])
    assert tasks()[number].name in [getattr(node, "name", "") for node in ast.parse(code).body]


def test_a_number_that_is_not_there_is_told():
    for call in (check, hint, solution):
        with pytest.raises(ValueError, match=r"there is no task '99\.1'"):
            call("99.1")
    with pytest.raises(ValueError, match="00_welcome"):
        begin("99_nothing")


def test_under_nbgrader_only_right_answers_pass(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check("2.1", tasks()["2.1"].truth).state == RIGHT
    for answer in (..., lambda game, state, value: value):
        with pytest.raises(AssertionError, match=r"2\.1"):
            check("2.1", answer)


# ---- progress --------------------------------------------------------------------------------


def wrong(game, state, value):
    return value


def test_tries_hints_and_the_mistake_are_kept_and_right_stays_right(progress_file):
    check("2.1", ...)
    assert Record().entry("2.1") == Entry(), "a stub is no try"
    check("2.1", wrong)
    hint("2.1")
    check("2.1", tasks()["2.1"].truth)
    check("2.1", wrong)
    assert Record().entry("2.1") == Entry(RIGHT, 2, 1, "never turned")
    assert json.loads(progress_file.read_text())["tasks"]["2.1"]["state"] == RIGHT


def test_two_notebooks_do_not_overwrite_each_other():
    one, other = Record(), Record()
    one.change("0.1", state=RIGHT)
    other.change("0.2", state=WRONG)
    one.change("0.1", tries=3)
    assert {"0.1", "0.2"} == set(one.entries()) == set(other.entries())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{ half",
        "[]",
        '{"format": "another", "tasks": {}}',
        '{"format": "course progress 1", "tasks": {"0.1": {"state": "great"}}}',
        '{"format": "course progress 1", "tasks": {"0.1": {"state": "right", "tries": -1, '
        '"hints": 0, "mistake": ""}}}',
    ],
)
def test_a_damaged_file_is_kept_aside_and_work_goes_on(progress_file, text):
    progress_file.parent.mkdir(parents=True)
    progress_file.write_text(text)
    feedback = check("2.1", tasks()["2.1"].truth)
    assert "could not be read" in feedback.sentence
    assert progress_file.with_name("progress.unreadable.json").read_text() == text
    assert Record().entry("2.1").state == RIGHT
    assert "could not be read" not in check("2.1", wrong).sentence, "said once"


def test_two_damaged_files_are_both_kept(progress_file):
    progress_file.parent.mkdir(parents=True)
    for text in ("one", "two"):
        progress_file.write_text(text)
        begin("00_welcome")
    kept = sorted(path.read_text() for path in progress_file.parent.glob("*unreadable*"))
    assert kept == ["one", "two"]


def test_a_write_that_fails_leaves_the_old_file_whole(progress_file, monkeypatch):
    Record().change("0.1", state=RIGHT)
    before = progress_file.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(record.os, "replace", full)
    keeper = Record()
    keeper.change("0.2", state=RIGHT)
    assert "could not be saved: No space left" in keeper.take_message()
    assert progress_file.read_bytes() == before
    assert [path.name for path in progress_file.parent.iterdir()] == ["progress.json"]
    assert keeper.memory["0.2"].state == RIGHT


def test_progress_that_is_off_writes_nothing(monkeypatch, progress_file):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    keeper = Record()
    keeper.change("0.1", state=RIGHT)
    assert keeper.entry("0.1").state == RIGHT and not progress_file.exists()


def test_the_bar_shows_how_much_is_right_and_what_comes_next():
    fresh = begin("02_negamax")
    assert "0 of 6 right" in repr(fresh) and fresh.ending() == "Next: 2.1 For whom?"
    check("2.1", tasks()["2.1"].truth)
    check("2.2", lambda game, state: 0)
    shown = begin("02_negamax")
    assert "1 of 6 right" in repr(shown) and "✓2.1 ✗2.2 ○2.3" in repr(shown)
    assert shown.ending() == "Next: 2.2 Negamax"
    assert "17 % right" in shown._repr_html_()


def test_the_whole_course_has_a_line_for_each_lecture():
    lines = repr(progress()).splitlines()
    assert [line.split(" · ")[0] for line in lines[:3]] == ["0", "1", "2"]
    assert lines[-1] == "Next: 0.1 The free squares"
