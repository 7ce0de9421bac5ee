"""The connection to the gateway: a thread that reads, one that writes what could not be written at once."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable

from .frames import BrokenFrame, Decoder, Message, encode
from .interrupting import Shield

#: Events and log lines are held back or dropped while more than this waits to be written.
CROWDED = 4 * 1024 * 1024
READ_SIZE = 256 * 1024


class Channel:
    """Owns the two file descriptors of the protocol."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self._read_from = _private(read_from)
        self._write_to = _private(write_to)
        self._can_try = sys.platform != "win32"
        if self._can_try:
            os.set_blocking(self._write_to, False)
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._closed = False
        self._decoder = Decoder()
        self._early: list[Message] = []

    def start(self) -> None:
        """From now on what the gateway does not read at once is written by a thread."""
        threading.Thread(target=self._write_all, name="host-writer", daemon=True).start()

    @property
    def backlog(self) -> int:
        """Bytes that wait for the gateway to read."""
        return self._waiting_bytes

    @property
    def is_crowded(self) -> bool:
        return self._waiting_bytes > CROWDED

    def send(self, message: Message) -> None:
        """Sends a message from any thread, never waits."""
        self.send_frame(encode(message))

    def send_frame(self, frame: bytes) -> None:
        with Shield(), self._lock:
            if self._closed:
                return
            if self._can_try and not self._waiting:
                try:
                    written = os.write(self._write_to, frame)
                except BlockingIOError:
                    written = 0
                except OSError:
                    self._closed = True
                    return
                if written == len(frame):
                    return
                frame = frame[written:]
            self._waiting.append(frame)
            self._waiting_bytes += len(frame)
            self._work.notify()

    def _write_all(self) -> None:
        if self._can_try:
            import select

            poller = select.poll() if hasattr(select, "poll") else None
            if poller:
                poller.register(self._write_to, select.POLLOUT)
        while True:
            with self._lock:
                while not self._waiting:
                    self._work.wait()
                frame = self._waiting[0]
            try:
                if self._can_try:
                    if poller:
                        poller.poll()
                    else:
                        select.select([], [self._write_to], [])
                written = os.write(self._write_to, frame[:65536] if self._can_try else frame)
            except BlockingIOError:
                continue
            except OSError:
                with self._lock:
                    self._closed = True
                    self._waiting.clear()
                    self._waiting_bytes = 0
                return
            with self._lock:
                if written == len(frame):
                    self._waiting.popleft()
                else:
                    self._waiting[0] = frame[written:]
                self._waiting_bytes -= written
                if not self._waiting:
                    self._work.notify_all()

    def disconnect(self) -> None:
        """For a forked child: it must neither speak for the worker nor keep the connection open."""
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._closed = True
        os.close(self._read_from)
        os.close(self._write_to)

    def flush(self, seconds: float) -> None:
        """Waits until everything has been written, for at most this long."""
        with self._lock:
            self._work.wait_for(lambda: self._closed or not self._waiting, timeout=seconds)

    def read_all(self, receive: Callable[[Message], None]) -> None:
        """Reads until the end of the stream; raises BrokenFrame."""
        for message in self._early:
            receive(message)
        self._early = []
        while data := self._read():
            for message in self._decoder.feed(data):
                receive(message)

    def read_one(self) -> Message | None:
        """The first message, None at the end of the stream; raises BrokenFrame."""
        while data := self._read():
            self._early += self._decoder.feed(data)
            if self._early:
                return self._early.pop(0)
        return None

    def _read(self) -> bytes:
        try:
            return os.read(self._read_from, READ_SIZE)
        except OSError as error:
            raise BrokenFrame(str(error)) from error


def _private(descriptor: int) -> int:
    """The same stream under a high number that no child process inherits, so that a stray write to the known number goes nowhere."""
    if sys.platform == "win32":
        copy = os.dup(descriptor)
    else:
        import fcntl

        copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 100)
    os.set_inheritable(copy, False)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, descriptor, inheritable=False)
    os.close(nowhere)
    return copy
