"""Implementation of each operation of the protocol."""

from __future__ import annotations

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
from .plugin_runtime import Runtimes
from .returned import shape_action_result, shape_tool_result
from .running import collect, run_hook
from .sharing import share
from .specs import is_tool_method
from .stream_hooks import StreamFilter, StreamSession
from .threads import CallThreads
from .valves import apply_valves, validate_valves, valves_options

Answer = tuple[Any, dict[str, Any]]
#: Operations that run no hook of a loaded plugin on a loop.
HOST_OPERATIONS = frozenset({"inspect", "load", "unload"})
#: How long the answer to `unload` waits for the plugin's loop to end; one that blocks ends when it is through.
UNLOAD_SECONDS = 1


class Operations:
    """The plugins of this worker and what can be done with them."""

    def __init__(self, channel: Channel, events: Events, threads: CallThreads, runtimes: Runtimes) -> None:
        self._channel = channel
        self._events = events
        #: For what runs code of no plugin, or of several in one thread.
        self._threads = threads
        self._runtimes = runtimes
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

    def settle_in(self, call: Call) -> None:
        """Finds where a call runs and keeps it from ending meanwhile; runs on the reading thread. Calls that name no loaded plugin
        stay on the host's loop, where they fail or run nothing of it."""
        if call.op in HOST_OPERATIONS:
            return
        listed = call.message["plugins"] if call.op == "stream" else [call.message]
        try:
            plugins = [self._loaded(entry["plugin"]) for entry in listed]
        except (HostError, KeyError, TypeError):
            return
        call.runtimes = [plugin.runtime for plugin in plugins if plugin.runtime.enter()]
        if plugins and len(call.runtimes) == len(plugins):
            call.members = plugins
            call.loop = plugins[0].runtime.loop

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

    def _member(self, call: Call, reference: dict[str, Any]) -> Plugin:
        """A plugin of the call, as it was loaded when the call came."""
        if not call.members:
            self._loaded(reference)
            raise HostError("not_loaded", f"“{reference['id']}” was being replaced.")
        return next(plugin for plugin in call.members if plugin.key == (reference["store"], reference["id"]))

    def _enter(self, call: Call) -> Plugin:
        """The call's plugin, loaded, with its valves applied, made the one the code belongs to."""
        plugin = call.plugin = self._member(call, call.message["plugin"])
        CURRENT_PLUGIN.set(plugin)
        self._apply_valves(plugin, call.message)
        return plugin

    async def _inject(self, call: Call, plugin: Plugin, body: Any = None) -> Injection:
        """Values the hook may receive in addition to its own arguments."""
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
        secret = call.message.get("secret", before.secret if before else None)
        if before is not None and before.hash == content_hash(content) and before.runtime.enter():
            before.secret = secret
            plugin, runtime = before, before.runtime
        else:
            runtime = self._runtimes.open(reference["id"])
            runtime.enter()
            plugin = Plugin(reference["store"], reference["id"], content, secret=secret, runtime=runtime)
        call.runtimes = [runtime]
        call.plugin = plugin
        CURRENT_PLUGIN.set(plugin)

        def work() -> dict[str, Any]:
            if plugin is not before:
                plugin.load()
            return describe(plugin, stored)

        try:
            description = await runtime.load(call, work)
        except BaseException:
            if plugin is not before:
                runtime.retire()
            raise
        replaced = self._plugins.get(plugin.key)
        self._plugins[plugin.key] = plugin
        if replaced is not None and replaced is not plugin:
            replaced.runtime.retire()
        return description, {}

    async def _unload(self, call: Call) -> Answer:
        reference = call.message["plugin"]
        plugin = self._plugins.get((reference["store"], reference["id"]))
        if plugin is not None and plugin.hash == reference.get("hash", plugin.hash):
            del self._plugins[plugin.key]
            plugin.runtime.retire()
            await plugin.runtime.wait_ended(UNLOAD_SECONDS)
        return None, {}

    async def _describe(self, call: Call) -> Answer:
        plugin = self._enter(call)
        return describe(plugin, call.message.get("valves")), {}

    async def _validate(self, call: Call) -> Answer:
        plugin = self._enter(call)
        which, values = call.message["which"], call.message["values"]
        return await plugin.runtime.threads.run(call, lambda: validate_valves(plugin.instance, which, values)), {}

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
        returned = await run_hook(plugin, call, hook, parameters)
        if inspect.isasyncgen(returned) or inspect.isgenerator(returned):
            returned = "".join(map(str, await collect(plugin, call, returned)))
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
        returned = await run_hook(plugin, call, hook, parameters)
        changed = injection.changed()
        changed.pop("sent", None)
        if returned is None:
            return {"form": "none"}, changed
        if not isinstance(returned, dict):
            return {"form": "other", "value": plain(returned)}, changed
        return {"form": "changed", "steps": injection.changed_to("sent", returned)}, changed

    async def _stream(self, call: Call) -> Answer:
        filters = [await self._stream_filter(call, entry) for entry in call.message["plugins"]]
        plugins = call.members
        threads = plugins[0].runtime.threads if len(plugins) == 1 else self._threads
        session = StreamSession(call, filters, self._channel, threads)
        with self._order:
            self._sessions[call.id] = session
            for batch in self._early.pop(call.id, ()):
                session.push(batch)
        return await session.run(), session.changed()

    async def _stream_filter(self, call: Call, entry: dict[str, Any]) -> StreamFilter:
        """One filter of a stream session, with its valves applied, made on its plugin's own loop."""
        plugin = self._member(call, entry["plugin"])
        message = {**entry, "given": entry.get("given") or call.message.get("given")}

        def make() -> StreamFilter:
            self._apply_valves(plugin, entry)
            return StreamFilter(call, plugin, message)

        token = CURRENT_PLUGIN.set(plugin)
        try:
            made: StreamFilter = await plugin.runtime.run(make)
            return made
        finally:
            CURRENT_PLUGIN.reset(token)

    async def _pipes(self, call: Call) -> Answer:
        return await pipe_models(self._enter(call), call), {}

    async def _pipe(self, call: Call) -> Answer:
        plugin = self._enter(call)
        hook = plugin.hook("pipe")
        body = call.message["body"]
        injection = await self._inject(call, plugin, body)
        parameters = {**({"body": body} if "body" in hook.named else {}), **injection.parameters(hook)}
        answer = PipeAnswer(call, plugin, self._channel, self._events)
        value = await answer.send(await run_hook(plugin, call, hook, parameters))
        return value, injection.changed()

    async def _action(self, call: Call) -> Answer:
        plugin = self._enter(call)
        hook = plugin.hook("action")
        if sub_id := call.message.get("sub_id"):
            call.message.setdefault("given", {}).setdefault("id", sub_id)
        body = call.message["body"]
        injection = await self._inject(call, plugin, body)
        parameters = {**({"body": body} if "body" in hook.named else {}), **injection.parameters(hook)}
        return shape_action_result(await run_hook(plugin, call, hook, parameters)), injection.changed()
