"""
title: Two buttons
"""

from fastapi_like import HTMLResponse


class Action:
    actions = [{"id": "copy", "name": "Copy", "icon_url": "data:,"}, {"id": "mail", "name": "Mail"}, {"name": "no id"}]

    class Valves:
        pass

    def __init__(self):
        pass

    async def action(self, body: dict, __user__=None, __event_emitter__=None, __event_call__=None, __id__=None, __model__=None, __request__=None):
        if __id__ == "copy":
            answer = await __event_call__({"type": "input", "data": {"title": "Name?", "message": "", "placeholder": ""}})
            await __event_emitter__({"type": "notification", "data": {"type": "info", "content": answer}})
            return {"messages": [{"id": body["id"], "content": answer}]}
        if __id__ == "mail":
            return HTMLResponse("<p>mail</p>", headers={"Content-Disposition": "inline"})
        kind = body.get("kind")
        if kind == "headers":
            return "<p>x</p>", {"Content-Disposition": "inline", "Content-Type": "text/html; charset=utf-8"}
        if kind == "location":
            return ["", {"opened": True}], {"content-disposition": "inline", "Location": "https://example.com/"}
        return __event_call__ is None
