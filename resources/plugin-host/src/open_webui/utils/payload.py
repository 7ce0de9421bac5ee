"""Changes to the body of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from open_webui._gateway.missing import missing_name
from open_webui.utils.misc import add_or_update_system_message, deep_update, replace_system_message_content
from open_webui.utils.task import prompt_template, prompt_variables_template

Body = dict[str, Any]


def apply_system_prompt_to_body(
    system: str | None, form_data: Body, metadata: Body | None = None, user: Any = None, replace: bool = False
) -> Body:
    """Puts a system prompt in front, its variables filled in."""
    if not system:
        return form_data
    text = prompt_variables_template(system, (metadata or {}).get("variables") or {})
    text = prompt_template(text, user)
    put = replace_system_message_content if replace else add_or_update_system_message
    form_data["messages"] = put(text, form_data.get("messages", []))
    return form_data


def apply_model_system_prompt_to_body(params: Body, form_data: Body, metadata: Body | None = None, user: Any = None) -> Body:
    return apply_system_prompt_to_body(params.get("system"), form_data, metadata, user)


def apply_model_params_to_body(params: Body, form_data: Body, mappings: dict[str, Callable[[Any], Any]]) -> Body:
    """Puts the parameters that have a conversion into the body."""
    custom = params.get("custom_params")
    if isinstance(custom, dict):
        deep_update(form_data, custom)
    for key, convert in mappings.items():
        if params.get(key) is not None:
            form_data[key] = convert(params[key])
    return form_data


OPENAI_PARAMS: dict[str, Callable[[Any], Any]] = {
    "temperature": float, "top_p": float, "min_p": float, "max_tokens": int, "frequency_penalty": float, "presence_penalty": float,
    "reasoning_effort": str, "seed": int, "stop": list, "logit_bias": dict, "response_format": dict,
}  # fmt: skip


def apply_model_params_to_body_openai(params: Body, form_data: Body) -> Body:
    return apply_model_params_to_body(params, form_data, OPENAI_PARAMS)


def remove_open_webui_params(params: Body) -> Body:
    """Without the parameters the gateway obeys itself."""
    own = ("stream_response", "stream_delta_chunk_size", "function_calling", "reasoning_tags", "system")
    return {key: value for key, value in params.items() if key not in own}


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
