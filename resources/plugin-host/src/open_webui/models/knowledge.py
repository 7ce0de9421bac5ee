"""Collections the person may read."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields
from open_webui.models.files import FileModel, to_file


class KnowledgeModel(Record):
    id: str
    user_id: str = ""
    name: str = ""
    description: str = ""
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    access_control: dict[str, Any] | None = None
    created_at: int = 0
    updated_at: int = 0


class KnowledgeForm(Record):
    name: str = ""
    description: str = ""
    data: dict[str, Any] | None = None
    access_control: dict[str, Any] | None = None


KnowledgeUserModel = KnowledgeResponse = KnowledgeUserResponse = KnowledgeModel


def _knowledge(found: Any) -> KnowledgeModel | None:
    if not found:
        return None
    ids = [file["id"] for file in found.get("files") or []]
    return KnowledgeModel(**{**found, "data": {"file_ids": ids, **(found.get("data") or {})}})


def _get(id: Any) -> Steps[dict[str, Any] | None]:
    return (yield endpoint("knowledge.get", params={"knowledge_id": str(id)}, absent=None))


class KnowledgeTable(Table):
    @either
    def get_knowledge_by_id(self, id: str, db: Any = None) -> Steps[KnowledgeModel | None]:
        return _knowledge((yield from _get(id)))

    @either
    def get_knowledge_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[KnowledgeModel | None]:
        return _knowledge((yield from _get(id)))

    @either
    def get_knowledge_bases(self, skip: int = 0, limit: int = -1, db: Any = None) -> Steps[Records]:
        found = Records(_knowledge(item) for item in (yield endpoint("knowledge.all", absent=[])))
        return Records(found[skip : None if limit < 0 else skip + limit], len(found))

    @either
    def get_knowledge_bases_by_user_id(self, user_id: str, permission: str = "write", db: Any = None) -> Steps[Records]:
        found = yield endpoint("knowledge.all", absent=[])
        return Records(_knowledge(item) for item in found if permission == "read" or item["write_access"])

    @either
    def get_files_by_id(self, id: str, db: Any = None) -> Steps[list[FileModel]]:
        return Records(to_file(file) for file in ((yield from _get(id)) or {}).get("files") or [])

    @either
    def get_file_metadatas_by_id(self, id: str, db: Any = None) -> Steps[Records]:
        return Records(to_file(file) for file in ((yield from _get(id)) or {}).get("files") or [])

    @either
    def get_knowledges_by_file_id(self, file_id: str, db: Any = None) -> Steps[Records]:
        found = Records()
        for item in (yield endpoint("knowledge.all", absent=[])):
            knowledge = yield from _get(item["id"])
            if any(file["id"] == file_id for file in (knowledge or {}).get("files") or []):
                found.append(_knowledge(knowledge))
        return found

    @either
    def insert_new_knowledge(self, user_id: str, form_data: Any, db: Any = None) -> Steps[KnowledgeModel | None]:
        form = plain_fields(form_data)
        body = {key: form[key] for key in ("name", "description", "meta", "access_control", "access_grants") if key in form}
        return _knowledge((yield endpoint("knowledge.create", body=body)))

    @either
    def update_knowledge_by_id(self, id: str, form_data: Any, overwrite: bool = False, db: Any = None) -> Steps[KnowledgeModel | None]:
        form = plain_fields(form_data)
        body = {key: form[key] for key in ("name", "description", "meta", "access_control", "access_grants") if key in form}
        yield endpoint("knowledge.update", params={"knowledge_id": id}, body=body, absent=None)
        return _knowledge((yield from _get(id)))

    def _files(self, id: str, wanted: list[str]) -> Steps[dict[str, Any] | None]:
        there = {file["id"] for file in ((yield from _get(id)) or {}).get("files") or []}
        for file_id in wanted:
            if file_id not in there:
                yield endpoint("knowledge.addFile", params={"knowledge_id": id}, body={"file_id": file_id}, absent=None)
        return (yield from _get(id))

    @either
    def update_knowledge_data_by_id(self, id: str, data: dict[str, Any], db: Any = None) -> Steps[KnowledgeModel | None]:
        return _knowledge((yield from self._files(id, list((data or {}).get("file_ids") or []))))

    @either
    def add_file_to_knowledge_by_id(
        self, knowledge_id: str, file_id: str, user_id: str | None = None, db: Any = None, **named: Any
    ) -> Steps[Any]:
        return _knowledge((yield from self._files(knowledge_id, [file_id])))

    @either
    def remove_file_from_knowledge_by_id(self, knowledge_id: str, file_id: str, db: Any = None) -> Steps[bool]:
        params, query = {"knowledge_id": knowledge_id}, {"delete_file": "false"}
        return (yield endpoint("knowledge.removeFile", params=params, query=query, body={"file_id": file_id}, absent=None)) is not None

    @either
    def delete_knowledge_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        query = {"delete_files": "false"}
        return (yield endpoint("knowledge.remove", params={"knowledge_id": id}, query=query, absent=None)) is not None


Knowledges = KnowledgeTable()
Knowledge = KnowledgeModel


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
