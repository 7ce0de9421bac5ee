"""Parts of the web framework as far as it is installed; else light ones of the same form."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from plugin_host.host import GatewayError

try:
    from fastapi import HTTPException, Request, UploadFile
except ImportError:
    try:
        from starlette.datastructures import UploadFile
        from starlette.exceptions import HTTPException
        from starlette.requests import Request
    except ImportError:
        from plugin_host.request_object import LightRequest as Request

        class HTTPException(Exception):  # type: ignore[no-redef]
            def __init__(self, status_code: int, detail: Any = None, headers: dict[str, str] | None = None) -> None:
                super().__init__(detail)
                self.status_code = status_code
                self.detail = detail
                self.headers = headers

        class UploadFile:  # type: ignore[no-redef]
            def __init__(self, file: Any, *, size: int | None = None, filename: str | None = None, headers: Any = None) -> None:
                self.file = file
                self.size = size
                self.filename = filename
                self.headers = headers or {}

            @property
            def content_type(self) -> str | None:
                return self.headers.get("content-type")

            async def read(self, size: int = -1) -> bytes:
                return self.file.read(size)


try:
    from starlette.responses import StreamingResponse
except ImportError:

    class StreamingResponse:  # type: ignore[no-redef]
        def __init__(
            self, content: Any, status_code: int = 200, headers: Any = None, media_type: str | None = None, background: Any = None
        ) -> None:
            self.body_iterator: AsyncIterator[Any] = content
            self.status_code = status_code
            self.headers = {"content-type": media_type or "text/event-stream", **(headers or {})}
            self.media_type = media_type
            self.background = background


def to_http(error: GatewayError) -> HTTPException:
    """A refusal of the gateway as the exception routers raise."""
    return HTTPException(status_code=error.status or 500, detail=str(error))


__all__ = ["HTTPException", "Request", "StreamingResponse", "UploadFile", "to_http"]
