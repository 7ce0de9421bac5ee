"""Changes of a plugin to a JSON value, as steps that can be repeated on another copy."""

from __future__ import annotations

from typing import Any

from .plain import plain

Step = list[Any]


def changes(before: Any, after: Any) -> list[Step]:
    """Steps that turn `before` into `after`, see PROTOCOL.md. `before` is plain JSON; `after` may hold anything."""
    steps: list[Step] = []
    _compare(before, after, [], steps, 0)
    return steps


def _compare(before: Any, after: Any, path: list[Any], steps: list[Step], depth: int) -> None:
    if before is after:
        return
    if depth < 50 and isinstance(before, dict) and isinstance(after, dict):
        for key in before:
            if key not in after:
                steps.append(["delete", [*path, key]])
        for key, value in after.items():
            if not isinstance(key, str):
                key = str(key)
            if key in before:
                _compare(before[key], value, [*path, key], steps, depth + 1)
            else:
                steps.append(["set", [*path, key], plain(value)])
    elif depth < 50 and isinstance(before, list) and isinstance(after, list):
        for index, value in enumerate(after):
            if index < len(before):
                _compare(before[index], value, [*path, index], steps, depth + 1)
            else:
                steps.append(["set", [*path, index], plain(value)])
        if len(after) < len(before):
            steps.append(["truncate", path, len(after)])
    elif type(before) is not type(after) or before != after:
        value = plain(after)
        if value != before or type(value) is not type(before):
            steps.append(["set", path, value])
