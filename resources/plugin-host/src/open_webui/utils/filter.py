"""Filters. The gateway runs them itself around every answer; plugins that drive a pipeline of their own find them here."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, awaited, either
from open_webui._gateway.missing import log, missing_name
from open_webui.models.functions import Functions


@either
def get_sorted_filter_ids(request: Any, model: dict[str, Any] | None, enabled_filter_ids: list[str] | None = None) -> Steps[list[str]]:
    """Ids of the filters in force for a model, by id: their settings, and so their priority, are the gateway's."""
    found = yield from Functions._list("filter", True)
    meta = ((model or {}).get("info") or {}).get("meta") or {}
    assigned = set(meta.get("filterIds") or [])
    enabled = set(enabled_filter_ids or [])
    chosen = [item for item in found if item.is_global or item.id in assigned]
    return sorted(item.id for item in chosen if not getattr(item.meta, "toggle", False) or item.id in enabled)


def get_filter_items_from_module(function: Any, module: Any) -> list[dict[str, Any]]:
    return [{"id": function.id, "name": function.name, "icon": getattr(module, "icon", None)}]


@awaited
def process_filter_functions(
    request: Any,
    filter_functions: list[Any] | None = None,
    filter_type: str = "inlet",
    form_data: Any = None,
    extra_params: dict[str, Any] | None = None,
    filter_context: Any = None,
    **named: Any,
) -> Steps[tuple[Any, dict[str, Any]]]:
    """Hands the data back unchanged: a plugin's own call of a model runs no filters, and those of the chat have run."""
    log.warning("Filters are run by the gateway; %s of %s is left to it.", filter_type, len(filter_functions or []))
    return form_data, {}
    yield


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
