"""Makes one object of what plugins know as one, as frames bring copies: what is changed in one place is changed in the other."""

from __future__ import annotations

from typing import Any

#: Parts of the request that the metadata holds, too.
PARTS = ("features", "files")


def share(given: dict[str, Any], body: Any) -> None:
    """Lets `body["metadata"]` be `__metadata__`, and its features and files those of the body and of `__features__` and `__files__`."""
    metadata = given.get("metadata")
    if not isinstance(metadata, dict):
        return
    holders = [given]
    if isinstance(body, dict):
        if body.get("metadata") == metadata:
            body["metadata"] = metadata
        holders.append(body)
    for part in PARTS:
        value = metadata.get(part)
        if not isinstance(value, dict | list):
            continue
        for holder in holders:
            if part in holder and holder[part] == value:
                holder[part] = value
