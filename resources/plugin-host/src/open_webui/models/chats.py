"""Chats of the person the plugin runs for; those of others are not there."""

from __future__ import annotations

from typing import Any

from open_webui._gateway.asking import Steps, either, endpoint
from open_webui._gateway.missing import Table, missing_name
from open_webui._gateway.records import Record, Records, plain_fields


class ChatModel(Record):
    id: str
    user_id: str = ""
    title: str = ""
    chat: dict[str, Any] = {}
    created_at: int = 0
    updated_at: int = 0
    share_id: str | None = None
    archived: bool = False
    pinned: bool | None = False
    meta: dict[str, Any] = {}
    folder_id: str | None = None


class ChatTitleIdResponse(Record):
    id: str
    title: str = ""
    updated_at: int = 0
    created_at: int = 0


class ChatForm(Record):
    chat: dict[str, Any] = {}
    folder_id: str | None = None


class ChatTitleForm(Record):
    title: str = ""


ChatResponse = ChatModel
ChatListResponse = Records
ChatImportForm = ChatForm
_NOTHING: dict[str, Any] = {}


def _chat(found: Any) -> ChatModel | None:
    return ChatModel(**found) if found else None


def _get(id: Any, user_id: Any = None) -> Steps[dict[str, Any] | None]:
    found = yield endpoint("chats.get", params={"chat_id": str(id)}, absent=None)
    return found if found and (user_id is None or found["user_id"] == user_id) else None


def _update(id: Any, chat: Any) -> Steps[dict[str, Any] | None]:
    body = {"chat": plain_fields(chat)}
    return (yield endpoint("chats.update", params={"chat_id": str(id)}, body=body, absent=None))


def _messages(found: dict[str, Any] | None) -> dict[str, Any]:
    return ((found or {}).get("chat") or {}).get("history", {}).get("messages") or {}


def _list(user_id: Any, skip: int | None, limit: int | None) -> Steps[Records]:
    listed = yield endpoint("chats.list", query={"include_pinned": "true", "include_folders": "true"}, absent=[])
    end = None if limit is None or limit < 0 else (skip or 0) + limit
    chats = Records(total=len(listed))
    for item in listed[skip or 0 : end]:
        found = yield from _get(item["id"], user_id)
        if found:
            chats.append(ChatModel(**found))
    return chats


