"""Sweeps: the same table however many workers, whatever is killed, and however often it stops."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pytest

from course_lib import sweeps
from course_lib.games import DotsAndBoxes, TicTacToe
from course_lib.sweeps import Cell, Stopped, Sweep, key_of, running, sweep
from tests import cells

ROOT = Path(__file__).parent.parent
SLOW = 12  # cells

if os.name == "nt":
    pytest.skip("signals are sent to other processes", allow_module_level=True)


def slow_cells(folder, seconds=0.3):
    given = {"folder": str(folder), "seconds": seconds}
    return [Cell(cells.slow, {"number": n, **given}) for n in range(SLOW)]


def learnt_cells():
    return [Cell(cells.learnt, {"alpha": a, "seed": s}) for a in (0.1, 0.5, 0.9) for s in (1, 2)]


def marks(folder, word):
    """How often each cell began or was done: [number, number, ...] with repetitions."""
    return sorted(int(path.name.split("-")[1]) for path in Path(folder).glob(f"{word}-*"))


def wait_for(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def same(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            assert np.array_equal(a[name], b[name])
            assert type(a[name]) is type(b[name])


def running_elsewhere(folder, kept, seconds=0.3, cell="slow"):
    """The same sweep in a process group of its own, as from a command line."""
    program = f"""
from pathlib import Path
from course_lib.sweeps import Cell, sweep
from tests import cells
from tests.test_sweeps import slow_cells
if {cell!r} == "slow":
    table = slow_cells({str(folder)!r}, {seconds})
else:
    table = [Cell(cells.half_a_session, {{"folder": {str(folder)!r}}})]
