"""Saved agents: they come back as they were, survive any accident, and wrong files are refused."""

import errno
import hashlib
import importlib
import io
import json
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import course_lib.agents
import course_lib.games
from course_lib import storage
from course_lib.agents import (
    Equilibrium,
    IfPlayer,
    Minimax,
    MinimaxTraps,
    Negamax,
    OneStepLookAhead,
    Promise,
    Random,
    Simple,
    grow,
    mcts,
    monte_carlo,
    perfect,
    sample,
    search,
    trap_learner,
    with_memory,
)
from course_lib.agents.exploration import (
    Constant,
    Counting,
    Decaying,
    Linear,
    StopAfter,
    UntilNoZero,
)
from course_lib.agents.menace import Layout, menace
from course_lib.agents.printed import looked_up_by_print
from course_lib.agents.q_learning import PerBox, q_learning
from course_lib.games import Connect4, DotsAndBoxes, MiddleFirst, TicTacToe, TicTrapToe
from course_lib.games.dots_and_boxes import LinesAndStarter, LinesOnly
from course_lib.storage import PARTS, RefusedFile, load, load_history, save
from course_lib.training import train

ROOT = Path(__file__).parents[1]


def taught(agent, games=30, seed=1):
    """The agent after some games against a random player."""
    return train(agent.game, agent, Random(), games, seed, speed="python").trained()


def after_a_search():
    agent = with_memory(TicTacToe(), depth=3, bits=6, heuristic=Promise())
    search(agent, agent.game, agent.game.start(), speed="python")
    return agent


def after_rollouts():
    agent = monte_carlo(TicTacToe(), 5, seconds=2, policy=OneStepLookAhead())
    sample(agent, agent.game, agent.game.start(), speed="python")
    return agent


def after_simulations():
    agent = mcts(DotsAndBoxes(1, 2), 50, keep=True, solver=True)
    grow(agent, agent.game, agent.game.start(), speed="python")
    return agent


AGENTS = {
    "random": lambda: Random(),
    "simple": lambda: Simple(),
    "look-ahead": lambda: OneStepLookAhead(),
    "minimax": lambda: Minimax(pruning=True, depth=4, heuristic=Promise()),
    "negamax": lambda: Negamax(),
    "memory": after_a_search,
    "perfect": lambda: perfect(TicTacToe(2), speed="python"),
    "monte carlo": after_rollouts,
    "mcts": after_simulations,
    "perfect boxes": lambda: perfect(DotsAndBoxes(1, 2, True), speed="python"),
    "menace": lambda: taught(menace(TicTacToe())),
    "menace of Jose et al.": lambda: taught(
        menace(TicTacToe(), (8, 4, 2, 1), per_orbit=True, forced_box=False, later=1)
    ),
    "menace for both seats": lambda: taught(menace(TicTacToe(), second=True)),
    "menace, boxes": lambda: taught(menace(DotsAndBoxes(1, 2))),
    "q": lambda: taught(q_learning(TicTacToe(), alpha=0.1 + 0.2, exploration=Constant(1 / 3))),
    "q, numpy's numbers": lambda: taught(
        q_learning(TicTacToe(np.int64(3)), exploration=Constant(np.float64(0.3)))
    ),
    "if-player": lambda: IfPlayer(),
    "trap learner": lambda: trap_learner(TicTrapToe()),
    "q, middle first": lambda: taught(q_learning(MiddleFirst(4, 4, 3))),
    "q, linear": lambda: taught(q_learning(Connect4(4, 4, 3), exploration=Linear(0.3, 5, 90))),
    "q, printed": lambda: looked_up_by_print(taught(q_learning(Connect4(4, 4, 3)))),
    "q, stop": lambda: taught(q_learning(DotsAndBoxes(), exploration=StopAfter(0.2, 20))),
    "q, decaying, symmetric": lambda: taught(
        q_learning(TicTacToe(4), exploration=Decaying(), symmetry=True)
    ),
    "q, no zero": lambda: taught(
        q_learning(
            Connect4(),
            exploration=UntilNoZero(),
            each_turn=False,
            reward_all=True,
            own_next=False,
            count_illegal=True,
            random_ties=False,
        )
    ),
    "q, sets of lines": lambda: taught(
        q_learning(DotsAndBoxes(1, 2), exploration=Counting(2.0), eyes=LinesOnly())
    ),
    "q, sets of lines and starter": lambda: taught(
        q_learning(DotsAndBoxes(1, 2), rewards=PerBox(2.0), eyes=LinesAndStarter())
    ),
}


