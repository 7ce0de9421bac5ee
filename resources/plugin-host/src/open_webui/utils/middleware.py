"""Parts of the request pipeline plugins call themselves."""

from __future__ import annotations

import json
from typing import Any

from open_webui._gateway.asking import Steps, either
from open_webui._gateway.missing import fail, missing_name
from open_webui.utils.misc import add_or_update_user_message, get_last_user_message
from open_webui.utils.task import rag_template
from plugin_host.returned import body_text, is_inline, is_response

SHOWN = "The result is shown to the user as an embedded page."


def _text(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return value if isinstance(value, str) or value is None else str(value)


def _of_response(response: Any, context: Any) -> tuple[Any, list[Any], list[Any]]:
    if not is_inline(response):
        return body_text(response), [], []
    status = int(getattr(response, "status_code", 200) or 200)
    if status >= 400:
        return _text({"status": "error", "code": status, "message": body_text(response)}), [], []
    said = context if context is not None else {"status": "success", "code": "ui_component", "message": SHOWN}
    return _text(said), [], [body_text(response)]


def _of_list(items: list[Any], tool_type: str) -> tuple[Any, list[Any], list[Any]]:
    files: list[Any] = []
    texts: list[Any] = []
    for item in items:
        kind = item.get("type") if isinstance(item, dict) and tool_type == "mcp" else None
        if isinstance(item, str) and item.startswith("data:"):
            files.append({"type": "data", "content": item})
        elif kind in ("image", "audio"):
            files.append({"type": kind, "url": f"data:{item.get('mimeType')};base64,{item.get('data', item.get('blob', ''))}"})
        elif kind == "text":
            texts.append(item.get("text", ""))
        else:
            texts.append(item)
    if tool_type == "mcp" and len(texts) == 1:
        return _text(texts[0]), files, []
    return _text({"results": texts}), files, []


@either
def process_tool_result(
    request: Any,
    tool_function_name: str,
    tool_result: Any,
    tool_type: str,
    direct_tool: bool = False,
    metadata: dict[str, Any] | None = None,
    user: Any = None,
) -> Steps[tuple[Any, list[Any], list[Any]]]:
    """Result of a tool, as text for the model, files and embeds."""
    context = None
    if isinstance(tool_result, tuple) and tool_result:
        first, *rest = tool_result
        if is_response(first):
            return _of_response(first, rest[0] if rest else None)
        headers = rest[0] if rest and isinstance(rest[0], dict) else {}
        lower = {str(key).lower(): str(value) for key, value in headers.items()}
        if "inline" in lower.get("content-disposition", ""):
            page, context = first if isinstance(first, list) and len(first) == 2 else (first, None)
            embed = lower.get("location") or (page if "text/html" in lower.get("content-type", "") else None)
            if embed:
                said = context if context is not None else {"status": "success", "code": "ui_component", "message": SHOWN}
                return _text(said), [], [embed]
        tool_result = first
    if is_response(tool_result):
        return _of_response(tool_result, context)
    if isinstance(tool_result, list):
        return _of_list(tool_result, tool_type)
    if isinstance(tool_result, str) and tool_result.startswith("data:image/"):
        return "The image is shown to the user.", [{"type": "image", "url": tool_result}], []
    return _text(tool_result), [], []
    yield


def get_citation_source_from_tool_result(
    tool_name: str, tool_params: dict[str, Any], tool_result: Any, tool_id: str = ""
) -> list[dict[str, Any]]:
    """A source that names the tool, or those a search of the web or of documents found."""
    name = f"{tool_id}/{tool_name}" if tool_id else tool_name
    try:
        found = json.loads(tool_result) if isinstance(tool_result, str) else tool_result
    except ValueError:
        found = None
    items = found if isinstance(found, list) else found.get("results") if isinstance(found, dict) else None
    pages = [item for item in items or [] if isinstance(item, dict) and (item.get("link") or item.get("url") or item.get("source"))]
    if not pages:
        text = tool_result if isinstance(tool_result, str) else _text(tool_result)
        return [{"source": {"name": name, "type": "tool"}, "document": [text], "metadata": [{"source": name, "parameters": tool_params}]}]
    sources = []
    for page in pages:
        address = page.get("link") or page.get("url") or page.get("source")
        title = page.get("title") or page.get("name") or address
        text = str(page.get("snippet") or page.get("content") or "")
        metadata = {"source": address, "name": title, "url": address}
        sources.append({"source": {"name": title, "id": address, "url": address}, "document": [text], "metadata": [metadata]})
    return sources


def get_source_context(sources: list[dict[str, Any]], source_ids: dict[str, int] | None = None, include_content: bool = True) -> str:
    """The sources as text for the model, numbered in order."""
    ids = {} if source_ids is None else source_ids
    parts = []
    for source in sources:
        for document, metadata in zip(source.get("document") or [], source.get("metadata") or [], strict=False):
            key = str(metadata.get("source") or (source.get("source") or {}).get("id") or "")
            number = ids.setdefault(key, len(ids) + 1)
            name = (source.get("source") or {}).get("name") or key
            parts.append(f'<source id="{number}" name="{name}">{document if include_content else ""}</source>')
    return "\n".join(parts)


@either
def apply_source_context_to_messages(
    request: Any, messages: list[dict[str, Any]], sources: list[dict[str, Any]], user_message: str | None = None, *rest: Any
) -> Steps[list[dict[str, Any]]]:
    from open_webui._gateway.asking import Ask

    template = (yield Ask("config.get", {"names": ["RAG_TEMPLATE"]}, {})).get("RAG_TEMPLATE") or "{{CONTEXT}}\n\n{{QUERY}}"
    text = rag_template(template, get_source_context(sources), user_message or get_last_user_message(messages) or "")
    return add_or_update_user_message(text, messages, append=False)


async def process_chat_payload(*args: Any, **named: Any) -> Any:
    fail("open_webui.utils.middleware.process_chat_payload", "Requests go through the gateway's own pipeline.")


process_chat_response = process_chat_payload


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
