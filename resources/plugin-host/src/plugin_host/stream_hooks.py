"""Sessions of stream hooks: the short way for what runs on every chunk of an answer."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import queue
from typing import Any

from .calls import CURRENT_PLUGIN, Call, call_on
from .channel import Channel
from .errors import error_frame
from .injection import Injection
from .interrupting import Cancelled, Shield
from .loading import Hook, Plugin
from .running import fatal_as_error, is_cancellation
from .threads import CallThreads

Batch = dict[str, Any]


class StreamFilter:
    """One filter's hook with its injected parameters, made once, where code of the plugin may run."""

    def __init__(self, call: Call, plugin: Plugin, message: dict[str, Any]) -> None:
        self.plugin = plugin
        self.hook: Hook = plugin.hook("stream")
        self.injection = Injection(call, plugin, message)
        self.parameters = self.injection.parameters(self.hook)


class StreamSession:
    """Runs the hooks over batches of events in the order they come: sync hooks alone in one of `threads`, else each where its
    plugin is at home."""

    def __init__(self, call: Call, filters: list[StreamFilter], channel: Channel, threads: CallThreads) -> None:
        self._call = call
        self._channel = channel
        self._threads = threads
        self._filters = filters
        self._loop = asyncio.get_running_loop()
        self._on_loop = any(item.hook.is_async for item in self._filters)
        self._batches: asyncio.Queue[Batch] = asyncio.Queue()
        self._thread_batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._dropped = 0
        self._failed = 0

    def push(self, batch: Batch) -> None:
        """Takes a `c` frame; runs on the reading thread."""
        if self._on_loop:
            call_on(self._loop, self._batches.put_nowait, batch)
        else:
            self._thread_batches.put(batch)

    async def run(self) -> dict[str, Any]:
        """Until the session is closed; what the hooks changed is in `changed`."""
        if self._on_loop:
            while not (batch := await self._batches.get()).get("end"):
                await self._answer_async(batch)
        else:
            # The queue's wait is not interrupted by a cancel, so it is ended by an item.
            take_back = self._call.on_cancel(lambda: self._thread_batches.put(None))
            try:
                await self._threads.run(self._call, self._run_in_thread)
            finally:
                take_back()
        return {"dropped": self._dropped, "failed": self._failed}

    def changed(self) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for item in self._filters:
            merged.update(item.injection.changed())
        return merged

    def _run_in_thread(self) -> None:
        contexts = [contextvars.copy_context() for _ in self._filters]
        for context, item in zip(contexts, self._filters, strict=True):
            context.run(CURRENT_PLUGIN.set, item.plugin)
        chain = list(zip(self._filters, contexts, strict=True))
        while batch := self._next_batch():
            if batch.get("end"):
                return
            results: list[Any] = []
            failures: list[Any] = []
            for index, event in enumerate(batch["e"]):
                for item, context in chain:
                    try:
                        asyncio.set_event_loop(item.plugin.runtime.loop)
                        event = context.run(item.hook.function, event, **item.parameters)
                    except BaseException as error:
                        self._failure(item, index, error, failures)
                        event = None
                    if not event:
                        break
                results.append(event or None)
            self._send(batch, results, failures)
        if self._call.is_cancelled:
            raise Cancelled

    def _next_batch(self) -> Batch | None:
        with Shield():
            return self._thread_batches.get()

    async def _answer_async(self, batch: Batch) -> None:
        results: list[Any] = []
        failures: list[Any] = []
        for index, event in enumerate(batch["e"]):
            for item in self._filters:
                token = CURRENT_PLUGIN.set(item.plugin)
                try:
                    event = await self._one(item, event)
                except BaseException as error:
                    self._failure(item, index, error, failures)
                    event = None
                finally:
                    CURRENT_PLUGIN.reset(token)
                if not event:
                    break
            results.append(event or None)
        self._send(batch, results, failures)

    async def _one(self, item: StreamFilter, event: Any) -> Any:
        runtime = item.plugin.runtime
        if item.hook.is_async:
            return await runtime.run(lambda: item.hook.function(event, **item.parameters))
        result = await runtime.threads.run(self._call, lambda: item.hook.function(event, **item.parameters))
        return await runtime.run(lambda: result) if inspect.isawaitable(result) else result

    def _failure(self, item: StreamFilter, index: int, error: BaseException, failures: list[Any]) -> None:
        """Notes that a hook failed; the event is dropped."""
        if is_cancellation(error):
            raise error
        self._failed += 1
        failures.append([index, item.plugin.id, error_frame(fatal_as_error(error), file=item.plugin.file)])

    def _send(self, batch: Batch, results: list[Any], failures: list[Any]) -> None:
        self._dropped += results.count(None)
        message = {"t": "c", "id": self._call.id, "n": batch.get("n"), "e": results}
        if failures:
            message["x"] = failures
        self._channel.send(message)
