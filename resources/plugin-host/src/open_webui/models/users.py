"""Accounts. People see themselves whole, others as the search for people shows them; administrators see all, guests themselves alone."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from open_webui._gateway.asking import Ask, Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class UserSettings(BaseModel):
    ui: dict[str, Any] | None = {}
    model_config = ConfigDict(extra="allow")


class UserModel(Record):
    id: str
    name: str = ""
    email: str = ""
    role: str = "pending"
    profile_image_url: str = ""
    username: str | None = None
    last_active_at: int | None = None
    updated_at: int | None = None
    created_at: int | None = None
    settings: UserSettings | None = None
    info: dict[str, Any] | None = None
    oauth: dict[str, Any] | None = None
    oauth_sub: str | None = None
    api_key: str | None = None


class UserResponse(Record):
    id: str
    name: str = ""
    email: str = ""
    role: str = "pending"
    profile_image_url: str = ""


class UserListResponse(Record):
    users: list[UserModel] = []
    total: int = 0


class UserNameResponse(Record):
    id: str
    name: str = ""
    role: str = ""


#: Plugins name the table's row class where they mean the record.
User = UserModel
UserInfoResponse = UserIdNameResponse = UserResponse
UserGroupIdsModel = UserModel
UserInfoListResponse = UserIdNameListResponse = UserListResponse


def _user(found: Any) -> UserModel | None:
    return UserModel(**found) if found else None


class UsersTable(Table):
    @either
    def get_user_by_id(self, id: str, db: Any = None) -> Steps[UserModel | None]:
        return _user((yield Ask("users.get", {"id": str(id)}, None)) if id else None)

    @either
    def get_user_by_email(self, email: str, db: Any = None) -> Steps[UserModel | None]:
        return _user((yield Ask("users.get", {"email": str(email)}, None)) if email else None)

    @either
    def get_first_user(self, db: Any = None) -> Steps[UserModel | None]:
        return _user((yield Ask("users.get", {"first": True}, None)))

    get_super_admin_user = get_first_user

    @either
    def get_users(self, filter: Any = None, skip: int | None = None, limit: int | None = None, db: Any = None) -> Steps[Records]:
        query = filter.get("query") if isinstance(filter, dict) else None
        if isinstance(filter, int):
            # In the oldest releases the first two were skip and limit.
            skip, limit = filter, skip
        asked = {"query": query, "skip": skip, "limit": limit}
        found = yield Ask("users.list", {key: value for key, value in asked.items() if value is not None}, {"users": [], "total": 0})
        return Records((UserModel(**user) for user in found["users"]), found["total"], "users")

    @either
    def get_users_by_user_ids(self, user_ids: list[str], db: Any = None) -> Steps[Records]:
        found = yield Ask("users.list", {"ids": [str(id) for id in user_ids]}, {"users": []})
        return Records((UserModel(**user) for user in found["users"]), name="users")

    @either
    def get_num_users(self, db: Any = None) -> Steps[int]:
        return (yield Ask("users.list", {"limit": 1}, {"total": 0}))["total"]

    @either
    def get_valid_user_ids(self, user_ids: list[str], db: Any = None) -> Steps[list[str]]:
        found = yield Ask("users.list", {"ids": [str(id) for id in user_ids]}, {"users": []})
        return [user["id"] for user in found["users"]]

    @either
    def get_user_settings_by_id(self, id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        return ((yield Ask("users.get", {"id": str(id)}, None)) or {}).get("settings")

    @either
    def update_user_settings_by_id(self, id: str, updated: dict[str, Any], db: Any = None) -> Steps[UserModel | None]:
        user = yield Ask("users.get", {"id": str(id)}, None)
        if not user or not user.get("is_caller"):
            return None
        kept = yield endpoint("users.settings")
        yield endpoint("users.updateSettings", body={**(kept or {}), **plain_fields(updated)})
        return _user((yield Ask("users.get", {"id": str(id)}, None)))

    @either
    def is_user_active(self, user_id: str, db: Any = None) -> Steps[bool]:
        return (yield endpoint("users.active", params={"user_id": str(user_id)}, absent={"active": False}))["active"]

    @either
    def get_active_user_count(self, db: Any = None) -> Steps[int]:
        return len((yield Ask("users.active", {}, [])))

    @either
    def get_user_by_api_key(self, api_key: str, db: Any = None) -> Steps[None]:
        """Plugins never learn whose key it is."""
        return None
        yield

    get_user_by_oauth_sub = get_user_webhook_url_by_id = get_user_api_key_by_id = get_user_by_api_key


Users = UsersTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
