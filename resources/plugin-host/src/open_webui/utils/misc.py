"""Small functions over messages, texts and answers."""

from __future__ import annotations

import hashlib
import json
import re
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any

from open_webui._gateway.missing import missing_name

Message = dict[str, Any]


def deep_update(d: dict[Any, Any], u: dict[Any, Any]) -> dict[Any, Any]:
    """Puts `u` into `d`, dictionaries within dictionaries too."""
    for key, value in u.items():
        if isinstance(value, dict) and isinstance(d.get(key, {}), dict):
            d[key] = deep_update(d.get(key, {}), value)
        else:
            d[key] = value
    return d


def get_allow_block_lists(filter_list: Iterable[str] | None) -> tuple[list[str], list[str]]:
    """Entries that allow, and those that block, which begin with an exclamation mark."""
    entries = [entry.strip() for entry in filter_list or () if entry.strip()]
    return [entry for entry in entries if not entry.startswith("!")], [entry[1:].strip() for entry in entries if entry.startswith("!")]


def is_string_allowed(string: str | Iterable[str], filter_list: list[str] | None = None) -> bool:
    """Whether a text, or any of several, ends with an allowed entry and none with a blocked one."""
    if not filter_list:
        return True
    allowed, blocked = get_allow_block_lists(filter_list)
    texts = [string] if isinstance(string, str) else list(string)
    if allowed and not any(text.endswith(entry) for text in texts for entry in allowed):
        return False
    return not any(text.endswith(entry) for text in texts for entry in blocked)


def get_message_list(messages_map: dict[str, Message] | None, message_id: str | None) -> list[Message]:
    """The messages from the first one down to `message_id`."""
    thread: list[Message] = []
    seen: set[str] = set()
    while messages_map and message_id and message_id not in seen and message_id in messages_map:
        seen.add(message_id)
        thread.append(messages_map[message_id])
        message_id = messages_map[message_id].get("parentId")
    return thread[::-1]


def get_content_from_message(message: Message) -> str | None:
    """The text of a message; of a content in parts, the first text."""
    content = message.get("content")
    if isinstance(content, list):
        return next((part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"), None)
    return content


def get_messages_content(messages: list[Message]) -> str:
    return "\n".join(f"{str(message['role']).upper()}: {get_content_from_message(message)}" for message in messages)


def _last(messages: list[Message], role: str) -> Message | None:
    return next((message for message in reversed(messages) if message.get("role") == role), None)


def get_last_user_message_item(messages: list[Message]) -> Message | None:
    return _last(messages, "user")


def get_last_user_message(messages: list[Message]) -> str | None:
    message = _last(messages, "user")
    return get_content_from_message(message) if message else None


def get_last_assistant_message_item(messages: list[Message]) -> Message | None:
    return _last(messages, "assistant")


def get_last_assistant_message(messages: list[Message]) -> str | None:
    message = _last(messages, "assistant")
    return get_content_from_message(message) if message else None


def set_last_user_message_content(content: str, messages: list[Message]) -> list[Message]:
    message = _last(messages, "user")
    if message:
        _set_text(message, lambda _: content)
    return messages


def get_system_message(messages: list[Message]) -> Message | None:
    return next((message for message in messages if message.get("role") == "system"), None)


def remove_system_message(messages: list[Message]) -> list[Message]:
    return [message for message in messages if message.get("role") != "system"]


def pop_system_message(messages: list[Message]) -> tuple[Message | None, list[Message]]:
    """The system message, and the others."""
    return get_system_message(messages), remove_system_message(messages)


def _set_text(message: Message, change: Callable[[str], str]) -> Message:
    content = message.get("content")
    if isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") == "text":
                part["text"] = change(str(part.get("text") or ""))
    else:
        message["content"] = change(str(content or ""))
    return message


def update_message_content(message: Message, content: str, append: bool = True) -> Message:
    return _set_text(message, lambda text: f"{text}\n{content}" if append else f"{content}\n{text}")


def replace_system_message_content(content: str, messages: list[Message]) -> list[Message]:
    message = get_system_message(messages)
    if message:
        message["content"] = content
    return messages


def add_or_update_system_message(content: str, messages: list[Message], append: bool = False) -> list[Message]:
    """Puts a text into the system message, in front unless `append`; there is one afterwards. Changes the list."""
    if messages and messages[0].get("role") == "system":
        update_message_content(messages[0], content, append)
    else:
        messages.insert(0, {"role": "system", "content": content})
    return messages


def add_or_update_user_message(content: str, messages: list[Message], append: bool = True) -> list[Message]:
    if messages and messages[-1].get("role") == "user":
        update_message_content(messages[-1], content, append)
    else:
        messages.append({"role": "user", "content": content})
    return messages


def prepend_to_first_user_message_content(content: str, messages: list[Message]) -> list[Message]:
    message = next((message for message in messages if message.get("role") == "user"), None)
    if message:
        update_message_content(message, content, append=False)
    return messages


def append_or_update_assistant_message(content: str, messages: list[Message]) -> list[Message]:
    if messages and messages[-1].get("role") == "assistant":
        update_message_content(messages[-1], content)
    else:
        messages.append({"role": "assistant", "content": content})
    return messages


def merge_system_messages(messages: list[Message]) -> list[Message]:
    texts = [str(get_content_from_message(message) or "") for message in messages if message.get("role") == "system"]
    rest = remove_system_message(messages)
    return [{"role": "system", "content": "\n".join(texts)}, *rest] if texts else rest


def openai_chat_message_template(model: str) -> dict[str, Any]:
    return {
        "id": f"{model}-{uuid.uuid4()}",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "logprobs": None, "finish_reason": None}],
    }


