"""Prompts the person may use."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records


class PromptModel(Record):
    command: str = ""
    user_id: str = ""
    title: str = ""
    content: str = ""


class PromptForm(Record):
    command: str = ""
    title: str = ""
    content: str = ""


Prompt = PromptUserResponse = PromptModel


class PromptsTable(Table):
    @either
    def get_prompt_by_command(self, command: str, db: Any = None) -> Steps[PromptModel | None]:
        found = yield endpoint("prompts.getByCommand", params={"command": command.removeprefix("/")}, absent=None)
        return PromptModel(**found) if found else None

    @either
    def get_prompts(self, db: Any = None) -> Steps[Records]:
        return Records(PromptModel(**item) for item in (yield endpoint("prompts.list", absent=[])))

    @either
    def get_prompts_by_user_id(self, user_id: str, *rest: Any, db: Any = None) -> Steps[Records]:
        found = yield endpoint("prompts.list", absent=[])
        return Records(PromptModel(**item) for item in found if item.get("user_id") == user_id)


Prompts = PromptsTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
