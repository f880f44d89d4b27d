"""Work beside the notebook: the page stays alive, and the work can be stopped."""

import asyncio
import threading

from course_lib.timelimit import Stopped, stop


class Background:
    """One piece of work at a time, in a thread; its result is handed over in the kernel's own.

    Where no event loop runs (a script, a test) it is done at once, on the spot.
    """

    def __init__(self):
        self.ticket = None
        self.worker = None
        self.outcome = None  # of the worker, from its end on: (ticket, then, value)

    def start(self, work, done, failed):
        """Run work(); then done(result), or failed(error). A newer start makes this one void."""
        self.stop()
        ticket = self.ticket = object()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._deliver(ticket, *_outcome(work, done, failed))
            return

        def run():
            try:
                self.outcome = (ticket, *_outcome(work, done, failed))
                loop.call_soon_threadsafe(self._deliver, *self.outcome)
            except (Stopped, RuntimeError):  # not wanted any more, or the kernel is going down
                pass

        self.worker = threading.Thread(target=run, daemon=True)
        self.worker.start()

    def settle(self, seconds):
        """Wait so long for the result, and hand it over now if it is there."""
        if self.busy():
            self.worker.join(seconds)
            if not self.worker.is_alive() and self.outcome is not None:
                self._deliver(*self.outcome)

    def _deliver(self, ticket, then, value):
        if ticket is self.ticket:
            self.ticket = None
            then(value)

    def busy(self):
        return self.ticket is not None

    def stop(self):
        """What is under way is void. Python code ends, compiled code runs out unheard."""
        self.ticket = None
        if self.worker is not None:
            stop(self.worker)
        self.worker = None


def _outcome(work, done, failed):
    try:
        return done, work()
    except (Exception, SystemExit) as error:  # an agent that calls exit() has failed, too
        return failed, error


def later(seconds, call):
    """Call something after a while; at once where no event loop runs."""
    try:
        asyncio.get_running_loop().call_later(seconds, call)
    except RuntimeError:
        call()
