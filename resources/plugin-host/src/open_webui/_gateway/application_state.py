"""Values of `app.state`, and the paths of routes by name."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from plugin_host import host
from plugin_host.application import app, provide

from .asking import Ask, Steps, answer, either
from .config_values import config

ROUTES = {
    "get_file_by_id": "/api/v1/files/{id}",
    "get_file_content_by_id": "/api/v1/files/{id}/content",
    "get_html_file_content_by_id": "/api/v1/files/{id}/content/html",
    "get_file_data_content_by_id": "/api/v1/files/{id}/data/content",
    "upload_file": "/api/v1/files/",
    "list_files": "/api/v1/files/",
    "get_models": "/api/models",
    "chat_completion": "/api/chat/completions",
    "get_chat_by_id": "/api/v1/chats/{id}",
    "get_user_profile_image_by_id": "/api/v1/users/{user_id}/profile/image",
    "get_knowledge_by_id": "/api/v1/knowledge/{id}",
    "get_model_profile_image": "/api/v1/models/model/profile/image",
}
_models: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def path_for(name: str, **parameters: Any) -> str:
    if name not in ROUTES:
        raise LookupError(f"There is no route named {name!r} for plugins.")
    return ROUTES[name].format(**{key: quote(str(value), safe="") for key, value in parameters.items()})


def models() -> dict[str, Any]:
    """The models of the person, by id; asked once in a call."""
    call = host.current_call()
    known = _models.get(call) if call else None
    if known is None:
        known = {model["id"]: model for model in answer(Ask("models.list", {}, []))}
        if call:
            _models[call] = known
    return known


@either
def embed(query: str | list[str], prefix: str | None = None, user: Any = None) -> Steps[Any]:
    """Vectors of texts: one for a text, a list for a list."""
    texts = [query] if isinstance(query, str) else list(query)
    vectors = yield Ask("embed", {"texts": [f"{prefix or ''}{text}" for text in texts]})
    return vectors[0] if isinstance(query, str) else vectors


def install() -> None:
    app.path_for = path_for
    provide("MODELS", models)
    provide("OPENAI_MODELS", models)
    provide("OLLAMA_MODELS", dict)
    provide("BASE_MODELS", lambda: list(models().values()))
    provide("config", lambda: config)
    provide("EMBEDDING_FUNCTION", lambda: embed)
    provide("RERANKING_FUNCTION", lambda: None)
    provide("TOOL_SERVERS", list)
    provide("TERMINAL_SERVERS", list)
    provide("TOOLS", dict)
    provide("FUNCTIONS", dict)
    provide("redis", lambda: None)
    provide("main_loop", lambda: None)
    provide("WEBUI_NAME", lambda: config.get("WEBUI_NAME", ""))
