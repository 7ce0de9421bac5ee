"""Notes the person may read."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class NoteModel(Record):
    id: str
    user_id: str = ""
    title: str = ""
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    created_at: int = 0
    updated_at: int = 0


class NoteForm(Record):
    title: str = ""
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None


Note = NoteUserResponse = NoteModel
NoteUpdateForm = NoteForm


def _note(found: Any) -> NoteModel | None:
    return NoteModel(**found) if found else None


class NoteTable(Table):
    @either
    def get_note_by_id(self, id: str, db: Any = None) -> Steps[NoteModel | None]:
        return _note((yield endpoint("notes.get", params={"note_id": id}, absent=None)))

    @either
    def get_notes_by_user_id(self, user_id: str, *rest: Any, db: Any = None) -> Steps[Records]:
        return Records(NoteModel(**note) for note in (yield endpoint("notes.list", absent=[])) if note["user_id"] == user_id)

    @either
    def get_notes(self, skip: int = 0, limit: int = 50, db: Any = None) -> Steps[Records]:
        return Records(NoteModel(**note) for note in (yield endpoint("notes.list", absent=[]))[skip : skip + limit])

    @either
    def insert_new_note(self, user_id: str, form_data: Any, db: Any = None) -> Steps[NoteModel | None]:
        return _note((yield endpoint("notes.create", body=plain_fields(form_data))))

    @either
    def update_note_by_id(self, id: str, form_data: Any, db: Any = None) -> Steps[NoteModel | None]:
        return _note((yield endpoint("notes.update", params={"note_id": id}, body=plain_fields(form_data), absent=None)))

    @either
    def delete_note_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return bool((yield endpoint("notes.remove", params={"note_id": id}, absent=False)))


Notes = NoteTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
