"""Long work in chunks.

Compiled code can't be interrupted and can't draw a progress bar. So between chunks the bar moves,
a stop button is looked at, and Ctrl-C takes effect. The result does not depend on the chunks.
"""

import signal
import threading
import time

from tqdm.auto import tqdm

SECONDS_A_CHUNK = 0.2
PYTHONS_OWN = signal.default_int_handler


def in_chunks(advance, total, done=0, progress=False, stop=None, label=""):
    """Call `advance(n)`, which returns how many steps it did, until `total` steps are done.

    Returns the number of steps done: less than `total` if `stop()` said so, if Ctrl-C was pressed
    or if a chunk ended early (did less than it was asked for).
    """
    n = 1
    with (
        _CtrlC() as ctrl_c,
        tqdm(total=total, initial=done, desc=label, disable=not progress) as bar,
    ):
        while done < total and not ctrl_c.pressed and not (stop is not None and stop()):
            asked = min(n, total - done)
            began = time.perf_counter()
            did = advance(asked)
            done += did
            bar.update(did)
            if did < asked:
                break
            if time.perf_counter() - began < SECONDS_A_CHUNK / 2:
                n *= 2
    return done


class _CtrlC:
    """Remembers Ctrl-C until the chunk is done, so that nothing is left half way.

    Pressed a second time it interrupts at once. A handler of somebody else's (not Python's own)
    hears of it afterwards. Outside of the main thread nothing of this happens.
    """

    def __enter__(self):
        self.pressed = False
        self.before = None
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, *_):
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True

    def __exit__(self, *_):
        if self.before is None:
            return
        signal.signal(signal.SIGINT, self.before)
        if self.pressed and callable(self.before) and self.before is not PYTHONS_OWN:
            self.before(signal.SIGINT, None)
