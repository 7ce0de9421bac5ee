"""Runs hooks where they belong: async ones on the plugin's loop, sync ones in a thread of the plugin."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from .calls import Call
from .errors import HostError
from .loading import Hook, Plugin


async def run_hook(plugin: Plugin, call: Call, hook: Hook, parameters: dict[str, Any]) -> Any:
    """Result of the hook. Generators are returned unstarted; a coroutine from a sync hook is awaited."""
    positional = parameters.pop("*", ())
    if hook.form in ("async generator", "generator"):
        return hook.function(*positional, **parameters)
    if hook.is_async:
        result = hook.function(*positional, **parameters)
    else:
        result = await plugin.runtime.threads.run(call, lambda: hook.function(*positional, **parameters))
    return await result if inspect.isawaitable(result) else result


def fatal_as_error(error: BaseException) -> BaseException:
    """Plugin code that calls sys.exit ends its call, not the worker."""
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return HostError("plugin", f"The plugin tried to end the whole process ({type(error).__name__}: {error}).")
    return error


async def collect(plugin: Plugin, call: Call, value: Any) -> list[Any]:
    """Everything a generator yields."""
    if inspect.isasyncgen(value):
        return [item async for item in value]
    return list(await plugin.runtime.threads.run(call, lambda: list(value)))


def is_cancellation(error: BaseException) -> bool:
    return isinstance(error, (asyncio.CancelledError, GeneratorExit))
