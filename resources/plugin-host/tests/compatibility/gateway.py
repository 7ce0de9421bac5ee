"""A gateway of the test: answers what the package asks, with the things of two people."""

from __future__ import annotations

from typing import Any

from tests.harness import Message, Worker

ADA = {"id": "u1", "name": "Ada", "email": "ada@example.org", "role": "user", "profile_image_url": "", "is_caller": True}
BOB = {"id": "u2", "name": "Bob", "email": "bob@example.org", "role": "user", "profile_image_url": ""}
MESSAGES = {
    "m1": {"id": "m1", "role": "user", "content": "Hello", "parentId": None, "childrenIds": ["m2"]},
    "m2": {"id": "m2", "role": "assistant", "content": "Hi", "parentId": "m1", "childrenIds": []},
}
CHAT = {
    "id": "c1", "user_id": "u1", "title": "Greeting", "created_at": 1, "updated_at": 2, "pinned": False, "archived": False,
    "share_id": None, "folder_id": "f1", "meta": {}, "chat": {"title": "Greeting", "history": {"messages": MESSAGES, "currentId": "m2"}},
}  # fmt: skip
MODEL = {"id": "llama", "name": "Llama", "object": "model", "connection_type": "local", "info": {"meta": {}}}
KNOWLEDGE = {
    "id": "k1", "user_id": "u1", "name": "Manuals", "description": "", "data": {}, "meta": {}, "file_count": 1, "write_access": True,
    "files": [{"id": "file1", "filename": "a.txt", "user_id": "u1", "data": {}, "meta": {}}],
}  # fmt: skip
FOLDER = {"id": "f1", "name": "Travel", "parent_id": None, "user_id": "u1", "data": {}, "meta": {}, "is_expanded": False}
MEMORY = {"id": "y1", "user_id": "u1", "content": "Likes tea", "created_at": 1, "updated_at": 1}
FEEDBACK = {"id": "r1", "user_id": "u1", "version": 0, "type": "rating", "data": {"rating": 1}, "meta": {"chat_id": "c1"}}
SKILL = {"id": "letters", "user_id": "u2", "name": "Letters", "description": None, "content": "Be brief.", "write_access": False, "meta": {}}
NOTE = {"id": "n1", "user_id": "u1", "title": "List", "data": {"content": {"md": "- Tent"}}, "meta": {}}
FOUND = {"ids": [["p1"]], "distances": [[0.9]], "documents": [["a passage"]], "metadatas": [[{"name": "a.txt", "source": "a.txt"}]]}
HITS = {"ids": [["y1"]], "documents": [["Likes tea"]], "metadatas": [[{}]], "distances": [[0.1]]}
PROMPT = {"command": "tea", "user_id": "u1", "title": "Tea", "content": "Make tea."}
CHUNKS = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in ("Good ", "day")]

