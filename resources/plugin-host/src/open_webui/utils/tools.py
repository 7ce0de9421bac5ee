"""Tools the person may use, as dictionaries of functions to call."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.missing import missing_name
from open_webui.utils.access_control import has_connection_access
from plugin_host import host


def _caller(tool_id: str, name: str) -> Callable[..., Awaitable[Any]]:
    call = host.current_call()

    async def run_tool(**arguments: Any) -> Any:
        from plugin_host.calls import CURRENT

        token = CURRENT.set(call)
        try:
            asked = {"tool_id": tool_id, "name": name, "arguments": arguments}
            return (await host.request_async("tools.run", asked))["value"]
        finally:
            CURRENT.reset(token)

    run_tool.__name__ = name
    return run_tool


def _entry(tool: dict[str, Any]) -> dict[str, Any]:
    return {
        "tool_id": tool["tool_id"],
        "callable": _caller(tool["tool_id"], tool["name"]),
        "spec": tool["spec"],
        "type": tool.get("type"),
        "metadata": tool.get("metadata") or {},
    }


@either
def get_tools(
    request: Any, tool_ids: list[str], user: Any = None, extra_params: dict[str, Any] | None = None
) -> Steps[dict[str, dict[str, Any]]]:
    """The functions of these tools by name; tools the person may not use are left out."""
    found = yield Ask("tools.open", {"ids": [str(id) for id in tool_ids or ()]}, [])
    return {tool["name"]: _entry(tool) for tool in found}


@either
def get_builtin_tools(
    request: Any, extra_params: dict[str, Any] | None = None, features: Any = None, model: Any = None
) -> Steps[dict[str, dict[str, Any]]]:
    """The functions of `open_webui.tools.builtin`, ready to call."""
    from open_webui.tools import builtin

    given = extra_params or {}
    tools = {}
    for name, function in builtin.available().items():
        named = {key: value for key, value in given.items() if key in inspect.signature(function).parameters}
        bound = functools.partial(function, **{"__request__": request, **named})
        tools[name] = {"tool_id": f"builtin:{name}", "callable": bound, "spec": convert_function_to_spec(function), "type": "builtin"}
    return tools
    yield


@either
def get_terminal_tools(*args: Any, **named: Any) -> Steps[dict[str, Any]]:
    """There are no terminals."""
    return {}
    yield


@either
def get_tool_servers(request: Any = None, *rest: Any) -> Steps[list[Any]]:
    """Tool servers are called through `get_tools`; their addresses and keys stay in the gateway."""
    return []
    yield


get_tool_servers_data = get_terminal_servers = set_tool_servers = get_tool_servers


def get_async_tool_function_and_apply_extra_params(function: Callable[..., Any], extra_params: dict[str, Any]) -> Callable[..., Any]:
    """The function with these parameters given, those it names only; to be awaited."""
    names = inspect.signature(function).parameters
    bound = functools.partial(function, **{key: value for key, value in extra_params.items() if key in names})

    @functools.wraps(function)
    async def call(*args: Any, **named: Any) -> Any:
        if inspect.iscoroutinefunction(function):
            return await bound(*args, **named)
        return await asyncio.to_thread(bound, *args, **named)

    # The function from which `get_updated_tool_function` creates another one.
    vars(call).update(__function__=function, __extra_params__=extra_params)
    return call


apply_extra_params_to_tool_function = get_async_tool_function_and_apply_extra_params


@either
def get_updated_tool_function(function: Callable[..., Any], extra_params: dict[str, Any] | None = None) -> Steps[Callable[..., Any]]:
    """The function with these parameters in place of those it was given before; one that was given none stays as it is."""
    original = getattr(function, "__function__", None)
    if original is None:
        return function
    given = {**getattr(function, "__extra_params__", {}), **(extra_params or {})}
    return get_async_tool_function_and_apply_extra_params(original, given)
    yield


@either
def has_tool_server_access(user: Any, server_connection: dict[str, Any], user_group_ids: Any = None) -> Steps[bool]:
    """Whether a person may use a tool server."""
    groups = user_group_ids
    if groups is None and getattr(user, "role", None) != "admin":
        groups = [group["id"] for group in (yield Ask("groups.of", {"user_id": str(user.id)}, []))]
    return bool(has_connection_access(user, server_connection, groups or []))


@either
def build_tool_server_headers(connection: dict[str, Any], *rest: Any, **named: Any) -> Steps[tuple[dict[str, str], dict[str, str]]]:
    """
    Headers and cookies for a tool server a plugin describes itself: a key and headers the description holds. Keys and sign-ins of the
    gateway's own connections stay in the gateway, which calls such servers through `get_tools`.
    """
    key = str(connection.get("key") or "").strip()
    own = connection.get("headers")
    headers = {str(name): str(value) for name, value in own.items()} if isinstance(own, dict) else {}
    if key and connection.get("auth_type", "bearer") == "bearer":
        headers["Authorization"] = f"Bearer {key}"
    return headers, {}
    yield


def convert_function_to_pydantic_model(function: Callable[..., Any]) -> type[BaseModel]:
    """A model of the parameters of a function, with its description and theirs."""
    from plugin_host import specs

    return specs.parameter_model(function)


def convert_pydantic_model_to_openai_function_spec(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema()
    parameters = {"type": "object", "properties": schema.get("properties", {}), "required": schema.get("required", [])}
    return {"name": schema.get("title", model.__name__), "description": schema.get("description", ""), "parameters": parameters}


def get_functions_from_tool(tool: object) -> list[Callable[..., Any]]:
    names = (name for name in dir(tool) if not name.startswith("_"))
    found = (getattr(tool, name) for name in names)
    return [function for function in found if callable(function) and not inspect.isclass(function)]


def convert_function_to_spec(function: Callable[..., Any]) -> dict[str, Any]:
    """Description of a function for a model."""
    from plugin_host import specs

    return specs.tool_spec(function)


def get_tool_specs(tool_module: object) -> list[dict[str, Any]]:
    from plugin_host import specs

    return specs.tool_specs(tool_module)


get_tools_specs = get_tool_specs


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
