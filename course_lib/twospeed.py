"""One source, two speeds: the same plain functions as ordinary Python and compiled by numba.

    negamax(game, state, ...)          # ordinary Python: step into it with a debugger
    fast(negamax)(game, state, ...)    # the very same source, compiled

Games, states and agents are NamedTuples with ordinary methods. `fast` teaches numba two things
that it does not know by itself: how to call a method of a NamedTuple, and how to call a plain
function. Everything reached from a compiled function is then compiled with it.

Where numba is missing, or `COURSE_LIB_SPEED=python` is set, `fast(function)` is the function.
"""

import functools
import hashlib
import itertools
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from time import perf_counter
from types import FunctionType

try:
    if os.environ.get("COURSE_LIB_SPEED") == "python":
        raise ImportError("compiled speed is switched off by COURSE_LIB_SPEED=python")
    import numba
except ImportError as error:  # the same source still runs, slower
    numba = None
    WHY_NOT_COMPILED = str(error)

SPEEDS = ("python", "compiled")
LIBRARY = Path(__file__).parent
DAYS_KEPT = 14


def default_speed():
    """The speed that `fast` gives when none is asked for."""
    return "python" if numba is None else "compiled"


def fast(function, speed=None, lean=False):
    """`function` at the given speed: "python", "compiled", or None for the best there is.

    lean: compiled without counting who holds which array, which is several times as fast where
    learners with many arrays are handed from call to call. The caller holds all arrays as long
    as the call lasts, and nothing that is called may make one or return one: `is_lean`.
    """
    speed = speed or default_speed()
    if speed not in SPEEDS:
        raise ValueError(f"speed={speed!r}: expected one of {SPEEDS} or None")
    if speed == "python":
        return function
    if numba is None:
        raise ValueError(f"speed='compiled' is not to be had here: {WHY_NOT_COMPILED}")
    return _compiled_entry(function, lean)


def prepare(function, *args):
    """Compile what `fast` returned for these arguments, without calling it.

    So a time limit is for thinking alone: the first call would compile, too.
    """
    if hasattr(function, "compile"):
        function.compile(tuple(numba.typeof(each) for each in args))


def is_lean(*parts):
    """Whether none of these games and agents makes an array while it plays: they say so."""
    return all(getattr(part, "lean", False) for part in parts)


def compilable(*values):
    """Whether numba can be handed these games, agents and states: are all of them NamedTuples?"""
    return all(isinstance(value, tuple) and hasattr(value, "_fields") for value in values)


def cache_folder():
    """Where compiled code is kept: a folder named by a hash of the library's sources.

    numba itself looks only at the file of the function that it compiles, not at the games and
    agents which that calls: without the hash an edited rule would be served as it was before.
    """
    sources = sorted(set(LIBRARY.rglob("*.py")) - never_compiled())
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    home = LIBRARY.parent / ".course_cache"
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        home = Path(tempfile.gettempdir()) / "course_cache"
    folder = home / digest
    if not folder.exists():
        _forget_old(home)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)  # in use: not to be forgotten
    return folder


def never_compiled():
    """What is shown in a notebook, and commands: changing them costs no compilation."""
    folders = (LIBRARY.glob(f"{name}/*.py") for name in ("widgets", "checks", "experiments"))
    commands = ("exercises", "notebooks", "plots", "report", "reproduce", "sweeps", "warm_up")
    return {*itertools.chain(*folders), *(LIBRARY / f"{name}.py" for name in commands)}


def _forget_old(home):
    for old in home.glob("*/"):
        if time.time() - old.stat().st_mtime > DAYS_KEPT * 86_400:
            shutil.rmtree(old, ignore_errors=True)


