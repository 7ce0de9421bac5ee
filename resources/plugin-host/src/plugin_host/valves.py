"""Valves and user valves: what admins and users set, as nested pydantic models on the plugin's class."""

from __future__ import annotations

import inspect
from typing import Any

from .errors import HostError
from .plain import dump_model, plain

CLASS_NAMES = {"valves": "Valves", "user_valves": "UserValves"}


def valves_class(instance: Any, which: str) -> Any | None:
    name = CLASS_NAMES.get(which)
    if name is None:
        raise HostError("missing", f"There are no settings called {which!r}; there are “valves” and “user_valves”.")
    found = getattr(instance, name, None)
    return found if isinstance(found, type) else None


def valves_schema(instance: Any, which: str) -> dict[str, Any] | None:
    """The JSON schema a form is made of; null when the plugin has no such class."""
    model: Any = valves_class(instance, which)
    if model is None:
        return None
    make = getattr(model, "model_json_schema", None) or getattr(model, "schema", None)
    return make() if callable(make) else None


def validate_valves(instance: Any, which: str, values: dict[str, Any]) -> Any:
    """What is to be stored: the model is built, so validators and custom types may change values; only what was set is kept."""
    model: Any = valves_class(instance, which)
    if model is None:
        raise HostError("missing", f"The plugin has no class {CLASS_NAMES[which]}.")
    given = {key: value for key, value in values.items() if value is not None}
    try:
        made = model(**given)
    except Exception as error:
        raise _invalid(error) from error
    return plain(made.model_dump(exclude_unset=True) if hasattr(made, "model_dump") else dump_model(made))


def _invalid(error: Exception) -> Exception:
    if not callable(errors := getattr(error, "errors", None)):
        return error
    listed = [{"loc": list(item["loc"]), "msg": item["msg"], "type": item["type"]} for item in errors()]
    text = "; ".join(f"{'.'.join(map(str, item['loc'])) or 'value'}: {item['msg']}" for item in listed)
    return HostError("valves", text, plain(listed))


def apply_valves(instance: Any, stored: dict[str, Any] | None, *, without_nulls: bool) -> None:
    """Puts stored valves on the instance, when the plugin has both the class and the attribute."""
    model = valves_class(instance, "valves")
    if model is None or not hasattr(instance, "valves"):
        return
    values = {key: value for key, value in (stored or {}).items() if value is not None or not without_nulls}
    try:
        instance.valves = model(**values)
    except Exception as error:
        raise _invalid(error) from error


def priority_of(instance: Any, stored: dict[str, Any] | None) -> float:
    """The `priority` valve as stored, else the class's default, else 0."""
    model: Any = valves_class(instance, "valves")
    value = (stored or {}).get("priority")
    if value is None and model is not None:
        fields: Any = getattr(model, "model_fields", {})
        value = fields["priority"].get_default(call_default_factory=True) if "priority" in fields else None
    if value is None:
        value = getattr(getattr(instance, "valves", None), "priority", None)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0


def user_valves(instance: Any, stored: dict[str, Any] | None) -> Any | None:
    """The instance plugins read from `__user__["valves"]`; raises what the model raises."""
    model = valves_class(instance, "user_valves")
    return None if model is None else model(**(stored or {}))


async def valves_options(instance: Any, which: str, user: dict[str, Any] | None) -> dict[str, list[Any]]:
    """The choices of fields whose schema names a method for them."""
    model = valves_class(instance, which)
    found: dict[str, list[Any]] = {}
    for field, schema in ((valves_schema(instance, which) or {}).get("properties") or {}).items():
        hint = schema.get("input")
        name = hint.get("options") if isinstance(hint, dict) else None
        method = getattr(model, name, None) if isinstance(name, str) else None
        if not callable(method):
            continue
        accepted = inspect.signature(method).parameters
        options = method(**{key: user for key in ("__user__", "user") if key in accepted})
        if inspect.isawaitable(options):
            options = await options
        if not isinstance(options, list):
            raise HostError("valves", f"{name} must return a list of options for “{field}”.")
        found[field] = plain(options)
    return found
