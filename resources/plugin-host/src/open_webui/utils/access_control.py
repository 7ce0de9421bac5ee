"""Permissions of users. Only those of the user the plugin runs for are known."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Ask, Steps, either
from open_webui._gateway.missing import missing_name
from plugin_host import host


def _is_caller(user_id: Any) -> bool:
    return str(user_id) == (host.given().get("user") or {}).get("id")


@either
def get_permissions(user_id: str, default_permissions: dict[str, Any] | None = None, db: Any = None) -> Steps[dict[str, Any]]:
    if not _is_caller(user_id):
        return dict(default_permissions or {})
    return (yield Ask("permissions", {}, default_permissions or {}))


@either
def has_permission(user_id: str, permission_key: str, default_permissions: dict[str, Any] | None = None, db: Any = None) -> Steps[bool]:
    if not _is_caller(user_id):
        return False
    found: Any = yield Ask("permissions", {}, {})
    for part in permission_key.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found is True


def _allows(access: Any, user_id: str, type: str, groups: set[str]) -> bool:
    """An object of the older spelling, or a list of grants."""
    if isinstance(access, list):
        kinds = ("read", "write") if type == "read" else (type,)
        grants = (grant for grant in access if isinstance(grant, dict) and grant.get("permission") in kinds)
        who = {("user", "*"), ("user", str(user_id)), *(("group", group) for group in groups)}
        return any((grant.get("principal_type"), grant.get("principal_id")) in who for grant in grants)
    if access is None:
        return type == "read"
    allowed = access.get(type) or {}
    return str(user_id) in (allowed.get("user_ids") or []) or bool(groups & set(allowed.get("group_ids") or []))


@either
def has_access(
    user_id: str, type: str = "write", access_control: Any = None, user_group_ids: Any = None, strict: bool = True, db: Any = None
) -> Steps[bool]:
    if user_group_ids is None:
        user_group_ids = [group["id"] for group in (yield Ask("groups.of", {"user_id": str(user_id)}, []))]
    return _allows(access_control, user_id, type, set(user_group_ids))


@either
def has_connection_access(user: Any, connection: dict[str, Any], user_group_ids: Any = None, db: Any = None) -> Steps[bool]:
    """Whether a person may use a tool server."""
    config = connection.get("config") or {}
    if getattr(user, "role", None) == "admin":
        return True
    if user_group_ids is None:
        user_group_ids = [group["id"] for group in (yield Ask("groups.of", {"user_id": str(user.id)}, []))]
    access = config["access_grants"] if "access_grants" in config else config.get("access_control", {})
    return _allows(access, user.id, "read", set(user_group_ids))


@either
def get_users_with_access(type: str = "write", access_control: Any = None, db: Any = None) -> Steps[list[Any]]:
    from open_webui.models.users import UserModel

    found = (yield Ask("users.list", {}, {"users": []}))["users"]
    return [UserModel(**user) for user in found if _allows(access_control, user["id"], type, set())]


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
