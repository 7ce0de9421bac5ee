"""Channels cannot be reached by plugins yet: lists are empty, and what changes them says so."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.absent import AbsentTable
from open_webui._gateway.missing import missing_name
from open_webui._gateway.records import Record

REASON = "Plugins cannot reach channels yet."


class ChannelModel(Record):
    id: str = ""
    user_id: str = ""


Channel = ChannelForm = ChannelResponse = ChannelUserResponse = ChannelModel


Channels = AbsentTable("Channels", REASON)


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
