"""`__event_emitter__` and `__event_call__`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from . import host
from .calls import CURRENT, CURRENT_PLUGIN, Call, OpenCalls
from .channel import Channel
from .frames import encode

if TYPE_CHECKING:
    from .loading import Plugin

#: Waiting events per call beyond which further ones are dropped.
MOST_WAITING = 1_000
#: Size in bytes from which an event is a question: its sender waits until the gateway accepts or refuses it.
LARGE = 64 * 1024
Emitter = Callable[[Any], Awaitable[Any]]


class RequestInfo(dict[str, Any]):
    """Ids of the request, in the shape some plugins look for in the emitter's closure."""

    call: Call
    plugin: Plugin | None


class Events:
    """Sends events of calls, slowing down and at last dropping those of a call that sends too many."""

    def __init__(self, channel: Channel, limits: dict[str, Any], calls: OpenCalls) -> None:
        self._channel = channel
        self._calls = calls
        self._burst = limits.get("events_burst", 5_000)
        self._rate = limits.get("events_per_second", 1_000)
        #: By the id of an open call, or the scope of an answer whose call has ended.
        self._budgets: dict[int | str, _Budget] = {}

    def speaker(self, info: RequestInfo) -> Speaker:
        """Whom an emitter speaks for now; raises CallEnded when its call and the answer it took part in are over."""
        call = self._calls.speaking_for(info.call, info.plugin)
        if call is None:
            raise host.CallEnded
        return Speaker(call, info.plugin)

    def send(self, speaker: Speaker, frame: bytes) -> float:
        """Sends at once and answers 0, else how many seconds to wait before sending; less than 0 when the event is dropped."""
        budget = self._budget(speaker)
        wait = budget.take(self._burst, self._rate)
        if self._channel.is_crowded or budget.queue:
            # Never before those that wait already.
            wait = max(wait, 0.02)
        if wait == 0:
            self.write(speaker, frame)
            return 0
        if len(budget.queue) >= MOST_WAITING:
            budget.tokens += 1
            budget.dropped += 1
            return -1
        return wait

    def _budget(self, speaker: Speaker) -> _Budget:
        call = speaker.call
        self._require(call)
        key = call.scope if call.has_ended else call.id
        return self._budgets.setdefault(key, _Budget(self._burst, speaker.plugin_id))

    def _require(self, call: Call) -> None:
        if not self._calls.may_speak(call):
            raise host.CallEnded

    def send_from_thread(self, speaker: Speaker, data: Any) -> None:
        """Sends, waiting in this thread while the call sends too fast. Raises GatewayError for an event that is refused."""
        frame = _frame(speaker, data)
        if len(frame) > LARGE:
            # After those that wait already.
            while self._budget(speaker).queue:
                time.sleep(0.02)
            with _speaking(speaker):
                host.request("event", {"data": data})
            return
        wait = self.send(speaker, frame)
        if wait > 0:
            time.sleep(wait)
            while self._channel.is_crowded:
                time.sleep(0.02)
            self.write(speaker, frame)

    async def send_on_loop(self, speaker: Speaker, data: Any) -> None:
        """The same on the running loop."""
        frame = _frame(speaker, data)
        if len(frame) > LARGE:
            while self._budget(speaker).queue:
                await asyncio.sleep(0.02)
            with _speaking(speaker):
                await host.request_async("event", {"data": data})
            return
        wait = self.send(speaker, frame)
        if wait > 0:
            await self.send_later(speaker, frame, wait)

    async def send_later(self, speaker: Speaker, frame: bytes, wait: float) -> None:
        budget = self._budget(speaker)
        entry = [frame]
        budget.queue.append(entry)
        try:
            await asyncio.sleep(wait)
            while self._channel.is_crowded:
                await asyncio.sleep(0.02)
        except BaseException:
            with contextlib.suppress(ValueError):
                budget.queue.remove(entry)
            raise
        # The first thread to wake sends the oldest event, which keeps the order.
        with contextlib.suppress(IndexError):
            self.write(speaker, budget.queue.popleft()[0])

    def write(self, speaker: Speaker, frame: bytes) -> None:
        self._require(speaker.call)
        self._channel.send_frame(frame)

    def end(self, key: int | str) -> None:
        """Tells what was dropped in a call, or after the calls of an answer, that is over."""
        budget = self._budgets.pop(key, None)
        if budget is None:
            return
        dropped = budget.dropped + len(budget.queue)
        budget.queue.clear()
        if dropped:
            call = key if isinstance(key, int) else None
            self._channel.send({"t": "notice", "call": call, "plugin": budget.plugin_id, "what": "events", "dropped": dropped})


class Speaker(NamedTuple):
    """Whose event it is: a call that may speak, and of its plugins the one that emits."""

    call: Call
    plugin: Plugin | None

    @property
    def plugin_id(self) -> str | None:
        return self.plugin.id if self.plugin else None


def _frame(speaker: Speaker, data: Any) -> bytes:
    return encode({"t": "event", "call": speaker.call.id, "plugin": speaker.plugin_id, "data": data})


@contextlib.contextmanager
def _speaking(speaker: Speaker) -> Iterator[None]:
    """Questions inside the block are asked for this speaker."""
    call, plugin = CURRENT.set(speaker.call), CURRENT_PLUGIN.set(speaker.plugin)
    try:
        yield
    finally:
        CURRENT_PLUGIN.reset(plugin)
        CURRENT.reset(call)


class _Budget:
    def __init__(self, tokens: float, plugin_id: str | None) -> None:
        self.tokens = tokens
        self.plugin_id = plugin_id
        self.at = time.monotonic()
        self.queue: deque[list[Any]] = deque()
        self.dropped = 0

    def take(self, burst: float, rate: float) -> float:
        now = time.monotonic()
        self.tokens = min(burst, self.tokens + (now - self.at) * rate) - 1
        self.at = now
        return 0 if self.tokens >= 0 else -self.tokens / rate


_events: Events


def connect(events: Events) -> None:
    """Set once, when the worker starts."""
    global _events
    _events = events


async def emit(info: RequestInfo, data: Any) -> None:
    await _events.send_on_loop(_events.speaker(info), data)


async def ask(info: RequestInfo, data: Any) -> Any:
    token = CURRENT.set(info.call)
    try:
        return await host.request_async("event_call", {"data": data})
    finally:
        CURRENT.reset(token)


def event_emitter(request_info: RequestInfo) -> Emitter:
    """@NOTE A closure over exactly one dict: some plugins read the request's ids from `__closure__`."""

    async def __event_emitter__(event_data: Any) -> None:
        await emit(request_info, event_data)

    return __event_emitter__


def event_caller(request_info: RequestInfo) -> Emitter:
    async def __event_call__(event_data: Any) -> Any:
        return await ask(request_info, event_data)

    return __event_call__


def request_info(call: Call, given: dict[str, Any]) -> RequestInfo:
    metadata = given.get("metadata") or {}
    info = RequestInfo({key: given.get(key, metadata.get(key)) for key in ("chat_id", "message_id", "session_id")})
    info["user_id"] = (given.get("user") or {}).get("id")
    info.call = call
    info.plugin = CURRENT_PLUGIN.get()
    return info
