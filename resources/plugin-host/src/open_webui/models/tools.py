"""Tools the person may use, and their settings."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.missing import missing_name
from open_webui._gateway.records import Record, Records, plain_fields
from open_webui.models.functions import PluginTable


class ToolMeta(Record):
    description: str | None = None
    manifest: dict[str, Any] | None = {}


class ToolModel(Record):
    id: str
    user_id: str = ""
    name: str = ""
    content: str = ""
    specs: list[dict[str, Any]] = []
    meta: ToolMeta = ToolMeta()
    access_control: dict[str, Any] | None = None
    updated_at: int = 0
    created_at: int = 0


class ToolForm(Record):
    id: str
    name: str = ""
    content: str = ""
    meta: ToolMeta = ToolMeta()


class ToolValves(Record):
    valves: dict[str, Any] | None = None


Tool = ToolResponse = ToolUserResponse = ToolUserModel = ToolModel


class ToolsTable(PluginTable):
    store = "tool"

    @either
    def get_tool_by_id(self, id: str, db: Any = None) -> Steps[ToolModel | None]:
        found = yield Ask("plugins.get", {"store": self.store, "id": id}, None)
        return ToolModel(**found) if found else None

    @either
    def get_tools(self, defer_content: bool = False, db: Any = None) -> Steps[Records]:
        return Records(ToolModel(**item) for item in (yield Ask("plugins.list", {"store": self.store}, [])))

    @either
    def get_tools_by_user_id(self, user_id: str, permission: str = "write", *rest: Any, db: Any = None) -> Steps[Records]:
        return Records(ToolModel(**item) for item in (yield Ask("plugins.list", {"store": self.store}, [])))

    @either
    def get_tool_valves_by_id(self, id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield Ask("plugins.valves", {"store": self.store, "id": id}, None))

    @either
    def update_tool_valves_by_id(self, id: str, valves: Any, db: Any = None) -> Steps[Any]:
        values = plain_fields(valves)
        yield Ask("plugins.set_valves", {"store": self.store, "id": id, "values": values})
        return ToolValves.model_validate({"id": id, "valves": values})

    @either
    def get_user_valves_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield from self._user_valves(id, user_id))

    @either
    def update_user_valves_by_id_and_user_id(self, id: str, user_id: str, valves: Any, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield from self._user_valves(id, user_id, valves))


Tools = ToolsTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
