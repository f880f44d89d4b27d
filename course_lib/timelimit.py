"""Somebody else's code with a time limit, on every system and from any thread."""

import ctypes
import threading


def within(seconds, call, *args):
    """`call(*args)`, or TimeoutError once it has taken longer than `seconds`.

    The call runs in a thread of its own, in which TimeoutError is then raised too, so that an
    endless loop ends. (Only compiled code does not notice; it is left to itself.)
    """
    outcome = {}

    def run():
        try:
            outcome["value"] = call(*args)
        except BaseException as error:
            outcome["error"] = error

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(seconds)
    if worker.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(worker.ident), ctypes.py_object(TimeoutError)
        )
        worker.join(1)
        raise TimeoutError(f"no answer within {seconds:g} s")
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
