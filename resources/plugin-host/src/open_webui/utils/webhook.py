"""Webhooks, which the gateway sends itself to the address of the administrator or the person."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.missing import fail, missing_name


async def post_webhook(*args: Any, **named: Any) -> Any:
    fail("open_webui.utils.webhook.post_webhook", "The gateway sends its webhooks itself; call the address from the plugin instead.")


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
