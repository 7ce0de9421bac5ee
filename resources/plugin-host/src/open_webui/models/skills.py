"""Skills are not there yet: lists are empty, and what changes them says so."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.absent import AbsentTable
from open_webui._gateway.missing import missing_name
from open_webui._gateway.records import Record

REASON = "Skills are not part of it yet."


class SkillModel(Record):
    id: str = ""
    user_id: str = ""


Skill = SkillForm = SkillResponse = SkillUserResponse = SkillModel


Skills = AbsentTable("Skills", REASON)


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
