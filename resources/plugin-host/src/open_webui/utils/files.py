"""Pictures and files between the forms plugins meet them in: `data:` addresses and files of the gateway."""

from __future__ import annotations

import base64
import json
import mimetypes
import re
import uuid
from typing import Any

from open_webui._gateway.application_state import path_for
from open_webui._gateway.asking import Steps, either
from open_webui._gateway.missing import missing_name
from open_webui.models.files import Files, create, read_bytes

_DATA = re.compile(r"^data:([\w.+-]+/[\w.+-]+)?(?:;[^,]*)?;base64,(.*)$", re.DOTALL)
_PICTURE = re.compile(r"(!\[[^\]]*\]\()(data:image/[\w.+-]+;base64,[^)\s]+)(\))")
_FILE = re.compile(r"(?:^|/)api/v1/files/([\w-]+)(?:/content(?:/.*)?)?$")


def _decode(text: Any) -> tuple[bytes, str] | None:
    """The bytes of a `data:` address and their kind; None for anything else."""
    found = _DATA.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    try:
        return base64.b64decode(found[2]), found[1] or "application/octet-stream"
    except ValueError:
        return None


def _store(text: Any, metadata: Any, beginning: str = "") -> Steps[str | None]:
    decoded = _decode(text)
    if decoded is None or not decoded[1].startswith(beginning):
        return None
    content, kind = decoded
    name = f"{'generated-image' if kind.startswith('image/') else 'file'}{mimetypes.guess_extension(kind) or ''}"
    data = json.loads(json.dumps(metadata or {}, default=str))
    form = {"id": str(uuid.uuid4()), "filename": name, "meta": {"name": name, "content_type": kind, "data": data}}
    made = yield from create(form, content, process=False)
    return path_for("get_file_content_by_id", id=made.id) if made else None


@either
def get_image_url_from_base64(request: Any, base64_image_string: str, metadata: Any = None, user: Any = None) -> Steps[str | None]:
    """Keeps a picture as a file and answers its address; None for what is no picture."""
    return (yield from _store(base64_image_string, metadata, "image/"))


@either
def get_audio_url_from_base64(request: Any, base64_audio_string: str, metadata: Any = None, user: Any = None) -> Steps[str | None]:
    return (yield from _store(base64_audio_string, metadata, "audio/"))


@either
def get_file_url_from_base64(request: Any, base64_file_string: str, metadata: Any = None, user: Any = None) -> Steps[str | None]:
    return (yield from _store(base64_file_string, metadata))


@either
def convert_markdown_base64_images(request: Any, content: str, metadata: Any = None, user: Any = None) -> Steps[str]:
    """The text with pictures kept as files in the place of those it holds itself."""
    parts, end = [], 0
    for found in _PICTURE.finditer(content):
        address = yield from _store(found[2], metadata, "image/")
        parts += [content[end : found.start()], f"{found[1]}{address or found[2]}{found[3]}"]
        end = found.end()
    return "".join([*parts, content[end:]])


async def get_image_base64_from_file_id(id: str) -> str | None:
    """A stored picture as a `data:` address; None for what is no picture, or none the person may read."""
    file = await Files.get_file_by_id(id)
    kind = (file.meta or {}).get("content_type") if file else None
    if not file or not str(kind or "").startswith("image/"):
        return None
    return f"data:{kind};base64,{base64.b64encode(await read_bytes(id)).decode()}"


async def get_image_base64_from_url(url: str) -> str | None:
    """A picture of the gateway as a `data:` address; addresses of other places are not fetched and answer None."""
    if url.startswith("data:"):
        return url
    found = _FILE.search(url)
    return await get_image_base64_from_file_id(found[1]) if found else None


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
