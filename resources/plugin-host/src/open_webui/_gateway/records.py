"""Records as plugins see them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

T = TypeVar("T", bound="Record")


class Record(BaseModel):
    """A record that takes further fields, and may be awaited once more by code that got it plainly."""

    model_config = ConfigDict(extra="allow", from_attributes=True, protected_namespaces=(), arbitrary_types_allowed=True)

    def __await__(self: T) -> Generator[Any, Any, T]:
        return self
        yield

    def get(self, name: str, default: Any = None) -> Any:
        """As of a dictionary; releases differ in which of both they answer."""
        return getattr(self, name, default)

    def __getitem__(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError:
            raise KeyError(name) from None


class Records(list[Any]):
    """A list that also reads as the page of results later releases answer."""

    #: Name of the list in a page, in addition to `items`.
    name = "items"

    def __init__(self, items: Iterable[Any] = (), total: int | None = None, name: str = "items") -> None:
        super().__init__(items)
        self.total = len(self) if total is None else total
        self.name = name

    @property
    def items(self) -> Records:
        return self

    @property
    def users(self) -> Records:
        return self

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in ("total", "items", self.name) else default

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key == "total":
                return self.total
            if key in ("items", self.name):
                return self
            raise KeyError(key)
        return super().__getitem__(key)

    def __await__(self) -> Generator[Any, Any, Records]:
        return self
        yield


def plain_fields(value: Any) -> dict[str, Any]:
    """The fields of a form, whether it came as a model or as a dictionary."""
    if value is None:
        return {}
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_unset=True)
    return dict(value)
