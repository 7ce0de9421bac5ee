"""The database is the gateway's alone. Every name may be imported; whoever uses one is told what to do."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.missing import missing_name

REASON = "The database is the gateway's alone. Use the tables of open_webui.models, or a file in the plugin's own folder."


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
