"""Saves what an agent has learnt and loads it again: one file, checked before anything is used.

    save(run.trained(), "machine.npz", {"results": run.results, "gauges": run.gauges})
    agent = load("machine.npz")
    history = load_history("machine.npz")

The file is an .npz of arrays, which np.load opens, too, and of `header.json`: how the agent is put
together from them, and their checksums. It can't run code: nothing is unpickled, and a class is
only looked up below. It is not compressed, so it can't hold more than its own size.
"""

import contextlib
import hashlib
import io
import json
import math
import os
import re
import uuid
import zipfile
from pathlib import Path

import numpy as np

from course_lib import agents, games
from course_lib.agents import exploration
from course_lib.agents.mcts import CHILD, PARENT, SAME, SIBLING, USED, Tree
from course_lib.agents.menace import Layout, Menace
from course_lib.agents.printed import AsPrinted
from course_lib.agents.q_learning import Notes, OnlyTheEnd, PerBox, QLearning
from course_lib.agents.transposition import Memory
from course_lib.exact.solve import BoxesSolution, Solution
from course_lib.games.dots_and_boxes import LinesAndStarter, LinesOnly
from course_lib.games.symmetry import AsItIs, UpToSymmetry
from course_lib.table import EMPTY, Direct, Table

FORMAT, VERSION = "course_lib agent", 1
HEADER = "header.json"
HISTORY = "history."  # a history's arrays are named history.results, ..., an agent's agent.beads
KINDS = "biufcUS"  # of arrays: numbers and text, never Python objects

# Which classes may stand in a field of this name. No others are saved or loaded.
PARTS = {
    "agent": (
        *(
            Menace,
            QLearning,
            agents.TrapLearner,
            agents.IfPlayer,
            agents.Random,
            agents.Simple,
            agents.OneStepLookAhead,
        ),
        *(agents.Minimax, agents.Negamax, agents.NegamaxWithMemory, agents.Perfect),
        *(agents.MonteCarlo, agents.MCTS),
    ),
    "game": (
        *(games.Connect4, games.DotsAndBoxes, games.MiddleFirst, games.TicTacToe),
        games.TicTrapToe,
    ),
    "exploration": (
        *(exploration.Constant, exploration.Linear, exploration.StopAfter),
        *(exploration.Decaying, exploration.Counting, exploration.UntilNoZero),
    ),
    "eyes": (AsItIs, AsPrinted, UpToSymmetry, LinesOnly, LinesAndStarter),
    "heuristic": (agents.Promise, agents.Unknown),
    "known": (Table,),
    "layout": (Layout,),
    "memory": (Memory,),
    "notes": (Notes,),
    "policy": (agents.Random, agents.OneStepLookAhead),
    "rewards": (OnlyTheEnd, PerBox),
    "solution": (Solution, BoxesSolution),
    "table": (Table, Direct),
    "tree": (Tree,),
}

# The arrays of a class, with type and shape; `_check_arrays` knows how many rows there are.
ARRAYS = {
    Table: ["slots int32 slots", "keys int64 rows", "used int64 1"],
    Layout: ["by_stage int64 stages"],
    Menace: [
        *("beads int64 rows places", "opened int64 rows", "totals int64 2"),
        *("drawn_boxes int64 moves", "drawn_places int64 moves"),
    ],
    QLearning: ["values float64 rows places", "visits int64 rows", "clock float64 3"],
    agents.TrapLearner: [
        *("values float64 rows 72", "visits int64 rows", "removals float64 rows 9"),
        *("last int64 7", "clock float64 1"),
    ],
    Notes: ["moves int64 moves 6", "made int64 1"],
    Memory: ["keys int64 rows", "values float64 rows", "kinds int8 rows", "depths int16 rows"],
    agents.MonteCarlo: ["counts int64 places 3", "means float64 places"],
    Tree: [
        *("nodes int64 nodes 13", "path int64 path", "counts int64 5"),
        "scores float64 places",
    ],
    Solution: ["values int8 rows", "best int64 rows"],
    BoxesSolution: ["margins int8 sets"],
}


class RefusedFile(ValueError):
    """A file that is not loaded; the message names it and says why."""