def exactly(value):
    """All of a value that must come back: classes, types, bits of floats, layout of arrays."""
    if isinstance(value, tuple):
        return type(value), [exactly(each) for each in value]
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = flags.c_contiguous, flags.f_contiguous, flags.writeable
        return type(value), value.dtype, value.shape, layout, value.tobytes()
    return type(value), repr(value)


def classes_in(value):
    if not isinstance(value, tuple):
        return set()
    return {type(value)}.union(*map(classes_in, value))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "machine.npz"


# ---- there and back --------------------------------------------------------------------------


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_comes_back_exactly_as_it_was(name, path):
    agent = AGENTS[name]()
    before = exactly(agent)
    save(agent, path)
    assert exactly(load(path)) == before == exactly(agent)


def test_the_comparison_of_these_tests_sees_small_differences():
    different = [
        *(1, 1.0, True, np.int64(1), np.float64(1), np.array(1), np.array([1]), np.array([1.0])),
        *(0.0, -0.0, 0.1 + 0.2, 0.3, "1", np.array([1], ">i8"), np.array([1], np.int32)),
        *(TicTacToe(), (3,), Random(), Simple(), np.array([0.0]), np.array([-0.0])),
    ]
    seen = [exactly(value) for value in different]
    assert all(one != other for n, one in enumerate(seen) for other in seen[:n])


def test_these_tests_save_every_class_that_can_be_saved():
    saved = set().union(*(classes_in(build()) for build in AGENTS.values()))
    assert saved == {cls for classes in PARTS.values() for cls in classes}


# Equilibrium is solved anew in seconds; MinimaxTraps is an exhibit around another player.
NOT_SAVED = {Equilibrium, MinimaxTraps}


def test_every_agent_game_and_schedule_of_the_library_can_be_saved():
    marks = {
        "choose": "agent",
        "start": "game",
        "epsilon": "exploration",
        "look": "eyes",
        "estimate": "heuristic",
    }
    found = {role: set() for role in marks.values()}
    for package in (course_lib.agents, course_lib.games):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            for cls in vars(importlib.import_module(module.name)).values():
                if isinstance(cls, type) and issubclass(cls, tuple):
                    for method, role in marks.items():
                        if callable(getattr(cls, method, None)):
                            found[role].add(cls)
    for role, classes in found.items():
        assert classes - NOT_SAVED == set(PARTS[role]), f"PARTS[{role!r}] of course_lib/storage.py"


def test_every_array_of_a_class_has_a_shape_to_be_checked():
    for cls in (cls for classes in PARTS.values() for cls in classes):
        arrays = {field for field, hint in cls.__annotations__.items() if hint is np.ndarray}
        assert arrays == {line.split()[0] for line in storage.ARRAYS.get(cls, ())}, cls


def test_compiled_code_sees_no_difference_either(path):
    numba = pytest.importorskip("numba")
    for name in ("menace", "q, linear", "memory"):
        agent = AGENTS[name]()
        assert numba.typeof(load(save(agent, path))) == numba.typeof(agent)


