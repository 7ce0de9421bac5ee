"""Pictures: making, editing and storing them, as routes of the host application are called from plugins."""

from __future__ import annotations

import base64
import json
import mimetypes
import sys
import uuid
from typing import Any

from pydantic import BaseModel, ConfigDict

from open_webui._gateway.application_state import path_for
from open_webui._gateway.asking import Ask, Steps, awaited, endpoint, run, run_async
from open_webui._gateway.call_site import is_unpacked, wants_awaitable
from open_webui._gateway.http import to_http
from open_webui._gateway.missing import missing_name
from open_webui.models.files import FileModel, create
from plugin_host.host import GatewayError


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


def _form(args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The form of a call, given by name or in any place; as a record or as a dictionary."""
    given = [named.get("form_data"), *args]
    found = next((value for value in given if hasattr(value, "prompt") or (isinstance(value, dict) and "prompt" in value)), None)
    if found is None:
        raise TypeError("There is no form with a prompt.")
    values = found if isinstance(found, dict) else found.model_dump()
    return {key: value for key, value in values.items() if value is not None}


def _asked(ask: Ask) -> Steps[list[dict[str, str]]]:
    try:
        return (yield ask)
    except GatewayError as error:
        raise to_http(error) from error


@awaited
def image_generations(*args: Any, **named: Any) -> Steps[list[dict[str, str]]]:
    """`(request, form_data, metadata, user)`: makes pictures and answers their addresses."""
    return (yield from _asked(endpoint("images.generate", body=_form(args, named))))


@awaited
def image_edits(*args: Any, **named: Any) -> Steps[list[dict[str, str]]]:
    """`(request, form_data, metadata, user)`: makes pictures from others and answers their addresses."""
    return (yield from _asked(endpoint("images.edit", body={"form_data": _form(args, named)})))


@awaited
def get_models(*args: Any, **named: Any) -> Steps[list[dict[str, str]]]:
    return (yield from _asked(endpoint("images.models")))


generate_images = generate_image = image_generations


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
