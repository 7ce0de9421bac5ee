"""Completions under the name of the connections they were called by; every model is reached the same way."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.missing import missing_name
from open_webui.utils.chat import generate_chat_completion
from open_webui.utils.models import get_all_models


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)


generate_ollama_chat_completion = generate_openai_chat_completion = generate_chat_completion
__all__ = ["generate_chat_completion", "generate_ollama_chat_completion", "generate_openai_chat_completion", "get_all_models"]