ENDPOINTS: dict[str, Any] = {
    "chats.get": CHAT, "chats.update": CHAT, "chats.create": CHAT, "chats.list": [CHAT], "chats.search": [{**CHAT, "snippet": "Hello"}],
    "chats.remove": True, "chats.tags": [{"id": "x", "name": "x"}], "chats.addTag": [], "chats.removeTags": True, "chats.move": CHAT,
    "chats.messageEvent": True, "chats.listInFolder": [CHAT],
    "folders.list": [FOLDER], "folders.get": FOLDER, "folders.create": FOLDER, "folders.update": FOLDER, "folders.remove": True,
    "images.generate": [{"url": "/api/v1/files/p1/content"}], "images.edit": [{"url": "/api/v1/files/p1/content"}],
    "memories.list": [MEMORY], "memories.add": MEMORY, "memories.update": MEMORY, "memories.remove": True, "memories.query": HITS,
    "memories.removeAll": True, "memories.reset": True,
    "knowledge.all": [KNOWLEDGE], "knowledge.get": KNOWLEDGE, "knowledge.create": KNOWLEDGE, "knowledge.update": KNOWLEDGE,
    "knowledge.addFile": KNOWLEDGE, "knowledge.removeFile": KNOWLEDGE, "knowledge.remove": True,
    "models.info": {**MODEL, "base_model_id": None, "params": {"temperature": 0.5}, "meta": {"capability_flags": {"vision": True}}},
    "models.create": MODEL, "models.update": MODEL, "models.remove": True,
    "groups.list": [{"id": "g1", "name": "Team", "user_id": "u9"}], "groups.members": [ADA],
    "evaluations.createFeedback": FEEDBACK, "evaluations.getFeedback": FEEDBACK, "evaluations.updateFeedback": FEEDBACK,
    "evaluations.removeFeedback": True, "evaluations.ownFeedbacks": {"items": [FEEDBACK], "total": 1}, "evaluations.exportFeedbacks": [FEEDBACK],
    "skills.export": [SKILL], "skills.get": SKILL, "skills.create": SKILL, "skills.update": SKILL,
    "notes.list": [NOTE], "notes.get": NOTE, "notes.create": NOTE, "notes.update": NOTE, "notes.remove": True,
    "notes.search": {"items": [NOTE], "total": 1},
    "files.updateText": {"content": "new"}, "files.rename": {}, "files.remove": {"message": "gone"},
    "retrieval.queryCollections": FOUND, "retrieval.queryDocument": FOUND, "retrieval.processFile": {"status": True},
    "retrieval.processText": {"status": True}, "retrieval.processWeb": {"status": True, "content": "page"},
    "retrieval.searchWeb": {"status": True, "items": [{"link": "https://example.org", "title": "T", "snippet": "S"}]},
    "prompts.list": [PROMPT], "prompts.getByCommand": PROMPT, "chats.allTags": [{"id": "x", "name": "x"}],
    "users.active": {"active": True}, "users.settings": {"ui": {}}, "users.updateSettings": {"ui": {"dark": True}},
}  # fmt: skip
SETTINGS = {"TASK_MODEL": "small", "RAG_TEMPLATE": "{{CONTEXT}} | {{QUERY}}", "WEBUI_NAME": "Chat", "TOP_K": 4, "ENABLE_SIGNUP": True}
FUNCTION = {"id": "pipe1", "name": "Pipe", "type": "filter", "is_active": True, "is_global": True, "meta": {}, "user_id": "u9"}