def save(agent, path, history=None):
    """Write an agent and, if wanted, a history (named arrays) to a file; returns its path.

    `.npz` is added to a name that ends otherwise. A file of that name is replaced all at once:
    whatever happens meanwhile, there is the old one or the new one, never half of one.
    """
    path = _full_name(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {path.parent}; make it first")
    arrays = {}
    coded = _encode("agent", agent, arrays)
    _check_arrays("agent", agent, {})
    for name, array in (history or {}).items():
        if not (isinstance(name, str) and name.isidentifier() and type(array) is np.ndarray):
            raise ValueError(f"history: {name!r}: expected an array with a name such as 'results'")
        arrays[HISTORY + name] = array
    for name, array in arrays.items():
        if array.dtype.kind not in KINDS:
            raise ValueError(f"{name}: an array of {array.dtype} can't be saved")
    _replace(path, lambda file: _pack(file, coded, arrays))
    return path


def load(path, game=None):
    """The agent of a file; RefusedFile if it is not as `save` wrote it, or for another game."""
    agent, _ = _read(path)
    own = getattr(agent, "game", game)  # a player without a game of its own plays any
    if game is not None and (type(own), own) != (type(game), game):
        raise RefusedFile(f"{_full_name(path)} is for {own}, not for {game}")
    return agent


def load_history(path):
    """The history that was saved with an agent: {name: array}, empty if there was none."""
    _, history = _read(path)
    return history


def _full_name(path):
    path = Path(path)
    return path if path.suffix == ".npz" else path.with_name(path.name + ".npz")


def _read(path):
    path = _full_name(path)
    with open(path, "rb") as file:
        try:
            header, arrays = _unpack(file)
            agent = _decode("agent", header["agent"], arrays)
            _check_arrays("agent", agent, {})
            strange = [name for name in arrays if not name.startswith(HISTORY)]
            if strange:
                raise ValueError(f"no field takes its arrays {strange}")
        except Exception as error:  # whatever it is, the file is the cause
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            raise RefusedFile(f"{path} can't be loaded: {kind}{error}") from error
    return agent, {name.removeprefix(HISTORY): array for name, array in arrays.items()}


# The file


def _replace(path, write):
    """Write a file beside the old one, and put it in its place when it is whole and on disk."""
    done = False
    while not done:
        temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
        try:
            with open(temporary, "xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileNotFoundError):  # cleared away by another save: once more
                os.replace(temporary, path)
                done = True
        finally:
            temporary.unlink(missing_ok=True)
    left_by_a_kill = re.compile(re.escape(f".{path.name}.") + "[0-9a-f]{32}[.]tmp")
    for other in path.parent.iterdir():
        if left_by_a_kill.fullmatch(other.name):
            with contextlib.suppress(OSError):
                other.unlink()


def _pack(file, coded, arrays):
    header = {"format": FORMAT, "version": VERSION, "agent": coded, "arrays": {}}
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, array, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + ".npy"), data.getbuffer())
            header["arrays"][name] = hashlib.sha256(data.getbuffer()).hexdigest()
        header["sha256"] = _checksum(header)
        archive.writestr(zipfile.ZipInfo(HEADER), json.dumps(header, allow_nan=False))


def _checksum(header):
    return hashlib.sha256(json.dumps(header, allow_nan=False).encode()).hexdigest()


def _unpack(file):
    """The header and the arrays, if they are what was saved."""
    try:
        archive = zipfile.ZipFile(file)
        archive.getinfo(HEADER)
    except (zipfile.BadZipFile, KeyError):
        raise ValueError("it is not a file that `save` wrote, or only a part of one") from None
    members = archive.infolist()
    room = os.fstat(file.fileno()).st_size
    if any(m.compress_type for m in members) or sum(m.file_size for m in members) > room:
        raise ValueError("it claims to hold more than its own size")
    header = json.loads(archive.read(HEADER))
    if header["format"] != FORMAT or type(header["version"]) is not int:
        raise ValueError("it is not a file that `save` wrote")
    if header["version"] != VERSION:
        advice = ": take a newer course_lib" if header["version"] > VERSION else ""
        raise ValueError(
            f"it has format {header['version']}, this course_lib reads {VERSION}{advice}"
        )
    if header.pop("sha256") != _checksum(header):
        raise ValueError("it is damaged or was changed: the checksum of its header is wrong")
    names = [HEADER, *(name + ".npy" for name in header["arrays"])]
    if sorted(names) != sorted(archive.namelist()):
        raise ValueError(f"it holds {sorted(archive.namelist())}, expected {sorted(names)}")
    arrays = {}
    for name, checksum in header["arrays"].items():
        data = archive.read(name + ".npy")
        if hashlib.sha256(data).hexdigest() != checksum:
            raise ValueError(f"it is damaged or was changed: the checksum of {name} is wrong")
        arrays[name] = _array(name, data)
    return header, arrays


def _array(name, data):
    """The array in the bytes of an .npy file. What it says of itself is checked first."""
    stream = io.BytesIO(data)
    np.lib.format.read_magic(stream)
    shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    if dtype.kind not in KINDS or math.prod(shape) * dtype.itemsize != len(data) - stream.tell():
        raise ValueError(f"{name} can't be an array of {dtype} with shape {shape}")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


# What is in it


