"""Turns what plugins return into plain JSON values."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any


def is_model(value: Any) -> bool:
    """Whether the value is an instance of a pydantic model, version 2 or 1."""
    return not isinstance(value, type) and (hasattr(value, "model_dump") or (hasattr(value, "__fields__") and hasattr(value, "dict")))


def dump_model(value: Any) -> Any:
    return value.model_dump() if hasattr(value, "model_dump") else value.dict()


def plain_value(value: Any) -> Any:
    """JSON representation of a value that the encoder does not know."""
    if is_model(value):
        return dump_model(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset, tuple)) or type(value).__name__ in ("dict_values", "dict_keys", "generator"):
        return list(value)
    return str(value)


def plain(value: Any, depth: int = 0) -> Any:
    """A copy of the value that JSON can hold: text keys, no NaN, no cycles."""
    if value is None or isinstance(value, (bool, int, bytes)) or type(value) is str:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return str(value)
    if depth > 100:
        return "…"
    if isinstance(value, Mapping):
        return {key if type(key) is str else str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    replacement = plain_value(value)
    return plain(replacement, depth + 1)


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON text of any value, non-ASCII kept; bytes become text."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_unknown)
    except (ValueError, TypeError, RecursionError):
        return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent, default=_unknown)


def _unknown(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else plain_value(value)


def texts(values: Iterable[Any]) -> list[str]:
    return [str(value) for value in values]
