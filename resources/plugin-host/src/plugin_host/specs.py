"""Derives what a model is told about a tool's methods from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from .errors import HostError

_PARAMETER = re.compile(r"^\s*:param\s+(?:[^\s:]+\s+)?(\w+)\s*:\s*(.*)$")
_END = re.compile(r":param|:return")
_COMBINED = ("type", "anyOf", "oneOf", "allOf", "properties", "$ref")


class _Lenient(GenerateJsonSchema):
    """Types that have no schema become “anything” instead of failing the whole plugin."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        return {}


def tool_methods(instance: Any) -> dict[str, Callable[..., Any]]:
    """Functions and methods whose own name is the attribute's, alphabetically; nothing that starts with an underscore."""
    return {name: getattr(instance, name) for name in dir(instance) if is_tool_method(instance, name)}


def is_tool_method(instance: Any, name: str) -> bool:
    """Whether models may call this attribute. Properties are not read to find out."""
    if name.startswith("_") or isinstance(inspect.getattr_static(instance, name, None), property):
        return False
    value = getattr(instance, name, None)
    return callable(value) and not inspect.isclass(value) and getattr(value, "__name__", None) == name


def tool_specs(instance: Any) -> list[dict[str, Any]]:
    return [tool_spec(method) for method in tool_methods(instance).values()]


def tool_spec(method: Callable[..., Any]) -> dict[str, Any]:
    """`description` as it is stored, `request_description` as the model is sent it. Raises what a type hint raises."""
    docstring = method.__doc__
    return {
        "name": method.__name__,
        "description": _stored_description(docstring),
        "request_description": _request_description(docstring) or method.__name__,
        "parameters": _parameters(method, _parameter_texts(docstring)),
    }


def _stored_description(docstring: str | None) -> str:
    lines: list[str] = []
    for line in (docstring or "").strip().split("\n"):
        line = line.strip()
        if line.startswith((":param", ":return")):
            break
        lines.append(line)
    return "\n".join(lines)


def _request_description(docstring: str | None) -> str:
    return _END.split(docstring or "", maxsplit=1)[0].strip()


def _parameter_texts(docstring: str | None) -> dict[str, str]:
    matches = (_PARAMETER.match(line) for line in (docstring or "").split("\n"))
    return {match[1]: match[2].strip() for match in matches if match}


def parameter_model(method: Callable[..., Any]) -> type[BaseModel]:
    """A model of a method's parameters, each with what the docstring says of it. Raises what a type hint raises."""
    model = _model(method, _parameter_texts(method.__doc__))
    model.__doc__ = _stored_description(method.__doc__)
    return model


def _hints(method: Callable[..., Any]) -> dict[str, Any]:
    """The types of the parameters. Names that are imported for type checkers only may annotate what no model fills in."""
    try:
        return get_type_hints(method)
    except NameError:
        function: Any = inspect.unwrap(getattr(method, "__func__", method))
        named = {name: hint for name, hint in function.__annotations__.items() if not name.startswith("__") and name != "return"}
        return get_type_hints(SimpleNamespace(__annotations__=named), function.__globals__)


def _model(method: Callable[..., Any], texts: dict[str, str]) -> type[BaseModel]:
    hints = _hints(method)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(method).parameters.items():
        if name.startswith("__"):
            continue
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        field = default if isinstance(default, FieldInfo) else FieldInfo(default=default)
        if name in texts:
            field = FieldInfo.merge_field_infos(field, description=texts[name])
        fields[name] = (hints.get(name, Any), field)
    if "model_config" in fields:
        raise HostError("specs", f"{method.__name__}: the parameter name “model_config” is reserved by pydantic.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return create_model(method.__name__, __config__=ConfigDict(arbitrary_types_allowed=True), **fields)


def _parameters(method: Callable[..., Any], texts: dict[str, str]) -> dict[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            schema = _model(method, texts).model_json_schema(schema_generator=_Lenient)
    except Exception as error:
        if "Fields must not use" not in str(error):
            raise
        raise HostError("specs", f"{method.__name__}: {error}") from error
    return {
        "type": "object",
        "properties": {name: _clean(_inlined(item, schema.get("$defs", {}), ())) for name, item in schema.get("properties", {}).items()},
        **({"required": schema["required"]} if schema.get("required") else {}),
    }


def _inlined(node: Any, definitions: dict[str, Any], within: tuple[str, ...]) -> Any:
    """The schema with references replaced by what they mean; a cycle ends in “object”."""
    if isinstance(node, list):
        return [_inlined(item, definitions, within) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return {key: _inlined(item, definitions, within) for key, item in node.items()}
    name = reference.rsplit("/", 1)[-1]
    beside = {key: _inlined(item, definitions, within) for key, item in node.items() if key != "$ref"}
    if name in within or name not in definitions:
        return {"type": "object", **beside}
    return {**_inlined(definitions[name], definitions, (*within, name)), **beside}


def _clean(node: dict[str, Any]) -> dict[str, Any]:
    """A schema node as providers take it: no titles, no null members, every node of a type."""
    node = {key: value for key, value in node.items() if key != "title"}
    for key in ("anyOf", "oneOf", "allOf"):
        if key not in node:
            continue
        members = [member for member in node[key] if member.get("type") != "null"]
        if len(members) == 1:
            node = {**members[0], **{name: value for name, value in node.items() if name != key}}
            node.pop("title", None)
        else:
            node[key] = [_clean(member) for member in members]
    if "default" in node and node["default"] is None:
        del node["default"]
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            node[key] = _clean(node[key])
    if isinstance(node.get("prefixItems"), list):
        node["prefixItems"] = [_clean(item) for item in node["prefixItems"]]
    if isinstance(node.get("properties"), dict):
        node["properties"] = {name: _clean(item) for name, item in node["properties"].items()}
    if not any(key in node for key in _COMBINED):
        node["type"] = "string"
    return node
