"""Headers of calls to elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from open_webui import env
from open_webui._gateway.missing import missing_name


def include_user_info_headers(headers: dict[str, str], user: Any) -> dict[str, str]:
    """The headers with name, id, e-mail address and role of a person. Never a key."""
    facts = {
        env.FORWARD_USER_INFO_HEADER_USER_NAME: quote(str(getattr(user, "name", "")), safe=" "),
        env.FORWARD_USER_INFO_HEADER_USER_ID: str(getattr(user, "id", "")),
        env.FORWARD_USER_INFO_HEADER_USER_EMAIL: str(getattr(user, "email", "")),
        env.FORWARD_USER_INFO_HEADER_USER_ROLE: str(getattr(user, "role", "")),
    }
    return {**headers, **facts}


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
