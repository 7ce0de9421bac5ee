"""The application object, and functions the host application's main module re-exports."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.http import HTTPException, Request, UploadFile
from open_webui._gateway.missing import missing_name
from open_webui.env import VERSION
from open_webui.utils.chat import chat_completion, generate_chat_completion, generate_chat_completions
from open_webui.utils.models import get_all_models, get_models
from plugin_host.application import app


def __getattr__(name: str) -> Any:
    import importlib

    # Older plugins take what later stands in modules of its own.
    for module in ("open_webui.utils.misc", "open_webui.config", "open_webui.env", "open_webui.constants"):
        found = vars(importlib.import_module(module)).get(name)
        if found is not None and not name.startswith("_"):
            return found
    return missing_name(__name__, name)


__all__ = [
    "VERSION",
    "HTTPException",
    "Request",
    "UploadFile",
    "app",
    "chat_completion",
    "generate_chat_completion",
    "generate_chat_completions",
    "get_all_models",
    "get_models",
]