def openai_chat_chunk_message_template(
    model: str,
    content: str | None = None,
    reasoning_content: str | None = None,
    tool_calls: list[dict[str, Any]] | None = None,
    usage: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """One piece of a streamed answer; without anything to say, the last one."""
    template = openai_chat_message_template(model)
    delta = {"content": content, "reasoning_content": reasoning_content, "tool_calls": tool_calls}
    said = {key: value for key, value in delta.items() if value}
    choice = template["choices"][0]
    choice["delta"] = said
    if not said:
        choice["finish_reason"] = "stop"
    template["object"] = "chat.completion.chunk"
    if usage:
        template["usage"] = usage
    return template


def openai_chat_completion_message_template(
    model: str,
    message: str | None = None,
    reasoning_content: str | None = None,
    tool_calls: list[dict[str, Any]] | None = None,
    usage: dict[str, Any] | None = None,
) -> dict[str, Any]:
    template = openai_chat_message_template(model)
    template["object"] = "chat.completion"
    choice = template["choices"][0]
    if message is not None:
        said = {"reasoning_content": reasoning_content, "tool_calls": tool_calls}
        choice["message"] = {"role": "assistant", "content": message, **{key: value for key, value in said.items() if value}}
    choice["finish_reason"] = "stop"
    if usage:
        template["usage"] = usage
    return template


def _output_text(item: dict[str, Any]) -> str:
    parts = item.get("content") or item.get("output") or []
    if isinstance(parts, str):
        return parts
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, dict))


def convert_output_to_messages(output: list[dict[str, Any]], raw: bool = False) -> list[Message]:
    """Messages of the items of an answer: texts, calls of tools and their results. With `raw`, reasoning is kept as text."""
    messages: list[Message] = []
    for item in output or []:
        kind = item.get("type")
        if kind == "message":
            messages.append({"role": item.get("role") or "assistant", "content": _output_text(item)})
        elif kind == "reasoning" and raw:
            messages.append({"role": "assistant", "content": f"<think>\n{_output_text(item)}\n</think>"})
        elif kind == "function_call":
            function = {"name": item.get("name", ""), "arguments": item.get("arguments") or "{}"}
            call = {"id": item.get("call_id") or item.get("id"), "type": "function", "function": function}
            if messages and messages[-1]["role"] == "assistant":
                messages[-1].setdefault("tool_calls", []).append(call)
            else:
                messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        elif kind == "function_call_output":
            messages.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": _output_text(item)})
    return messages


