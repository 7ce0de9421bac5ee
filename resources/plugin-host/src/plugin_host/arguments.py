"""Arguments of a tool call as the model wrote them."""

from __future__ import annotations

import ast
import inspect
import json
from typing import Any

from .loading import Hook


class UnreadableArguments(ValueError):
    """The model's arguments are no object; the text goes back to the model."""


def read_arguments(given: Any) -> dict[str, Any]:
    """An object from JSON text, a Python literal, nothing, or an object as it is."""
    if given is None or (isinstance(given, str) and not given.strip()):
        return {}
    value = given
    if isinstance(given, str):
        try:
            value = json.loads(given)
        except ValueError:
            try:
                value = ast.literal_eval(given)
            except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
                value = None
    if not isinstance(value, dict):
        raise UnreadableArguments("The arguments of this call could not be read. Send them as one JSON object.")
    return {str(key): item for key, item in value.items()}


def accepted(hook: Hook, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments the method names; what goes to `*args` is under "*". Unknown ones are dropped."""
    found = {name: value for name, value in arguments.items() if name in hook.named and not name.startswith("__")}
    for name, kind in hook.variable.items():
        value = arguments.get(name)
        if kind is inspect.Parameter.VAR_POSITIONAL and isinstance(value, list) and not found:
            found["*"] = value
        elif kind is inspect.Parameter.VAR_KEYWORD and isinstance(value, dict):
            found = {**value, **found}
    return found
