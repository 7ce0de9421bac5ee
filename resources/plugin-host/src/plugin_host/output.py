"""Printed and logged output of plugins, sent line by line with its call, and limited."""

from __future__ import annotations

import io
import logging
import sys
import threading
import time
from typing import Any

from .calls import CURRENT, CURRENT_PLUGIN, Call
from .channel import Channel

LONGEST_LINE = 8_192
LEVELS = {"stdout": "info", "stderr": "warning"}


class Output:
    """Counts what each call prints, and what is printed outside of calls."""

    def __init__(self, channel: Channel, bytes_per_call: int) -> None:
        self._channel = channel
        self._most = bytes_per_call
        self._outside_left = float(bytes_per_call)
        self._outside_at = time.monotonic()
        self._outside_dropped: dict[str | None, int] = {}
        self._lock = threading.Lock()

    def line(self, stream: str, level: str, text: str) -> None:
        """Sends one line, or counts it as dropped."""
        call = CURRENT.get()
        has_room = self._has_room_outside(len(text)) if call is None or call.has_ended else self._has_room(call, len(text))
        plugin = CURRENT_PLUGIN.get()
        plugin_id = plugin.id if plugin else None
        if not has_room or self._channel.is_crowded:
            if call and not call.has_ended:
                call.dropped_log_lines += 1
            else:
                with self._lock:
                    self._outside_dropped[plugin_id] = self._outside_dropped.get(plugin_id, 0) + 1
            return
        if len(text) > LONGEST_LINE:
            text = f"{text[:LONGEST_LINE]}…"
        message = {"t": "log", "call": call.id if call else None, "plugin": plugin_id, "stream": stream, "level": level, "lines": [text]}
        self._channel.send(message)

    def _has_room(self, call: Call, size: int) -> bool:
        call.logged_bytes += min(size, LONGEST_LINE) + 1
        return call.logged_bytes <= self._most

    def _has_room_outside(self, size: int) -> bool:
        """Outside of calls as much as one call may print is taken per minute."""
        with self._lock:
            now = time.monotonic()
            self._outside_left = min(self._most, self._outside_left + (now - self._outside_at) * self._most / 60)
            self._outside_at = now
            self._outside_left -= size + 1
            has_room = self._outside_left >= 0
            if not has_room:
                self._outside_left = 0
            return has_room

    def end(self, call: Call) -> None:
        """Sends what is left of a call's output: unfinished lines, and how much was dropped."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, CapturedStream):
                stream.finish(call)
        if call.dropped_log_lines:
            self._channel.send({"t": "notice", "call": call.id, "plugin": call.plugin_id, "what": "log", "dropped": call.dropped_log_lines})

    def tell_dropped_outside(self) -> None:
        """Called with every heartbeat."""
        with self._lock:
            dropped, self._outside_dropped = self._outside_dropped, {}
        for plugin_id, count in dropped.items():
            self._channel.send({"t": "notice", "call": None, "plugin": plugin_id, "what": "log", "dropped": count})


class CapturedStream(io.TextIOBase):
    """Takes the place of sys.stdout or sys.stderr."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, name: str, number: int, output: Output) -> None:
        self._name = name
        self._number = number
        self._output = output
        self._partial: dict[Call | None, str] = {}
        self.buffer = _Bytes(self)

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        call = CURRENT.get()
        if call and call.has_ended:
            call = None
        whole = self._partial.pop(call, "") + text
        if "\n" in whole:
            *lines, whole = whole.split("\n") if len(whole) < 1_000_000 else [*whole[:1_000_000].split("\n"), ""]
            for line in lines:
                self._output.line(self._name, LEVELS[self._name], line)
        if len(whole) > LONGEST_LINE:
            self._output.line(self._name, LEVELS[self._name], whole)
        elif whole:
            self._partial[call] = whole
        return len(text)

    def finish(self, call: Call) -> None:
        if rest := self._partial.pop(call, ""):
            self._output.line(self._name, LEVELS[self._name], rest)

    def flush(self) -> None:
        """Unfinished lines wait for their end; a progress bar that flushes after each dot stays one line."""

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True


class _Bytes(io.RawIOBase):
    def __init__(self, stream: CapturedStream) -> None:
        self._stream = stream

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data).decode("utf-8", "replace"))
        return len(data)

    def writable(self) -> bool:
        return True


class _Records(logging.Handler):
    def __init__(self, output: Output) -> None:
        super().__init__()
        self._output = output
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            for line in self.format(record).split("\n"):
                self._output.line("logging", record.levelname.lower(), line)
        except Exception:
            self.handleError(record)


def capture_output(output: Output) -> None:
    """From here on Python output belongs to calls; file descriptors 1 and 2 stay the gateway's pipes for C code and child processes."""
    sys.stdout = CapturedStream("stdout", 1, output)
    sys.stderr = CapturedStream("stderr", 2, output)
    root = logging.getLogger()
    root.addHandler(_Records(output))
    root.setLevel(logging.INFO)
    for name in ("asyncio", "httpx", "httpcore", "urllib3"):
        logging.getLogger(name).setLevel(logging.WARNING)
