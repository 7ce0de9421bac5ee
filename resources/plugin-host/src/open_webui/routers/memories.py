"""Memories, as routes of the host application are called from plugins."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from open_webui._gateway.asking import Ask, Steps, awaited, endpoint
from open_webui._gateway.http import to_http
from open_webui._gateway.missing import missing_name
from open_webui._gateway.records import Record, Records
from open_webui.models.memories import MemoryModel
from plugin_host.host import GatewayError


class AddMemoryForm(BaseModel):
    content: str


class MemoryUpdateModel(BaseModel):
    content: str | None = None


class QueryMemoryForm(BaseModel):
    content: str
    k: int | None = 1


class Hits(Record):
    """Result of a search in memories; one list for the one query."""

    ids: list[list[str]] = [[]]
    documents: list[list[str]] = [[]]
    metadatas: list[list[dict[str, Any]]] = [[]]
    distances: list[list[float]] = [[]]


def _asked(ask: Ask) -> Steps[Any]:
    try:
        return (yield ask)
    except GatewayError as error:
        raise to_http(error) from error


def _form(args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return named.get("form_data") or next(value for value in args if hasattr(value, "content") and not isinstance(value, MemoryModel))


def _id(args: tuple[Any, ...], named: dict[str, Any]) -> str:
    return str(named.get("memory_id") or next(value for value in args if isinstance(value, str)))


@awaited
def get_memories(*args: Any, **named: Any) -> Steps[Records]:
    return Records(MemoryModel(**item) for item in (yield from _asked(endpoint("memories.list"))))


@awaited
def add_memory(*args: Any, **named: Any) -> Steps[MemoryModel]:
    """`(request, form_data, user)`"""
    return MemoryModel(**(yield from _asked(endpoint("memories.add", body={"content": _form(args, named).content}))))


@awaited
def query_memory(*args: Any, **named: Any) -> Steps[Hits]:
    form = _form(args, named)
    body = {"content": form.content, "k": getattr(form, "k", None) or 1}
    return Hits(**(yield from _asked(endpoint("memories.query", body=body))))


@awaited
def update_memory_by_id(*args: Any, **named: Any) -> Steps[MemoryModel]:
    body = {"content": _form(args, named).content}
    return MemoryModel(**(yield from _asked(endpoint("memories.update", params={"memory_id": _id(args, named)}, body=body))))


@awaited
def delete_memory_by_id(*args: Any, **named: Any) -> Steps[bool]:
    return bool((yield from _asked(endpoint("memories.remove", params={"memory_id": _id(args, named)}))))


@awaited
def delete_memory_by_user_id(*args: Any, **named: Any) -> Steps[bool]:
    return bool((yield from _asked(endpoint("memories.removeAll"))))


@awaited
def reset_memory_from_vector_db(*args: Any, **named: Any) -> Steps[bool]:
    yield from _asked(endpoint("memories.reset"))
    return True


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
