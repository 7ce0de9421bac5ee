"""Modules of the host application this package does not have, and names modules had in earlier releases."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import re
import sys
from collections.abc import Sequence
from types import ModuleType

from .missing import is_guarded, log, missing_name

PACKAGE = "open_webui"
#: Places of modules before they were moved, the newest rule first.
FORMER = (
    (re.compile(r"^open_webui\.apps\.webui\.(models|routers|internal|utils)(?=\.|$)"), r"open_webui.\1"),
    (re.compile(r"^open_webui\.apps\.(retrieval|images|audio)\.main$"), r"open_webui.routers.\1"),
    (re.compile(r"^open_webui\.apps\.(openai|ollama)\.main$"), r"open_webui.routers.\1"),
    (re.compile(r"^open_webui\.apps\.socket\.main$"), "open_webui.socket.main"),
    (re.compile(r"^open_webui\.apps\.webui\.main$"), "open_webui.main"),
    (re.compile(r"^open_webui\.utils\.(utils)$"), "open_webui.utils.auth"),
)


def current_name(module: str) -> str:
    """Where a module is now."""
    for former, now in FORMER:
        if former.match(module):
            return former.sub(now, module)
    return module


class Loader(importlib.abc.Loader):
    """Makes a module whose names are all missing, or hands out the one that took the place of a former one."""

    def __init__(self, replacement: ModuleType | None = None) -> None:
        self._replacement = replacement
        self._spec = replacement.__spec__ if replacement else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._replacement

    def exec_module(self, module: ModuleType) -> None:
        if self._replacement:
            module.__spec__ = self._spec
            return
        name = module.__name__
        module.__getattr__ = lambda attribute: missing_name(name, attribute)  # type: ignore[method-assign]


class Finder(importlib.abc.MetaPathFinder):
    """Comes last: only asked for what is not there as a file."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(f"{PACKAGE}."):
            return None
        if (now := current_name(fullname)) != fullname:
            replacement = importlib.import_module(now)
            return importlib.machinery.ModuleSpec(fullname, Loader(replacement), is_package=hasattr(replacement, "__path__"))
        if is_guarded():
            return None
        log.warning("The module %s is not there in this gateway; using anything of it will fail.", fullname)
        return importlib.machinery.ModuleSpec(fullname, Loader(), is_package=True)


def install() -> None:
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.append(Finder())
