"""Folders of the person the plugin runs for."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class FolderModel(Record):
    id: str
    parent_id: str | None = None
    user_id: str = ""
    name: str = ""
    items: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    data: dict[str, Any] | None = None
    is_expanded: bool = False
    created_at: int = 0
    updated_at: int = 0


class FolderForm(Record):
    name: str = ""
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    parent_id: str | None = None


Folder = FolderModel
FolderUpdateForm = FolderForm


def _get(id: Any, user_id: Any = None) -> Steps[FolderModel | None]:
    found = yield endpoint("folders.get", params={"folder_id": str(id)}, absent=None)
    return FolderModel(**found) if found and (user_id is None or found["user_id"] == user_id) else None


def _all(user_id: Any) -> Steps[Records]:
    folders = Records()
    for item in (yield endpoint("folders.list", absent=[])):
        folder = yield from _get(item["id"], user_id)
        if folder:
            folders.append(folder)
    return folders


class FolderTable(Table):
    @either
    def get_folder_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[FolderModel | None]:
        return (yield from _get(id, user_id)) if id else None

    @either
    def get_folder_by_id(self, id: str, db: Any = None) -> Steps[FolderModel | None]:
        return (yield from _get(id)) if id else None

    @either
    def get_folders_by_user_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        return (yield from _all(user_id))

    @either
    def get_folders_by_parent_id_and_user_id(self, parent_id: str | None, user_id: str, db: Any = None) -> Steps[Records]:
        return Records(folder for folder in (yield from _all(user_id)) if folder.parent_id == parent_id)

    @either
    def get_folder_by_parent_id_and_user_id_and_name(
        self, parent_id: str | None, user_id: str, name: str, db: Any = None
    ) -> Steps[FolderModel | None]:
        wanted = name.strip().casefold()
        for folder in (yield from _all(user_id)):
            if folder.parent_id == parent_id and folder.name.strip().casefold() == wanted:
                return folder
        return None

    @either
    def insert_new_folder(self, user_id: str, form_data: Any, parent_id: str | None = None, db: Any = None) -> Steps[FolderModel | None]:
        # The oldest releases took the name alone.
        form = {"name": form_data} if isinstance(form_data, str) else plain_fields(form_data)
        body = {key: form[key] for key in ("name", "data", "meta", "parent_id") if form.get(key) is not None}
        if parent_id:
            body["parent_id"] = parent_id
        return FolderModel(**(yield endpoint("folders.create", body=body)))

    @either
    def update_folder_by_id_and_user_id(self, id: str, user_id: str, form_data: Any, db: Any = None) -> Steps[FolderModel | None]:
        form = {key: value for key, value in plain_fields(form_data).items() if key in ("name", "data", "meta") and value is not None}
        found = yield endpoint("folders.update", params={"folder_id": id}, body=form, absent=None)
        return FolderModel(**found) if found else None

    @either
    def delete_folder_by_id_and_user_id(self, id: str, user_id: str, *rest: Any, db: Any = None) -> Steps[bool]:
        query = {"delete_contents": "false"}
        return (yield endpoint("folders.remove", params={"folder_id": id}, query=query, absent=None)) is not None


Folders = FolderTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
