"""A thread that tells the gateway the worker lives, and when plugin code blocks the loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from .calls import CURRENT, CURRENT_PLUGIN
from .errors import HOST_FOLDER
from .threads import Tasks

Send = Callable[[dict[str, Any]], None]


class Heartbeat:
    def __init__(self, tasks: Tasks, send: Send, counts: Callable[[], dict[str, int]], intervals: dict[str, Any]) -> None:
        self._tasks = tasks
        self._loop = asyncio.get_event_loop()
        self._send = send
        self._counts = counts
        self._beat = intervals.get("beat_ms", 1000) / 1000
        self._blocked_after = intervals.get("blocked_ms", 2000) / 1000
        self._answered = time.monotonic()
        self._loop_thread = threading.get_ident()
        self._blocked_since: float | None = None

    def start(self) -> None:
        threading.Thread(target=self._run, name="host-heartbeat", daemon=True).start()

    def _run(self) -> None:
        asked = self._answered
        next_beat = time.monotonic()
        step = max(0.01, min(self._beat, self._blocked_after / 4))
        waiting = False
        while True:
            now = time.monotonic()
            if waiting and self._answered >= asked:
                waiting = False
            if not waiting:
                asked, waiting = now, True
                self._loop.call_soon_threadsafe(self._answer)
            away = now - asked
            self._tell_blocking(away, asked)
            if now >= next_beat:
                next_beat = now + self._beat
                self._send({"t": "beat", "loop_ms": round(away * 1000), "rss": resident_bytes(), **self._counts()})
            time.sleep(step)

    def _answer(self) -> None:
        self._answered = time.monotonic()

    def _tell_blocking(self, away: float, since: float) -> None:
        if away >= self._blocked_after and self._blocked_since is None:
            self._blocked_since = since
            self._send({"t": "blocked", "ms": round(away * 1000), **self._culprit()})
        elif self._blocked_since is not None and self._answered >= self._blocked_since:
            self._send({"t": "unblocked", "ms": round((self._answered - self._blocked_since) * 1000)})
            self._blocked_since = None

    def _culprit(self) -> dict[str, Any]:
        """The call and the plugin's lines on the loop's thread."""
        frame = sys._current_frames().get(self._loop_thread)
        stack = [item for item in traceback.extract_stack(frame) if not item.filename.startswith((HOST_FOLDER, "<frozen"))]
        context = self._tasks.context_of(asyncio.current_task(self._loop))
        call, plugin = context.get(CURRENT), context.get(CURRENT_PLUGIN)
        return {
            "call": call.id if call else None,
            "plugin": plugin.id if plugin else None,
            "stack": "".join(traceback.StackSummary.from_list(stack[-12:]).format()),
        }


def resident_bytes() -> int | None:
    """Memory in use, where the system tells it cheaply."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None
