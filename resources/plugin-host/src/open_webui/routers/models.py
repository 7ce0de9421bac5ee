"""Models of the person, as routes of the host application are called from plugins."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, awaited
from open_webui._gateway.missing import missing_name
from open_webui._gateway.records import Records
from open_webui.models.models import ModelModel, all_models, model_by_id


@awaited
def get_models(*args: Any, **named: Any) -> Steps[Records]:
    """`(…, user)`: models made in the workspace."""
    return Records(model for model, item in (yield from all_models()) if item.get("preset"))


@awaited
def get_base_models(*args: Any, **named: Any) -> Steps[Records]:
    """`(user)`: models of the connections."""
    return Records(model for model, item in (yield from all_models()) if not item.get("preset"))


@awaited
def get_model_by_id(id: str, *args: Any, **named: Any) -> Steps[ModelModel | None]:
    """`(id, user)`"""
    return (yield from model_by_id(id))


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