def get_gravatar_url(email: str) -> str:
    digest = hashlib.sha256(str(email).strip().lower().encode()).hexdigest()
    return f"https://www.gravatar.com/avatar/{digest}?d=mp"


def calculate_sha256(file: Any, chunk_size: int | None = None) -> str:
    digest = hashlib.sha256()
    for piece in iter(lambda: file.read(chunk_size or 65536), b""):
        digest.update(piece)
    return digest.hexdigest()


def calculate_sha256_string(string: str) -> str:
    return hashlib.sha256(string.encode("utf-8")).hexdigest()


def validate_email_format(email: str) -> bool:
    return email.endswith("@localhost") or re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", email) is not None


def sanitize_filename(file_name: str) -> str:
    """Lower case, dashes for spaces, nothing else than word characters, dots and dashes."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s.-]", "", file_name.lower()).strip())


def sanitize_text_for_db(text: Any) -> Any:
    return text.replace("\x00", "").encode("utf-8", "ignore").decode() if isinstance(text, str) else text


def extract_folders_after_data_docs(path: str | Path) -> list[str]:
    parts = Path(path).parts
    for place in range(len(parts) - 1):
        if parts[place : place + 2] == ("data", "docs"):
            return list(parts[place + 2 : -1])
    return []


_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def parse_duration(duration: str) -> timedelta | None:
    """A time such as `1h30m`; None for no end (`-1`, `0`)."""
    if duration in ("-1", "0"):
        return None
    found = re.findall(r"(-?\d+(?:\.\d+)?)(ms|[smhdw])", duration)
    if not found:
        raise ValueError(f"{duration!r} is no duration.")
    return timedelta(seconds=sum(float(number) * _UNITS[unit] for number, unit in found))


def extract_urls(text: str) -> list[str]:
    return re.findall(r"https?://[^\s<>\"'\])}]+", text)


def convert_logit_bias_input_to_json(logit_bias_input: str | dict[str, Any] | None) -> str | None:
    """JSON of pairs such as `50256:-100`, kept between -100 and 100."""
    if not logit_bias_input:
        return None
    if isinstance(logit_bias_input, dict):
        return json.dumps(logit_bias_input)
    pairs = (pair.rpartition(":") for pair in logit_bias_input.split(",") if ":" in pair)
    return json.dumps({token.strip(): max(-100, min(100, int(bias))) for token, _, bias in pairs})


def strict_match_mime_type(supported: list[str] | str, header: str) -> str | None:
    """The content type of a header when it is one of those supported, which may end with `*`."""
    wanted = [entry.strip() for entry in (supported.split(",") if isinstance(supported, str) else supported) if entry.strip()]
    kind = header.partition(";")[0].strip().lower()
    fits = any(kind == entry.lower() or (entry.endswith("*") and kind.startswith(entry[:-1].lower())) for entry in wanted)
    return kind if fits else None


def freeze(value: Any) -> Any:
    """The value in a form that can be a key."""
    if isinstance(value, dict):
        return frozenset((key, freeze(item)) for key, item in value.items())
    return tuple(map(freeze, value)) if isinstance(value, list) else value


def throttle(interval: float = 10.0) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Lets calls with the same arguments through once in so many seconds."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        last: dict[Any, float] = {}

        @wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            key, now = (freeze(list(args)), freeze(named)), time.monotonic()
            if now - last.get(key, -interval) < interval:
                return None
            last[key] = now
            return function(*args, **named)

        return call

    return decorate


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