LEARNERS = {
    "menace": lambda: menace(TicTacToe(), second=True),
    "q": lambda: q_learning(
        TicTacToe(), exploration=Decaying(1.0, 0.999), symmetry=True, random_ties=True
    ),
    "q that outgrows its table": lambda: q_learning(Connect4(), exploration=Linear(0.9, 20, 5000)),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_training_goes_on_as_if_it_had_never_been_saved(name, path):
    agent = taught(LEARNERS[name](), games=100)
    if name == "q that outgrows its table":
        agent = taught(agent, games=200)
        assert len(agent.table.keys) > len(agent.fresh().table.keys)
    save(agent, path)
    loaded = load(path)
    before = exactly(agent)
    options = {"games": 100, "seed": 2, "starter": "random", "speed": "python"}
    if name == "q that outgrows its table":
        options["starter"] = "agent"
    stayed = train(agent.game, agent, Random(), **options)
    came_back = train(loaded.game, loaded, Random(), **options)
    assert exactly(stayed.trained()) != before, "there was something to learn"
    assert exactly(came_back.trained()) == exactly(stayed.trained())
    for column in ("results", "resigned", "gauges", "played"):
        assert exactly(getattr(came_back, column)) == exactly(getattr(stayed, column))


def test_a_loaded_machine_shares_nothing_with_those_whose_boxes_were_laid_out_with_it(path):
    machine, other = menace(TicTacToe()), menace(TicTacToe())
    assert machine.table.keys is other.table.keys
    loaded = load(save(machine, path))
    before = exactly(other)
    loaded.table.keys[:] = 0
    taught(load(path))
    assert exactly(other) == before
    assert exactly(load(path).fresh()) == before
    assert [box.beads() for box in load(path).boxes(0)] == [box.beads() for box in other.boxes(0)]


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan, -0.0, 0.1 + 0.2, 5e-324, 1e308, 1e16])
def test_any_float_comes_back_to_the_last_bit(number, path):
    agent = menace(TicTacToe())
    number = float(number)
    agent = agent._replace(layout=Layout(agent.layout.by_stage, number, np.float64(number)))
    assert exactly(load(save(agent, path)).layout) == exactly(agent.layout)


def test_a_history_comes_back_in_its_order(path):
    run = train(TicTacToe(), menace(TicTacToe()), Random(), 40, speed="python")
    history = {
        "results": run.results,
        "gauges": run.gauges,
        "died": run.died,
        "ε": np.array([np.nan, np.inf, -0.0]),
        "names": np.array(run.names),
        "nothing": np.zeros((0, 3), np.float32),
        "turned": np.arange(6.0).reshape(2, 3).T,
    }
    save(run.trained(), path, history)
    came_back = load_history(path)
    assert list(came_back) == list(history)
    assert all(exactly(came_back[name]) == exactly(history[name]) for name in history)
    assert exactly(load(path)) == exactly(run.trained())


def test_without_a_history_there_is_an_empty_one(path):
    assert load_history(save(Random(), path)) == {}


def test_numpy_alone_can_open_the_arrays(path):
    agent = AGENTS["menace"]()
    save(agent, path, {"results": np.arange(3)})
    with np.load(path, allow_pickle=False) as file:
        assert np.array_equal(file["agent.beads"], agent.beads)
        assert np.array_equal(file["history.results"], np.arange(3))
        assert json.loads(file["header.json"])["version"] == 1


def test_the_same_agent_makes_the_same_file(tmp_path):
    one = save(AGENTS["menace"](), tmp_path / "one")
    assert one.read_bytes() == save(AGENTS["menace"](), tmp_path / "other").read_bytes()


# ---- where to --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [str, Path])
@pytest.mark.parametrize(
    ("given", "made"), [("a.npz", "a.npz"), ("a", "a.npz"), ("v1.2", "v1.2.npz")]
)
def test_the_ending_is_added_where_it_is_missing(tmp_path, given, made, kind):
    given = kind(tmp_path / given)
    assert save(Simple(), given) == tmp_path / made
    assert [file.name for file in tmp_path.iterdir()] == [made]
    assert type(load(given)) is Simple


