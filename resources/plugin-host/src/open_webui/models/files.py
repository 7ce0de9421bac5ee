"""Files the person may read. Their paths are copies within the worker."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, PrivateAttr

from open_webui._gateway import local_files
from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields
from plugin_host import host


class FileMeta(BaseModel):
    name: str | None = None
    content_type: str | None = None
    size: int | None = None
    model_config = ConfigDict(extra="allow")


class FileModel(Record):
    id: str
    user_id: str = ""
    hash: str | None = None
    filename: str = ""
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    access_control: dict[str, Any] | None = None
    created_at: int | None = None
    updated_at: int | None = None
    _path: str | None = PrivateAttr(default=None)

    @property
    def path(self) -> str:
        """A copy of the file, made when the path is asked for the first time."""
        if self._path is None:
            self._path = str(local_files.fetch(self.id, self.filename))
        return self._path

    def model_dump(self, **options: Any) -> dict[str, Any]:
        return {**super().model_dump(**options), "path": str(local_files.path_of(self.id, self.filename))}


class FileModelResponse(Record):
    id: str
    user_id: str = ""
    hash: str | None = None
    filename: str = ""
    data: dict[str, Any] | None = None
    meta: Any = None
    created_at: int = 0
    updated_at: int | None = None


class FileMetadataResponse(Record):
    id: str
    hash: str | None = None
    meta: Any = None
    created_at: int = 0
    updated_at: int = 0


class FileForm(Record):
    id: str
    hash: str | None = None
    filename: str = ""
    path: str = ""
    data: dict[str, Any] = {}
    meta: dict[str, Any] = {}
    access_control: dict[str, Any] | None = None


class FileUpdateForm(Record):
    hash: str | None = None
    data: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None


File = FileModel


def to_file(found: Any) -> FileModel | None:
    return FileModel(**{key: value for key, value in found.items() if key != "path"}) if found else None


def _get(id: Any, content: bool = True) -> Steps[FileModel | None]:
    return to_file((yield Ask("files.get", {"id": str(id), "content": content}, None)))


def create(form: dict[str, Any], content: bytes, *, process: bool = False, background: bool = True) -> Steps[FileModel | None]:
    """Stores a file as the person's."""
    meta = form.get("meta") or {}
    own = {key: value for key, value in meta.items() if key not in ("name", "content_type", "size", "collection_name", "data")}
    asked = {
        "id": form.get("id"),
        "filename": meta.get("name") or form.get("filename") or "file",
        "content_type": meta.get("content_type"),
        "metadata": {**own, **(meta.get("data") or {})},
        "bytes": content,
        "process": process,
        "background": background,
    }
    made = yield Ask("files.create", {key: value for key, value in asked.items() if value is not None})
    text = (form.get("data") or {}).get("content")
    if isinstance(text, str) and text.strip():
        yield endpoint("files.updateText", params={"file_id": made["id"]}, body={"content": text})
    return to_file(made)


class FilesTable(Table):
    @either
    def insert_new_file(self, user_id: str, form_data: FileForm | dict[str, Any], db: Any = None) -> Steps[FileModel | None]:
        form = plain_fields(form_data)
        path = Path(form.get("path") or "")
        if not path.is_file():
            text = (form.get("data") or {}).get("content")
            return (yield from create(form, str(text or "").encode()))
        return (yield from create(form, path.read_bytes()))

    @either
    def get_file_by_id(self, id: str, db: Any = None) -> Steps[FileModel | None]:
        return (yield from _get(id)) if id else None

    @either
    def get_file_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[FileModel | None]:
        found = yield from _get(id)
        return found if found and found.user_id == user_id else None

    @either
    def get_file_metadata_by_id(self, id: str, db: Any = None) -> Steps[FileMetadataResponse | None]:
        found = yield Ask("files.get", {"id": str(id), "content": False}, None)
        return FileMetadataResponse(**found) if found else None

    @either
    def get_files(self, db: Any = None) -> Steps[Records]:
        return Records(to_file(file) for file in (yield Ask("files.list", {}, [])))

    @either
    def get_files_by_ids(self, ids: list[str], db: Any = None) -> Steps[Records]:
        return Records(to_file(file) for file in (yield Ask("files.list", {"ids": list(ids)}, [])))

    get_file_metadatas_by_ids = get_files_by_ids

    @either
    def get_files_by_user_id(self, user_id: str, db: Any = None) -> Steps[Records]:
        files = yield Ask("files.list", {}, [])
        return Records(to_file(file) for file in files if file["user_id"] == user_id)

    @either
    def check_access_by_user_id(self, id: str, user_id: str, permission: str = "read", db: Any = None) -> Steps[bool]:
        return (yield Ask("files.get", {"id": str(id), "content": False}, None)) is not None

    @either
    def update_file_data_by_id(self, id: str, data: dict[str, Any], db: Any = None) -> Steps[FileModel | None]:
        text = (data or {}).get("content")
        if isinstance(text, str) and text.strip():
            yield endpoint("files.updateText", params={"file_id": str(id)}, body={"content": text}, absent=None)
        return (yield from _get(id))

    @either
    def update_file_by_id(self, id: str, form_data: Any, db: Any = None) -> Steps[FileModel | None]:
        form = plain_fields(form_data)
        text, name = (form.get("data") or {}).get("content"), (form.get("meta") or {}).get("name")
        if isinstance(text, str) and text.strip():
            yield endpoint("files.updateText", params={"file_id": str(id)}, body={"content": text}, absent=None)
        if name:
            yield endpoint("files.rename", params={"file_id": str(id)}, body={"filename": name}, absent=None)
        return (yield from _get(id))

    @either
    def update_file_metadata_by_id(self, id: str, meta: dict[str, Any], db: Any = None) -> Steps[FileModel | None]:
        if (meta or {}).get("name"):
            yield endpoint("files.rename", params={"file_id": str(id)}, body={"filename": meta["name"]}, absent=None)
        return (yield from _get(id))

    @either
    def delete_file_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return (yield endpoint("files.remove", params={"file_id": str(id)}, absent=None)) is not None


Files = FilesTable()


async def read_bytes(identifier: str) -> bytes:
    """The bytes of a stored file."""
    return b"".join([piece async for piece in host.stream("files.read", {"id": identifier})])


async def fetch_path(file: FileModel) -> str:
    """The path of a copy, without keeping the loop waiting."""
    return await asyncio.to_thread(lambda: file.path)


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
