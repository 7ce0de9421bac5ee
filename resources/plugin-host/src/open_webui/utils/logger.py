"""Logging. The output of plugins is already shown with their calls, so no setup is needed."""

from __future__ import annotations

import json
import logging
from typing import Any

from open_webui._gateway.missing import missing_name

logger = logging.getLogger("open_webui")


def start_logger() -> None:
    """Nothing to start."""


def stdout_format(record: dict[str, Any]) -> str:
    """The format of one line for loguru; what was bound to the logger follows as JSON."""
    line = "{time:YYYY-MM-DD HH:mm:ss.SSS} | {level: <8} | {name}:{function}:{line} - {message}"
    extra = {key: value for key, value in record["extra"].items() if key != "extra_json"}
    if extra:
        record["extra"]["extra_json"] = json.dumps(extra, default=str)
        line += " {extra[extra_json]}"
    return line + "\n{exception}"


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
