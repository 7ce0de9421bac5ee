"""The application object plugins reach as `__request__.app` and `main.app`; `app.state` is kept by the gateway per profile."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any, ClassVar

_MISSING = object()


class State:
    """`app.state`: JSON values are shared with other workers, other objects live in this process only."""

    _providers: ClassVar[dict[str, Callable[[], Any]]] = {}
    _send: Callable[[dict[str, Any]], None]

    def __init__(self) -> None:
        object.__setattr__(self, "_state", {})

    def __getattr__(self, name: str) -> Any:
        if name in self._state:
            return self._state[name]
        if provider := _find_provider(name):
            return provider()
        raise AttributeError(f"app.state has no {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._state[name] = value
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            return
        State._send({"t": "state", "key": name, "value": value})

    def __delattr__(self, name: str) -> None:
        if self._state.pop(name, _MISSING) is _MISSING:
            raise AttributeError(name)
        State._send({"t": "state", "key": name, "deleted": True})

    def receive(self, message: dict[str, Any]) -> None:
        """Takes over what another worker wrote."""
        if message.get("deleted"):
            self._state.pop(message["key"], None)
        else:
            self._state[message["key"]] = message.get("value")


def _bring_package() -> None:
    """The compatibility package knows values and routes; plugins that reach for them need not have imported it."""
    importlib.import_module("open_webui")


def _find_provider(name: str) -> Callable[[], Any] | None:
    if name not in State._providers and not name.startswith("_"):
        _bring_package()
    return State._providers.get(name)


class RoutePath(str):
    """A path that the web framework's `url_for` can make absolute."""

    def make_absolute_url(self, base_url: Any) -> str:
        return str(base_url).rstrip("/") + self


class Application:
    def __init__(self) -> None:
        self.state = State()
        #: Maps a route's name and parameters to its path; the compatibility package sets it.
        self.path_for: Callable[..., str] | None = None

    def url_path_for(self, name: str, /, **parameters: Any) -> RoutePath:
        if self.path_for is None:
            _bring_package()
        if self.path_for is None:
            raise LookupError(f"There is no route named {name!r} for plugins.")
        return RoutePath(self.path_for(name, **parameters))


app = Application()


def provide(name: str, provider: Callable[[], Any]) -> None:
    """Gives `app.state.<name>` a value made when it is read, for instance by asking the gateway. What plugins write wins."""
    State._providers[name] = provider


def connect(send: Callable[[dict[str, Any]], None], state: dict[str, Any]) -> None:
    State._send = staticmethod(send)
    app.state._state.update(state)
