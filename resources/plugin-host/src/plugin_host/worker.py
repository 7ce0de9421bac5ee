"""The worker: reads messages, runs calls, answers them."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import threading
import time
from typing import Any

from . import PROTOCOL, VERSION, application, events, host
from .aliases import install_aliases
from .calls import CURRENT, Call, OpenCalls
from .channel import Channel
from .environment import end_all, end_children, own_group
from .errors import error_frame
from .frames import BrokenFrame, Message
from .heartbeat import Heartbeat
from .operations import Operations
from .output import Output, capture_output
from .plugin_runtime import Runtimes, run_loop
from .running import fatal_as_error
from .threads import CallThreads, Tasks, carry_context

BAD_START, BAD_FRAME = 3, 4
#: Threads for sources that are read, and for chains of sync stream hooks of several plugins.
HOST_THREADS = 256


class Worker:
    """One worker from its first message to its end. Its own loop runs in the main thread; code of plugins runs on loops of theirs."""

    def __init__(self, channel: Channel, hello: Message) -> None:
        self._channel = channel
        limits = hello.get("limits") or {}
        self._calls = OpenCalls()
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self._tasks = Tasks(self.loop)
        self.loop.set_exception_handler(lambda _loop, context: self._task_failed(self._tasks, context))
        self._output = Output(channel, limits.get("log_bytes", 262_144))
        self._events = events.Events(channel, limits, self._calls)
        self._requests = host.Requests(channel.send, self._calls)
        self._threads = CallThreads(self.loop, HOST_THREADS)
        self._runtimes = Runtimes(limits.get("threads", 64), self._task_failed, self._task_exited)
        self._operations = Operations(channel, self._events, self._threads, self._runtimes)
        self._has_group = own_group()
        carry_context()
        capture_output(self._output)
        install_aliases()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave_to_child)
        host.connect(self._requests)
        events.connect(self._events)
        application.connect(channel.send, hello.get("state") or {})
        self._heartbeat = Heartbeat(self._runtimes, channel.send, self._counts, hello.get("intervals") or {})

    def _leave_to_child(self) -> None:
        """In a forked child of a plugin: prints go to the standard streams, and there is no gateway to ask."""
        self._channel.disconnect()
        host.connect(None)
        sys.stdout = open(1, "w", closefd=False, buffering=1)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False, buffering=1)  # noqa: SIM115

    def _counts(self) -> dict[str, int]:
        self._output.tell_dropped_outside()
        runtimes, running = list(self._runtimes), len(self._calls)
        threads = self._threads.count + sum(runtime.threads.count for runtime in runtimes)
        tasks = len(self._tasks) + sum(len(runtime.tasks) for runtime in runtimes) - running
        return {"calls": running, "threads": threads, "tasks": max(0, tasks), "backlog": self._channel.backlog}

    def run(self) -> None:
        """Runs until the process is to end."""
        threading.Thread(target=self._read, name="host-reader", daemon=True).start()
        self._heartbeat.start()
        run_loop(self.loop, self._task_exited, lambda: False)

    def _read(self) -> None:
        try:
            self._channel.read_all(self._receive)
        except Exception as error:
            text = str(error) if isinstance(error, BrokenFrame) else f"A message is not as agreed: {error!r}"
            self._channel.send({"t": "fatal", "message": text})
            self._channel.flush(1)
            os._exit(BAD_FRAME)
        # The gateway is gone, or wants the worker to be: nothing plugins started may stay behind.
        end_all(self._has_group, 0)

    def _receive(self, message: Message) -> None:
        kind = message.get("t")
        if kind == "c":
            self._operations.push(message)
        elif kind == "answer":
            self._requests.receive(message)
        elif kind == "credit":
            if (call := self._calls.get(message["id"])) and call.credits:
                call.credits.grant(message["n"])
        elif kind == "call":
            call = Call(message, self.loop)
            self._operations.settle_in(call)
            if call.op == "stream":
                self._operations.expect(call.id)
            self._calls.add(call)
            call.loop.call_soon_threadsafe(self._start, call)
        elif kind == "cancel":
            if call := self._calls.get(message["id"]):
                call.cancel()
        elif kind == "over":
            self._calls.end_answer(message["scope"])
            self._events.end(message["scope"])
        elif kind == "state":
            application.app.state.receive(message)
        elif kind == "shutdown":
            grace = message.get("grace_ms", 2000) / 1000
            self.loop.call_soon_threadsafe(lambda: self.loop.create_task(self._shut_down(grace)))
            threading.Timer(grace + 0.5, os._exit, (0,)).start()

    def _start(self, call: Call) -> None:
        if call.is_cancelled:
            self._fail(call, asyncio.CancelledError())
            return
        call.task = call.loop.create_task(self._run_call(call))

    async def _run_call(self, call: Call) -> None:
        CURRENT.set(call)
        try:
            value, changed = await self._operations.run(call)
            # What the plugin handed to tasks without waiting, as many do with events, goes out while the call is open.
            await asyncio.sleep(0)
        except BaseException as error:
            if call.is_cancelled:
                await _briefly(call)
            self._fail(call, error)
            return
        message: Message = {"t": "result", "id": call.id, "value": value, "ms": _milliseconds(call)}
        if changed:
            message["changes"] = changed
        self._end(call)
        try:
            self._channel.send(message)
        except (ValueError, MemoryError) as error:
            self._channel.send({"t": "failure", "id": call.id, "error": error_frame(error, "host"), "ms": _milliseconds(call)})

    def _fail(self, call: Call, error: BaseException) -> None:
        code = "host" if call.plugin is None else "load" if call.op == "load" else "plugin"
        frame = error_frame(fatal_as_error(error), code, call.plugin.file if call.plugin else None)
        if call.is_cancelled:
            frame["code"] = "cancelled"
            if call.is_in_thread:
                frame["detail"] = {"still_running": True}
        self._end(call)
        self._channel.send({"t": "failure", "id": call.id, "error": frame, "ms": _milliseconds(call)})

    def _end(self, call: Call) -> None:
        self._output.end(call)
        self._events.end(call.id)
        self._operations.forget(call.id)
        self._calls.end(call)

    def _task_exited(self, error: BaseException) -> None:
        """A task called sys.exit; its loop goes on."""
        self._output.line("task", "error", str(fatal_as_error(error)))

    def _task_failed(self, tasks: Tasks, context: dict[str, Any]) -> None:
        """An exception nobody took, for instance of a task; logged for whoever made the task."""
        error = context.get("exception")
        text = error_frame(error)["traceback"] if error else str(context.get("message"))
        owner = tasks.context_of(context.get("task") or context.get("future")).copy()
        for line in text.rstrip().split("\n"):
            owner.run(self._output.line, "task", "error", line)

    async def _shut_down(self, grace: float) -> None:
        for call in self._calls:
            call.cancel()
        deadline = time.monotonic() + grace
        while self._calls and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        self._channel.flush(max(0.1, deadline - time.monotonic()))
        end_children(self._has_group)
        os._exit(0)


async def _briefly(call: Call) -> None:
    """Waits a moment for a cancelled call's thread, to tell whether it obeyed."""
    for _ in range(50):
        if not call.is_in_thread:
            return
        await asyncio.sleep(0.01)


def _milliseconds(call: Call) -> float:
    return round((time.monotonic() - call.started) * 1000, 3)


def greet(channel: Channel, hello: Message) -> None:
    """Answers the gateway's hello, or ends the process when the versions do not match."""
    if hello.get("t") != "hello" or hello.get("protocol") != PROTOCOL:
        text = f"This worker speaks version {PROTOCOL} of the protocol; the first message was {hello.get('t')} {hello.get('protocol')}."
        channel.send({"t": "fatal", "message": text})
        channel.flush(1)
        os._exit(BAD_START)
    import pydantic

    channel.send(
        {
            "t": "hello",
            "protocol": PROTOCOL,
            "host": VERSION,
            "python": platform.python_version(),
            "pydantic": pydantic.VERSION,
            "starlette": _version("starlette"),
            "pid": os.getpid(),
        }
    )


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None
