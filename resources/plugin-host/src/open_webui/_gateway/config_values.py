"""Settings plugins may see, under the names releases of the host application gave them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from .asking import Ask, answer

#: Dotted keys of later releases and the names the gateway knows.
DOTTED = {
    "webui.name": "WEBUI_NAME",
    "webui.url": "WEBUI_URL",
    "ui.default_locale": "DEFAULT_LOCALE",
    "ui.default_models": "DEFAULT_MODELS",
    "ui.default_pinned_models": "DEFAULT_PINNED_MODELS",
    "ui.prompt_suggestions": "DEFAULT_PROMPT_SUGGESTIONS",
    "ui.banners": "WEBUI_BANNERS",
    "ui.enable_signup": "ENABLE_SIGNUP",
    "ui.default_user_role": "DEFAULT_USER_ROLE",
    "models.order_list": "MODEL_ORDER_LIST",
    "models.default_metadata": "DEFAULT_MODEL_METADATA",
    "models.default_params": "DEFAULT_MODEL_PARAMS",
    "task.model.default": "TASK_MODEL",
    "task.model.external": "TASK_MODEL_EXTERNAL",
    "task.title.enable": "ENABLE_TITLE_GENERATION",
    "task.title.prompt_template": "TITLE_GENERATION_PROMPT_TEMPLATE",
    "task.tags.enable": "ENABLE_TAGS_GENERATION",
    "task.tags.prompt_template": "TAGS_GENERATION_PROMPT_TEMPLATE",
    "task.follow_up.enable": "ENABLE_FOLLOW_UP_GENERATION",
    "task.follow_up.prompt_template": "FOLLOW_UP_GENERATION_PROMPT_TEMPLATE",
    "task.query.search.enable": "ENABLE_SEARCH_QUERY_GENERATION",
    "task.query.retrieval.enable": "ENABLE_RETRIEVAL_QUERY_GENERATION",
    "task.query.prompt_template": "QUERY_GENERATION_PROMPT_TEMPLATE",
    "task.image.prompt_template": "IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE",
    "task.tools.prompt_template": "TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE",
    "task.autocomplete.enable": "ENABLE_AUTOCOMPLETE_GENERATION",
    "rag.template": "RAG_TEMPLATE",
    "rag.top_k": "TOP_K",
    "rag.top_k_reranker": "TOP_K_RERANKER",
    "rag.relevance_threshold": "RELEVANCE_THRESHOLD",
    "rag.enable_hybrid_search": "ENABLE_RAG_HYBRID_SEARCH",
    "rag.full_context": "RAG_FULL_CONTEXT",
    "rag.bypass_embedding_and_retrieval": "BYPASS_EMBEDDING_AND_RETRIEVAL",
    "rag.chunk_size": "CHUNK_SIZE",
    "rag.chunk_overlap": "CHUNK_OVERLAP",
    "rag.text_splitter": "TEXT_SPLITTER",
    "rag.embedding_engine": "RAG_EMBEDDING_ENGINE",
    "rag.embedding_model": "RAG_EMBEDDING_MODEL",
    "rag.file.max_size": "FILE_MAX_SIZE",
    "rag.file.max_count": "FILE_MAX_COUNT",
    "rag.file.allowed_extensions": "ALLOWED_FILE_EXTENSIONS",
    "web.search.enable": "ENABLE_WEB_SEARCH",
    "web.search.engine": "WEB_SEARCH_ENGINE",
    "web.search.result_count": "WEB_SEARCH_RESULT_COUNT",
    "web.search.domain.filter_list": "WEB_SEARCH_DOMAIN_FILTER_LIST",
    "image_generation.enable": "ENABLE_IMAGE_GENERATION",
    "code_interpreter.enable": "ENABLE_CODE_INTERPRETER",
    "code_execution.enable": "ENABLE_CODE_EXECUTION",
    "memories.enable": "ENABLE_MEMORIES",
    "notes.enable": "ENABLE_NOTES",
    "folders.enable": "ENABLE_FOLDERS",
    "channels.enable": "ENABLE_CHANNELS",
    "user.permissions": "USER_PERMISSIONS",
    "evaluation.arena.enable": "ENABLE_EVALUATION_ARENA_MODELS",
    "audio.stt.engine": "AUDIO_STT_ENGINE",
    "audio.tts.engine": "AUDIO_TTS_ENGINE",
}
_FRESH_SECONDS = 2.0
_read_at = 0.0
_values: dict[str, Any] = {}


def shown_settings() -> dict[str, Any]:
    """All settings the gateway shows to plugins."""
    global _read_at, _values
    if time.monotonic() - _read_at > _FRESH_SECONDS:
        _values = answer(Ask("config.get", {}))
        _read_at = time.monotonic()
    return _values


def setting_name(key: str) -> str:
    return DOTTED.get(key, key)


class AppConfig:
    """`app.state.config`: settings by name. Values set by plugins stay in their process."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        values = shown_settings()
        if name not in values:
            raise AttributeError(f"The gateway has no setting {name} that plugins may see.")
        return values[name]

    def get(self, name: str, default: Any = None) -> Any:
        return getattr(self, setting_name(name), default)

    def __contains__(self, name: str) -> bool:
        return setting_name(name) in shown_settings()

    def __iter__(self) -> Iterator[str]:
        return iter(shown_settings())


class PersistentConfig:
    """A setting as modules of earlier releases export it: read through `value`."""

    def __init__(self, env_name: str, config_path: str = "", env_value: Any = None) -> None:
        self.env_name = env_name
        self.config_path = config_path
        self._default = env_value

    @property
    def value(self) -> Any:
        return shown_settings().get(self.env_name, self._default)

    def __str__(self) -> str:
        return str(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)


config = AppConfig()
