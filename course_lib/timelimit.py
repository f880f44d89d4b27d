"""Somebody else's code with a time limit, on every system and from any thread."""

import ctypes
import threading
import time

PATIENCE = 1.0  # seconds for code that catches everything to fall over at last


class Stopped(BaseException):
    """Raised inside of work that is not wanted any more; no Exception, so that none hides it."""


def stop(worker):
    """Raise Stopped in a thread: Python code ends, compiled code runs out unheard."""
    if worker.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident), ctypes.py_object(Stopped)
        )


def stop_for_good(worker):
    """Stop a thread, again and again if it catches what it should not; whether it has ended."""
    until = time.monotonic() + PATIENCE
    while worker.is_alive() and time.monotonic() < until:
        stop(worker)
        worker.join(0.001)
    return not worker.is_alive()


def within(seconds, call, *args):
    """`call(*args)`, or TimeoutError once it has taken longer than `seconds`.

    The call runs in a thread of its own, which is then stopped, so that an endless loop ends.
    """
    outcome = {}

    def run():
        try:
            outcome["value"] = call(*args)
        except BaseException as error:
            outcome["error"] = error

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        worker.join(seconds)
        if worker.is_alive():
            raise TimeoutError(f"no answer within {seconds:g} s")
    finally:
        stop_for_good(worker)  # after Ctrl-C, too
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
