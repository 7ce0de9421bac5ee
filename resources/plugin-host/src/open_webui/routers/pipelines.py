"""Filters of pipelines servers, which the gateway runs itself."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, awaited
from open_webui._gateway.missing import missing_name


@awaited
def process_pipeline_inlet_filter(request: Any, payload: dict[str, Any], user: Any = None, models: Any = None) -> Steps[dict[str, Any]]:
    """Hands the data back unchanged: the filters of the chat have run before the plugin, or run after it."""
    return payload
    yield


process_pipeline_outlet_filter = process_pipeline_inlet_filter


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
