"""One line for each symbol of the host application: a line of code that uses it, and what comes of it."""

from __future__ import annotations

import textwrap
from typing import NamedTuple


class Row(NamedTuple):
    tier: str
    module: str
    symbol: str
    #: Runs in an async tool with `symbol` imported, `r` the request, `u` the user; `assert` says what comes, `clear failure: …` that it says
    #: what is not there.
    code: str


def rows(tier: str, module: str, text: str) -> list[Row]:
    """Rows of one module, `symbol | code` in each line."""
    found = []
    for line in textwrap.dedent(text).strip().splitlines():
        symbol, _, code = line.partition(" | ")
        found.append(Row(tier, f"open_webui.{module}", symbol.strip(), code.strip()))
    return found