def test_a_bare_name_goes_into_the_folder_one_is_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(Simple(), "here")
    assert (tmp_path / "here.npz").is_file()


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere; make it first"):
        save(Random(), tmp_path / "nowhere" / "machine")
    assert not list(tmp_path.iterdir())


def test_a_missing_file_is_named(path):
    with pytest.raises(FileNotFoundError, match=r"machine\.npz"):
        load(path)


class OwnAgent(NamedTuple):
    def choose(self, game, state, rng):
        return 0


class OwnGame(NamedTuple):
    size: Any = 3


@pytest.mark.parametrize(
    ("agent", "history", "words"),
    [
        (OwnAgent(), None, "agent is OwnAgent; what can be saved: Menace, QLearning"),
        ((3,), None, "agent is tuple"),
        (Minimax(heuristic=None), None, "agent.heuristic is NoneType"),
        (q_learning(TicTacToe())._replace(game=OwnGame()), None, "agent.game is OwnGame"),
        (q_learning(TicTacToe())._replace(clock=[0.0]), None, r"agent\.clock=\[0\.0\] can't be"),
        (q_learning(TicTacToe())._replace(clock=np.zeros(4)), None, r"agent\.clock: float64 \(4,"),
        (Random(), {"results": [1, 2]}, "history: 'results': expected an array"),
        (Random(), {"../x": np.zeros(1)}, "history: '../x'"),
        (Random(), {1: np.zeros(1)}, "history: 1"),
        (Random(), {"x": np.array([None])}, r"history\.x: an array of object can't be saved"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_could_not_be_loaded_is_not_saved(agent, history, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        save(agent, tmp_path / "machine", history)
    assert not list(tmp_path.iterdir())


# ---- another game ----------------------------------------------------------------------------


def test_an_agent_of_another_game_is_refused(path):
    agent = q_learning(TicTacToe())
    save(agent, path)
    assert exactly(load(path, game=TicTacToe(3))) == exactly(agent)
    for other in (TicTacToe(4), Connect4(), (3,), "TicTacToe"):
        with pytest.raises(RefusedFile, match=r"machine\.npz is for TicTacToe\(size=3\), not for"):
            load(path, game=other)


def test_a_player_of_any_game_is_never_of_another(path):
    assert load(save(Negamax(), path), game=Connect4()) == Negamax()


# ---- accidents -------------------------------------------------------------------------------


def no_litter(path):
    return [file.name for file in path.parent.iterdir()] == [path.name]


class FillingDisk(io.FileIO):
    """A file on a disk with little room."""

    room = 0

    def write(self, data):
        FillingDisk.room -= len(data)
        if FillingDisk.room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.9, 0.999])
def test_a_full_disk_leaves_the_old_file_whole(path, monkeypatch, share):
    size = save(AGENTS["menace"](), path).stat().st_size
    before = exactly(load(path))
    with monkeypatch.context() as patch:
        FillingDisk.room = int(share * size)
        patch.setattr(storage, "open", FillingDisk, raising=False)
        with pytest.raises(OSError) as failure:
            save(menace(TicTacToe()), path)
    assert failure.value.errno == errno.ENOSPC
    assert exactly(load(path)) == before
    assert no_litter(path)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), KeyboardInterrupt()])
