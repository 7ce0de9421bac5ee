"""`__request__`: Starlette's Request when it is installed, else an object with the parts plugins use."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from .application import app

Given = dict[str, Any]


def make_request(given: Given) -> Any:
    """A request made of `{method, url, base_url, path, headers, cookies, state}`; all may be missing."""
    try:
        from starlette.requests import Request
    except ImportError:
        return LightRequest(given)
    return Request(request_scope(given), receive=_no_body)


async def _no_body() -> dict[str, Any]:
    return {"type": "http.request", "body": b"", "more_body": False}


def request_scope(given: Given) -> dict[str, Any]:
    """The ASGI scope of the request; `app` is the application object."""
    url = urlsplit(given.get("url") or given.get("base_url") or "http://localhost/")
    headers = {str(key).lower(): str(value) for key, value in (given.get("headers") or {}).items()}
    headers.setdefault("host", url.netloc)
    if cookies := given.get("cookies"):
        headers["cookie"] = "; ".join(f"{key}={value}" for key, value in cookies.items())
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": given.get("method") or "POST",
        "scheme": url.scheme,
        "server": (url.hostname, url.port or (443 if url.scheme == "https" else 80)),
        "client": None,
        "root_path": urlsplit(given.get("base_url") or "").path.rstrip("/"),
        "path": given.get("path") or url.path or "/",
        "raw_path": (given.get("path") or url.path or "/").encode(),
        "query_string": url.query.encode(),
        "headers": [(key.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for key, value in headers.items()],
        "state": {**_credentials(headers.get("authorization", "")), **(given.get("state") or {})},
        "app": app,
        "router": app,
    }


def _credentials(authorization: str) -> dict[str, Any]:
    """`request.state.token`, as the host application leaves it for routes and plugins."""
    scheme, _, credentials = authorization.partition(" ")
    return {"token": SimpleNamespace(scheme=scheme, credentials=credentials)} if credentials else {}


class Names:
    """Attributes that may be read and set freely."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._state = values
        self.__dict__.update(values)


class Headers(dict[str, str]):
    """Header names in any case."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__((str(key).lower(), str(value)) for key, value in values.items())

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key.lower(), default)

    def __getitem__(self, key: str) -> str:
        return super().__getitem__(key.lower())

    def __contains__(self, key: object) -> bool:
        return super().__contains__(str(key).lower())


class Url(str):
    """A URL as text with its parts."""

    def __getattr__(self, name: str) -> Any:
        if name in ("scheme", "netloc", "path", "query", "fragment", "hostname", "port"):
            return getattr(urlsplit(str(self)), name)
        raise AttributeError(name)


class LightRequest:
    """The parts of a request that plugins use, without the web framework."""

    def __init__(self, given: Given) -> None:
        self.scope = request_scope(given)
        self.app = app
        self.method: str = self.scope["method"]
        self.headers = Headers(given.get("headers") or {})
        self.cookies: dict[str, str] = dict(given.get("cookies") or {})
        self.base_url = Url(given.get("base_url") or "http://localhost/")
        self.url = Url(given.get("url") or self.base_url)
        self.state = Names(self.scope["state"])
        self.query_params: dict[str, str] = {}
        self.path_params: dict[str, str] = {}
        self.client = None

    def url_for(self, name: str, /, **parameters: Any) -> Url:
        return Url(self.base_url.rstrip("/") + app.url_path_for(name, **parameters))

    async def is_disconnected(self) -> bool:
        return False

    async def body(self) -> bytes:
        return b""

    async def json(self) -> Any:
        return {}
