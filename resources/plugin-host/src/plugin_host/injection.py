"""Values that hooks receive in addition to their own arguments: any known name a hook declares, `None` when there is nothing for it."""

from __future__ import annotations

import logging
import marshal
from typing import Any

from . import host
from .calls import CURRENT, Call
from .changes import Step, changes
from .events import event_caller, event_emitter, request_info
from .loading import Hook, Plugin
from .plain import plain
from .request_object import make_request
from .valves import user_valves

#: Keys of `given` that are passed as they are, as `__key__`.
PLAIN = (
    "metadata", "model", "id", "messages", "files", "chat_id", "message_id", "session_id", "task", "task_body", "oauth_token", "features",
    "body",
)  # fmt: skip
#: Made by the host in every call.
ALWAYS = ("request", "event_emitter", "event_call", "id")
#: Objects whose changes travel back.
WATCHED = ("metadata", "model", "body")


class Injection:
    """The injected objects of one plugin in one call."""

    def __init__(self, call: Call, plugin: Plugin, message: dict[str, Any]) -> None:
        self._call = call
        self._plugin = plugin
        self._given: dict[str, Any] = message.get("given") or {}
        self._stored_user_valves = message.get("user_valves")
        self._made: dict[str, Any] = {}
        self._watched: dict[str, tuple[Any, bytes]] = {}
        for key in WATCHED:
            self.watch(key, self._given.get(key))

    def watch(self, key: str, value: Any) -> None:
        """Remembers a value as it is now, to tell later what changed."""
        if isinstance(value, (dict, list)):
            try:
                self._watched[key] = (value, marshal.dumps(value))
            except ValueError:
                # Tools that another plugin of the call was given.
                self._watched[key] = (value, marshal.dumps(plain(value)))

    def changed(self) -> dict[str, list[Step]]:
        found = {key: self.changed_to(key, value) for key, (value, _) in self._watched.items()}
        return {key: steps for key, steps in found.items() if steps}

    def changed_to(self, key: str, value: Any) -> list[Step]:
        """Steps from the remembered value to this one."""
        _, before = self._watched[key]
        return changes(marshal.loads(before), value)

    def parameters(self, hook: Hook) -> dict[str, Any]:
        """The injected parameters this hook names."""
        names = [name for name in hook.parameters if name in hook.named and name in KNOWN]
        return {name: self._value(name) for name in names if name not in hook.optional or self._is_there(name[2:-2])}

    def _is_there(self, key: str) -> bool:
        """Whether there is something to inject; else a default the author wrote stays."""
        return key in self._given or key in ALWAYS

    def _value(self, name: str) -> Any:
        if name not in self._made:
            value = self._made[name] = self._make(name[2:-2])
            if value is not None and not isinstance(value, (str, int, float)):
                self._call.injected.add(id(value))
        return self._made[name]

    def _make(self, key: str) -> Any:
        if key == "user":
            return self._user()
        if key == "request":
            return make_request(self._given.get("request") or {})
        if key == "event_emitter":
            return event_emitter(self._info())
        if key == "event_call":
            return event_caller(self._info()) if self._call.has_session else None
        if key == "tools":
            return self._tools()
        if key == "metadata":
            return self._metadata()
        if key == "id":
            return self._given.get("id", self._plugin.id)
        return self._given.get(key)

    def _info(self) -> Any:
        if "info" not in self._made:
            self._made["info"] = request_info(self._call, self._given)
        return self._made["info"]

    def _user(self) -> dict[str, Any] | None:
        user = self._given.get("user")
        if user is None:
            return None
        user = dict(user)
        try:
            valves = user_valves(self._plugin.instance, self._stored_user_valves)
        except Exception as error:
            logging.getLogger("plugins").warning("The user's settings do not fit the class UserValves: %s", error)
            valves = user_valves(self._plugin.instance, None) if self._plugin.kind == "pipe" else None
        if valves is not None:
            user["valves"] = valves
            self._call.injected.add(id(valves))
        return user

    def _tools(self) -> dict[str, Any] | None:
        listed = self._given.get("tools")
        if listed is None:
            return None
        return {tool["name"]: {**tool, "callable": _tool_caller(self._call, tool["name"])} for tool in listed}

    def _metadata(self) -> Any:
        metadata = self._given.get("metadata")
        tools = metadata.get("tools") if isinstance(metadata, dict) else None
        if isinstance(tools, dict):
            for name, tool in tools.items():
                if isinstance(tool, dict) and "tool_id" in tool:
                    tools[name] = OfferedTool(tool, _tool_caller(self._call, name, tool["tool_id"]))
        return metadata


class OfferedTool(dict[str, Any]):
    """A tool in `__metadata__["tools"]`. Its function is found under "callable" but is no item, so that the metadata is still JSON."""

    def __init__(self, described: dict[str, Any], run: Any) -> None:
        super().__init__(described)
        self._run = run

    def __missing__(self, key: str) -> Any:
        if key != "callable":
            raise KeyError(key)
        return self._run

    def __contains__(self, key: object) -> bool:
        return key == "callable" or super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self else default

    def copy(self) -> OfferedTool:
        return OfferedTool(self, self._run)


def _tool_caller(call: Call, name: str, tool_id: str | None = None) -> Any:
    """Runs one of the tools of a pipe, or a function of any tool the person may use."""
    method, about = ("tools.call", {}) if tool_id is None else ("tools.run", {"tool_id": tool_id})

    async def run_tool(**arguments: Any) -> Any:
        token = CURRENT.set(call)
        try:
            return (await host.request_async(method, {**about, "name": name, "arguments": arguments}))["value"]
        finally:
            CURRENT.reset(token)

    run_tool.__name__ = name
    return run_tool


KNOWN = frozenset(f"__{key}__" for key in (*PLAIN, "user", "request", "event_emitter", "event_call", "tools"))
