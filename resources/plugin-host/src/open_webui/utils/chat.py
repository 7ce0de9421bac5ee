"""Completions: the model alone, without filters, tools and sources. Always asked as the person the plugin runs for."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.completions import complete, read_call
from open_webui._gateway.missing import fail, missing_name


async def generate_chat_completion(*args: Any, **named: Any) -> Any:
    """`(request, form_data, user, bypass_filter=False, bypass_system_prompt=False)`; older callers leave the request out."""
    flags = [value for value in args if isinstance(value, bool)]
    bypass = named.get("bypass_system_prompt", flags[1] if len(flags) > 1 else False)
    return await complete(read_call(args, named), bool(bypass))


generate_chat_completions = chat_completion = generate_direct_chat_completion = generate_chat_completion


async def chat_completed(*args: Any, **named: Any) -> Any:
    fail("open_webui.utils.chat.chat_completed", "Outlets run by themselves when an answer is complete.")


async def chat_action(*args: Any, **named: Any) -> Any:
    fail("open_webui.utils.chat.chat_action", "Buttons are run by the person who clicks them.")


def __getattr__(name: str) -> Any:
    if name == "get_all_models":
        from open_webui.utils.models import get_all_models

        return get_all_models
    return missing_name(__name__, name)
