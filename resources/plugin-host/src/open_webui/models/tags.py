"""Tags of the person's chats."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records


class TagModel(Record):
    id: str = ""
    name: str = ""
    user_id: str = ""
    meta: dict[str, Any] | None = None


Tag = TagModel


class TagTable(Table):
    @either
    def get_tags_by_user_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        return Records(TagModel(**{"user_id": user_id, **item}) for item in (yield endpoint("chats.allTags", absent=[])))


Tags = TagTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
