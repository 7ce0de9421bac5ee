"""Pictures: storing them works; making them needs an image engine, which the gateway does not have yet."""

from __future__ import annotations

import base64
import json
import mimetypes
import sys
import uuid
from typing import Any

from pydantic import BaseModel, ConfigDict

from open_webui._gateway.application_state import path_for
from open_webui._gateway.asking import Steps, run, run_async
from open_webui._gateway.call_site import is_unpacked, wants_awaitable
from open_webui._gateway.http import HTTPException
from open_webui._gateway.missing import log, missing_name
from open_webui.models.files import FileModel, create

NOT_SET_UP = "There is no image engine set up in this gateway, so no pictures can be made."


class GenerateImageForm(BaseModel):
    model: str | None = None
    prompt: str
    size: str | None = None
    n: int = 1
    steps: int | None = None
    negative_prompt: str | None = None
    model_config = ConfigDict(extra="allow", protected_namespaces=())


class CreateImageForm(GenerateImageForm):
    pass


class EditImageForm(BaseModel):
    image: Any
    prompt: str
    model: str | None = None
    size: str | None = None
    n: int | None = None
    negative_prompt: str | None = None
    model_config = ConfigDict(extra="allow", protected_namespaces=())


async def image_generations(*args: Any, **named: Any) -> Any:
    log.error("open_webui.routers.images.image_generations: %s", NOT_SET_UP)
    raise HTTPException(status_code=400, detail=NOT_SET_UP)


generate_images = image_edits = generate_image = image_generations


def load_b64_image_data(b64_str: str) -> tuple[bytes, str]:
    """Bytes and content type of a picture in base64, with or without the head of a data address."""
    head, _, body = b64_str.partition(",") if b64_str.startswith("data:") else ("", "", b64_str)
    kind = head.removeprefix("data:").partition(";")[0] or "image/png"
    return base64.b64decode(body), kind


get_image_data = load_b64_image_data


def _store(args: tuple[Any, ...], named: dict[str, Any]) -> Steps[tuple[FileModel, str]]:
    values = [value for key, value in named.items() if key not in ("request", "user", "db")] + [
        value for value in args if value is not None
    ]
    data = next((value for value in values if isinstance(value, bytes | bytearray)), None)
    if data is None:
        raise TypeError("There are no bytes of a picture.")
    kind = next((value for value in values if isinstance(value, str) and "/" in value), "image/png")
    metadata = next((value for value in values if isinstance(value, dict)), {})
    name = f"generated-image{mimetypes.guess_extension(kind) or '.png'}"
    form = {
        "id": str(uuid.uuid4()),
        "filename": name,
        "meta": {"name": name, "content_type": kind, "data": json.loads(json.dumps(metadata, default=str))},
    }
    made = yield from create(form, bytes(data), process=False)
    assert made
    return made, path_for("get_file_content_by_id", id=made.id)


def upload_image(*args: Any, **named: Any) -> Any:
    """
    Stores a picture. Plain calls answer its address, those whose value is taken apart and awaited ones `(file, address)`: each as the
    release did that the plugin was written for.
    """
    steps, frame = _store(args, named), sys._getframe(1)
    if wants_awaitable(frame):
        return run_async(steps)
    made = run(steps)
    return made if is_unpacked(frame) else made[1]


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
