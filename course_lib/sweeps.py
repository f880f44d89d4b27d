"""Sweeps: many cells of a table, on all cores or a cluster, with interrupt and resume.

    cells = [Cell(win_ratio, {"alpha": a, "gamma": g, "seed": 1}) for a in RATES for g in RATES]
    table = sweep(cells, folder=results_folder() / "q1", progress=True)  # a result a cell, in order

A cell is a function and its parameters. The function stands at the top level of a module (or of a
notebook), and its result follows from its parameters alone: they name the seed, too. So the table
is the same for any number of workers, and finished cells can be kept.

- With a folder, each finished cell is kept there in a file of its own, which is there as a whole or
  not at all. Its name follows from the function, its parameters and the version of its sources:
  its module, and those of the library which that imports. A sweep that was interrupted (Ctrl-C,
  `stop`, kill -9) goes on where it was when it is called again; after a change in one of the
  sources cells are computed anew. So keep functions of cells apart from texts and pictures.
- Parameters and results are numbers, text, None, NumPy arrays, and lists and dictionaries of them;
  parameters may be games and other NamedTuples, too. A tuple in a result comes back as a list.
- A worker that dies (kill -9, no memory) costs what it was at: the others' cells are kept, and
  what is missing is done again.
- Someone who outgrows the machine gives a Dask cluster to the same call, in a notebook with
      client = distributed.Client("tcp://...")
      with joblib.parallel_config("dask"): sweep(cells, ...)
  and on a command line with `with running(dask="tcp://..."):`. The files are written here, so the
  cluster needs no disk in common, but it needs this very version of course_lib.
"""

import ast
import contextlib
import functools
import hashlib
import inspect
import io
import json
import os
import re
import signal
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib.externals.loky.process_executor import BrokenProcessPool
from joblib.parallel import get_active_backend
from tqdm.auto import tqdm

from course_lib.twospeed import LIBRARY, never_compiled

ATTEMPTS = 3  # in a row in which a worker dies and no cell is finished
KEY_LENGTH = 32
HEADER = "result.json"


class Cell(NamedTuple):
    """One cell of a table: what to call, and with what."""

    function: Callable
    parameters: dict[str, Any]

    def __repr__(self):
        given = ", ".join(f"{name}={shortly(value)}" for name, value in self.parameters.items())
        return f"{self.function.__name__}({given})"


class Stopped(Exception):
    """A sweep was stopped before its end; what was finished is kept in its folder."""


def sweep(cells, folder=None, workers=None, progress=False, stop=None, afresh=None):
    """The results of some cells, in their order.

    folder: where finished cells are kept, and found again. None: nowhere.
    workers: how many processes; None for all cores (or what `running` or joblib's
        parallel_config say); 1 for none besides this one.
    stop: a function that is asked after each cell whether to raise `Stopped`. Ctrl-C raises
        KeyboardInterrupt at once. In both cases the finished cells stay in the folder.
    afresh: compute all cells again, also those that are in the folder.
    """
    run = Sweep(cells, folder)
    asked = _asked.get()
    if asked.afresh if afresh is None else afresh:
        run.forget()
    run.go(asked.workers if workers is None else workers, progress, stop)
    return run.results()


class NoCluster(ValueError):
    """No Dask scheduler answers at the address that was given."""


class Sweep:
    """A sweep under way: `go` computes what is missing, `finished` and `results` look at it."""

    def __init__(self, cells, folder=None):
        self.cells = [Cell(*each) for each in cells]
        self.keys = [key_of(each) for each in self.cells]
        self.folder = None if folder is None else Path(folder)
        self.kept = {}  # key: result
        self.computed = 0  # by this object: the others were in the folder
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            _clear_away_half_files(self.folder)
            for cell, key in zip(self.cells, self.keys, strict=True):
                with contextlib.suppress(OSError, ValueError, KeyError, zipfile.BadZipFile):
                    self.kept[key] = decoded(self.path(cell, key).read_bytes())

    def path(self, cell, key):
        return self.folder / f"{cell.function.__name__}-{key}.npz"

    def forget(self):
        """Begin anew: drop what was found in the folder."""
        self.kept = {}

    def missing(self):
        """The cells that are not finished: {key: cell}. Equal cells are computed once."""
        return {
            key: cell
            for cell, key in zip(self.cells, self.keys, strict=True)
            if key not in self.kept
        }

    def finished(self):
        return not self.missing()

    def results(self):
        """A result a cell, in the order of the cells."""
        missing = len(self.missing())
        if missing:
            raise ValueError(f"{missing} of {len(self.cells)} cells are not finished: call go()")
        return [self.kept[key] for key in self.keys]

    def go(self, workers=None, progress=False, stop=None):
        """Compute what is missing; returns self. Whatever interrupts it, it may be called again."""
        in_vain = 0
        total = len(set(self.keys))
        with tqdm(total=total, initial=len(self.kept), disable=not progress, unit="cell") as bar:
            while not self.finished():
                before = self.computed
                try:
                    with contextlib.closing(_computing(self.missing(), workers)) as computing:
                        for key, data in computing:
                            self._keep(key, data)
                            bar.update()
                            if stop is not None and stop() and not self.finished():
                                raise Stopped(f"{len(self.kept)} of {total} cells are finished")
                except BrokenProcessPool:
                    in_vain = in_vain + 1 if self.computed == before else 0
                    if in_vain == ATTEMPTS:
                        raise
        return self

    def _keep(self, key, data):
        if self.folder is not None:
            cell = self.cells[self.keys.index(key)]
            _write(self.path(cell, key), data)
        self.kept[key] = decoded(data)
        self.computed += 1

    def __repr__(self):
        return f"{len(self.kept)} of {len(set(self.keys))} cells finished"


