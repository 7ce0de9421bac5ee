"""Groups: those of the person, for administrators all."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records


class GroupModel(Record):
    id: str
    user_id: str | None = ""
    name: str = ""
    description: str = ""
    permissions: dict[str, Any] | None = None
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    user_ids: list[str] = []
    created_at: int = 0
    updated_at: int = 0


class GroupForm(Record):
    name: str = ""
    description: str = ""
    permissions: dict[str, Any] | None = None


Group = GroupResponse = GroupModel
GroupUpdateForm = GroupForm


def _all() -> Steps[list[dict[str, Any]]]:
    return (yield endpoint("groups.list", absent=None)) or (yield Ask("groups.of", {}, []))


class GroupTable(Table):
    @either
    def get_groups_by_member_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        groups = yield Ask("groups.of", {"user_id": str(user_id)}, [])
        return Records(GroupModel(**group) for group in groups)

    @either
    def get_groups(self, filter: Any = None, db: Any = None) -> Steps[Records]:
        member = filter.get("member_id") if isinstance(filter, dict) else None
        if member:
            groups = yield Ask("groups.of", {"user_id": str(member)}, [])
        else:
            groups = yield from _all()
        return Records(GroupModel(**group) for group in groups)

    get_all_groups = get_groups

    @either
    def get_group_by_id(self, id: str, db: Any = None) -> Steps[GroupModel | None]:
        return next((GroupModel(**group) for group in (yield from _all()) if group["id"] == id), None)

    @either
    def get_group_by_name(self, name: str, db: Any = None) -> Steps[GroupModel | None]:
        return next((GroupModel(**group) for group in (yield from _all()) if group["name"] == name), None)

    @either
    def get_group_user_ids_by_id(self, id: str, db: Any = None) -> Steps[list[str]]:
        members = yield endpoint("groups.members", params={"group_id": id}, absent=[])
        return [member["id"] for member in members]


Groups = GroupTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
