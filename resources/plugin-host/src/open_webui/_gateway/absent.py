"""Kinds of records this gateway does not keep: reading finds none, which the log says, and making one fails with the reason."""

from __future__ import annotations

from typing import Any

from .asking import Steps, either
from .missing import Table, fail, log
from .records import Records

#: Beginnings of the names of methods that answer several records, beside those named like the kind.
LISTS = ("get_all", "get_replies")


class AbsentTable(Table):
    def __init__(self, kind: str, reason: str) -> None:
        self._kind = kind
        self._reason = reason

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not name.startswith("get_"):
            return lambda *args, **named: fail(f"{self._kind}.{name}", self._reason)
        is_list = name.startswith((f"get_{self._kind.lower()}", *LISTS))

        @either
        def read(*args: Any, **named: Any) -> Steps[Any]:
            log.warning("%s.%s finds nothing in this gateway. %s", self._kind, name, self._reason)
            return Records() if is_list else None
            yield

        return read
