"""Pipes: their models, and every form their answer can have."""

from __future__ import annotations

import asyncio
import inspect
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Iterator
from typing import Any

from .calls import Call, Credits
from .channel import Channel
from .events import Events, Speaker
from .loading import Plugin
from .plain import dump_model, is_model, plain
from .running import run_hook

Value = dict[str, Any]


async def pipe_models(plugin: Plugin, call: Call) -> Value:
    """`{models, name}`; models null when the pipe is one model."""
    name = getattr(plugin.instance, "name", None)
    prefix = name if isinstance(name, str) else ""
    listed = getattr(plugin.instance, "pipes", None)
    if callable(listed):
        listed = await run_hook(plugin, call, plugin.hook("pipes"), {})
    if listed is None and not hasattr(plugin.instance, "pipes"):
        return {"models": None, "name": name}
    found = [item for item in (dump_model(item) if is_model(item) else item for item in listed or []) if isinstance(item, dict)]
    models = [{"id": str(item["id"]), "name": f"{prefix}{item.get('name') or item['id']}"} for item in found if item.get("id")]
    return {"models": models, "name": name}


class PipeAnswer:
    """Turns what a pipe returned into items and a value."""

    def __init__(self, call: Call, plugin: Plugin, channel: Channel, events: Events) -> None:
        self._call = call
        self._channel = channel
        self._events = events
        self._speaker = Speaker(call, plugin)
        self._threads = plugin.runtime.threads
        # Pieces of bytes may end within a character.
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._credits = Credits(int(call.message.get("credit", 64)), asyncio.get_running_loop())
        self._sent = 0
        call.credits = self._credits

    async def send(self, returned: Any) -> Value:
        if returned is None:
            return {"form": "none"}
        if isinstance(returned, str):
            return {"form": "text", "text": str(returned)}
        if hasattr(returned, "body_iterator"):
            return await self._streaming_response(returned)
        if is_model(returned):
            return {"form": "json", "value": plain(dump_model(returned))}
        if isinstance(returned, (dict, list)):
            return {"form": "json", "value": plain(returned)}
        if isinstance(getattr(returned, "body", None), (bytes, memoryview)) and hasattr(returned, "headers"):
            return {"form": "response", **_head(returned), "body": bytes(returned.body).decode("utf-8", "replace")}
        if hasattr(returned, "__aiter__"):
            await self._all_async(aiter(returned))
            return {"form": "stream", "items": self._sent}
        if isinstance(returned, Iterator):
            await self._threads.run(self._call, lambda: self._all(returned))
            return {"form": "stream", "items": self._sent}
        return {"form": "text", "text": str(returned)}

    async def _streaming_response(self, response: Any) -> Value:
        self._channel.send({"t": "open", "id": self._call.id, **_head(response)})
        iterator = response.body_iterator
        if hasattr(iterator, "__aiter__"):
            await self._all_async(aiter(iterator), RawText())
        else:
            await self._threads.run(self._call, lambda: self._all(iter(iterator), RawText()))
        background = getattr(response, "background", None)
        if callable(background):
            await background()
        return {"form": "response", **_head(response), "items": self._sent}

    async def _all_async(self, iterator: AsyncIterator[Any], raw: RawText | None = None) -> None:
        try:
            async for value in iterator:
                if (event := _event_of(value)) is not None:
                    await self._events.send_on_loop(self._speaker, event)
                else:
                    await self._credits.take_async()
                    self._send(self._item(value, raw))
            if rest := self._decode(b"", True):
                await self._credits.take_async()
                self._send({"text": rest})
        finally:
            if inspect.isasyncgen(iterator):
                await iterator.aclose()

    def _all(self, iterator: Iterator[Any], raw: RawText | None = None) -> None:
        try:
            for value in iterator:
                if (event := _event_of(value)) is not None:
                    self._events.send_from_thread(self._speaker, event)
                else:
                    self._credits.take()
                    self._send(self._item(value, raw))
            if rest := self._decode(b"", True):
                self._credits.take()
                self._send({"text": rest})
        finally:
            if inspect.isgenerator(iterator):
                iterator.close()

    def _item(self, value: Any, raw: RawText | None) -> Value:
        """The item for one yielded value."""
        if is_model(value):
            value = dump_model(value)
        if isinstance(value, dict):
            return {"json": plain(value)}
        if raw is not None:
            return {"raw": raw.read(value)}
        text = self._decode(bytes(value)) if isinstance(value, (bytes, bytearray, memoryview)) else str(value)
        if not text.startswith("data:"):
            return {"text": text}
        # Pipes give on the lines of a provider as they read them (`iter_lines`); each is an event of its own.
        return {"raw": text if text.endswith("\n\n") else f"{text}\n\n"}

    def _send(self, item: Value) -> None:
        self._sent += 1
        self._channel.send({"t": "item", "id": self._call.id, "items": [item]})


def _event_of(value: Any) -> dict[str, Any] | None:
    """The event in an item that is nothing else."""
    event = value.get("event") if isinstance(value, dict) and len(value) == 1 else None
    return event if isinstance(event, dict) else None


class RawText:
    """The body of a streamed response: pieces cut anywhere, or the lines of a provider without their ends."""

    def __init__(self) -> None:
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._end = ""
        self._named = False

    def read(self, value: Any) -> str:
        text = self._decoder.decode(bytes(value)) if isinstance(value, (bytes, bytearray, memoryview)) else str(value)
        if text.startswith(("data:", "event:")) and self._end.endswith(("}", "[DONE]")):
            text = f"\n\n{text}"
        elif text.startswith("data:") and self._named:
            text = f"\n{text}"
        self._named = text.lstrip("\n").startswith("event:") and "\n" not in text.lstrip("\n")
        self._end = text[-6:] or self._end
        return text


def _head(response: Any) -> Value:
    headers = {str(key): str(value) for key, value in dict(getattr(response, "headers", None) or {}).items()}
    return {"status": int(getattr(response, "status_code", 200) or 200), "headers": headers}
