"""Channels are not there yet: lists are empty, and what changes them says so."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either
from open_webui._gateway.missing import Table, fail, missing_name
from open_webui._gateway.records import Record, Records

REASON = "Channels are not part of it yet."


class ChannelModel(Record):
    id: str = ""
    user_id: str = ""


Channel = ChannelForm = ChannelResponse = ChannelUserResponse = ChannelModel


class ChannelTable(Table):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not name.startswith("get_"):
            fail(f"Channels.{name}", REASON)
        return _nothing_of(name)


def _nothing_of(name: str) -> Any:
    is_list = name.startswith((f"get_{__name__.rpartition('.')[2]}", "get_replies", "get_all"))

    @either
    def read(*args: Any, **named: Any) -> Steps[Any]:
        return Records() if is_list else None
        yield

    return read


Channels = ChannelTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
