"""Channels and their messages are not there yet: lists are empty, and what changes them says so."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either
from open_webui._gateway.missing import Table, fail, missing_name
from open_webui._gateway.records import Record, Records

REASON = "Channels and their messages are not part of it yet."


class MessageModel(Record):
    id: str = ""
    user_id: str = ""


Message = MessageForm = MessageResponse = MessageUserResponse = MessageModel


class MessageTable(Table):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not name.startswith("get_"):
            fail(f"Messages.{name}", REASON)
        return _nothing_of(name)


def _nothing_of(name: str) -> Any:
    is_list = name.startswith((f"get_{__name__.rpartition('.')[2]}", "get_replies", "get_all"))

    @either
    def read(*args: Any, **named: Any) -> Steps[Any]:
        return Records() if is_list else None
        yield

    return read


Messages = MessageTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
