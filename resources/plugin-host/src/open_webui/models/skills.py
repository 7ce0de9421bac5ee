"""Skills the person may have models read."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class SkillModel(Record):
    id: str = ""
    user_id: str = ""
    name: str = ""
    description: str | None = None
    content: str = ""
    meta: dict[str, Any] | None = None
    is_active: bool = True
    created_at: int = 0
    updated_at: int = 0


class SkillForm(Record):
    id: str = ""
    name: str = ""
    description: str | None = None
    content: str = ""
    meta: dict[str, Any] | None = None
    is_active: bool = True


Skill = SkillResponse = SkillUserResponse = SkillModel


def _skill(found: Any) -> SkillModel | None:
    return SkillModel(**found) if found else None


class SkillsTable(Table):
    @either
    def get_skills(self, db: Any = None) -> Steps[Records]:
        return Records(SkillModel(**skill) for skill in (yield endpoint("skills.export", absent=[])))

    @either
    def get_skill_by_id(self, id: str, db: Any = None) -> Steps[SkillModel | None]:
        return _skill((yield endpoint("skills.get", params={"skill_id": id}, absent=None)))

    @either
    def get_skills_by_user_id(self, user_id: str, permission: str = "write", *rest: Any, db: Any = None) -> Steps[Records]:
        found = yield endpoint("skills.export", absent=[])
        return Records(SkillModel(**skill) for skill in found if permission == "read" or skill.get("write_access"))

    @either
    def insert_new_skill(self, user_id: str, form_data: Any, db: Any = None) -> Steps[SkillModel | None]:
        return _skill((yield endpoint("skills.create", body=plain_fields(form_data))))

    @either
    def update_skill_by_id(self, id: str, form_data: Any, db: Any = None) -> Steps[SkillModel | None]:
        return _skill((yield endpoint("skills.update", params={"skill_id": id}, body=plain_fields(form_data), absent=None)))

    @either
    def toggle_skill_by_id(self, id: str, db: Any = None) -> Steps[SkillModel | None]:
        return _skill((yield endpoint("skills.toggle", params={"skill_id": id}, absent=None)))

    @either
    def delete_skill_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return bool((yield endpoint("skills.remove", params={"skill_id": id}, absent=False)))


Skills = SkillsTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
