"""Other plugins. Each runs where the gateway put it; only what stands in a plugin's source can be read here."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.missing import fail, missing_name
from plugin_host import host
from plugin_host.front_matter import read_front_matter

REASON = "Other plugins may run in another process. Use their models, tools and settings instead."


def extract_frontmatter(content: str) -> dict[str, str]:
    """Keys and values of the text a plugin begins with."""
    return read_front_matter(content)


def replace_imports(content: str) -> str:
    """Short names of the host application's packages are known as they are."""
    return content


def _own(identifier: str, store: str) -> Any:
    plugin = host.current_plugin()
    if plugin is None or plugin.id != identifier or plugin.store != store:
        fail(f"The module of “{identifier}”", REASON)
    return plugin


def load_function_module_by_id(function_id: str, content: str | None = None) -> tuple[Any, str, dict[str, str]]:
    """The plugin's own instance, kind and front matter."""
    plugin = _own(function_id, "function")
    return plugin.instance, plugin.kind, plugin.front_matter


def load_tool_module_by_id(tool_id: str, content: str | None = None) -> tuple[Any, dict[str, str]]:
    plugin = _own(tool_id, "tool")
    return plugin.instance, plugin.front_matter


def get_function_module_from_cache(request: Any, function_id: str, load_from_db: bool = True) -> tuple[Any, str, dict[str, str]]:
    return load_function_module_by_id(function_id)


def get_tool_module_from_cache(request: Any, tool_id: str, load_from_db: bool = True) -> tuple[Any, dict[str, str]]:
    return load_tool_module_by_id(tool_id)


def install_frontmatter_requirements(requirements: str) -> None:
    """Requirements are installed before a plugin is loaded."""


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
