"""Stops sync plugin code in a thread, but never while that thread is inside of the host.

An exception raised by another thread comes between any two steps. In the middle of writing a frame it would break the protocol, so host
code that plugins call holds a shield; a cancel that meets a shield is raised when the shield ends.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
from types import TracebackType


class Cancelled(asyncio.CancelledError):
    """Raised in sync plugin code when its call is cancelled."""


class Interruptible:
    """Plugin code that runs in the present thread."""

    __slots__ = ("_depth", "_is_due", "_thread")

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._depth = 0
        self._is_due = False
        _running[self._thread] = self

    def interrupt(self) -> None:
        """Raises Cancelled in the thread, from another one."""
        with _lock:
            if _running.get(self._thread) is not self:
                return
            if self._depth:
                self._is_due = True
            else:
                _raise_in(self._thread, ctypes.py_object(Cancelled))

    def end(self) -> None:
        """The plugin's code is over; an exception on its way is taken back. May be called again."""
        with _lock:
            if _running.get(self._thread) is self:
                del _running[self._thread]
                _raise_in(self._thread, None)

    def enter(self) -> None:
        with _lock:
            self._depth += 1

    def leave(self) -> bool:
        """Whether a cancel came meanwhile."""
        with _lock:
            self._depth -= 1
            is_due, self._is_due = self._is_due and self._depth == 0, self._is_due and self._depth > 0
            return is_due


_running: dict[int, Interruptible] = {}
_lock = threading.Lock()


def _raise_in(thread: int, error: object) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error)


class Shield:
    """`with Shield():` around host code that must not be torn apart."""

    __slots__ = ("_code",)

    def __enter__(self) -> None:
        self._code = _running.get(threading.get_ident())
        if self._code:
            self._code.enter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._code and self._code.leave() and kind is None:
            raise Cancelled