class Gateway:
    """Keeps files, and notes every request with whose call it belongs to."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.requests: list[Message] = []
        self.files: dict[str, tuple[dict[str, Any], bytes]] = {}
        self.keep({"id": "file1", "filename": "a.txt", "user_id": "u1", "metadata": {}, "bytes": b"file one"})
        worker.respond = self.answer

    def keep(self, given: dict[str, Any]) -> dict[str, Any]:
        file = {
            "id": given.get("id") or f"file{len(self.files) + 1}", "user_id": given.get("user_id", "u1"), "filename": given["filename"],
            "hash": "h", "data": {"content": "text of it"}, "created_at": 1, "updated_at": 1,
            "meta": {"name": given["filename"], "content_type": given.get("content_type"), "size": len(given["bytes"]), "data": given["metadata"]},
        }  # fmt: skip
        self.files[file["id"]] = file, given["bytes"]
        return file

    def asked(self, method: str) -> list[dict[str, Any]]:
        return [request["params"] for request in self.requests if request["method"] == method]

    def answer(self, request: Message) -> Message:
        self.requests.append(request)
        method, params = request["method"], request["params"]
        try:
            return {"value": getattr(self, f"on_{method.replace('.', '_')}")(params, request)}
        except LookupError as error:
            return {"error": {"type": "ServiceError", "message": str(error.args[0]), "status": 404}}
        except PermissionError as error:
            return {"error": {"type": "ServiceError", "message": str(error), "status": 400}}

    def on_endpoint(self, params: dict[str, Any], _: Message) -> Any:
        named = params.get("params") or {}
        if named.get("chat_id", "c1") != "c1":
            raise LookupError("There is no such chat.")
        return ENDPOINTS[params["id"]]

    def on_users_get(self, params: dict[str, Any], _: Message) -> Any:
        if params.get("first"):
            return BOB
        return next((user for user in (ADA, BOB) if params.get("id") == user["id"] or params.get("email") == user["email"]), None)

    def on_users_list(self, params: dict[str, Any], _: Message) -> Any:
        users = [user for user in (ADA, BOB) if user["id"] in params.get("ids", ("u1", "u2"))]
        return {"users": users[: params.get("limit", 9)], "total": 2}

    def on_users_active(self, *_: Any) -> Any:
        return ["u1"]

    def on_groups_of(self, params: dict[str, Any], _: Message) -> Any:
        return [{"id": "g1", "name": "Team"}] if params.get("user_id", "u1") == "u1" else []

    def on_permissions(self, *_: Any) -> Any:
        return {"chat": {"controls": True, "delete": False}}

    def on_models_list(self, *_: Any) -> Any:
        return [MODEL, {**MODEL, "id": "preset", "preset": True}]

    def on_config_get(self, params: dict[str, Any], _: Message) -> Any:
        return {key: value for key, value in SETTINGS.items() if key in params.get("names", SETTINGS)}

    def on_embed(self, params: dict[str, Any], _: Message) -> Any:
        return [[float(len(text)), 0.0] for text in params["texts"]]

    def on_plugins_get(self, params: dict[str, Any], _: Message) -> Any:
        return {**FUNCTION, "id": params["id"]} if params["id"] != "nothing" else None

    def on_plugins_list(self, *_: Any) -> Any:
        return [FUNCTION]

    def on_plugins_valves(self, params: dict[str, Any], request: Message) -> Any:
        return {"of": params["id"], "call": request["call"] is not None}

    def on_plugins_set_valves(self, params: dict[str, Any], _: Message) -> Any:
        return params["values"]

    def on_tools_open(self, params: dict[str, Any], _: Message) -> Any:
        return [{"name": "add", "tool_id": id, "spec": {"name": "add", "parameters": {}}} for id in params["ids"] if id == "calc"]

    def on_tools_run(self, params: dict[str, Any], _: Message) -> Any:
        return {"value": f"{params['tool_id']}.{params['name']}{params['arguments']}"}

    def on_files_get(self, params: dict[str, Any], _: Message) -> Any:
        return self.files[params["id"]][0]

    def on_files_list(self, params: dict[str, Any], _: Message) -> Any:
        return [file for file, _ in self.files.values() if file["id"] in params.get("ids", self.files)]

    def on_files_create(self, params: dict[str, Any], _: Message) -> Any:
        return self.keep(params)

    def on_files_read(self, params: dict[str, Any], request: Message) -> Any:
        content = self.files[params["id"]][1]
        self.worker.send({"t": "answer", "id": request["id"], "items": [content[:4], content[4:]]})

    def _known(self, params: dict[str, Any]) -> None:
        if params["body"]["model"] != "llama":
            raise PermissionError("Model not found")

    def on_completion(self, params: dict[str, Any], _: Message) -> Any:
        self._known(params)
        return {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Good day"}}]}

    def on_completion_stream(self, params: dict[str, Any], request: Message) -> Any:
        self._known(params)
        self.worker.send({"t": "answer", "id": request["id"], "items": CHUNKS})


GIVEN = {
    "user": {key: value for key, value in ADA.items() if key != "is_caller"},
    "request": {"method": "POST", "base_url": "http://localhost/", "url": "http://localhost/api/chat/completions", "headers": {"Authorization": "Bearer short"}},
    "metadata": {"chat_id": "c1", "message_id": "m2", "user_id": "u1"},
    "chat_id": "c1",
    "message_id": "m2",
}  # fmt: skip