def test_a_failure_of_the_last_steps_leaves_the_old_file_whole(path, monkeypatch, step, error):
    save(Minimax(), path)

    def fails(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(storage.os, step, fails)
        with pytest.raises(type(error)):
            save(Negamax(), path)
    assert exactly(load(path)) == exactly(Minimax())
    assert no_litter(path)


def test_the_new_file_is_on_disk_before_it_replaces_the_old_one(path, monkeypatch):
    steps = []
    for step in ("fsync", "replace"):
        real = getattr(os, step)
        monkeypatch.setattr(
            storage.os, step, lambda *args, s=step, r=real: (steps.append(s), r(*args))
        )
    save(Random(), path)
    assert steps == ["fsync", "replace"]


def test_a_save_clears_away_only_what_a_killed_save_of_this_file_left(path):
    litter = path.with_name(f".{path.name}.{'0' * 32}.tmp")
    kept = [
        path.with_name(name)
        for name in (f".other.npz.{'0' * 32}.tmp", f".{path.name}.notes.tmp", f"{path.name}.tmp")
    ]
    for file in (litter, *kept):
        file.write_bytes(b"half")
    save(Random(), path)
    assert sorted(path.parent.iterdir()) == sorted([path, *kept])


def test_a_save_whose_half_written_file_another_save_clears_away_begins_again(path, monkeypatch):
    real, saved = os.fsync, []

    def disturbed(number):
        real(number)
        if not saved:
            saved.append("another")
            save(Simple(), path)

    monkeypatch.setattr(storage.os, "fsync", disturbed)
    save(Random(), path)
    assert saved and type(load(path)) is Random
    assert no_litter(path)


SAVING = """
import itertools, os, signal, sys
from course_lib import storage
from course_lib.agents import with_memory
from course_lib.games import TicTacToe

path, step = sys.argv[1:]

def die(*_, **more):
    os.kill(os.getpid(), signal.SIGKILL)

if step == "write":
    npy, writes = storage.np.lib.format, itertools.count()
    real = npy.write_array
    npy.write_array = lambda *args, **more: (die if next(writes) == 2 else real)(*args, **more)
elif step != "any":
    setattr(storage.os, step, die)
for n in itertools.count(1):
    storage.save(with_memory(TicTacToe(), depth=1 + n % 1000, bits=16), path)
    if n == 3:
        print("saving", flush=True)
"""
POSIX = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


def saving(path, step):
    return subprocess.Popen(
        [sys.executable, "-c", SAVING, str(path), step],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )


@POSIX
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_kill_during_a_save_leaves_the_old_file_whole(path, step):
    old = AGENTS["menace"]()
    save(old, path)
    with saving(path, step) as process:
        assert process.wait(60) == -signal.SIGKILL
    assert exactly(load(path)) == exactly(old)
    assert not no_litter(path), "it was killed in the middle"
    save(old, path)
    assert no_litter(path)


@POSIX
def test_a_kill_at_any_moment_of_many_saves_leaves_a_whole_file(path):
    for delay in (0.0, 0.004, 0.011, 0.023):
        with saving(path, "any") as process:
            assert process.stdout.readline() == b"saving\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(delay)
            process.kill()
        assert len(load(path).memory.keys) == 1 << 16
    save(Random(), path)
    assert no_litter(path)


# ---- wrong files -----------------------------------------------------------------------------


def refused(path, words="can't be loaded"):
    """Both ways to read the file refuse it, name it, and say why."""
    for read in (load, load_history):
        with pytest.raises(RefusedFile, match=words) as refusal:
            read(path)
        assert str(refusal.value).startswith(f"{path} can't be loaded: ")
        assert len(str(refusal.value)) > len(f"{path} can't be loaded: ") + 5
    return True


def an_npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def an_npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def a_zip(name, text):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, text)
    return file.getvalue()


