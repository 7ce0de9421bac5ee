"""Built-in tools as functions to call; each works for the person the plugin runs for and answers JSON text."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from open_webui._gateway.asking import Ask, answer_async, endpoint
from open_webui._gateway.missing import missing_name
from plugin_host.host import GatewayError


async def _ask(ask: Ask) -> Any:
    try:
        return await answer_async(ask)
    except GatewayError as error:
        return {"error": str(error)}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _some(value: Any, count: int) -> Any:
    return value[:count] if isinstance(value, list) else value


async def get_current_timestamp(__request__: Any = None, __user__: Any = None) -> str:
    """Get the current time as unix seconds and as text.

    :return: JSON with current_timestamp and current_iso
    """
    now = datetime.now(UTC)
    return _json({"current_timestamp": int(now.timestamp()), "current_iso": now.isoformat()})


async def calculate_timestamp(
    days_ago: int = 0, weeks_ago: int = 0, months_ago: int = 0, years_ago: int = 0, __request__: Any = None, __user__: Any = None
) -> str:
    """Get the time some days, weeks, months or years ago.

    :param days_ago: Days before now
    :param weeks_ago: Weeks before now
    :param months_ago: Months of 30 days before now
    :param years_ago: Years of 365 days before now
    """
    now = datetime.now(UTC)
    then = now - timedelta(days=days_ago + 7 * weeks_ago + 30 * months_ago + 365 * years_ago)
    found = {"current_timestamp": now, "calculated_timestamp": then}
    return _json({**{key: int(value.timestamp()) for key, value in found.items()}, "calculated_iso": then.isoformat()})


async def search_web(query: str, count: int = 5, __request__: Any = None, __user__: Any = None) -> str:
    """Search the web for pages about something.

    :param query: What to look for
    :param count: How many pages to name
    """
    found = await _ask(endpoint("retrieval.searchWeb", body={"queries": [query]}))
    return _json(found if "error" in found else _some(found.get("items"), count))


async def fetch_url(url: str, __request__: Any = None, __user__: Any = None) -> str:
    """Read a web page as text.

    :param url: Address of the page
    """
    found = await _ask(endpoint("retrieval.processWeb", query={"process": "false"}, body={"url": url}))
    return _json(found) if "error" in found else str(found.get("content") or "")


async def search_memories(query: str, count: int = 5, __request__: Any = None, __user__: Any = None) -> str:
    """Look for what is remembered about the user.

    :param query: What to look for
    :param count: How many memories to name
    """
    found = await _ask(endpoint("memories.query", body={"content": query, "k": count}))
    if "error" in found:
        return _json(found)
    return _json([{"id": id, "content": text} for id, text in zip(found["ids"][0], found["documents"][0], strict=False)])


async def add_memory(content: str, __request__: Any = None, __user__: Any = None) -> str:
    """Remember something about the user.

    :param content: What to remember, as one sentence
    """
    found = await _ask(endpoint("memories.add", body={"content": content}))
    return _json(found if "error" in found else {"status": "success", "id": found["id"]})


async def replace_memory_content(memory_id: str, content: str, __request__: Any = None, __user__: Any = None) -> str:
    """Change something that is remembered.

    :param memory_id: Id of the memory
    :param content: What to remember instead
    """
    found = await _ask(endpoint("memories.update", params={"memory_id": memory_id}, body={"content": content}))
    return _json(found if "error" in found else {"status": "success", "id": found["id"]})


async def delete_memory(memory_id: str, __request__: Any = None, __user__: Any = None) -> str:
    """Forget something.

    :param memory_id: Id of the memory
    """
    found = await _ask(endpoint("memories.remove", params={"memory_id": memory_id}))
    return _json(found if isinstance(found, dict) and "error" in found else {"status": "success"})


async def list_memories(__request__: Any = None, __user__: Any = None) -> str:
    """List everything that is remembered about the user."""
    found = await _ask(endpoint("memories.list"))
    return _json(found if isinstance(found, dict) else [{"id": item["id"], "content": item["content"]} for item in found])


async def search_chats(query: str, count: int = 5, __request__: Any = None, __user__: Any = None) -> str:
    """Look for chats of the user.

    :param query: Words of the chat
    :param count: How many chats to name
    """
    found = await _ask(endpoint("chats.search", query={"text": query}))
    if isinstance(found, dict):
        return _json(found)
    return _json([{key: hit[key] for key in ("id", "title", "snippet", "updated_at")} for hit in found[:count]])


async def view_chat(chat_id: str, __request__: Any = None, __user__: Any = None) -> str:
    """Read a chat of the user.

    :param chat_id: Id of the chat
    """
    from open_webui.utils.misc import get_message_list

    found = await _ask(endpoint("chats.get", params={"chat_id": chat_id}))
    if "error" in found:
        return _json(found)
    history = found["chat"].get("history") or {}
    thread = get_message_list(history.get("messages"), history.get("currentId"))
    return _json(
        {"id": found["id"], "title": found["title"], "messages": [{"role": m["role"], "content": m.get("content")} for m in thread]}
    )


async def list_knowledge_bases(count: int = 10, __request__: Any = None, __user__: Any = None) -> str:
    """List the collections of documents the user may read.

    :param count: How many to name
    """
    found = await _ask(endpoint("knowledge.all"))
    if isinstance(found, dict):
        return _json(found)
    return _json([{key: item[key] for key in ("id", "name", "description", "file_count")} for item in found[:count]])


async def search_knowledge_bases(query: str, count: int = 5, __request__: Any = None, __user__: Any = None) -> str:
    """Look for collections of documents by name.

    :param query: Part of the name or description
    :param count: How many to name
    """
    found = await _ask(endpoint("knowledge.all", query={"query": query}))
    if isinstance(found, dict):
        return _json(found)
    return _json([{key: item[key] for key in ("id", "name", "description", "file_count")} for item in found[:count]])


async def query_knowledge_bases(
    query: str, knowledge_ids: list[str] | None = None, count: int = 5, __request__: Any = None, __user__: Any = None
) -> str:
    """Find passages in collections of documents.

    :param query: What the passages are about
    :param knowledge_ids: Ids of the collections; all when left out
    :param count: How many passages to quote
    """
    from open_webui.retrieval.utils import _query

    names = knowledge_ids
    if not names:
        listed = await _ask(endpoint("knowledge.all"))
        names = [item["id"] for item in listed] if isinstance(listed, list) else []
    from open_webui._gateway.asking import run_async

    found = await run_async(_query(names, [query], count))
    rows = zip(found["documents"][0], found["metadatas"][0], strict=False)
    return _json([{"content": text, "source": facts.get("name"), "file_id": facts.get("file_id")} for text, facts in rows])


query_knowledge_files = query_knowledge_bases


async def view_file(file_id: str, __request__: Any = None, __user__: Any = None) -> str:
    """Read the text of a file.

    :param file_id: Id of the file
    """
    found = await _ask(Ask("files.get", {"id": file_id, "content": True}))
    if not found or "error" in found:
        return _json(found or {"error": "There is no such file."})
    return _json({"id": found["id"], "filename": found["filename"], "content": (found.get("data") or {}).get("content") or ""})


view_knowledge_file = view_file


async def search_notes(query: str, count: int = 5, __request__: Any = None, __user__: Any = None) -> str:
    """Look for notes of the user.

    :param query: Words of the note
    :param count: How many to name
    """
    found = await _ask(endpoint("notes.search", query={"query": query}))
    if "error" in found:
        return _json(found)
    return _json([{"id": note["id"], "title": note["title"]} for note in found["items"][:count]])


async def view_note(note_id: str, __request__: Any = None, __user__: Any = None) -> str:
    """Read a note.

    :param note_id: Id of the note
    """
    found = await _ask(endpoint("notes.get", params={"note_id": note_id}))
    if "error" in found:
        return _json(found)
    return _json({"id": found["id"], "title": found["title"], "content": ((found.get("data") or {}).get("content") or {}).get("md", "")})


async def write_note(title: str, content: str, __request__: Any = None, __user__: Any = None) -> str:
    """Write a new note.

    :param title: Title of the note
    :param content: Text as Markdown
    """
    found = await _ask(endpoint("notes.create", body={"title": title, "data": {"content": {"md": content}}}))
    return _json(found if "error" in found else {"status": "success", "id": found["id"]})


def available() -> dict[str, Callable[..., Any]]:
    """All of them by name."""
    # Asked of a module, `iscoroutinefunction` may answer yes: of `inspect` itself it does since 3.12.
    own = {name: value for name, value in globals().items() if inspect.isfunction(value) and value.__module__ == __name__}
    found = {name: function for name, function in own.items() if inspect.iscoroutinefunction(function) and not name.startswith("_")}
    return {name: function for name, function in found.items() if name == function.__name__}


async def _shown(ask: Ask, emitter: Any) -> str:
    """Has pictures made, shows them beside the answer where there is one, and says where they are."""
    made = await _ask(ask)
    if isinstance(made, dict):
        return _json(made)
    if emitter:
        await emitter({"type": "files", "data": {"files": [{"type": "image", "url": image["url"]} for image in made]}})
    return _json({"status": "success", "images": made})


async def generate_image(prompt: str, __request__: Any = None, __user__: Any = None, __event_emitter__: Any = None) -> str:
    """Make a picture.

    :param prompt: What it shows
    """
    return await _shown(endpoint("images.generate", body={"prompt": prompt}), __event_emitter__)


async def edit_image(
    prompt: str, image_urls: list[str] | None = None, __request__: Any = None, __user__: Any = None, __event_emitter__: Any = None
) -> str:
    """Change a picture.

    :param prompt: What to change
    :param image_urls: Addresses of the pictures
    """
    if not image_urls:
        return _json({"error": "There is no picture to change. Name its address."})
    return await _shown(endpoint("images.edit", body={"form_data": {"prompt": prompt, "image": image_urls}}), __event_emitter__)


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
