"""The calls under way, and which of them the running code belongs to."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from .interrupting import Cancelled, Interruptible, Shield

if TYPE_CHECKING:
    from .loading import Plugin
    from .plugin_runtime import PluginRuntime

Message = dict[str, Any]


def settle(future: asyncio.Future[None]) -> None:
    """Ends a wait, unless it has ended already."""
    if not future.done():
        future.set_result(None)


def call_on(loop: asyncio.AbstractEventLoop, callback: Callable[..., object], *given: Any) -> None:
    """Has a loop call something, from any thread; nothing when it has been closed, as that of a plugin that was unloaded."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback, *given)


class Credits:
    """How many more items the gateway takes; waits in threads and on the loop."""

    def __init__(self, first: int, loop: asyncio.AbstractEventLoop) -> None:
        self._left = first
        self._loop = loop
        self._ended = False
        self._changed = threading.Condition()
        self._waiter: asyncio.Future[None] | None = None

    def grant(self, count: int) -> None:
        with self._changed:
            self._left += count
            self._changed.notify_all()
            waiter, self._waiter = self._waiter, None
        if waiter:
            call_on(self._loop, settle, waiter)

    def end(self) -> None:
        """Ends the waiting of threads: the call is cancelled."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def take(self) -> None:
        with Shield(), self._changed:
            self._changed.wait_for(lambda: self._left > 0 or self._ended)
            if self._ended:
                raise Cancelled
            self._left -= 1

    async def take_async(self) -> None:
        while True:
            with self._changed:
                if self._left > 0:
                    self._left -= 1
                    return
                waiter = self._waiter = self._loop.create_future()
            await waiter


class Call:
    """One call of the gateway, from its frame to its answer."""

    def __init__(self, message: Message, loop: asyncio.AbstractEventLoop) -> None:
        self.id: int = message["id"]
        self.op: str = message["op"]
        self.message = message
        self.plugin: Plugin | None = None
        #: Where it runs: on the loop of its plugin, or on the host's when no code of a plugin runs on the loop.
        self.loop = loop
        #: Those it keeps from ending.
        self.runtimes: list[PluginRuntime] = []
        self.scope: str = message.get("scope") or f"call-{self.id}"
        self.has_session = bool(message.get("session"))
        #: Whether its scope is an answer: the gateway tells when that is over.
        self.is_of_answer = bool(message.get("answer"))
        self.started = time.monotonic()
        self.is_cancelled = False
        self.has_ended = False
        #: Objects handed to the plugin; attributes set to one of them belong to the scope.
        self.injected: set[int] = set()
        self.logged_bytes = 0
        self.dropped_log_lines = 0
        self.credits: Credits | None = None
        self.task: asyncio.Task[Any] | None = None
        #: The loaded plugins it is for: several in a stream session, one else, none when they are not loaded.
        self.members: list[Plugin] = []
        self._threads: set[Interruptible] = set()
        self._on_cancel: set[Callable[[], None]] = set()
        self._lock = threading.Lock()

    @property
    def plugin_id(self) -> str | None:
        return self.plugin.id if self.plugin else None

    def runs(self, plugin: Plugin) -> bool:
        """Whether the call is one of this plugin."""
        return self.plugin is plugin or plugin in self.members

    def end(self) -> None:
        """The call has ended. Its values are released, as threads and tasks of the plugin may hold the call as long as they run."""
        self.has_ended = True
        self.injected.clear()
        self.message = {"id": self.id, "op": self.op}
        self.credits = None
        self.members = []
        # The task's context holds the call, and is itself kept as long as the task is.
        self.task = None
        runtimes, self.runtimes = self.runtimes, []
        for runtime in runtimes:
            runtime.leave()

    def enter_thread(self) -> Interruptible:
        """Plugin code of the call starts in the present thread; raises Cancelled when it must not."""
        with self._lock:
            if self.is_cancelled:
                raise Cancelled
            code = Interruptible()
            self._threads.add(code)
            return code

    def leave_thread(self, code: Interruptible) -> None:
        """The plugin's code has ended; may be called again."""
        code.end()
        with self._lock:
            self._threads.discard(code)

    def on_cancel(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Runs `wake` when the call is cancelled; answers a function that takes it back."""
        with self._lock:
            if not self.is_cancelled:
                self._on_cancel.add(wake)
                return lambda: self._on_cancel.discard(wake)
        wake()
        return lambda: None

    @property
    def is_in_thread(self) -> bool:
        """Whether sync code of the call is running."""
        return bool(self._threads)

    def cancel(self) -> None:
        """Stops the call's code at the next possible place, from any thread."""
        with self._lock:
            if self.is_cancelled or self.has_ended:
                return
            self.is_cancelled = True
            wakes = list(self._on_cancel)
            for code in self._threads:
                code.interrupt()
        if self.credits:
            self.credits.end()
        for wake in wakes:
            wake()
        call_on(self.loop, lambda: self.task and self.task.cancel())


class OpenCalls:
    """The calls that have not ended yet: only they may ask the gateway. And the answers that are not over: code of calls that took part
    in one may speak to the person about it until then."""

    def __init__(self) -> None:
        self._by_id: dict[int, Call] = {}
        self._answers: set[str] = set()

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Call]:
        return iter(list(self._by_id.values()))

    def get(self, identifier: int) -> Call | None:
        return self._by_id.get(identifier)

    def add(self, call: Call) -> None:
        self._by_id[call.id] = call
        if call.is_of_answer:
            self._answers.add(call.scope)

    def end(self, call: Call) -> None:
        call.end()
        self._by_id.pop(call.id, None)

    def end_answer(self, scope: str) -> None:
        """An answer is over; calls of it may still be about to end."""
        self._answers.discard(scope)

    def may_speak(self, call: Call) -> bool:
        """Whether events of a call are taken: while it is open, and then until the answer it took part in is over."""
        return not call.has_ended or (call.is_of_answer and call.scope in self._answers)

    def speaking_for(self, call: Call, plugin: Plugin | None) -> Call | None:
        """The call itself while it may speak, else one that stands for it."""
        return call if self.may_speak(call) else self.standing_for(call, plugin)

    def standing_for(self, call: Call, plugin: Plugin | None) -> Call | None:
        """The call itself while it is open, else an open one of this plugin in the same chat request: an outlet may use what the inlet
        of the filter was given. None when there is none."""
        if not call.has_ended:
            return call
        same = (other for other in self if other.scope == call.scope and plugin is not None and other.runs(plugin))
        return next(same, None)


CURRENT: ContextVar[Call | None] = ContextVar("plugin_host_call", default=None)
#: The plugin whose code is being loaded or run, also outside of calls (its own tasks and threads).
CURRENT_PLUGIN: ContextVar[Plugin | None] = ContextVar("plugin_host_plugin", default=None)


def current_call() -> Call | None:
    """The call the running code belongs to, also in tasks and threads the plugin started."""
    return CURRENT.get()
