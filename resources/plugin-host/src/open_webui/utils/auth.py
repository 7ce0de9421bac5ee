"""The caller: the user the plugin runs for. A plugin cannot sign users in."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.http import HTTPException
from open_webui._gateway.missing import fail, missing_name
from open_webui.models.users import UserModel
from plugin_host import host

REASON = "Plugins do not handle passwords, keys or sessions."


@either
def get_current_user(*args: Any, **named: Any) -> Steps[UserModel | None]:
    """The person the plugin runs for, whatever is passed."""
    identifier = (host.given().get("user") or {}).get("id")
    found = (yield Ask("users.get", {"id": identifier}, None)) if identifier else None
    return UserModel(**found) if found else None


def get_verified_user(user: Any = None) -> Any:
    if getattr(user, "role", None) not in ("user", "admin"):
        raise HTTPException(status_code=401, detail="You may not use this.")
    return user


def get_admin_user(user: Any = None) -> Any:
    if getattr(user, "role", None) != "admin":
        raise HTTPException(status_code=401, detail="Only administrators may use this.")
    return user


def create_token(*args: Any, **named: Any) -> str:
    fail("open_webui.utils.auth.create_token", "Use the header authorization of __request__, which is made for this person and call.")


def decode_token(token: str) -> None:
    """Tokens are the gateway's alone."""
    return None


def get_password_hash(*args: Any, **named: Any) -> str:
    fail("open_webui.utils.auth.get_password_hash", REASON)


create_api_key = verify_password = get_password_hash


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name, REASON)
