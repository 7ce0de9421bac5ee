"""One plugin of the tests in the manner of those people publish, with a call of it and what has to come of it."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sample:
    name: str
    #: The operation of the protocol: `tool`, `inlet`, `outlet`, `stream`, `pipe`, `pipes`, `action`.
    op: str
    #: `http` in it is replaced with the address of a server of the test.
    source: str
    #: Stands in what the call answers or sends: its text, items, steps and events as JSON.
    expected: str
    #: Fields of the call besides what every call is given.
    fields: dict[str, Any] = field(default_factory=dict)
    #: What `__event_call__` answers.
    answer: Any = None

    @property
    def content(self) -> str:
        return textwrap.dedent(self.source).lstrip("\n")


def chat(text: str = "What is the weather in Oslo?", **more: Any) -> dict[str, Any]:
    """The body of a request, or of a finished answer."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]
    return {"model": "llama", "messages": messages, "stream": True, **more}


def answered(text: str) -> dict[str, Any]:
    body = chat()
    return {**body, "messages": [*body["messages"], {"role": "assistant", "content": text, "id": "m2"}], "chat_id": "c1", "id": "m2"}