class ChatTable(Table):
    @either
    def get_chat_by_id(self, id: str, db: Any = None) -> Steps[ChatModel | None]:
        return _chat((yield from _get(id)))

    @either
    def get_chat_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[ChatModel | None]:
        return _chat((yield from _get(id, user_id)))

    @either
    def get_chat_title_by_id(self, id: str, db: Any = None) -> Steps[str | None]:
        return ((yield from _get(id)) or _NOTHING).get("title")

    @either
    def get_chat_folder_id(self, id: str, user_id: str | None = None, db: Any = None) -> Steps[str | None]:
        return ((yield from _get(id, user_id)) or _NOTHING).get("folder_id")

    @either
    def is_chat_owner(self, id: str, user_id: str, db: Any = None) -> Steps[bool]:
        return (yield from _get(id, user_id)) is not None

    @either
    def get_messages_map_by_chat_id(self, id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        found = yield from _get(id)
        return _messages(found) if found else None

    get_messages_by_chat_id = get_messages_map_by_chat_id

    @either
    def get_message_by_id_and_message_id(self, id: str, message_id: str, db: Any = None) -> Steps[dict[str, Any] | None]:
        found = yield from _get(id)
        return _messages(found).get(message_id, {}) if found else None

    @either
    def upsert_message_to_chat_by_id_and_message_id(
        self, id: str, message_id: str, message: dict[str, Any], db: Any = None
    ) -> Steps[ChatModel | None]:
        changed = {"history": {"messages": {message_id: {**plain_fields(message), "id": message_id}}}}
        if not (yield from _update(id, changed)):
            return None
        return _chat((yield from _get(id)))

    @either
    def add_message_files_by_id_and_message_id(self, id: str, message_id: str, files: list[Any], db: Any = None) -> Steps[list[Any]]:
        there = _messages((yield from _get(id))).get(message_id, {}).get("files") or []
        together = [*there, *files]
        yield from _update(id, {"history": {"messages": {message_id: {"id": message_id, "files": together}}}})
        return together

    @either
    def add_message_status_to_chat_by_id_and_message_id(
        self, id: str, message_id: str, status: dict[str, Any], db: Any = None
    ) -> Steps[ChatModel | None]:
        params = {"chat_id": str(id), "message_id": str(message_id)}
        yield endpoint("chats.messageEvent", params=params, body={"type": "status", "data": status}, absent=None)
        return _chat((yield from _get(id)))

    @either
    def update_chat_by_id(self, id: str, chat: dict[str, Any], db: Any = None) -> Steps[ChatModel | None]:
        yield from _update(id, chat)
        return _chat((yield from _get(id)))

    @either
    def update_chat_title_by_id(self, id: str, title: str, db: Any = None) -> Steps[ChatModel | None]:
        yield from _update(id, {"title": title})
        return _chat((yield from _get(id)))

    @either
    def update_chat_tags_by_id(self, id: str, tags: list[str], user: Any = None, db: Any = None) -> Steps[ChatModel | None]:
        yield endpoint("chats.removeTags", params={"chat_id": str(id)}, absent=None)
        for tag in tags:
            yield endpoint("chats.addTag", params={"chat_id": str(id)}, body={"name": str(tag)}, absent=None)
        return _chat((yield from _get(id)))

    @either
    def add_chat_tag_by_id_and_user_id_and_tag_name(self, id: str, user_id: str, tag_name: str, db: Any = None) -> Steps[ChatModel | None]:
        yield endpoint("chats.addTag", params={"chat_id": str(id)}, body={"name": tag_name}, absent=None)
        return _chat((yield from _get(id, user_id)))

    @either
    def get_chat_tags_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[Records]:
        return Records(Record(**tag) for tag in (yield endpoint("chats.tags", params={"chat_id": str(id)}, absent=[])))

    @either
    def insert_new_chat(self, *given: Any, db: Any = None) -> Steps[ChatModel | None]:
        """`(user_id, form)`, later with an id in front of or between them; the gateway chooses the id itself."""
        form = plain_fields(next(value for value in given if not isinstance(value, str)))
        return _chat((yield endpoint("chats.create", body={"chat": form.get("chat") or {}, "folder_id": form.get("folder_id")})))

    @either
    def insert_chat_files(
        self, chat_id: str, message_id: str, file_ids: list[str], user_id: str | None = None, db: Any = None
    ) -> Steps[Records]:
        """The gateway finds the files of a chat by the messages that show them, so there is nothing to note."""
        found = yield from _get(chat_id, user_id)
        return Records(Record(**{"chat_id": chat_id, "message_id": message_id, "file_id": id}) for id in file_ids if found)

    @either
    def get_chats_by_user_id(
        self, user_id: str, filter: Any = None, skip: int | None = None, limit: int | None = None, db: Any = None
    ) -> Steps[Records]:
        return (yield from _list(user_id, skip, limit))

    @either
    def get_chat_list_by_user_id(
        self, user_id: str, include_archived: bool = False, filter: Any = None, skip: int = 0, limit: int = 50, db: Any = None
    ) -> Steps[Records]:
        return (yield from _list(user_id, skip, limit))

    @either
    def get_chat_title_id_list_by_user_id(
        self,
        user_id: str,
        include_archived: bool = False,
        include_folders: bool = False,
        include_pinned: bool = False,
        skip: int | None = None,
        limit: int | None = None,
        db: Any = None,
    ) -> Steps[Records]:
        listed = yield endpoint("chats.list", query={"include_pinned": "true", "include_folders": "true"}, absent=[])
        end = None if limit is None else (skip or 0) + limit
        return Records((ChatTitleIdResponse(**item) for item in listed[skip or 0 : end]), len(listed))

    @either
    def get_chats_by_user_id_and_search_text(
        self, user_id: str, search_text: str, include_archived: bool = False, skip: int = 0, limit: int = 60, db: Any = None
    ) -> Steps[Records]:
        hits = yield endpoint("chats.search", query={"text": search_text}, absent=[])
        chats = Records()
        for id in dict.fromkeys(hit["id"] for hit in hits[skip : skip + limit]):
            found = yield from _get(id, user_id)
            if found:
                chats.append(ChatModel(**found))
        return chats

    @either
    def get_chats_by_folder_id_and_user_id(self, folder_id: str, user_id: str, *rest: Any, **named: Any) -> Steps[Records]:
        listed = yield endpoint("chats.listInFolder", params={"folder_id": folder_id}, absent=[])
        chats = Records()
        for item in listed:
            found = yield from _get(item["id"], user_id)
            if found:
                chats.append(ChatModel(**found))
        return chats

    @either
    def update_chat_folder_id_by_id_and_user_id(self, id: str, user_id: str, folder_id: str | None, db: Any = None) -> Steps[Any]:
        return _chat((yield endpoint("chats.move", params={"chat_id": str(id)}, body={"folder_id": folder_id}, absent=None)))

    @either
    def delete_chat_by_id(self, id: str, db: Any = None) -> Steps[bool]:
        return bool((yield endpoint("chats.remove", params={"chat_id": str(id)}, absent=False)))

    @either
    def delete_chat_by_id_and_user_id(self, id: str, user_id: str, db: Any = None) -> Steps[bool]:
        if not (yield from _get(id, user_id)):
            return False
        return bool((yield endpoint("chats.remove", params={"chat_id": str(id)}, absent=False)))


Chats = ChatTable()


def __getattr__(name: str) -> Any:
    return missing_name(__name__, name)