FOREIGN = {
    "empty": b"",
    "text": b"MENACE\n" * 100,
    "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
    "npy": an_npy(np.arange(10)),
    "pickle": pickle.dumps({"agent": 1}),
    "other npz": an_npz(beads=np.arange(10)),
    "npz with a header": an_npz(header=np.arange(10)),
    "empty zip": b"PK\5\6" + bytes(18),
    "header of another kind": a_zip("header.json", '{"format": "other", "version": 1}'),
    "header without a format": a_zip("header.json", "{}"),
    "header that is a list": a_zip("header.json", "[]"),
    "header that is no JSON": a_zip("header.json", "{"),
    "header that is no text": a_zip("header.json", b"\xff\xfe\xfd"),
    "header that is too deep": a_zip("header.json", "[" * 100_000),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_refused(name, path):
    path.write_bytes(FOREIGN[name])
    assert refused(path)


@pytest.mark.parametrize("name", ["empty", "text", "png", "npy", "pickle", "other npz"])
def test_a_file_that_save_never_wrote_is_called_so(name, path):
    path.write_bytes(FOREIGN[name])
    assert refused(path, "not a file that `save` wrote")


def test_a_file_cut_off_anywhere_is_refused(path):
    whole = save(Minimax(), path, {"results": np.arange(5, dtype=np.int8)}).read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert refused(path)


def test_a_changed_byte_anywhere_is_refused_or_changes_nothing(path):
    history = {"results": np.arange(5, dtype=np.int8)}
    whole = save(Minimax(), path, history).read_bytes()
    harmless = 0
    for place in range(len(whole)):
        for flip in (0x01, 0x20, 0xFF):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
            try:
                agent, read = load(path), load_history(path)
            except RefusedFile:
                continue
            harmless += 1
            assert exactly(agent) == exactly(Minimax())
            assert [*map(exactly, read.values())] == [*map(exactly, history.values())]
    assert harmless < 0.2 * 3 * len(whole), "dates and the like in the zip's own notes"


def forge(path, change, compression=zipfile.ZIP_STORED):
    """Rewrite a file by someone who knows its format: all checksums are right again."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    header = json.loads(members.pop("header.json"))
    change(header, members)
    del header["sha256"]
    for name in header["arrays"]:
        if name + ".npy" in members:
            header["arrays"][name] = hashlib.sha256(members[name + ".npy"]).hexdigest()
    header["sha256"] = hashlib.sha256(json.dumps(header).encode()).hexdigest()
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("header.json", json.dumps(header))


def with_fields(change):
    return lambda header, members: change(header["agent"]["fields"])


def with_array(name, change):
    """The array is replaced by what `change` makes of it: an array, or the bytes of a member."""

    def replace(header, members):
        new = change(np.load(io.BytesIO(members[name + ".npy"])))
        members[name + ".npy"] = new if isinstance(new, bytes) else an_npy(new)

    return replace


def with_version(version):
    return lambda header, members: header.update(version=version)


def set_at(array, place, value):
    array[place] = value
    return array


def claiming(shape):
    """The bytes of an .npy file with little in it that claims to have this shape."""
    file = io.BytesIO()
    about = {"descr": "<i8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue() + bytes(64)


CLASS = {"class": "Random", "fields": {}}
FORGED = [
    ("format 2", with_version(2), "format 2, this course_lib reads 1: take a newer"),
    ("format 0", with_version(0), "format 0, this course_lib reads 1$"),
    ("format True", with_version(True), "not a file that `save` wrote"),
    ("format '1'", with_version("1"), "not a file that `save` wrote"),
    ("class system", lambda h, m: h["agent"].update({"class": "os.system"}), "'os.system' is no"),
    ("class Box", lambda h, m: h["agent"].update({"class": "Box"}), "agent: 'Box' is no class"),
    ("class list", lambda h, m: h["agent"].update({"class": []}), "agent: .* can't stand"),
    ("class and more", lambda h, m: h["agent"].update(more=1), "agent: .* can't stand there"),
    ("agent is a game", lambda h, m: h["agent"].update({"class": "TicTacToe"}), "'TicTacToe' is"),
    ("agent is a number", lambda h, m: h.update(agent=3), "agent: 3 can't stand there"),
    ("no agent", lambda h, m: h.pop("agent"), "agent"),
    ("game is an agent", with_fields(lambda f: f.update(game=CLASS)), "game: 'Random' is no class"),
    ("game is a text", with_fields(lambda f: f.update(game="x")), "game: x can't stand there"),
    ("win is a class", with_fields(lambda f: f.update(win=CLASS)), "win: .* can't stand there"),
    ("win is a list", with_fields(lambda f: f.update(win=[1])), "win: .1. can't stand there"),
    ("win is null", with_fields(lambda f: f.update(win=None)), "win: None can't stand there"),
    ("win is a text", with_fields(lambda f: f.update(win="1")), "QLearning: win='1'"),
    ("alpha 7", with_fields(lambda f: f.update(alpha=7.0)), "QLearning: alpha=7.0: expected a num"),
    ("alpha NaN", with_fields(lambda f: f.update(alpha=float("nan"))), "JSON"),
    ("alpha nan", with_fields(lambda f: f.update(alpha={"float": "nan"})), "alpha=nan: expected"),
    ("alpha 0x1", with_fields(lambda f: f.update(alpha={"float": "0x1"})), "alpha: .* can't stand"),
    ("own_next 1", with_fields(lambda f: f.update(own_next=1)), "own_next=1: expected True or"),
    ("not together", with_fields(lambda f: f.update(reward_all=True)), "each_turn and reward_all"),
    ("size 9", with_fields(lambda f: f["game"]["fields"].update(size=9)), "TicTacToe: size=9"),
    ("size 4", with_fields(lambda f: f["game"]["fields"].update(size=4)), r"expected .*1024, 16"),
    ("field missing", with_fields(lambda f: f.pop("win")), "agent: QLearning has .*'win'"),
    ("field more", with_fields(lambda f: f.update(more=1)), "agent: QLearning has .*'more'"),
    ("array as number", with_fields(lambda f: f.update(alpha=f["clock"])), "KeyError|alpha"),
    ("no array", with_fields(lambda f: f.update(clock=1.0)), "clock: 1.0, expected float64|takes"),
    ("array more", lambda h, m: m.update({"x.npy": an_npy(np.zeros(1))}), "it holds .*x.npy"),
    ("array missing", lambda h, m: m.pop("agent.clock.npy"), "it holds .*expected .*agent.clock"),
    (
        "array for no field",
        lambda h, m: (m.update({"x.npy": an_npy(np.zeros(1))}), h["arrays"].update(x="")),
        r"no field takes its arrays \['x'\]",
    ),
    ("shape", with_array("agent.values", lambda a: a[:-1]), r"expected float64 \(1024, 9\)"),
    ("axes", with_array("agent.values", np.ravel), r"expected float64 \(1024, 9\)"),
    ("type", with_array("agent.values", lambda a: a.astype("f4")), "float32 .* expected float64"),
    ("bytes turned", with_array("agent.values", lambda a: a.astype(">f8")), "expected float64"),
    ("a NaN", with_array("agent.values", lambda a: a * np.nan), "values: NaN"),
    (
        "notes",
        with_array("agent.notes.moves", lambda a: a[:3]),
        r"notes\.moves: .*expected int64 .9",
    ),
    ("row too high", with_array("agent.table.slots", lambda a: set_at(a, a >= 0, 9999)), "slots"),
    ("row too low", with_array("agent.table.slots", lambda a: set_at(a, a < 0, -7)), "slots"),
    ("row twice", with_array("agent.table.slots", lambda a: a * (a < 0)), "each used row once"),
    ("used", with_array("agent.table.used", lambda a: a + 1), "each used row once"),
    ("scalar keys", with_array("agent.table.keys", lambda a: a[0]), r"expected .*\(1"),
    ("huge", with_array("agent.table.keys", lambda a: claiming((10**12,))), "can't be an array"),
    ("negative", with_array("agent.table.keys", lambda a: claiming((-2, -4))), "."),
    ("no npy", with_array("agent.table.keys", lambda a: b"keys"), "."),
    ("records", with_array("agent.clock", lambda a: np.zeros(2, "i8,i8")), "can't be an array"),
    (
        "objects",
        with_array("agent.clock", lambda a: an_npy(np.array([1, None]), allow_pickle=True)),
        "clock can't be an array of object",
    ),
]


def a_learner():
    return taught(q_learning(TicTacToe()), games=3)


def test_a_forger_who_changes_nothing_is_not_noticed(path):
    """So what the next tests see refused is refused for the change."""
    agent = a_learner()
    forge(save(agent, path), lambda header, members: None)
    assert exactly(load(path)) == exactly(agent)
    forge(path, with_fields(lambda fields: fields.update(alpha=0.75)))
    forge(path, with_array("agent.values", lambda values: values + 1))
    assert exactly(load(path)) == exactly(agent._replace(alpha=0.75, values=agent.values + 1))


@pytest.mark.parametrize(("change", "words"), [f[1:] for f in FORGED], ids=[f[0] for f in FORGED])
def test_a_forged_file_is_refused(change, words, path):
    forge(save(a_learner(), path), change)
    assert refused(path, words)


def test_a_forged_machine_of_match_boxes_is_refused(path):
    for name in ("beads", "opened", "drawn_boxes", "drawn_places", "totals", "table.keys"):
        forge(save(menace(TicTacToe()), path), with_array(f"agent.{name}", lambda a: a[1:]))
        assert refused(path, r"agent\.[a-z_.]+: .*expected")


def test_a_table_whose_size_is_no_power_of_two_is_refused(path):
    """Looking for a key would go round for ever."""
    agent = q_learning(TicTacToe())
    keys, slots = agent.table.keys[:1000], agent.table.slots[:2000]
    agent = agent._replace(
        table=agent.table._replace(keys=keys, slots=slots),
        values=agent.values[:1000],
        visits=agent.visits[:1000],
    )
    with pytest.raises(ValueError, match="1000 rows, expected a power of two"):
        save(agent, path)


def test_the_solution_of_another_game_is_refused(path):
    def smaller(header, members):
        header["agent"]["fields"]["game"]["fields"]["cols"] = 3

    forge(save(AGENTS["perfect boxes"](), path), smaller)
    assert refused(path, r"agent\.solution is for DotsAndBoxes\(rows=1, cols=2")


# ---- files that want to do harm --------------------------------------------------------------


class Payload:
    """Unpickling it makes a file."""

    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return Path.touch, (self.target,)


def test_a_file_never_runs_code(path, tmp_path):
    mark = tmp_path / "it ran"
    array = np.array([Payload(mark), None], dtype=object)
    as_npy = an_npy(array, allow_pickle=True)
    np.load(io.BytesIO(as_npy), allow_pickle=True)
    assert mark.exists(), "the payload works"
    mark.unlink()

    pickled = pickle.dumps(Payload(mark))
    for foreign in (pickled, as_npy, an_npz(header=np.zeros(1), x=array)):
        path.write_bytes(foreign)
        assert refused(path)
    for name in ("agent.clock", "history.results"):
        save(a_learner(), path, {"results": np.zeros(2)})
        forge(path, with_array(name, lambda _: as_npy))
        assert refused(path, f"{name} can't be an array of object")
        forge(path, with_array_bytes(name, pickled))
        assert refused(path)
    assert not mark.exists()


def with_array_bytes(name, data):
    return lambda header, members: members.update({name + ".npy": data})


@pytest.mark.parametrize("where", ["array", "header"])
def test_a_small_file_that_would_unpack_to_a_large_one_is_refused_before_it_does(path, where):
    zeros = bytes(100_000_000)

    def inflate(header, members):
        if where == "array":
            members["agent.clock.npy"] = zeros
        else:
            header["agent"]["class"] = zeros.decode()[:20_000_000]

    forge(save(a_learner(), path), inflate, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 1_000_000
    tracemalloc.start()
    assert refused(path, "it claims to hold more than its own size")
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_member_that_lies_about_its_size_is_refused(path):
    """The zip's table of contents claims 4 GB for a member of a few bytes."""
    save(Minimax(), path)
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\1\2")
    data[entry + 20 : entry + 28] = (0xFFFFFFF0).to_bytes(4, "little") * 2
    path.write_bytes(data)
    assert refused(path, "it claims to hold more than its own size")