if numba is not None:
    import ctypes

    from llvmlite import binding, ir
    from numba.core import types
    from numba.core.caching import FunctionCache
    from numba.core.imputils import lower_builtin
    from numba.core.targetconfig import ConfigStack
    from numba.core.typing import signature
    from numba.core.typing.templates import (
        AbstractTemplate,
        AttributeTemplate,
        bound_function,
        infer_getattr,
        infer_global,
    )
    from numba.extending import typeof_impl

    @functools.cache
    def _compiled(function, lean):
        # nogil: a board stays alive while an agent thinks
        return numba.njit(function, nogil=True, _nrt=not lean)

    def _callee(function):
        """What compiled code calls for a plain function: lean if the caller is."""
        caller = ConfigStack.top_or_none()
        return types.Dispatcher(_compiled(function, caller is not None and not caller.nrt))

    @functools.cache
    def _compiled_entry(function, lean):
        """Compiled, and kept on disk for the next start if it is the library's."""
        dispatcher = _compiled(function, lean)
        if _in_library(function):
            folder = _folder() / ("lean" if lean else "usual")
            before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
            try:
                dispatcher._cache = _LibraryCache(function)
            finally:
                numba.config.CACHE_DIR = before
        return dispatcher

    _folder = functools.cache(cache_folder)

    class _LibraryCache(FunctionCache):
        """Keeps what was compiled for the library's own games and agents only.

        Those written in a notebook change without a trace: they are compiled anew by each kernel.
        """

        def load_overload(self, signature, target_context):
            if all(map(_in_library, _classes(signature))):
                return super().load_overload(signature, target_context)
            return None

        def save_overload(self, signature, data):
            if all(map(_in_library, _classes(signature))):
                super().save_overload(signature, data)

    def _in_library(thing):
        return thing.__module__.split(".")[0] == __package__

    def _classes(signature):
        """The classes of the NamedTuples among these types, and of those inside of them."""
        for each in signature:
            if isinstance(each, types.BaseNamedTuple):
                yield each.instance_class
                yield from _classes(each.types)

    _numbers = {}  # of classes written elsewhere

    def _name_in_machine_code(self):
        """numba names what it compiles after its arguments' types, and those after their classes.

        A class that is written again in a notebook has the name of the one before: without a
        number of its own it would be served the code of that one.
        """
        written_elsewhere = [each for each in _classes([self]) if not _in_library(each)]
        numbers = [str(_numbers.setdefault(each, len(_numbers))) for each in written_elsewhere]
        return ("_".join([self.name, *numbers]), ())

    types.BaseNamedTuple.mangling_args = property(_name_in_machine_code)

    @typeof_impl.register(FunctionType)
    def _type_of_plain_function(function, context):
        """A plain function met in compiled code: compile it too, and call that."""
        if function.__module__ is None or _top_package(function) in ("numba", "numpy"):
            return None
        return _callee(function)

    def _top_package(function):
        return function.__module__.split(".")[0]

    # numba asks `if receiver:` of the type that a method belongs to, and a tuple type is false
    # when it is empty; an agent without any parameters is one.
    types.BaseNamedTuple.__bool__ = lambda self: True

    @infer_getattr
    class _MethodsOfNamedTuples(AttributeTemplate):
        """`game.play` in compiled code: the plain method `play` of the game's class, compiled."""

        key = types.BaseNamedTuple

        def generic_resolve(self, owner, name):
            if name in owner.fields:
                return None
            method = getattr(owner.instance_class, name, None)
            if isinstance(method, FunctionType):
                return types.BoundFunction(_call_of(owner.instance_class, name, method), owner)
            return None

    @functools.cache
    def _call_of(owner_class, name, method):
        """How numba types and calls one method of one NamedTuple class."""

        class Call(AbstractTemplate):
            key = (owner_class, name)

            def generic(self, args, kws):
                callee = _callee(method)
                return callee.get_call_type(self.context, (self.this, *args), kws).as_method()

        @lower_builtin((owner_class, name), types.BaseNamedTuple, types.VarArg(types.Any))
        def call(context, builder, signature, args):
            callee = _callee(method)
            found = callee.get_call_type(context.typing_context, signature.args, {})
            implementation = context.get_function(callee, found)
            context.add_linking_libs(getattr(implementation, "libs", ()))
            return implementation(builder, args)

        return Call

    @infer_getattr
    class _MethodsOfIntegers(AttributeTemplate):
        """`bits.bit_count()` in compiled code: one instruction of the processor."""

        key = types.Integer

        @bound_function("int.bit_count")
        def resolve_bit_count(self, owner, args, kws):
            return signature(owner, recvr=owner)

    @lower_builtin("int.bit_count", types.Integer)
    def _bit_count(context, builder, signature, args):
        return builder.ctpop(*args)

    # The clock. Machine code finds it under a name of our own, so that it can be kept on disk.
    CLOCK = "course_lib_clock"

    @infer_global(perf_counter)
    class _Clock(AbstractTemplate):
        """`perf_counter()` in compiled code: the seconds of a clock that only goes forward."""

        key = perf_counter

        def generic(self, args, kws):
            return signature(types.float64)

    if hasattr(ctypes.CDLL(None) if os.name == "posix" else None, "clock_gettime"):
        _clock = ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value

        @lower_builtin(perf_counter)
        def _read_clock(context, builder, signature, args):
            whole = ir.IntType(64)
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), whole.as_pointer()])
            call = numba.core.cgutils.get_or_insert_function(builder.module, kind, CLOCK)
            place = numba.core.cgutils.alloca_once(builder, whole, size=2)
            builder.call(call, [ir.Constant(ir.IntType(32), time.CLOCK_MONOTONIC), place])
            seconds, billionths = (
                builder.sitofp(builder.load(builder.gep(place, [whole(n)])), ir.DoubleType())
                for n in (0, 1)
            )
            return builder.fadd(seconds, builder.fmul(billionths, ir.DoubleType()(1e-9)))

    else:  # Windows: Python's own clock, which has to be asked through Python
        _callback = ctypes.CFUNCTYPE(ctypes.c_double)(perf_counter)
        _clock = ctypes.cast(_callback, ctypes.c_void_p).value

        @lower_builtin(perf_counter)
        def _read_clock(context, builder, signature, args):
            kind = ir.FunctionType(ir.DoubleType(), [])
            call = numba.core.cgutils.get_or_insert_function(builder.module, kind, CLOCK)
            return builder.call(call, [])

    binding.add_symbol(CLOCK, _clock)


def describe_speed():
    """One line for people: which speed is on, and why."""
    if numba is None:
        return f"plain Python only ({WHY_NOT_COMPILED})"
    version = ".".join(map(str, sys.version_info[:3]))
    return f"compiled by numba {numba.__version__} on Python {version}"
