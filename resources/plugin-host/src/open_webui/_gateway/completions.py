"""Asks a model, as plugins do it: a whole answer as a dictionary, a streamed one as a response with lines to read."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from plugin_host import host
from plugin_host.host import GatewayError

from .http import HTTPException, StreamingResponse
from .records import plain_fields


class Line(str):
    """A line of a stream. Plugins meet bytes or text, depending on the model, and some expect only one of them."""

    def decode(self, *_: Any, **__: Any) -> str:
        return str(self)

    def startswith(self, prefix: Any, *rest: Any) -> bool:
        return super().startswith(prefix.decode() if isinstance(prefix, bytes) else prefix, *rest)


def read_call(args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The request among arguments whose order releases changed: it is the dictionary, or the form with a model."""
    form = named.get("form_data")
    if form is None:
        form = next((value for value in args if isinstance(value, dict) or hasattr(value, "messages")), None)
    if form is None:
        raise TypeError("There is no form_data with model and messages.")
    return plain_fields(form)


def _failure(error: GatewayError) -> Exception:
    # Unknown and forbidden models look the same.
    if error.status == 400 and str(error).startswith("Model not found"):
        return Exception(str(error))
    return HTTPException(status_code=error.status or 500, detail=str(error))


async def complete(form: dict[str, Any], bypass_system_prompt: bool = False) -> Any:
    metadata = form.get("metadata") if isinstance(form.get("metadata"), dict) else {}
    body = {key: value for key, value in form.items() if key != "metadata"}
    asked: dict[str, Any] = {"body": body, "task": str(metadata["task"]) if metadata and metadata.get("task") else None}
    if bypass_system_prompt:
        asked["bypass_system_prompt"] = True
    if not body.get("stream"):
        try:
            return await host.request_async("completion", asked)
        except GatewayError as error:
            raise _failure(error) from error
    chunks = aiter(host.stream("completion.stream", asked))
    # A model that cannot be asked is told at once, not while the lines are read.
    try:
        first = await anext(chunks, None)
    except GatewayError as error:
        raise _failure(error) from error
    headers = {"content-type": "text/event-stream"}
    return StreamingResponse(_lines(first, chunks), media_type="text/event-stream", headers=headers)


async def _lines(first: Any, chunks: AsyncIterator[Any]) -> AsyncIterator[Line]:
    try:
        if first is not None:
            yield _line(first)
            async for chunk in chunks:
                yield _line(chunk)
    except GatewayError as error:
        yield _line({"error": {"detail": str(error), "message": str(error)}})
    finally:
        await chunks.aclose()  # type: ignore[attr-defined]
    yield Line("data: [DONE]\n\n")


def _line(chunk: Any) -> Line:
    return Line(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n")
