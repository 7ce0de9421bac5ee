"""A thread that tells the gateway the worker lives, and when a plugin blocks its loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from .calls import CURRENT, call_on
from .errors import HOST_FOLDER
from .plugin_runtime import PluginRuntime, Runtimes

Send = Callable[[dict[str, Any]], None]


class _Watch:
    """Asks one plugin's loop for a sign of life, and tells when it stays away."""

    def __init__(self, runtime: PluginRuntime, send: Send, blocked_after: float) -> None:
        self.runtime = runtime
        self._send = send
        self._blocked_after = blocked_after
        self._asked = self._answered = time.monotonic()
        self._is_waiting = False
        self._blocked_since: float | None = None

    def look(self, now: float) -> float:
        """Seconds the loop has been away. A loop with nothing to do is left asleep."""
        if self._is_waiting and self._answered >= self._asked:
            self._is_waiting = False
        if not self._is_waiting:
            self._tell_return()
            if not self.runtime.is_busy:
                return 0
            self._asked, self._is_waiting = now, True
            call_on(self.runtime.loop, self._answer)
        away = now - self._asked
        if away >= self._blocked_after and self._blocked_since is None:
            self._blocked_since = self._asked
            self._send({"t": "blocked", "ms": round(away * 1000), "plugin": self.runtime.plugin_id, **self._culprit()})
        return away

    def _answer(self) -> None:
        self._answered = time.monotonic()

    def end(self) -> None:
        """The loop has ended for good."""
        self._answer()
        self._tell_return()

    def _tell_return(self) -> None:
        if self._blocked_since is not None:
            milliseconds = round((self._answered - self._blocked_since) * 1000)
            self._send({"t": "unblocked", "ms": milliseconds, "plugin": self.runtime.plugin_id})
            self._blocked_since = None

    def _culprit(self) -> dict[str, Any]:
        """The call and the plugin's lines on the loop's thread."""
        frame = sys._current_frames().get(self.runtime.thread_id)
        stack = [item for item in traceback.extract_stack(frame) if not item.filename.startswith((HOST_FOLDER, "<frozen"))]
        call = self.runtime.tasks.context_of(asyncio.current_task(self.runtime.loop)).get(CURRENT)
        return {"call": call.id if call else None, "stack": "".join(traceback.StackSummary.from_list(stack[-12:]).format())}


class Heartbeat:
    def __init__(self, runtimes: Runtimes, send: Send, counts: Callable[[], dict[str, int]], intervals: dict[str, Any]) -> None:
        self._runtimes = runtimes
        self._send = send
        self._counts = counts
        self._beat = intervals.get("beat_ms", 1000) / 1000
        self._blocked_after = intervals.get("blocked_ms", 2000) / 1000
        self._watches: dict[PluginRuntime, _Watch] = {}

    def start(self) -> None:
        threading.Thread(target=self._run, name="host-heartbeat", daemon=True).start()

    def _run(self) -> None:
        next_beat = time.monotonic()
        step = max(0.01, min(self._beat, self._blocked_after / 4))
        while True:
            now = time.monotonic()
            longest = self._look(now)
            if now >= next_beat:
                next_beat = now + self._beat
                self._send({"t": "beat", "loop_ms": round(longest * 1000), "rss": resident_bytes(), **self._counts()})
            time.sleep(step)

    def _look(self, now: float) -> float:
        """Seconds the loop has been away that stays away longest."""
        running = list(self._runtimes)
        for ended in self._watches.keys() - set(running):
            self._watches.pop(ended).end()
        for runtime in running:
            if runtime not in self._watches:
                self._watches[runtime] = _Watch(runtime, self._send, self._blocked_after)
        return max((watch.look(now) for watch in self._watches.values()), default=0)


def resident_bytes() -> int | None:
    """Memory in use, where the system tells it cheaply."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None
