"""Small texts beside a chat: titles, tags and the like, written by the model the form names, with the administrator's prompts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from open_webui._gateway.completions import complete, read_call
from open_webui._gateway.config_values import shown_settings
from open_webui._gateway.missing import missing_name
from open_webui.utils.task import title_generation_template
from plugin_host import host

EMOJI_TEMPLATE = "Answer with one emoji alone that fits this text, and with nothing else:\n{{prompt}}"


def _generator(
    name: str, task: str, template: Callable[[dict[str, Any]], str], switch: str | None = None
) -> Callable[..., Awaitable[dict[str, Any]]]:
    async def generate(*args: Any, **named: Any) -> dict[str, Any]:
        form = read_call(args, named)
        settings = shown_settings()
        if switch is not None and settings.get(switch) is False:
            return {"detail": "This kind of generation is turned off. An administrator can turn it on in the settings."}
        messages = form.get("messages") or [{"role": "user", "content": str(form.get("prompt") or "")}]
        prompt = title_generation_template(template(settings), messages, host.given().get("user"))
        asked = {"model": form["model"], "messages": [{"role": "user", "content": prompt}], "stream": False, "metadata": {"task": task}}
        answer: dict[str, Any] = await complete(asked)
        return answer

    generate.__name__ = generate.__qualname__ = name
    generate.__doc__ = "`(request, form_data, user)`, form_data with model and messages: the chat completion that holds the text."
    return generate


def _setting(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda settings: str(settings.get(name) or "")


generate_title = _generator("generate_title", "title_generation", _setting("TITLE_GENERATION_PROMPT_TEMPLATE"), "ENABLE_TITLE_GENERATION")
generate_chat_tags = _generator("generate_chat_tags", "tags_generation", _setting("TAGS_GENERATION_PROMPT_TEMPLATE"), "ENABLE_TAGS_GENERATION")
generate_follow_ups = _generator(
    "generate_follow_ups", "follow_up_generation", _setting("FOLLOW_UP_GENERATION_PROMPT_TEMPLATE"), "ENABLE_FOLLOW_UP_GENERATION"
)
generate_queries = _generator("generate_queries", "query_generation", _setting("QUERY_GENERATION_PROMPT_TEMPLATE"))
generate_image_prompt = _generator("generate_image_prompt", "image_prompt_generation", _setting("IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE"))
generate_emoji = _generator("generate_emoji", "emoji_generation", lambda _: EMOJI_TEMPLATE)


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