sweep(table, {str(kept)!r}, workers=2)
"""
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def places(tmp_path):
    """A folder for the marks, one for what is kept."""
    folder, kept = tmp_path / "marks", tmp_path / "kept"
    folder.mkdir()
    return folder, kept


# ---- the table -------------------------------------------------------------------------------


def test_the_table_is_the_same_for_any_number_of_workers(tmp_path):
    alone = sweep(learnt_cells(), workers=1)
    same(alone, sweep(learnt_cells(), workers=2))
    same(alone, sweep(learnt_cells(), tmp_path, workers=3))
    same(alone, sweep(learnt_cells(), tmp_path))  # read from the disk
    direct = cells.learnt(alpha=0.5, seed=2)
    same([direct], alone[3:4])
    assert len({each["results"].tobytes() for each in alone}) > 2


def test_finished_cells_are_kept_and_not_computed_again(places):
    folder, kept = places
    first = sweep(slow_cells(folder, 0)[:3], kept, workers=1)
    run = Sweep(slow_cells(folder, 0)[:5], kept)
    assert [cell.parameters["number"] for cell in run.missing().values()] == [3, 4]
    same(first, run.go(workers=1).results()[:3])
    assert run.computed == 2 and marks(folder, "done") == [0, 1, 2, 3, 4]
    same(first, sweep(slow_cells(folder, 0)[:3], kept, workers=1, afresh=True))
    assert marks(folder, "done") == [0, 0, 1, 1, 2, 2, 3, 4]


def test_equal_cells_are_computed_once(places):
    folder, _ = places
    table = sweep(slow_cells(folder, 0)[:2] * 2, workers=1)
    assert [each["number"] for each in table] == [0, 1, 0, 1]
    assert marks(folder, "done") == [0, 1]


def test_stop_keeps_what_was_finished(places):
    folder, kept = places
    run = Sweep(slow_cells(folder, 0)[:6], kept)
    with pytest.raises(Stopped, match="4 of 6"):
        run.go(workers=1, stop=lambda: len(run.kept) == 4)
    with pytest.raises(ValueError, match="2 of 6 cells are not finished"):
        run.results()
    assert len(run.go(workers=1).results()) == 6
    assert marks(folder, "done") == [0, 1, 2, 3, 4, 5]


def test_a_damaged_file_counts_as_missing(places):
    folder, kept = places
    table = sweep(slow_cells(folder, 0)[:3], kept, workers=1)
    one, two, _ = sorted(kept.iterdir())
    one.write_bytes(one.read_bytes()[:-30])
    middle = bytearray(two.read_bytes())
    middle[len(middle) // 2] ^= 255
    two.write_bytes(middle)
    run = Sweep(slow_cells(folder, 0)[:3], kept)
    assert len(run.missing()) == 2
    same(table, run.go(workers=1).results())


def test_a_failing_cell_is_named_and_the_others_are_kept(tmp_path):
    table = [Cell(cells.square, {"x": 3}), Cell(cells.wrong, {"x": 7})]
    for workers in (1, 2):
        with pytest.raises(ZeroDivisionError, match="no cell can do 7") as failure:
            sweep(table, tmp_path, workers=workers)
        assert "in the cell wrong(x=7)" in failure.value.__notes__
    assert sweep(table[:1], tmp_path) == [9]


# ---- what is told apart ----------------------------------------------------------------------


def test_the_key_tells_parameters_apart():
    different = [
        *({"x": 1}, {"x": 1.0}, {"x": "1"}, {"x": [1]}, {"x": None}, {"x": True}, {"y": 1}),
        *({"x": TicTacToe(3)}, {"x": TicTacToe(4)}, {"x": DotsAndBoxes(3, 3)}),
        *({"x": np.zeros(3)}, {"x": np.zeros(3, int)}, {"x": np.zeros((1, 3))}, {"x": {"a": 1}}),
    ]
    keys = [key_of(Cell(cells.square, each)) for each in different]
    assert len(set(keys)) == len(keys)
    assert key_of(Cell(cells.wrong, {"x": 1})) != keys[0]
    assert key_of(Cell(cells.square, {"x": np.int64(1)})) == keys[0]


def test_the_key_does_not_depend_on_the_order_of_parameters():
    one, other = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    assert key_of(Cell(cells.square, one)) == key_of(Cell(cells.square, other))


def test_another_version_of_the_sources_is_another_cell(tmp_path, monkeypatch):
    """An edit of a game, for a cell that plays it; not an edit of what it does not import."""
    library = tmp_path / "course_lib"
    shutil.copytree(sweeps.LIBRARY, library, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sweeps, "LIBRARY", library)

    def key():
        sweeps.version_of.cache_clear()
        return key_of(Cell(cells.learnt, {"alpha": 0.5, "seed": 1}))

    before = key()
    for name in ("experiments/pulles2019.py", "widgets/lab.py", "exact/ceiling.py"):
        with (library / name).open("a") as file:
            file.write("# edited")
        assert key() == before
    keys = {before}
    for name in ("games/tic_tac_toe.py", "agents/q_learning.py", "training.py", "bits.py"):
        with (library / name).open("a") as file:
            file.write("# edited")
        assert key() not in keys
        keys.add(key())
    sweeps.version_of.cache_clear()


def test_the_sources_of_a_cell_are_found_by_their_imports():
    names = {path.name for path in sweeps.sources(Path(cells.__file__))}
    assert {"cells.py", "training.py", "arena.py", "q_learning.py", "tic_tac_toe.py"} < names
    assert not {"board.py", "pulles2019.py", "reproduce.py", "ceiling.py"} & names


def test_a_worker_with_another_version_refuses():
    with pytest.raises(ValueError, match="another version of"):
        sweeps.compute("key", cells.square, {"x": 1}, "an older version")


@pytest.mark.parametrize("function", [lambda x: x, cells.Path.exists, TicTacToe, 3])
def test_what_has_no_name_is_no_cell(function):
    with pytest.raises(ValueError, match="expected a function at the top level"):
        Sweep([Cell(function, {"x": 1})])


def test_what_can_not_be_kept_is_refused():
    with pytest.raises(ValueError, match="can't be a cell's parameter"):
        Sweep([Cell(cells.square, {"x": object()})])
    with pytest.raises(ValueError, match="can't be a cell's result"):
        sweeps.encoded({"x": {1, 2}})
    with pytest.raises(ValueError, match="Python objects"):
        sweeps.encoded(np.array([object()]))


def test_results_come_back_as_they_were():
    result = {"a": [1, 2.5, None, True, "γ"], "b": {"c": np.arange(6.0).reshape(2, 3)}}
    back = sweeps.decoded(sweeps.encoded(result))
    assert back["a"] == result["a"] and np.array_equal(back["b"]["c"], result["b"]["c"])
    odd = sweeps.decoded(sweeps.encoded({"array": float("inf"), "dict": (1, np.int8(2))}))
    assert odd == {"array": float("inf"), "dict": [1, 2]}


# ---- interrupted and killed ------------------------------------------------------------------


def uninterrupted(places):
    folder, _ = places
    return sweep(slow_cells(folder, seconds=0), workers=1)


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_after_ctrl_c_or_the_death_of_the_whole_run_it_goes_on(places, blow):
    folder, kept = places
    other = running_elsewhere(folder, kept)
    wait_for(lambda: len(list(kept.glob("slow-*.npz"))) >= 3)
    os.killpg(other.pid, blow)
    _, errors = other.communicate(timeout=30)
    assert other.returncode != 0
    assert blow == signal.SIGKILL or "KeyboardInterrupt" in errors
    there = len(list(kept.glob("slow-*.npz")))
    run = Sweep(slow_cells(folder), kept)
    assert 3 <= there < SLOW and len(run.kept) == there
    table = run.go(workers=2).results()
    assert run.computed == SLOW - there
    assert not list(kept.glob(".*.tmp"))
    same(table, uninterrupted(places))


def test_ctrl_c_keeps_no_half_session(places):
    """Trainings take Ctrl-C for a wish to stop early and keep their games: a cell must not."""
    folder, kept = places
    other = running_elsewhere(folder, kept, cell="half_a_session")
    wait_for(lambda: marks(folder, "began"))
    time.sleep(1)
    os.killpg(other.pid, signal.SIGINT)
    other.communicate(timeout=30)
    assert other.returncode != 0 and not list(kept.iterdir())


def test_a_worker_that_is_killed_costs_only_what_it_was_at(places):
    folder, kept = places
    other = running_elsewhere(folder, kept)
    wait_for(lambda: len(list(kept.glob("slow-*.npz"))) >= 3)
    os.kill(worker_at_work(folder), signal.SIGKILL)
    _, errors = other.communicate(timeout=60)
    assert other.returncode == 0, errors
    began, done = marks(folder, "began"), marks(folder, "done")
    assert set(done) == set(range(SLOW))
    assert SLOW < len(began) <= SLOW + 4  # those under way with it
    run = Sweep(slow_cells(folder), kept)
    assert run.finished()
    same(run.results(), uninterrupted(places))


def worker_at_work(folder):
    """The process of a cell that began and is not done."""
    while True:
        done = {path.name.split("-")[1] for path in folder.glob("done-*")}
        for path in folder.glob("began-*"):
            _, number, process, _ = path.name.split("-")
            if number not in done:
                return int(process)


def test_a_cell_that_always_kills_its_worker_ends_the_sweep(places):
    folder, kept = places
    table = [Cell(cells.deadly, {"folder": str(folder)}), Cell(cells.square, {"x": 4})]
    with pytest.raises(sweeps.BrokenProcessPool):
        sweep(table, kept, workers=2)
    assert len(marks(folder, "began")) >= sweeps.ATTEMPTS
    assert sweep(table[1:], kept) == [16]


def test_what_a_killed_process_began_to_write_is_cleared_away(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f".{gone.pid}-abc.tmp").touch()
    (tmp_path / f".{os.getpid()}-abc.tmp").touch()
    Sweep([], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f".{os.getpid()}-abc.tmp"]


# ---- a cluster -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def test_on_a_dask_cluster_nothing_is_lost_or_counted_twice_when_a_worker_dies(cluster, places):
    folder, kept = places
    victim = []

    def kill_one():
        if not victim and len(list(folder.glob("done-*"))) >= 3:
            victim.append(worker_at_work(folder))
            os.kill(victim[0], signal.SIGKILL)
        return False

    run = Sweep(slow_cells(folder), kept)
    with running(dask=cluster.scheduler_address):
        run.go(stop=kill_one)
    assert victim and run.computed == SLOW == len(list(kept.iterdir()))
    processes = {path.name.split("-")[2] for path in folder.glob("began-*")}
    assert str(victim[0]) in processes and len(processes) >= 2
    assert str(os.getpid()) not in processes
    assert set(marks(folder, "done")) == set(range(SLOW))
    same(run.results(), uninterrupted(places))


def test_in_a_notebook_parallel_config_gives_the_cluster(cluster):
    from distributed import Client

    with Client(cluster), joblib.parallel_config("dask"):
        table = sweep(learnt_cells())
        with pytest.raises(ZeroDivisionError, match="no cell can do 7") as failure:
            sweep([Cell(cells.wrong, {"x": 7})])
    assert "in the cell wrong(x=7)" in failure.value.__notes__
    same(table, sweep(learnt_cells(), workers=1))


def test_an_address_where_nobody_answers_is_named():
    with (
        pytest.raises(ValueError, match="no Dask scheduler answers at 'nonsense://1'"),
        running(dask="nonsense://1"),
    ):
        pass


def test_a_function_written_in_a_notebook_is_a_cell_as_well(tmp_path):
    program = """
import json, sys
from course_lib.sweeps import Cell, sweep
def cube(x):
    return x ** 3
table = [Cell(cube, {"x": x}) for x in range(4)]
print(json.dumps([sweep(table, workers=w) for w in (1, 2)]))
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    command = [sys.executable, str(script)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == [[0, 1, 8, 27]] * 2
