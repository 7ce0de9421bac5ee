"""Templates of prompts."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from open_webui._gateway.missing import missing_name
from open_webui.utils.misc import get_last_user_message, get_messages_content


def prompt_variables_template(template: str, variables: dict[str, Any]) -> str:
    for name, value in variables.items():
        template = template.replace(name if name.startswith("{{") else f"{{{{{name}}}}}", str(value))
    return template


def prompt_template(template: str, user: Any = None, user_location: str | None = None) -> str:
    """Fills in the date and what is known of the person."""
    now = datetime.now()
    facts = {"name": user} if isinstance(user, str) else user if isinstance(user, dict) else vars(user) if user is not None else {}
    values = {
        "CURRENT_DATE": now.strftime("%Y-%m-%d"),
        "CURRENT_TIME": now.strftime("%I:%M:%S %p"),
        "CURRENT_DATETIME": now.strftime("%Y-%m-%d %I:%M:%S %p"),
        "CURRENT_WEEKDAY": now.strftime("%A"),
        "USER_NAME": facts.get("name") or "Unknown",
        "USER_EMAIL": facts.get("email") or "Unknown",
        "USER_LOCATION": user_location or facts.get("location") or "Unknown",
    }
    return prompt_variables_template(template, values)


def replace_prompt_variable(template: str, prompt: str | None) -> str:
    """`{{prompt}}`, or a part of it: `{{prompt:start:n}}`, `{{prompt:end:n}}`, `{{prompt:middletruncate:n}}`."""
    text = prompt or ""

    def part(match: re.Match[str]) -> str:
        kind, length = match[1], int(match[2] or 0)
        if kind is None or len(text) <= length:
            return text
        if kind == "start":
            return text[:length]
        if kind == "end":
            return text[-length:]
        return f"{text[: (length + 1) // 2]}...{text[len(text) - length // 2 :]}"

    return re.sub(r"{{prompt(?::(start|end|middletruncate):(\d+))?}}", part, template)


def replace_messages_variable(template: str, messages: list[dict[str, Any]] | None) -> str:
    """`{{MESSAGES}}`, or some: `{{MESSAGES:START:n}}`, `{{MESSAGES:END:n}}`, `{{MESSAGES:MIDDLETRUNCATE:n}}`."""
    all_messages = messages or []

    def part(match: re.Match[str]) -> str:
        kind, count = match[1], int(match[2] or 0)
        if kind is None or len(all_messages) <= count:
            return get_messages_content(all_messages)
        if kind == "START":
            return get_messages_content(all_messages[:count])
        if kind == "END":
            return get_messages_content(all_messages[len(all_messages) - count :])
        start, end = all_messages[: (count + 1) // 2], all_messages[len(all_messages) - count // 2 :]
        return f"{get_messages_content(start)}\n...\n{get_messages_content(end)}"

    return re.sub(r"{{MESSAGES(?::(START|END|MIDDLETRUNCATE):(\d+))?}}", part, template)


def _filled(template: str, messages: list[dict[str, Any]], user: Any) -> str:
    return prompt_template(replace_messages_variable(replace_prompt_variable(template, get_last_user_message(messages)), messages), user)


def title_generation_template(template: str, messages: list[dict[str, Any]], user: Any = None) -> str:
    return _filled(template, messages, user)


tags_generation_template = follow_up_generation_template = query_generation_template = title_generation_template
image_prompt_generation_template = emoji_generation_template = title_generation_template


def rag_template(template: str, context: str, query: str) -> str:
    """Puts what was found, and the question, into the template."""
    for names, value in ((("[context]", "{{CONTEXT}}"), context), (("[query]", "{{QUERY}}"), query)):
        for name in names:
            template = template.replace(name, value)
    return template


def tools_function_calling_generation_template(template: str, tools_specs: str) -> str:
    return template.replace("{{TOOLS}}", tools_specs)


def get_task_model_id(default_model_id: str, task_model: str, task_model_external: str, models: dict[str, Any]) -> str:
    """The model for small tasks: the one set for local or for remote models, else that of the conversation."""
    model = models.get(default_model_id) or {}
    wanted = task_model if model.get("connection_type") == "local" or model.get("owned_by") == "ollama" else task_model_external
    return wanted if wanted and wanted in models else default_model_id


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
