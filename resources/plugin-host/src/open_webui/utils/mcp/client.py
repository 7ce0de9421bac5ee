"""A client of MCP servers, built on the package `mcp`, which a plugin that uses it has to require."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from open_webui._gateway.missing import fail, missing_name


class MCPClient:
    """One session with one server over HTTP."""

    def __init__(self) -> None:
        self.session: Any = None
        self.exit_stack: AsyncExitStack | None = None

    async def connect(self, url: str, headers: dict[str, str] | None = None) -> None:
        try:
            from mcp import ClientSession
            from mcp.client.streamable_http import streamablehttp_client
        except ImportError:
            fail("open_webui.utils.mcp.client.MCPClient", "Add “requirements: mcp” to the plugin's first lines.")
        async with AsyncExitStack() as stack:
            read, write, _ = await stack.enter_async_context(streamablehttp_client(url, headers=headers))
            self.session = await stack.enter_async_context(ClientSession(read, write))
            await self.session.initialize()
            self.exit_stack = stack.pop_all()

    def _connected(self) -> Any:
        if self.session is None:
            raise RuntimeError("There is no connection to the MCP server yet.")
        return self.session

    async def list_tool_specs(self) -> list[dict[str, Any]]:
        listed = await self._connected().list_tools()
        return [{"name": tool.name, "description": tool.description, "parameters": tool.inputSchema} for tool in listed.tools]

    async def call_tool(self, function_name: str, function_args: dict[str, Any]) -> list[dict[str, Any]]:
        result = (await self._connected().call_tool(function_name, function_args)).model_dump(mode="json")
        if result.get("isError"):
            raise Exception(result.get("content"))
        return result.get("content") or []

    async def list_resources(self, cursor: str | None = None) -> list[dict[str, Any]]:
        return (await self._connected().list_resources(cursor=cursor)).model_dump(mode="json")["resources"]

    async def read_resource(self, uri: str) -> dict[str, Any]:
        return (await self._connected().read_resource(uri)).model_dump(mode="json")

    async def disconnect(self) -> None:
        stack, self.exit_stack, self.session = self.exit_stack, None, None
        if stack:
            await stack.aclose()

    async def __aenter__(self) -> MCPClient:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.disconnect()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
