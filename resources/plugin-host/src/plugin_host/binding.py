"""Keeps what a plugin stores on its one shared instance during a chat request apart from other requests.

Community plugins write `self.__event_emitter__ = __event_emitter__` and read it later. Attributes with such names, and attributes that are
set to an injected object, are kept per scope (the chat request), found through the context of the running code. Everything else is shared.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from .calls import CURRENT

#: Scopes remembered per plugin; the gateway does not tell when a request is over for good.
MOST_SCOPES = 2_000
_MISSING = object()
Values = dict[str, Any]


class Scopes:
    """Attribute values of one plugin instance, by scope."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, Values] = OrderedDict()

    def values(self) -> Values | None:
        call = CURRENT.get()
        if call is None:
            return None
        values = self._values.get(call.scope)
        if values is None:
            values = self._values[call.scope] = {}
            if len(self._values) > MOST_SCOPES:
                self._values.popitem(last=False)
        else:
            self._values.move_to_end(call.scope)
        return values


class _ScopedAttribute:
    """Stands on the class for one attribute that is kept per scope; outside of scopes it is an ordinary attribute."""

    def __init__(self, name: str, default: Any, scopes: Scopes) -> None:
        self._name = name
        self._default = default
        self._scopes = scopes

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            if self._default is _MISSING:
                raise AttributeError(f"type object {owner.__name__!r} has no attribute {self._name!r}")
            return self._default
        values = self._scopes.values()
        if values is not None and self._name in values:
            return values[self._name]
        value = vars(instance).get(self._name, self._default)
        if value is _MISSING:
            raise AttributeError(f"{type(instance).__name__!r} object has no attribute {self._name!r}")
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        values = self._scopes.values()
        if values is None:
            vars(instance)[self._name] = value
        else:
            values[self._name] = value

    def __delete__(self, instance: Any) -> None:
        values = self._scopes.values()
        if values is not None and self._name in values:
            del values[self._name]
        elif self._name in vars(instance):
            del vars(instance)[self._name]
        else:
            raise AttributeError(self._name)


def _is_call_name(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _PYTHON_NAMES


#: Names Python itself gives a meaning.
_PYTHON_NAMES = frozenset(dir(type)) | frozenset(dir(object)) | {"__slots__", "__orig_class__", "__post_init__", "__fields_set__"}


def bind(instance: Any) -> None:
    """Makes the instance's class keep call attributes per scope. Classes with unusual storage are left as they are."""
    owner = type(instance)
    if not hasattr(instance, "__dict__") or hasattr(owner, "model_fields"):
        return
    scopes = Scopes()
    plain_set: Any = owner.__setattr__

    def scope_attribute(name: str) -> None:
        default = owner.__dict__.get(name, _inherited(owner, name))
        if not hasattr(type(default), "__set__"):
            setattr(owner, name, _ScopedAttribute(name, default, scopes))

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if self is instance and not isinstance(owner.__dict__.get(name), _ScopedAttribute):
            call = CURRENT.get()
            if call is not None and (_is_call_name(name) or id(value) in call.injected):
                scope_attribute(name)
        plain_set(self, name, value)

    for name in [*vars(instance), *vars(owner)]:
        if _is_call_name(name) and not callable(getattr(instance, name, None)):
            scope_attribute(name)
    try:
        owner.__setattr__ = set_attribute  # type: ignore[assignment]
    except TypeError:
        return


def _inherited(owner: type, name: str) -> Any:
    for base in owner.__mro__[1:]:
        if name in base.__dict__:
            return base.__dict__[name]
    return _MISSING
