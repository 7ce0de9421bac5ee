"""Names in this package, for the report before a plugin is imported."""

from __future__ import annotations

import importlib
import importlib.machinery
from types import ModuleType

from .missing import ONLY_ASKED, Missing
from .unknown_modules import PACKAGE, current_name


def _module(name: str) -> ModuleType | None:
    """The module, when there is a file for it."""
    parts, path = name.split("."), None
    for place in range(1, len(parts) + 1):
        spec = importlib.machinery.PathFinder.find_spec(".".join(parts[:place]), path)
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or [])
    return importlib.import_module(name)


def missing_of(module: str, names: list[str]) -> list[str]:
    """Full names of what is not there: the module itself, or names of it."""
    found = _module(current_name(module))
    if found is None:
        return [f"{module}.{name}" for name in names] or [module]
    return [f"{module}.{name}" for name in names if name != "*" and not _has(found, name)]


def _has(module: ModuleType, name: str) -> bool:
    if name in vars(module) or _module(f"{module.__name__}.{name}") is not None:
        return True
    # Names modules answer without holding them: settings, and what an older main module exported.
    answer = vars(module).get("__getattr__")
    if answer is None or module.__name__ == PACKAGE:
        return False
    token = ONLY_ASKED.set(True)
    try:
        return not isinstance(answer(name), Missing)
    finally:
        ONLY_ASKED.reset(token)
