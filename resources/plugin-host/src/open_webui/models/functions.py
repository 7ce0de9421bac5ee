"""Functions of the gateway and their settings. Works while a plugin is loaded, too."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields
from plugin_host import host


class FunctionMeta(Record):
    description: str | None = None
    manifest: dict[str, Any] | None = {}


class FunctionModel(Record):
    id: str
    user_id: str = ""
    name: str = ""
    type: str = ""
    content: str = ""
    meta: FunctionMeta = FunctionMeta()
    is_active: bool = False
    is_global: bool = False
    updated_at: int = 0
    created_at: int = 0


class FunctionForm(Record):
    id: str
    name: str = ""
    content: str = ""
    meta: FunctionMeta = FunctionMeta()


class FunctionValves(Record):
    valves: dict[str, Any] | None = None


Function = FunctionResponse = FunctionWithValvesModel = FunctionModel


class PluginTable(Table):
    """Common parts of tools and functions."""

    store = "function"

    def _user_valves(self, id: str, user_id: str, values: Any = None) -> Steps[Any]:
        """Settings of the person the call is for; those of others are not there."""
        caller = (host.given().get("user") or {}).get("id")
        if caller is None or str(user_id) != caller:
            return None
        if values is None:
            return (yield Ask("plugins.valves", {"store": self.store, "id": id, "user": True}, {}))
        asked = {"store": self.store, "id": id, "user": True, "values": plain_fields(values)}
        return (yield Ask("plugins.set_valves", asked))


class FunctionsTable(PluginTable):
    def _list(self, type: str | None, active: bool | None) -> Steps[Records]:
        asked = {"store": self.store, "type": type, "active": active}
        found = yield Ask("plugins.list", {key: value for key, value in asked.items() if value is not None}, [])
        return Records(FunctionModel(**item) for item in found)

    @either
    def get_function_by_id(self, id: str, db: Any = None) -> Steps[FunctionModel | None]:
        found = yield Ask("plugins.get", {"store": self.store, "id": id}, None)
        return FunctionModel(**found) if found else None

    @either
    def get_functions(self, active_only: bool = False, include_valves: bool = False, db: Any = None) -> Steps[Records]:
        return (yield from self._list(None, True if active_only else None))

    @either
    def get_functions_by_type(self, type: str, active_only: bool = False, db: Any = None) -> Steps[Records]:
        return (yield from self._list(type, True if active_only else None))

    @either
    def get_global_filter_functions(self, db: Any = None) -> Steps[Records]:
        return Records(item for item in (yield from self._list("filter", True)) if item.is_global)

    @either
    def get_global_action_functions(self, db: Any = None) -> Steps[Records]:
        return Records(item for item in (yield from self._list("action", True)) if item.is_global)

    @either
    def get_function_valves_by_id(self, id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield Ask("plugins.valves", {"store": self.store, "id": id}, None))

    @either
    def update_function_valves_by_id(self, id: str, valves: Any, db: Any = None) -> Steps[Any]:
        values = plain_fields(valves)
        yield Ask("plugins.set_valves", {"store": self.store, "id": id, "values": values})
        found = yield Ask("plugins.get", {"store": self.store, "id": id}, None)
        return FunctionValves(**{**(found or {}), "id": id, "valves": values})

    @either
    def get_user_valves_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield from self._user_valves(id, user_id))

    @either
    def update_user_valves_by_id_and_user_id(self, id: str, user_id: str, valves: Any, db: Any = None) -> Steps[dict[str, Any] | None]:
        return (yield from self._user_valves(id, user_id, valves))


Functions = FunctionsTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
