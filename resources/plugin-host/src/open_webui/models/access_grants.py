"""Grants are not shown to plugins."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.absent import AbsentTable
from open_webui._gateway.missing import missing_name

AccessGrants = AbsentTable("Grant", "Access is decided by the gateway with every request of the plugin.")


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
