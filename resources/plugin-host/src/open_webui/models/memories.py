"""Memories of the person the plugin runs for."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records


class MemoryModel(Record):
    id: str
    user_id: str = ""
    content: str = ""
    updated_at: int = 0
    created_at: int = 0


Memory = MemoryModel


def own(user_id: str | None) -> Steps[Records]:
    """All memories of the person, none when another one is named."""
    memories = yield endpoint("memories.list", absent=[])
    return Records(MemoryModel(**item) for item in memories if user_id is None or item["user_id"] == user_id)


class MemoriesTable(Table):
    @either
    def get_memories(self, db: Any = None) -> Steps[Records]:
        return (yield from own(None))

    @either
    def get_memories_by_user_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        return (yield from own(user_id))

    @either
    def get_memory_by_id(self, id: str, db: Any = None) -> Steps[MemoryModel | None]:
        return next((memory for memory in (yield from own(None)) if memory.id == id), None)

    @either
    def insert_new_memory(self, user_id: str, content: str, db: Any = None) -> Steps[MemoryModel | None]:
        return MemoryModel(**(yield endpoint("memories.add", body={"content": content})))

    @either
    def update_memory_by_id_and_user_id(self, id: str, user_id: str, content: str, db: Any = None) -> Steps[MemoryModel | None]:
        found = yield endpoint("memories.update", params={"memory_id": id}, body={"content": content}, absent=None)
        return MemoryModel(**found) if found else None

    update_memory_by_id = update_memory_by_id_and_user_id

    @either
    def delete_memory_by_id_and_user_id(self, id: str, user_id: str | None = None, db: Any = None) -> Steps[bool]:
        return (yield endpoint("memories.remove", params={"memory_id": id}, absent=None)) is not None

    delete_memory_by_id = delete_memory_by_id_and_user_id

    @either
    def delete_memories_by_user_id(self, user_id: str, db: Any = None) -> Steps[bool]:
        for memory in (yield from own(user_id)):
            yield endpoint("memories.remove", params={"memory_id": memory.id}, absent=None)
        return True


Memories = MemoriesTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
