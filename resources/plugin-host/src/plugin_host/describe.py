"""Description of a loaded plugin that the gateway stores."""

from __future__ import annotations

from typing import Any

from .front_matter import read_requirements
from .loading import Hook, Plugin
from .plain import plain
from .specs import tool_methods, tool_specs
from .valves import priority_of, valves_schema

HOOKS = {"tool": (), "pipe": ("pipe", "pipes"), "filter": ("inlet", "stream", "outlet"), "action": ("action",), "event": ("event",)}


def describe(plugin: Plugin, stored: dict[str, Any] | None) -> dict[str, Any]:
    """The protocol's description; raises what a spec or schema raises."""
    hooks = _hooks(plugin)
    return {
        "kind": plugin.kind,
        "front_matter": plugin.front_matter,
        "requirements": read_requirements(plugin.front_matter),
        "flags": _flags(plugin),
        "hooks": {name: hook.form for name, hook in hooks.items()},
        "parameters": {name: hook.parameters for name, hook in hooks.items()},
        "priority": priority_of(plugin.instance, stored),
        "valves_schema": plain(valves_schema(plugin.instance, "valves")),
        "user_valves_schema": plain(valves_schema(plugin.instance, "user_valves")),
        "specs": plain(tool_specs(plugin.instance)) if plugin.kind == "tool" else None,
        "warnings": _warnings(plugin, hooks),
    }


def _hooks(plugin: Plugin) -> dict[str, Hook]:
    names = tool_methods(plugin.instance) if plugin.kind == "tool" else HOOKS[plugin.kind]
    return {name: plugin.hook(name) for name in names if callable(getattr(plugin.instance, name, None))}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _flags(plugin: Plugin) -> dict[str, Any]:
    actions = plugin.flag("actions")
    return {
        "toggle": bool(plugin.flag("toggle")),
        "icon": _text(plugin.flag("icon")),
        "icon_url": plugin.front_matter.get("icon_url") or _text(plugin.flag("icon_url")),
        "file_handler": bool(plugin.flag("file_handler")),
        "citation": bool(plugin.flag("citation")),
        "actions": plain([item for item in actions if isinstance(item, dict) and item.get("id")]) if isinstance(actions, list) else [],
        "name": _text(getattr(plugin.instance, "name", None)),
        "type": _text(getattr(plugin.instance, "type", None)),
    }


def _warnings(plugin: Plugin, hooks: dict[str, Hook]) -> list[str]:
    found: list[str] = []
    if hasattr(plugin.instance, "Valves") and not hasattr(plugin.instance, "valves"):
        found.append("The class has Valves, but the instance has no attribute valves: stored settings never reach the plugin.")
    if not hooks:
        found.append(f"The {plugin.kind} has nothing that can be called.")
    return found
