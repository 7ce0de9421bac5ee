"""Pipes as models: asked like every other model."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.missing import missing_name
from open_webui.utils.chat import generate_chat_completion

generate_function_chat_completion = generate_chat_completion


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
