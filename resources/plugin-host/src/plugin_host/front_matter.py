"""Front matter: the lines `key: value` in a module's opening triple-quoted string, read from the text as it stands."""

from __future__ import annotations

import re
import sys

_QUOTES = '"""'
_LINE = re.compile(r"^\s*([a-z_]+):\s*(.*)\s*$", re.IGNORECASE)


def read_front_matter(content: str) -> dict[str, str]:
    """Keys as written, values stripped, the last of two equal keys wins. Only `\"\"\"` alone on the first line opens it."""
    lines = content.splitlines()
    if not lines or lines[0].strip() != _QUOTES:
        return {}
    found: dict[str, str] = {}
    for line in lines[1:]:
        if _QUOTES in line:
            break
        if match := _LINE.match(line):
            found[match[1].strip()] = match[2].strip()
    return found


def read_requirements(front_matter: dict[str, str]) -> list[str]:
    """Packages to install: the comma-separated `requirements` without names of the standard library."""
    listed = (item.strip() for item in front_matter.get("requirements", "").split(","))
    return [item for item in listed if item and item.replace("-", "_") not in sys.stdlib_module_names]
