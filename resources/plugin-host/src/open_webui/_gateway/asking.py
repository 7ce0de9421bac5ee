"""Asks the gateway in the style of whoever asks: plainly, or to be awaited."""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Coroutine, Generator
from typing import Any, NamedTuple, ParamSpec, TypeVar

from plugin_host import host
from plugin_host.host import GatewayError

from .call_site import wants_awaitable

log = logging.getLogger("open_webui")

P = ParamSpec("P")
T = TypeVar("T")
RAISE = object()


class Ask(NamedTuple):
    """One request. `absent` is its value when the gateway has no such thing, or none for this person; without it that raises."""

    method: str
    params: dict[str, Any]
    absent: Any = RAISE


Steps = Generator[Ask, Any, T]


def endpoint(
    identifier: str,
    *,
    params: dict[str, Any] | None = None,
    query: dict[str, Any] | None = None,
    body: Any = None,
    absent: Any = RAISE,
) -> Ask:
    """A call of one of the gateway's endpoints by its id, as the person the plugin runs for."""
    given = {"params": params, "query": query, "body": body}
    return Ask("endpoint", {"id": identifier, **{key: value for key, value in given.items() if value is not None}}, absent)


def _absent(ask: Ask, error: GatewayError) -> Any:
    if ask.absent is RAISE or error.status not in (401, 403, 404):
        raise error
    log.debug("%s: %s", ask.params.get("id", ask.method), error)
    return ask.absent


def _names_nothing(ask: Ask) -> bool:
    """Whether the id asked for is empty, as the chat of a call over the API is: no such thing is there."""
    return ask.absent is not RAISE and "" in (ask.params.get("params") or {}).values()


def answer(ask: Ask) -> Any:
    """Asks and waits in this thread."""
    if _names_nothing(ask):
        return ask.absent
    try:
        return host.request(ask.method, ask.params)
    except GatewayError as error:
        return _absent(ask, error)


async def answer_async(ask: Ask) -> Any:
    if _names_nothing(ask):
        return ask.absent
    try:
        return await host.request_async(ask.method, ask.params)
    except GatewayError as error:
        return _absent(ask, error)


def run(steps: Steps[T]) -> T:
    """Goes through the steps, waiting in this thread."""
    try:
        ask = next(steps)
        while True:
            try:
                value = answer(ask)
            except Exception as error:
                ask = steps.throw(error)
            else:
                ask = steps.send(value)
    except StopIteration as end:
        return end.value


async def run_async(steps: Steps[T]) -> T:
    """Goes through the steps, waiting on the running loop."""
    try:
        ask = next(steps)
        while True:
            try:
                value = await answer_async(ask)
            except Exception as error:
                ask = steps.throw(error)
            else:
                ask = steps.send(value)
    except StopIteration as end:
        return end.value


def either(function: Callable[P, Steps[Any]]) -> Callable[P, Any]:
    """A function for both styles: it answers a coroutine where its value is awaited, else the value itself."""

    @functools.wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> Any:
        steps = function(*args, **named)
        return run_async(steps) if wants_awaitable(sys._getframe(1)) else run(steps)

    return call


def awaited(function: Callable[P, Steps[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """A function that has been a coroutine in every version."""

    @functools.wraps(function)
    async def call(*args: P.args, **named: P.kwargs) -> T:
        return await run_async(function(*args, **named))

    return call
