"""Shapes what tools and actions return: text for the model, files, embeds. Web responses are told by their parts, not their class."""

from __future__ import annotations

from typing import Any

from .plain import dump_model, is_model, json_text, plain

Shaped = dict[str, Any]
SHOWN = "The result is shown to the user as an embedded page."
SUCCESS = {"status": "success", "code": "ui_component", "message": SHOWN}


def is_response(value: Any) -> bool:
    """Whether it looks like a web response with a body."""
    return not isinstance(value, type) and isinstance(getattr(value, "body", None), (bytes, memoryview)) and hasattr(value, "headers")


def _header(value: Any, name: str) -> str:
    headers = value if isinstance(value, dict) else getattr(value, "headers", {})
    for key, text in headers.items():
        if str(key).lower() == name:
            return str(text)
    return ""


def is_inline(value: Any) -> bool:
    return "inline" in _header(value, "content-disposition").lower()


def body_text(response: Any) -> str:
    return bytes(response.body).decode("utf-8", "replace")


def shape_tool_result(value: Any) -> Shaped:
    """`{text, files, embeds}` of any return value of a tool, and `raw` for dicts and lists."""
    if isinstance(value, tuple) and value:
        if is_response(value[0]) and is_inline(value[0]):
            shaped = _embedded(value[0])
            if shaped["embeds"] and len(value) > 1 and value[1] is not None:
                shaped["text"] = _text(value[1])
            return shaped
        # @NOTE Of other tuples only the first element counts, shaped as if it had been returned alone.
        return shape_tool_result(value[0])
    if is_response(value):
        return _embedded(value) if is_inline(value) else _shaped(body_text(value))
    if isinstance(value, str) and value.startswith("data:image/"):
        return _shaped("The image is shown to the user.", files=[{"type": "image", "url": value}])
    if isinstance(value, list):
        files = [{"type": "data", "content": item} for item in value if isinstance(item, str) and item.startswith("data:")]
        rest = [item for item in value if not (isinstance(item, str) and item.startswith("data:"))]
        return {**_shaped(json_text({"results": rest}, indent=2), files=files), "raw": plain(rest)}
    if isinstance(value, dict):
        return {**_shaped(json_text(value, indent=2)), "raw": plain(value)}
    return _shaped(_text(value))


def _shaped(text: str, files: list[Any] | None = None, embeds: list[str] | None = None) -> Shaped:
    return {"text": text, "files": files or [], "embeds": embeds or []}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return json_text(value, indent=2) if isinstance(value, (dict, list)) else str(value)


def _is_failure(response: Any) -> bool:
    return int(getattr(response, "status_code", 200) or 200) >= 400


def _failure(response: Any) -> dict[str, Any]:
    return {"status": "error", "code": int(response.status_code), "message": body_text(response)}


def _embedded(response: Any) -> Shaped:
    if _is_failure(response):
        return _shaped(json_text(_failure(response)))
    return _shaped(json_text(SUCCESS), embeds=[body_text(response)])


def shape_action_result(value: Any) -> dict[str, Any]:
    """The action's value; inline HTML also has `embed`, and as its value what stands for the page."""
    response, context = value if isinstance(value, tuple) and len(value) == 2 else (value, None)
    if is_response(response):
        if is_inline(response):
            if _is_failure(response):
                return {"value": _failure(response)}
            return _embed_value(body_text(response), context)
        return {"value": body_text(response)}
    if isinstance(context, dict) and is_inline(context):
        data, inner = (response[0], response[1]) if isinstance(response, list) and len(response) == 2 else (response, None)
        if location := _header(context, "location"):
            return _embed_value(location, inner)
        if "text/html" in _header(context, "content-type").lower():
            return _embed_value(str(data), inner)
    return {"value": plain(dump_model(value) if is_model(value) else value)}


def _embed_value(embed: str, context: Any) -> dict[str, Any]:
    return {"embed": embed, "value": SUCCESS if context is None else plain(context)}
