"""Folders and settings. Settings are objects with a `value`, which is read from the gateway each time."""

from __future__ import annotations

import re
from typing import Any

from open_webui._gateway import local_files
from open_webui._gateway.config_values import AppConfig, PersistentConfig, config, shown_settings
from open_webui._gateway.missing import missing_name
from open_webui.env import BASE_DIR, DATA_DIR, OPEN_WEBUI_DIR, STATIC_DIR, VERSION

CACHE_DIR = DATA_DIR / "cache"
CACHE_DIR.mkdir(parents=True, exist_ok=True)
UPLOAD_DIR = local_files.uploads_folder()
CONFIG_DATA = config

_SETTING = re.compile(r"^[A-Z][A-Z0-9_]+$")
#: Settings whose name plugins know by another one.
_OTHER_NAMES = {"RAG_TOP_K": "TOP_K", "RAG_RELEVANCE_THRESHOLD": "RELEVANCE_THRESHOLD"}


def get_config() -> dict[str, Any]:
    """All settings plugins may see, by name."""
    return dict(shown_settings())


def get_config_value(config_path: str) -> Any:
    return config.get(config_path)


def __getattr__(name: str) -> Any:
    if _SETTING.match(name) and not name.endswith(("_KEY", "_SECRET", "_PASSWORD", "_TOKEN")):
        return PersistentConfig(_OTHER_NAMES.get(name, name))
    return missing_name(__name__, name)


__all__ = [
    "BASE_DIR",
    "CACHE_DIR",
    "CONFIG_DATA",
    "DATA_DIR",
    "OPEN_WEBUI_DIR",
    "STATIC_DIR",
    "UPLOAD_DIR",
    "VERSION",
    "AppConfig",
    "PersistentConfig",
    "config",
    "get_config",
    "get_config_value",
]