def _encode(place, value, arrays):
    """A value as JSON. Arrays go into `arrays` under the name of their place: agent.table.keys."""
    role = place.rpartition(".")[2]
    if role in PARTS:
        if type(value) not in PARTS[role]:
            names = ", ".join(cls.__name__ for cls in PARTS[role])
            raise ValueError(f"{place} is {type(value).__name__}; what can be saved: {names}")
        fields = {f: _encode(f"{place}.{f}", each, arrays) for f, each in value._asdict().items()}
        return {"class": type(value).__name__, "fields": fields}
    if type(value) is np.ndarray or isinstance(value, np.generic):
        arrays[place] = np.asarray(value)
        return {"array" if type(value) is np.ndarray else "scalar": place}
    if type(value) is float and not math.isfinite(value):
        return {"float": str(value)}  # JSON has no word for it
    if type(value) in (bool, int, float, str):
        return value
    raise ValueError(f"{place}={value!r} can't be saved: expected an array, number, bool or text")


def _decode(place, coded, arrays):
    """The value that `_encode` made this of; takes its arrays out of `arrays`."""
    role = place.rpartition(".")[2]
    match role in PARTS, list(coded.items()) if isinstance(coded, dict) else coded:
        case True, [("class", str(name)), ("fields", dict(fields))]:
            cls = {cls.__name__: cls for cls in PARTS[role]}.get(name)
            if cls is None:
                raise ValueError(f"{place}: {name!r} is no class that can stand there")
            if set(fields) != set(cls._fields):
                raise ValueError(f"{place}: {name} has {cls._fields}, not {tuple(fields)}")
            return cls(**{f: _decode(f"{place}.{f}", each, arrays) for f, each in fields.items()})
        case False, [("array", str(name))]:
            return arrays.pop(name)
        case False, [("scalar", str(name))]:
            return arrays.pop(name)[()]
        case False, [("float", "inf" | "-inf" | "nan" as number)]:
            return float(number)
        case False, bool() | int() | float() | str():
            return coded
    raise ValueError(f"{place}: {str(coded)[:80]} can't stand there")


def _check_arrays(place, part, known):
    """Refuse arrays that do not fit together: compiled code would read and write beside them."""
    if hasattr(part, "game"):
        if known.get("game", part.game) != part.game:
            raise ValueError(f"{place} is for {part.game}, expected {known['game']}")
        moves, places = part.game.longest(), part.game.action_count()
        known = {**known, "game": part.game, "moves": moves, "places": places, "sets": 1 << moves}
    if isinstance(part, Layout):
        known = {**known, "stages": max(1, np.size(part.by_stage))}
    if isinstance(part, Tree):
        known = {**known, "nodes": len(part.nodes), "path": known["moves"] + 2}
    keys = getattr(getattr(part, "table", part), "keys", None)
    if keys is not None:
        known = {**known, "rows": np.size(keys), "slots": 2 * np.size(keys)}
    if isinstance(getattr(part, "table", None), Direct):
        keys = part.eyes.keys(part.game) if hasattr(part.eyes, "keys") else None
        if part.table.rows != keys or not isinstance(part.game, games.DotsAndBoxes):
            raise ValueError(f"{place}.table: {part.table.rows} rows, expected {keys}")
        known = {**known, "rows": keys}
    for field, dtype, *shape in map(str.split, ARRAYS.get(type(part), ())):
        array = getattr(part, field)
        shape = tuple(int(n) if n.isdigit() else known[n] for n in shape)
        if type(array) is not np.ndarray or (array.dtype, array.shape) != (dtype, shape):
            found = f"{array.dtype} {array.shape}" if hasattr(array, "dtype") else repr(array)[:80]
            raise ValueError(f"{place}.{field}: {found}, expected {dtype} {shape}")
        if np.isnan(array).any():
            raise ValueError(f"{place}.{field}: NaN is no value")
    if isinstance(part, Table):
        rows, used = np.sort(part.slots[part.slots != EMPTY]), part.used[0]
        if not np.array_equal(rows, np.arange(used)) or used > len(part.keys):
            raise ValueError(f"{place}.slots: expected each used row once")
        if len(part.keys).bit_count() != 1:
            raise ValueError(f"{place}: {len(part.keys)} rows, expected a power of two")
    if isinstance(part, Tree):
        used = part.counts[USED]
        pointers = part.nodes[: max(used, 0), [CHILD, SIBLING, PARENT, SAME]]
        if not 0 <= used <= len(part.nodes) or (pointers < -1).any() or (pointers >= used).any():
            raise ValueError(f"{place}.nodes: a node points beyond the tree")
    for field in part._fields:
        if field in PARTS:
            _check_arrays(f"{place}.{field}", getattr(part, field), known)
