"""Names this package does not have. Importing one succeeds, so that plugins that hardly need it load; using it says what is missing."""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar
from typing import Any, NoReturn

from plugin_host import host

from .call_site import read_source

log = logging.getLogger("open_webui")
#: True while code only inspects which names exist.
ONLY_ASKED: ContextVar[bool] = ContextVar("open_webui_only_asked", default=False)


class NotInThisGateway(NotImplementedError):
    """A plugin used a part of the host application that this gateway does not have."""


def fail(name: str, reason: str = "") -> NoReturn:
    text = f"{name} is not there in this gateway. {reason or 'The plugin works as far as it does not need it.'}"
    log.error(text)
    raise NotInThisGateway(text)


class Missing:
    """Stands for a name that is not there: may be imported, annotated with and derived from, but not used."""

    def __init__(self, name: str, reason: str = "") -> None:
        self.__name__ = name
        self.__qualname__ = name
        self._reason = reason

    def _fail(self) -> NoReturn:
        fail(self.__name__, self._reason)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}", self._reason)

    def __call__(self, *args: Any, **named: Any) -> NoReturn:
        self._fail()

    __iter__ = __await__ = __enter__ = __aenter__ = __aiter__ = __len__ = __contains__ = __call__
    __int__ = __float__ = __index__ = __fspath__ = __add__ = __lt__ = __gt__ = __setitem__ = __call__

    def __getitem__(self, key: Any) -> Missing:
        return self

    def __or__(self, other: Any) -> Any:
        return self

    __ror__ = __or__

    def __instancecheck__(self, value: Any) -> bool:
        return False

    __subclasscheck__ = __instancecheck__

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type]:
        missing = self

        class MissingBase:
            def __init__(self, *args: Any, **named: Any) -> None:
                missing._fail()

        return (MissingBase,)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.any_schema()

    def __repr__(self) -> str:
        return f"<{self.__name__} is not there in this gateway>"


def is_guarded() -> bool:
    """Whether the plugin is importing within a `try` that takes failing imports, so has something to fall back on."""
    plugin = host.current_plugin()
    if plugin is None:
        return False
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != plugin.file:
        frame = frame.f_back  # type: ignore[assignment]
    source = read_source(plugin.content) if frame is not None else None
    return source is not None and source.is_guarded(frame.f_lineno)


def missing_name(module: str, name: str, reason: str = "") -> Missing:
    """For `__getattr__` of a module. A guarded import fails, so that the plugin's own way out is taken."""
    if name.startswith("__") or is_guarded():
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    if not ONLY_ASKED.get():
        log.warning("%s.%s is not there in this gateway; using it will fail.", module, name)
    return Missing(f"{module}.{name}", reason)


class Table:
    """The methods of one kind of record; those that are not there say so when they are called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return Missing(f"{type(self).__name__}.{name}")
