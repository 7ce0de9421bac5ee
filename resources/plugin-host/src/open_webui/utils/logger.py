"""Logging. What plugins log is shown with their calls already, so there is nothing to set up."""

from __future__ import annotations

import logging
from typing import Any

from open_webui._gateway.missing import missing_name

logger = logging.getLogger("open_webui")


def start_logger() -> None:
    """Nothing to start."""


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
