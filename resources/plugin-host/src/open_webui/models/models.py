"""Models the person may use."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class ModelParams(BaseModel):
    model_config = ConfigDict(extra="allow")

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self, name, default)


class ModelMeta(BaseModel):
    profile_image_url: str | None = None
    description: str | None = None
    capabilities: dict[str, Any] | None = None
    model_config = ConfigDict(extra="allow")

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self, name, default)


class ModelModel(Record):
    id: str
    user_id: str | None = ""
    base_model_id: str | None = None
    name: str = ""
    params: ModelParams = ModelParams()
    meta: ModelMeta = ModelMeta()
    access_control: dict[str, Any] | None = None
    is_active: bool = True
    updated_at: int = 0
    created_at: int = 0


class ModelForm(Record):
    id: str
    base_model_id: str | None = None
    name: str = ""
    meta: ModelMeta = ModelMeta()
    params: ModelParams = ModelParams()
    access_control: dict[str, Any] | None = None
    is_active: bool = True


Model = ModelResponse = ModelUserResponse = ModelModel


def _model(found: Any) -> ModelModel | None:
    if not found:
        return None
    meta = dict(found.get("meta") or {})
    # The map of capabilities has a name of its own in this answer.
    if isinstance(meta.get("capability_flags"), dict):
        meta["capabilities"] = meta.pop("capability_flags")
    return ModelModel(**{**found, "meta": meta, "params": found.get("params") or {}})


def model_by_id(id: Any) -> Steps[ModelModel | None]:
    return _model((yield endpoint("models.info", query={"id": str(id)}, absent=None)))


def _listed(item: dict[str, Any]) -> ModelModel:
    info = item.get("info") or {}
    return ModelModel(**{**item, **info, "id": item["id"], "name": item["name"], "meta": info.get("meta") or {}})


def all_models() -> Steps[list[tuple[ModelModel, dict[str, Any]]]]:
    """Every model the person may use, with the entry of the model list it comes from."""
    return [(_listed(item), item) for item in (yield Ask("models.list", {}, []))]


class ModelsTable(Table):
    @either
    def get_model_by_id(self, id: str, db: Any = None) -> Steps[ModelModel | None]:
        return (yield from model_by_id(id)) if id else None

    @either
    def get_models_by_ids(self, ids: list[str], db: Any = None) -> Steps[Records]:
        found = Records()
        for id in ids:
            model = yield from model_by_id(id)
            if model:
                found.append(model)
        return found

    @either
    def get_all_models(self, db: Any = None) -> Steps[Records]:
        return Records(model for model, _ in (yield from all_models()))

    @either
    def get_models(self, db: Any = None) -> Steps[Records]:
        return Records(model for model, item in (yield from all_models()) if item.get("preset"))

    @either
    def get_models_by_user_id(self, user_id: str, permission: str = "write", db: Any = None) -> Steps[Records]:
        return Records(model for model, item in (yield from all_models()) if item.get("preset"))

    @either
    def get_base_models(self, db: Any = None) -> Steps[Records]:
        return Records(model for model, item in (yield from all_models()) if not item.get("preset"))

    @either
    def insert_new_model(self, form_data: Any, user_id: str | None = None, db: Any = None) -> Steps[ModelModel | None]:
        return _model((yield endpoint("models.create", body=plain_fields(form_data))))

    @either
    def update_model_by_id(self, id: str, model: Any, db: Any = None) -> Steps[ModelModel | None]:
        return _model((yield endpoint("models.update", query={"id": id}, body={**plain_fields(model), "id": id}, absent=None)))

    @either
    def delete_model_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return bool((yield endpoint("models.remove", query={"id": id}, body={}, absent=False)))


Models = ModelsTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