# Where it runs


class Asked(NamedTuple):
    """What a command line asked of all sweeps in it."""

    workers: int | None = None
    afresh: bool = False


_asked = ContextVar("asked", default=Asked())  # noqa: B039 (immutable)


@contextlib.contextmanager
def running(workers=None, dask=None, afresh=False):
    """All sweeps inside of this run on so many processes, or on the Dask cluster at an address."""
    token = _asked.set(Asked(workers, afresh))
    try:
        if dask is None:
            yield
        else:
            with _client(dask) as client, joblib.parallel_config("dask", client=client):
                yield
    finally:
        _asked.reset(token)


def _client(address):
    from distributed import Client  # takes a second to import: only for those who ask for it

    try:
        return Client(address, timeout="10s", set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise NoCluster(f"no Dask scheduler answers at {address!r}: {error}") from error


def _computing(cells, workers):
    """Compute cells {key: cell}; yields (key, result in bytes) as they are finished."""
    versions = {key: version_of(cell.function) for key, cell in cells.items()}
    backend, configured = get_active_backend()
    if hasattr(backend, "client"):
        yield from _on_dask(backend.client, cells, versions)
        return
    if workers is None and configured in (None, 1):
        workers = -1
    tasks = (
        joblib.delayed(compute)(key, cell.function, cell.parameters, versions[key])
        for key, cell in cells.items()
    )
    yield from joblib.Parallel(
        workers, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs"
    )(tasks)


def _on_dask(client, cells, versions):
    """(joblib's own Dask backend waits for ever for a task that was given up.)"""
    from distributed import as_completed

    futures = [
        client.submit(
            compute, key, cell.function, cell.parameters, versions[key], key=f"cell-{key}"
        )
        for key, cell in cells.items()
    ]
    try:
        for future in as_completed(futures, loop=client.loop):
            yield future.result()
            future.release()  # so that the cluster does not hold what is on disk here
    finally:
        client.cancel(futures)


def compute(key, function, parameters, version):
    """In the worker: the result of one cell, as (key, bytes)."""
    if function.__module__ != "__main__" and version_of(function) != version:
        raise ValueError(
            f"the worker has another version of {function.__module__} than the one that sent it "
            "work: give all machines the same course_lib, and start their workers again"
        )
    try:
        with _interrupted_as_a_whole():
            return key, encoded(function(**parameters))
    except Exception as error:
        error.add_note(f"in the cell {Cell(function, parameters)!r}")
        raise


@contextlib.contextmanager
def _interrupted_as_a_whole():
    """Ctrl-C ends the cell, also one that would return half of its games (see `chunks`)."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, _interrupt) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, before)


def _interrupt(*_):
    raise KeyboardInterrupt


# Which cell it is


def key_of(cell):
    """A name for a cell that is the same on each computer: function, parameters, version."""
    function, parameters = cell
    name = getattr(function, "__qualname__", "")
    if not inspect.isfunction(function) or "<" in name or "." in name:
        raise ValueError(f"{function!r}: expected a function at the top level of a module")
    given = json.dumps(_told(parameters), sort_keys=True, allow_nan=True)
    whole = "\n".join([function.__module__, name, given, version_of(function)])
    return hashlib.sha256(whole.encode()).hexdigest()[:KEY_LENGTH]


def _told(value):
    """A parameter as JSON, different for different parameters."""
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value)
        digest = hashlib.sha256(data.tobytes()).hexdigest()
        return {"array": [data.dtype.str, list(data.shape), digest]}
    if isinstance(value, np.generic):
        return _told(value.item())
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        return {"class": [name, _told(value._asdict())]}
    if isinstance(value, list | tuple):
        return {"list": [_told(each) for each in value]}
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {"dict": {name: _told(each) for name, each in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(
        f"{value!r} can't be a cell's parameter: expected numbers, text, None, arrays, "
        "NamedTuples, and lists and dictionaries of them"
    )


@functools.cache
def version_of(function):
    """Changes with the sources that compute a cell: the function's module and what it imports.

    Of a function in a notebook its own text counts, and all of the library's core.
    """
    own = getattr(sys.modules.get(function.__module__), "__file__", None)
    if own is None:
        text = inspect.getsource(function).encode()
        files = set(LIBRARY.rglob("*.py")) - never_compiled()
    else:
        text, files = b"", sources(Path(own))
    digest = hashlib.sha256(f"numpy {np.__version__}".encode() + text)
    for path in sorted(files):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources(file):
    """A source file and those of the library that it imports, and these import in turn."""
    found, waiting = set(), [file]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(ast.parse(path.read_bytes())))
    return found - {Path(__file__)}


def _imported(tree):
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            parts = [_file_of(f"{node.module}.{each.name}") for each in node.names]
            yield from filter(None, parts)
            names = [node.module] if None in parts else []
        yield from filter(None, map(_file_of, names))


def _file_of(module):
    """The source file of a module of the library."""
    if module.split(".")[0] != LIBRARY.name:
        return None
    path = LIBRARY.parent.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((each for each in files if each.is_file()), None)


def shortly(value):
    """A parameter for a person to read."""
    if isinstance(value, np.ndarray):
        return f"<array {' × '.join(map(str, value.shape))}>"
    told = repr(value)
    return told if len(told) <= 60 else told[:57] + "..."


# What is kept of it


def results_folder():
    """Where commands keep finished cells. It may be deleted: then they are computed again."""
    if os.environ.get("COURSE_RESULTS"):
        return Path(os.environ["COURSE_RESULTS"])
    home = LIBRARY.parent / ".course_results"
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        home = Path(tempfile.gettempdir()) / "course_results"
    return home


def encoded(result):
    """A result as the bytes of an .npz file: JSON, and the arrays that are in it."""
    arrays = {}
    text = json.dumps(_apart(result, arrays))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(zipfile.ZipInfo(HEADER), text)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, array, allow_pickle=False)
            member = zipfile.ZipInfo(name + ".npy")
            archive.writestr(member, data.getbuffer(), zipfile.ZIP_DEFLATED, compresslevel=1)
    return file.getvalue()


def decoded(data):
    """The result in these bytes. Nothing in them is run."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:

        def array(name):
            stream = io.BytesIO(archive.read(name + ".npy"))
            return np.lib.format.read_array(stream, allow_pickle=False)

        return _together(json.loads(archive.read(HEADER)), array)


def _apart(value, arrays):
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise ValueError("an array of Python objects can't be a cell's result")
        name = f"array{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if isinstance(value, np.generic):
        return _apart(value.item(), arrays)
    if isinstance(value, list | tuple):
        return [_apart(each, arrays) for each in value]
    if isinstance(value, dict) and all(isinstance(name, str) for name in value):
        return {"dict": {name: _apart(each, arrays) for name, each in value.items()}}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(
        f"{type(value).__name__} can't be a cell's result: expected numbers, text, None, arrays, "
        "and lists and dictionaries of them, with text for keys"
    )


def _together(told, array):
    if isinstance(told, list):
        return [_together(each, array) for each in told]
    if isinstance(told, dict):
        if "array" in told:
            return array(told["array"])
        return {name: _together(each, array) for name, each in told["dict"].items()}
    return told


def _write(path, data):
    """The whole file or none."""
    with tempfile.NamedTemporaryFile(
        dir=path.parent, prefix=f".{os.getpid()}-", suffix=".tmp", delete=False
    ) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            os.replace(file.name, path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def _clear_away_half_files(folder):
    """What processes that were killed had begun to write."""
    for path in folder.glob(".*.tmp"):
        writer = re.match(r"\.(\d+)-", path.name)
        if writer and not _alive(int(writer[1])):
            path.unlink(missing_ok=True)


def _alive(process):
    if os.name == "nt":
        return True  # os.kill would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
