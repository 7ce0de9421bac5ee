"""Loads plugins from their source: a real file, a module of the usual name, one instance of the class that makes its kind."""

from __future__ import annotations

import hashlib
import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .binding import bind
from .errors import HostError
from .front_matter import read_front_matter

if TYPE_CHECKING:
    from .plugin_runtime import PluginRuntime

#: The classes that make a kind, in the order they are looked for.
CLASSES = {"tool": {"Tools": "tool"}, "function": {"Pipe": "pipe", "Filter": "filter", "Action": "action", "Event": "event"}}
_SAFE_ID = re.compile(r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")


class Plugin:
    """One loaded plugin; `instance` is what its author calls `self`."""

    def __init__(self, store: str, identifier: str, content: str, *, secret: str | None, runtime: PluginRuntime) -> None:
        self.store = store
        self.id = identifier
        self.content = content
        self.hash = content_hash(content)
        self.secret = secret
        self.runtime = runtime
        self.front_matter = read_front_matter(content)
        self.name = f"{store}_{identifier}"
        self.file = os.path.join(os.getcwd(), "plugins", self.hash[:16], f"{self.name}.py")
        self.module: ModuleType
        self.instance: Any
        self.kind: str
        self._hooks: dict[str, Hook | None] = {}

    @property
    def key(self) -> tuple[str, str]:
        return self.store, self.id

    def load(self) -> None:
        """Runs the module and makes its instance. Raises HostError with `syntax` or `no_class`, or what the plugin raises."""
        if self.store not in CLASSES or not _SAFE_ID.match(self.id):
            raise HostError("load", f"“{self.store}/{self.id}” is no name a plugin can have.")
        os.makedirs(os.path.dirname(self.file), exist_ok=True)
        with open(self.file, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(self.content)
        linecache.checkcache(self.file)
        try:
            code = compile(self.content, self.file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise HostError("syntax", _syntax_text(error)) from error
        module = ModuleType(self.name)
        module.__file__ = self.file
        before = sys.modules.get(self.name)
        sys.modules[self.name] = module
        try:
            exec(code, module.__dict__)
            self.kind, owner = self._class_of(module)
            self.module = module
            self.instance = owner()
        except BaseException:
            if before is None:
                sys.modules.pop(self.name, None)
            else:
                sys.modules[self.name] = before
            raise
        bind(self.instance)

    def _class_of(self, module: ModuleType) -> tuple[str, Any]:
        for name, kind in CLASSES[self.store].items():
            if isinstance(owner := getattr(module, name, None), type):
                return kind, owner
        names = " or ".join(CLASSES[self.store])
        raise HostError("no_class", f"The file has no class {names}, so it is no {self.store}.")

    def hook(self, name: str) -> Hook:
        """A hook by name; raises HostError with `missing`."""
        if name not in self._hooks:
            method = getattr(self.instance, name, None)
            self._hooks[name] = Hook(name, method) if callable(method) else None
        hook = self._hooks[name]
        if hook is None:
            raise HostError("missing", f"The {self.kind} “{self.id}” has no {name}.")
        return hook

    def flag(self, name: str) -> Any:
        """An attribute of the instance, its class or the module."""
        value = getattr(self.instance, name, None)
        return getattr(self.module, name, None) if value is None else value


class Hook:
    """A function of a plugin and how it wants to be called."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.name = name
        self.function = function
        inner = inspect.unwrap(getattr(function, "__func__", function))
        self.form = _form(function) or _form(inner) or "sync"
        try:
            parameters = inspect.signature(function).parameters
        except (TypeError, ValueError):
            parameters = inspect.Signature().parameters
        self.parameters = list(parameters)
        self.named = frozenset(name for name, item in parameters.items() if item.kind not in (item.VAR_POSITIONAL, item.VAR_KEYWORD))
        self.optional = frozenset(name for name, item in parameters.items() if item.default is not item.empty)
        self.variable = {name: item.kind for name, item in parameters.items() if item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD)}

    @property
    def is_async(self) -> bool:
        """Whether it is called on the loop."""
        return self.form.startswith("async")


def _form(function: Any) -> str | None:
    target = function if inspect.isroutine(function) else type(function).__call__
    if inspect.isasyncgenfunction(target):
        return "async generator"
    if inspect.iscoroutinefunction(target):
        return "async"
    return "generator" if inspect.isgeneratorfunction(target) else None


def _syntax_text(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"Line {error.lineno}: {error.msg}"
    return str(error)


def content_hash(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()
