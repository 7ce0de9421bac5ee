"""Short names of the host application's packages (`utils`, `apps`, `main`, `config`), as old plugins import them.

@NOTE Stored source is never rewritten, so that what is exported is what was imported. Real packages of these names win.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

HOST_PACKAGE = "open_webui"
SHORT_NAMES = ("utils", "apps", "main", "config")


class _Alias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self) -> None:
        self._specs: dict[str, Any] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top, _, rest = fullname.partition(".")
        if top not in SHORT_NAMES:
            return None
        if rest:
            if sys.modules.get(top) is not sys.modules.get(f"{HOST_PACKAGE}.{top}", self):
                return None
        elif importlib.machinery.PathFinder.find_spec(fullname):
            return None
        real = f"{HOST_PACKAGE}.{fullname}"
        try:
            module = importlib.import_module(real)
        except ModuleNotFoundError as error:
            if error.name and (real == error.name or real.startswith(f"{error.name}.")):
                return None
            raise
        self._specs[fullname] = module.__spec__
        return importlib.machinery.ModuleSpec(fullname, self, loader_state=module, is_package=hasattr(module, "__path__"))

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return spec.loader_state  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        # The import machinery has put the alias's spec on the module; its own one is put back.
        assert module.__spec__
        module.__spec__ = self._specs.pop(module.__spec__.name)


def install_aliases() -> None:
    sys.meta_path.insert(0, _Alias())
