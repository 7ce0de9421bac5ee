"""Files, as routes of the host application are called from plugins."""

from __future__ import annotations

import inspect
import json
import mimetypes
import uuid
from typing import Any

from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.http import HTTPException, to_http
from open_webui._gateway.missing import missing_name
from open_webui.models.files import FileModel, create, fetch_path, to_file
from plugin_host.host import GatewayError


def _of_upload(upload: Any) -> tuple[bytes, str, str | None]:
    """Bytes, name and content type of an upload, of any class."""
    raw = getattr(upload, "file", upload)
    if hasattr(raw, "seek"):
        raw.seek(0)
    content = raw if isinstance(raw, bytes) else raw.read()
    if inspect.isawaitable(content):
        raise TypeError("Uploads have to be readable without waiting.")
    name = str(getattr(upload, "filename", None) or getattr(upload, "name", None) or "file")
    kind = getattr(upload, "content_type", None) or mimetypes.guess_type(name)[0]
    return content, name, str(kind) if kind else None


def _metadata(given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            raise HTTPException(status_code=400, detail="The metadata of the file is no JSON.") from None
    return dict(given or {})


def _store(args: tuple[Any, ...], named: dict[str, Any]) -> Steps[FileModel]:
    """Arguments by name, or by what they are: releases changed their order."""
    upload = named.get("file")
    if upload is None:
        upload = next((value for value in args if hasattr(value, "file") or (hasattr(value, "read") and hasattr(value, "filename"))), None)
    if upload is None:
        raise TypeError("There is no file to upload.")
    metadata = named.get("metadata", named.get("file_metadata"))
    if metadata is None:
        metadata = next((value for value in args if isinstance(value, dict | str)), None)
    flags = [value for value in args if isinstance(value, bool)]
    process = named.get("process", flags[0] if flags else True)
    background = named.get("process_in_background", flags[1] if len(flags) > 1 else True)
    content, name, kind = _of_upload(upload)
    form = {"id": str(uuid.uuid4()), "filename": name, "meta": {"name": name, "content_type": kind, "data": _metadata(metadata)}}
    try:
        made = yield from create(form, content, process=bool(process), background=bool(background))
    except GatewayError as error:
        raise to_http(error) from error
    assert made
    return made


@either
def upload_file_handler(*args: Any, **named: Any) -> Steps[FileModel]:
    """`(request, file, metadata=None, process=True, process_in_background=True, user=None, …)`; stored as the person's."""
    return (yield from _store(args, named))


@either
def upload_file(*args: Any, **named: Any) -> Steps[FileModel]:
    return (yield from _store(args, named))


@either
def get_file_by_id(id: str, user: Any = None, db: Any = None) -> Steps[FileModel]:
    found = to_file((yield Ask("files.get", {"id": str(id), "content": True}, None)))
    if not found:
        raise HTTPException(status_code=404, detail="There is no such file.")
    return found


@either
def get_file_data_content_by_id(id: str, user: Any = None, db: Any = None) -> Steps[dict[str, Any]]:
    found = yield Ask("files.get", {"id": str(id), "content": True}, None)
    if not found:
        raise HTTPException(status_code=404, detail="There is no such file.")
    return {"content": (found.get("data") or {}).get("content", "")}


@either
def delete_file_by_id(id: str, user: Any = None, db: Any = None) -> Steps[dict[str, Any]]:
    return (yield endpoint("files.remove", params={"file_id": str(id)}))


@either
def update_file_data_content_by_id(id: str, form_data: Any, *rest: Any, **named: Any) -> Steps[dict[str, Any]]:
    text = form_data.get("content") if isinstance(form_data, dict) else form_data.content
    return (yield endpoint("files.updateText", params={"file_id": str(id)}, body={"content": text}))


async def get_file_content_by_id(id: str, user: Any = None, attachment: bool = False, db: Any = None) -> Any:
    """A response with the bytes; a copy of the file is its `path`."""
    file = await get_file_by_id(id)
    path = await fetch_path(file)
    kind = (file.meta or {}).get("content_type") or "application/octet-stream"
    try:
        from starlette.responses import FileResponse
    except ImportError:
        return _FileAnswer(path, kind, file.filename)
    return FileResponse(path, media_type=kind, filename=file.filename)


class _FileAnswer:
    def __init__(self, path: str, media_type: str, filename: str) -> None:
        self.path = path
        self.media_type = media_type
        self.filename = filename
        self.status_code = 200
        self.headers = {"content-type": media_type}


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
