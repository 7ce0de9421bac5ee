"""Asks the gateway, on behalf of the call the running code belongs to. The compatibility package is built on it.

`request` waits in the calling thread, `request_async` on whichever loop runs, `stream` is iterated with `for` or `async for`.
All work during `__init__`, in calls, and in tasks and threads plugins started.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

from .calls import CURRENT, CURRENT_PLUGIN, Call, OpenCalls, call_on, current_call, settle
from .interrupting import Cancelled, Shield

__all__ = ["CallEnded", "GatewayError", "current_call", "current_plugin", "given", "request", "request_async", "stream"]

if TYPE_CHECKING:
    from .loading import Plugin

STREAM_CREDIT = 64
#: What code of a call may still send when the call has ended, until its answer is over.
SPEECH = frozenset({"event", "event_call"})


class GatewayError(Exception):
    """The gateway refused or failed a request; `type` and `status` are the gateway's."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error.get("message", ""))
        self.type: str = error.get("type", "Error")
        self.status: int | None = error.get("status")


class CallEnded(GatewayError):
    """Code asks the gateway or speaks to the person after the call it belongs to has ended."""

    def __init__(self) -> None:
        message = "The call this belongs to has ended, and with it the right to ask the gateway."
        super().__init__({"type": "CallEnded", "message": message})


class _Pending:
    """A request that waits for its answer; several items may come first."""

    def __init__(self) -> None:
        self.items: deque[Any] = deque()
        self.answer: dict[str, Any] | None = None
        self.changed = threading.Condition()
        self.wakes: list[Callable[[], None]] = []
        self.is_cancelled = False

    def receive(self, message: dict[str, Any]) -> None:
        with self.changed:
            if "items" in message:
                self.items.extend(message["items"])
            else:
                self.answer = message
            self._wake()

    def cancel(self) -> None:
        with self.changed:
            self.is_cancelled = True
            self._wake()

    def _wake(self) -> None:
        self.changed.notify_all()
        wakes, self.wakes = self.wakes, []
        for wake in wakes:
            wake()

    @property
    def is_due(self) -> bool:
        return self.is_cancelled or self.answer is not None or bool(self.items)

    def wait(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self.is_due)

    async def wait_async(self) -> None:
        loop = asyncio.get_running_loop()
        with self.changed:
            if self.is_due:
                return
            future: asyncio.Future[None] = loop.create_future()
            self.wakes.append(functools.partial(call_on, loop, settle, future))
        await future


class Requests:
    """The worker's requests under way."""

    def __init__(self, send: Callable[[dict[str, Any]], None], calls: OpenCalls) -> None:
        self._send = send
        self._calls = calls
        self._ids = itertools.count(1)
        self._pending: dict[int, _Pending] = {}

    def open(self, method: str, params: dict[str, Any], call: Call | None, credit: int | None = None) -> tuple[int, _Pending]:
        plugin = CURRENT_PLUGIN.get()
        find = self._calls.speaking_for if method in SPEECH else self._calls.standing_for
        speaking = find(call, plugin) if call else None
        if speaking is None:
            raise CallEnded
        identifier, pending = next(self._ids), _Pending()
        self._pending[identifier] = pending
        message: dict[str, Any] = {
            "t": "request",
            "id": identifier,
            "method": method,
            "params": params,
            "call": speaking.id,
            "plugin": plugin.id if plugin else None,
        }
        if credit is not None:
            message["credit"] = credit
        try:
            self._send(message)
        except BaseException:
            del self._pending[identifier]
            raise
        return identifier, pending

    def receive(self, message: dict[str, Any]) -> None:
        """Takes an `answer` frame; runs on the reading thread."""
        pending = self._pending.get(message["id"])
        if pending is None:
            return
        if "items" not in message:
            del self._pending[message["id"]]
        pending.receive(message)

    def close(self, identifier: int) -> None:
        if self._pending.pop(identifier, None):
            self._send({"t": "abandon", "id": identifier})

    def grant(self, identifier: int, count: int) -> None:
        self._send({"t": "credit", "request": identifier, "n": count})


_requests: Requests | None = None


def current_plugin() -> Plugin | None:
    """The plugin the running code belongs to; its `content` is the source."""
    return CURRENT_PLUGIN.get()


def given() -> dict[str, Any]:
    """Values the gateway gave the current call to inject: `user`, `metadata`, `request`, … Empty outside of calls."""
    call = CURRENT.get()
    found: dict[str, Any] = (call.message.get("given") if call else None) or {}
    return found


def connect(requests: Requests | None) -> None:
    """Set once, when the worker starts; taken away in a forked child."""
    global _requests
    _requests = requests


def _connected() -> Requests:
    if _requests is None:
        raise RuntimeError("This code runs outside of a plugin worker, so there is no gateway to ask.")
    return _requests


def _value(answer: dict[str, Any]) -> Any:
    error = answer.get("error")
    if error is None:
        return answer.get("value")
    if error.get("type") == "TimeoutError":
        raise TimeoutError(error.get("message", ""))
    raise GatewayError(error)


def request(method: str, params: dict[str, Any] | None = None) -> Any:
    """Asks and waits in this thread. Raises GatewayError, TimeoutError, or CancelledError when the call is cancelled."""
    requests, call = _connected(), CURRENT.get()
    with Shield():
        identifier, pending = requests.open(method, params or {}, call)
        take_back = call.on_cancel(pending.cancel) if call and not call.has_ended else lambda: None
        try:
            pending.wait()
            if pending.answer is None:
                raise Cancelled
            return _value(pending.answer)
        finally:
            take_back()
            requests.close(identifier)


async def request_async(method: str, params: dict[str, Any] | None = None) -> Any:
    """Asks and waits on the running loop, whichever it is."""
    requests = _connected()
    identifier, pending = requests.open(method, params or {}, CURRENT.get())
    try:
        await pending.wait_async()
        assert pending.answer is not None
        return _value(pending.answer)
    finally:
        requests.close(identifier)


class Stream:
    """An answer in items. Iterate it once, with `for` in a thread or `async for` on a loop; `value` is what came at the end."""

    def __init__(self, method: str, params: dict[str, Any]) -> None:
        self._call = CURRENT.get()
        self._requests = _connected()
        self._identifier, self._pending = self._requests.open(method, params, self._call, STREAM_CREDIT)
        self._taken = 0
        self.value: Any = None

    def _next(self) -> tuple[bool, Any]:
        if self._pending.items:
            item = self._pending.items.popleft()
            self._taken += 1
            if self._taken >= STREAM_CREDIT // 2:
                self._requests.grant(self._identifier, self._taken)
                self._taken = 0
            return True, item
        if self._pending.answer is None:
            raise Cancelled
        self.value = _value(self._pending.answer)
        return False, None

    def __iter__(self) -> Iterator[Any]:
        call = self._call
        take_back = call.on_cancel(self._pending.cancel) if call and not call.has_ended else lambda: None
        try:
            while True:
                with Shield():
                    self._pending.wait()
                    there, item = self._next()
                if not there:
                    return
                yield item
        finally:
            take_back()
            self.close()

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            while True:
                await self._pending.wait_async()
                there, item = self._next()
                if not there:
                    return
                yield item
        finally:
            self.close()

    def close(self) -> None:
        """Tells the gateway that nobody reads on."""
        self._requests.close(self._identifier)

    async def aclose(self) -> None:
        self.close()


def stream(method: str, params: dict[str, Any] | None = None) -> Stream:
    """Asks for an answer that comes in items, for instance the lines of a streamed completion."""
    return Stream(method, params or {})
