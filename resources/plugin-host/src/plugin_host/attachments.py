"""Attached files as plugins know them: each with its record and text beside what the request says of it."""

from __future__ import annotations

from typing import Any

from . import host
from .loading import Plugin


async def complete_files(plugin: Plugin, values: list[Any]) -> None:
    """Adds `file {id, filename, meta, data{content}, …}` to the files of these lists, where the person may read them.

    A plugin that does not mention files is spared the questions.
    """
    if "files" not in plugin.content:
        return
    items = {id(item): item for files in values if isinstance(files, list) for item in files if _is_incomplete(item)}
    found: dict[str, Any] = {}
    for item in items.values():
        identifier = item["id"]
        if identifier not in found:
            found[identifier] = await _read(identifier)
        if record := found[identifier]:
            given = item.get("file") if isinstance(item.get("file"), dict) else {}
            item["file"] = {**record, **given, "data": {**(given.get("data") or {}), **(record.get("data") or {})}}


def _is_incomplete(item: Any) -> bool:
    if not isinstance(item, dict) or item.get("type", "file") != "file" or not isinstance(item.get("id"), str):
        return False
    file = item.get("file")
    data = file.get("data") if isinstance(file, dict) else None
    return not (isinstance(data, dict) and data.get("content"))


async def _read(identifier: str) -> dict[str, Any] | None:
    try:
        found = await host.request_async("files.get", {"id": identifier, "content": True})
    except host.GatewayError:
        return None
    return found if isinstance(found, dict) else None
