"""The model list of the person."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, awaited
from open_webui._gateway.missing import missing_name


@awaited
def get_all_models(request: Any = None, refresh: bool = False, user: Any = None) -> Steps[list[dict[str, Any]]]:
    return (yield Ask("models.list", {}, []))


get_all_base_models = get_all_models


@awaited
def get_models(request: Any = None, refresh: bool = False, user: Any = None) -> Steps[dict[str, Any]]:
    return {"data": (yield Ask("models.list", {}, []))}


@awaited
def get_filtered_models(models: list[dict[str, Any]], user: Any = None, db: Any = None) -> Steps[list[dict[str, Any]]]:
    """Those of the models that the person may use."""
    known = {model["id"] for model in (yield Ask("models.list", {}, []))}
    return [model for model in models if model.get("id") in known]


@awaited
def check_model_access(user: Any, model: dict[str, Any], db: Any = None) -> Steps[None]:
    known = {item["id"] for item in (yield Ask("models.list", {}, []))}
    if model.get("id") not in known:
        raise Exception("Model not found")


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
