"""Names of the environment plugins import. Values are those of this worker, not of the gateway's process."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

from open_webui._gateway.missing import missing_name

#: The line of the host application's API the gateway answers as.
VERSION = "0.9.6"
ENV = "prod"
WEBUI_BUILD_HASH = "gateway"
BASE_DIR = BACKEND_DIR = OPEN_WEBUI_DIR = Path.cwd()
DATA_DIR = BASE_DIR / "data"
STATIC_DIR = DATA_DIR / "static"
FRONTEND_BUILD_DIR = DATA_DIR / "build"
FONTS_DIR = STATIC_DIR / "fonts"
DATA_DIR.mkdir(parents=True, exist_ok=True)

GLOBAL_LOG_LEVEL = "INFO"
log = logging.getLogger("open_webui")


class LogLevels(dict[str, Any]):
    """Any part of the host application has a level."""

    def __missing__(self, key: str) -> int:
        return logging.INFO

    def get(self, key: str, default: Any = None) -> Any:
        return self[key]


SRC_LOG_LEVELS = LogLevels()
log_sources = ["AUDIO", "COMFYUI", "CONFIG", "DB", "IMAGES", "MAIN", "MODELS", "OLLAMA", "OPENAI", "RAG", "WEBHOOK", "SOCKET", "OAUTH"]

AIOHTTP_CLIENT_TIMEOUT: int | None = None
AIOHTTP_CLIENT_TIMEOUT_MODEL_LIST = AIOHTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST = 10
AIOHTTP_CLIENT_TIMEOUT_TOOL_SERVER_DATA = 10
AIOHTTP_CLIENT_SESSION_SSL = AIOHTTP_CLIENT_SESSION_TOOL_SERVER_SSL = True
AIOHTTP_CLIENT_ALLOW_REDIRECTS = True
REQUESTS_VERIFY = True

ENABLE_FORWARD_USER_INFO_HEADERS = False
FORWARD_USER_INFO_HEADER_USER_NAME = "X-Service-User-Name"
FORWARD_USER_INFO_HEADER_USER_ID = "X-Service-User-Id"
FORWARD_USER_INFO_HEADER_USER_EMAIL = "X-Service-User-Email"
FORWARD_USER_INFO_HEADER_USER_ROLE = "X-Service-User-Role"
FORWARD_SESSION_INFO_HEADER_CHAT_ID = "X-Service-Chat-Id"
FORWARD_SESSION_INFO_HEADER_MESSAGE_ID = "X-Service-Message-Id"

WEBUI_AUTH = True
WEBUI_URL = os.environ.get("WEBUI_URL", "")
WEBUI_FAVICON_URL = ""
WEBUI_AUTH_TRUSTED_EMAIL_HEADER = None
BYPASS_MODEL_ACCESS_CONTROL = False
OFFLINE_MODE = os.environ.get("OFFLINE_MODE", "false").lower() == "true"
SAFE_MODE = False
DEVICE_TYPE = "cpu"
USE_CUDA = "false"
ENABLE_REALTIME_CHAT_SAVE = True
ENABLE_CHAT_RESPONSE_BASE64_IMAGE_URL_CONVERSION = False
ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS = True
CHAT_RESPONSE_STREAM_DELTA_CHUNK_SIZE = 1
CHAT_RESPONSE_MAX_TOOL_CALL_RETRIES = CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS = 30
WEBSOCKET_MANAGER = ""
REDIS_URL = WEBSOCKET_REDIS_URL = ""
DATABASE_URL = ""
PIP_OPTIONS: list[str] = []
PIP_PACKAGE_INDEX_OPTIONS: list[str] = []


def __getattr__(name: str) -> Any:
    if name == "WEBUI_SECRET_KEY":
        # A value of the plugin's own, which stays the same.
        return os.environ.get(name, "")
    if name == "WEBUI_NAME":
        from open_webui._gateway.config_values import config

        return config.get(name, "")
    if name.isupper() and name in os.environ:
        return os.environ[name]
    return missing_name(__name__, name)
