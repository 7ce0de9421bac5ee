"""Processes plugins start: ended with the worker, whatever group or session they moved to."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator

PR_SET_CHILD_SUBREAPER = 36
PROC = "/proc"


def adopt_orphans() -> None:
    """Makes this process the parent of whatever its descendants leave behind, so that it is still found when the worker ends."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    # Where the system does not know it, ending them is left to their group.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _statuses() -> Iterator[dict[str, str]]:
    """What the system reports about each process, such as `Pid`, `PPid`, `Uid`, `State`, `Threads`."""
    try:
        names = os.listdir(PROC)
    except OSError:
        return
    for name in names:
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError), open(f"{PROC}/{name}/status", encoding="utf-8", errors="replace") as file:
            pairs = (line.partition(":") for line in file)
            yield {key: value.strip() for key, _, value in pairs}


def descendants() -> list[int]:
    """Everything below this process that has not ended; empty where the system does not tell."""
    children: dict[int, list[int]] = {}
    for status in _statuses():
        if status["State"][:1] not in "ZX":
            children.setdefault(int(status["PPid"]), []).append(int(status["Pid"]))
    found: list[int] = []
    left = [os.getpid()]
    while left:
        for child in children.get(left.pop(), ()):
            found.append(child)
            left.append(child)
    return found


def signal_descendants(number: signal.Signals) -> int:
    """Sends a signal to all of them; answers how many there are."""
    found = descendants()
    for identifier in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(identifier, number)
    return len(found)
