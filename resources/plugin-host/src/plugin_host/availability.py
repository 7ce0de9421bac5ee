"""Whether what a plugin imports is there, found out without running anything of it."""

from __future__ import annotations

import importlib.machinery
import sys
from typing import Any

from .aliases import HOST_PACKAGE, SHORT_NAMES


def availability(module: str, names: list[str]) -> dict[str, Any]:
    """`{found, missing}`: whether the import succeeds, and what of the host application would fail when it is used."""
    top = module.partition(".")[0]
    if module.startswith("."):
        return {"found": False, "missing": []}
    if top == HOST_PACKAGE or (top in SHORT_NAMES and not _has_module(top)):
        full = module if top == HOST_PACKAGE else f"{HOST_PACKAGE}.{module}"
        return {"found": _has_module(HOST_PACKAGE), "missing": _missing(full, names)}
    return {"found": _has_module(top), "missing": []}


def _has_module(top: str) -> bool:
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return True
    return importlib.machinery.PathFinder.find_spec(top) is not None


def _missing(module: str, names: list[str]) -> list[str]:
    try:
        from open_webui._gateway.known import missing_of
    except ImportError:
        return []
    return missing_of(module, names)
