"""Sessions are not shown to plugins."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.absent import AbsentTable
from open_webui._gateway.missing import missing_name

OAuthSessions = AbsentTable("OAuthSession", "Sign-ins of people stay in the gateway, which calls the servers they are for.")


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
