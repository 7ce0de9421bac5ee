"""What each operation of the protocol does."""

from __future__ import annotations

import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from .arguments import UnreadableArguments, accepted, read_arguments
from .attachments import complete_files
from .calls import CURRENT_PLUGIN, Call
from .channel import Channel
from .describe import describe
from .errors import HostError
from .events import Events
from .injection import Injection
from .inspection import inspect_source
from .loading import Plugin, content_hash
from .pipes import PipeAnswer, pipe_models
from .plain import plain
from .returned import shape_action_result, shape_tool_result
from .running import collect, run_hook
from .sharing import share
from .specs import is_tool_method
from .stream_hooks import StreamSession
from .threads import CallThreads
from .valves import apply_valves, validate_valves, valves_options

Answer = tuple[Any, dict[str, Any]]


class Operations:
    """The plugins of this worker and what can be done with them."""

    def __init__(self, channel: Channel, events: Events, threads: CallThreads) -> None:
        self._channel = channel
        self._events = events
        self._threads = threads
        self._plugins: dict[tuple[str, str], Plugin] = {}
        self._sessions: dict[int, StreamSession] = {}
        self._early: dict[int, list[dict[str, Any]]] = {}
        self._order = threading.Lock()
        self._table: dict[str, Callable[[Call], Awaitable[Answer]]] = {
            "inspect": self._inspect,
            "load": self._load,
            "unload": self._unload,
            "describe": self._describe,
            "valves.validate": self._validate,
            "valves.options": self._options,
            "tool": self._tool,
            "inlet": self._filter,
            "outlet": self._filter,
            "stream": self._stream,
            "pipes": self._pipes,
            "pipe": self._pipe,
            "action": self._action,
        }

    async def run(self, call: Call) -> Answer:
        operation = self._table.get(call.op)
        if operation is None:
            raise HostError("host", f"This worker knows no operation “{call.op}”.")
        return await operation(call)

    def expect(self, identifier: int) -> None:
        """A stream session will be opened; chunks that come before wait for it."""
        with self._order:
            self._early[identifier] = []

    def push(self, message: dict[str, Any]) -> None:
        """Takes a `c` frame; runs on the reading thread."""
        with self._order:
            if session := self._sessions.get(message["id"]):
                session.push(message)
            elif (early := self._early.get(message["id"])) is not None:
                early.append(message)

    def forget(self, identifier: int) -> None:
        with self._order:
            self._sessions.pop(identifier, None)
            self._early.pop(identifier, None)

    def _loaded(self, reference: dict[str, Any]) -> Plugin:
        plugin = self._plugins.get((reference["store"], reference["id"]))
        if plugin is None or plugin.hash != reference.get("hash", plugin.hash):
            raise HostError("not_loaded", f"“{reference['id']}” is not loaded with this source.")
        return plugin

    def _enter(self, call: Call) -> Plugin:
        """The call's plugin, loaded, with its valves applied, made the one the code belongs to."""
        plugin = call.plugin = self._loaded(call.message["plugin"])
        CURRENT_PLUGIN.set(plugin)
        self._apply_valves(plugin, call.message)
        return plugin

    async def _inject(self, call: Call, plugin: Plugin, body: Any = None) -> Injection:
        """What the hook may be given besides its own arguments."""
        given = call.message.setdefault("given", {})
        share(given, body)
        files = [given.get("files"), (given.get("metadata") or {}).get("files")]
        await complete_files(plugin, [*files, body.get("files") if isinstance(body, dict) else None])
        return Injection(call, plugin, call.message)

    def _apply_valves(self, plugin: Plugin, message: dict[str, Any]) -> None:
        if "valves" in message:
            apply_valves(plugin.instance, message["valves"], without_nulls=plugin.kind == "pipe")

    async def _inspect(self, call: Call) -> Answer:
        content, store = call.message["content"], call.message["store"]
        return await self._threads.run(call, lambda: inspect_source(content, store)), {}

    async def _load(self, call: Call) -> Answer:
        reference, content = call.message["plugin"], call.message["content"]
        stored = call.message.get("valves")
        before = self._plugins.get((reference["store"], reference["id"]))
        if before is not None and before.hash == content_hash(content):
            before.secret = call.message.get("secret", before.secret)
            plugin = before
        else:
            plugin = Plugin(reference["store"], reference["id"], content, call.message.get("secret"))
        call.plugin = plugin
        CURRENT_PLUGIN.set(plugin)

        def work() -> dict[str, Any]:
            if plugin is not before:
                plugin.load()
            return describe(plugin, stored)

        description = await self._threads.run(call, work)
        self._plugins[plugin.key] = plugin
        return description, {}

    async def _unload(self, call: Call) -> Answer:
        reference = call.message["plugin"]
        self._plugins.pop((reference["store"], reference["id"]), None)
        return None, {}

    async def _describe(self, call: Call) -> Answer:
        plugin = self._enter(call)
        return describe(plugin, call.message.get("valves")), {}

    async def _validate(self, call: Call) -> Answer:
        plugin = self._enter(call)
        which, values = call.message["which"], call.message["values"]
        return await self._threads.run(call, lambda: validate_valves(plugin.instance, which, values)), {}

    async def _options(self, call: Call) -> Answer:
        plugin = self._enter(call)
        user = (call.message.get("given") or {}).get("user")
        return await valves_options(plugin.instance, call.message["which"], user), {}

    async def _tool(self, call: Call) -> Answer:
        plugin = self._enter(call)
        name = call.message["name"]
        if not is_tool_method(plugin.instance, name):
            raise HostError("missing", f"The tool “{plugin.id}” has no function “{name}”.")
        hook = plugin.hook(name)
        injection = await self._inject(call, plugin)
        try:
            arguments = read_arguments(call.message.get("arguments"))
        except UnreadableArguments as error:
            return {**shape_tool_result(str(error)), "is_error": True}, {}
        parameters = {**accepted(hook, arguments), **injection.parameters(hook)}
        returned = await run_hook(self._threads, call, hook, parameters)
        if inspect.isasyncgen(returned) or inspect.isgenerator(returned):
            returned = "".join(map(str, await collect(self._threads, call, returned)))
        shaped = shape_tool_result(returned)
        if not call.message.get("raw"):
            shaped.pop("raw", None)
        return shaped, injection.changed()

    async def _filter(self, call: Call) -> Answer:
        plugin = self._enter(call)
        hook = plugin.hook(call.op)
        body = call.message["body"]
        injection = await self._inject(call, plugin, body)
        injection.watch("sent", body)
        parameters = {**({"body": body} if "body" in hook.named else {}), **injection.parameters(hook)}
        if "body" not in parameters and hook.parameters:
            raise HostError("missing", f"{call.op} of “{plugin.id}” has no parameter named body.")
        returned = await run_hook(self._threads, call, hook, parameters)
        changed = injection.changed()
        changed.pop("sent", None)
        if returned is None:
            return {"form": "none"}, changed
        if not isinstance(returned, dict):
            return {"form": "other", "value": plain(returned)}, changed
        return {"form": "changed", "steps": injection.changed_to("sent", returned)}, changed

    async def _stream(self, call: Call) -> Answer:
        plugins: list[tuple[Plugin, dict[str, Any]]] = []
        for entry in call.message["plugins"]:
            plugin = self._loaded(entry["plugin"])
            context = contextvars.copy_context()
            context.run(CURRENT_PLUGIN.set, plugin)
            context.run(self._apply_valves, plugin, entry)
            plugins.append((plugin, {**entry, "given": entry.get("given") or call.message.get("given")}))
        call.members = [plugin for plugin, _ in plugins]
        session = StreamSession(call, plugins, self._channel, self._threads)
        with self._order:
            self._sessions[call.id] = session
            for batch in self._early.pop(call.id, ()):
                session.push(batch)
        return await session.run(), session.changed()

    async def _pipes(self, call: Call) -> Answer:
        return await pipe_models(self._threads, call, self._enter(call)), {}

    async def _pipe(self, call: Call) -> Answer:
        plugin = self._enter(call)
        hook = plugin.hook("pipe")
        body = call.message["body"]
        injection = await self._inject(call, plugin, body)
        parameters = {**({"body": body} if "body" in hook.named else {}), **injection.parameters(hook)}
        answer = PipeAnswer(call, self._channel, self._events, self._threads)
        value = await answer.send(await run_hook(self._threads, call, hook, parameters))
        return value, injection.changed()

    async def _action(self, call: Call) -> Answer:
        plugin = self._enter(call)
        hook = plugin.hook("action")
        if sub_id := call.message.get("sub_id"):
            call.message.setdefault("given", {}).setdefault("id", sub_id)
        body = call.message["body"]
        injection = await self._inject(call, plugin, body)
        parameters = {**({"body": body} if "body" in hook.named else {}), **injection.parameters(hook)}
        return shape_action_result(await run_hook(self._threads, call, hook, parameters)), injection.changed()
