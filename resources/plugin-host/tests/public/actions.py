"""Actions: buttons below an answer."""

from __future__ import annotations

from .sample import Sample, answered

BODY = answered("A long answer")

ACTIONS = [
    Sample("asks_and_appends", "action", '''
        class Action:
            async def action(self, body, __user__=None, __event_emitter__=None, __event_call__=None):
                name = await __event_call__({"type": "input", "data": {"title": "Name", "message": "?", "placeholder": "here"}})
                await __event_emitter__({"type": "message", "data": {"content": f"for {name}"}})
        ''', "for Cy", {"body": BODY, "session": True}, "Cy"),
    Sample("runs_code_in_the_page", "action", '''
        class Action:
            async def action(self, body, __event_call__):
                copied = await __event_call__({"type": "execute", "data": {"code": "return navigator.language"}})
                return {"content": f"language {copied}"}
        ''', "language nb", {"body": BODY, "session": True}, "nb"),
    Sample("exports_a_file", "action", '''
        import hashlib, io, os, uuid
        from open_webui.config import UPLOAD_DIR
        from open_webui.models.files import FileForm, Files
        from open_webui.storage.provider import Storage


        class Action:
            async def action(self, body, __user__, __event_emitter__):
                text = body["messages"][-1]["content"].encode()
                contents, path = Storage.upload_file(io.BytesIO(text), f"{uuid.uuid4()}.md", {})
                form = FileForm(id=str(uuid.uuid4()), filename="answer.md", path=path, meta={"name": "answer.md", "content_type": "text/markdown", "size": len(contents)})
                file = Files.insert_new_file(__user__["id"], form)
                await __event_emitter__({"type": "files", "data": {"files": [{"type": "file", "id": file.id, "name": file.filename}]}})
        ''', "answer.md", {"body": BODY}),
    Sample("shows_a_page", "action", '''
        from fastapi.responses import HTMLResponse


        class Action:
            actions = [{"id": "chart", "name": "Chart", "icon_url": "data:,"}, {"id": "table", "name": "Table"}]

            async def action(self, body, __id__=None):
                return HTMLResponse(content=f"<h1>{__id__}</h1>", headers={"Content-Disposition": "inline"})
        ''', "<h1>table</h1>", {"body": BODY, "sub_id": "table"}),
    Sample("keeps_a_note", "action", '''
        from open_webui.models.chats import Chats
        from open_webui.models.notes import NoteForm, Notes


        class Action:
            async def action(self, body, __user__=None, __metadata__=None, __request__=None):
                chat = Chats.get_chat_by_id(body["chat_id"])
                note = Notes.insert_new_note(__user__["id"], NoteForm(title=chat.title, data={"content": {"md": body["messages"][-1]["content"]}}))
                return {"messages": [{"id": body["id"], "content": f"kept in {note.title} of {chat.title}"}]}
        ''', "kept in List of Greeting", {"body": BODY}),
    Sample("summarises", "action", '''
        from pydantic import BaseModel, Field
        from open_webui.main import generate_chat_completions
        from open_webui.models.users import Users


        class Action:
            class Valves(BaseModel):
                model: str = Field(default="llama")

            class UserValves(BaseModel):
                show_status: bool = True

            def __init__(self):
                self.valves = self.Valves()

            async def action(self, body, __user__, __request__, __event_emitter__=None):
                user = __user__[0] if isinstance(__user__, (list, tuple)) else __user__
                if user["valves"].show_status:
                    await __event_emitter__({"type": "status", "data": {"description": "Summing up", "done": False}})
                form = {"model": self.valves.model, "messages": body["messages"], "stream": False}
                made = await generate_chat_completions(__request__, form, Users.get_user_by_id(user["id"]))
                await __event_emitter__({"type": "replace", "data": {"content": made["choices"][0]["message"]["content"]}})
        ''', "Summing up", {"body": BODY}),
]  # fmt: skip
