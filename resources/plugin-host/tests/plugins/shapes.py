"""
title: Every shape a tool can return
"""

import base64

from fastapi_like import HTMLResponse, JSONResponse  # stands in the test's folder of packages
from pydantic import BaseModel


class Item(BaseModel):
    name: str
    count: int = 1


class Tools:
    def text(self):
        return "plain"

    def image(self):
        return "data:image/png;base64," + base64.b64encode(b"x").decode()

    def mapping(self):
        return {"größe": 1}

    def listing(self):
        return ["a", "data:text/plain,1", "data:text/plain,2", {"b": 1}]

    def inline_html(self):
        return HTMLResponse("<b>hi</b>", headers={"content-disposition": "INLINE"})

    def inline_with_context(self):
        return HTMLResponse("<b>hi</b>", headers={"Content-Disposition": "inline"}), {"seen": True}

    def inline_error(self):
        return HTMLResponse("broken", status_code=500, headers={"Content-Disposition": "inline"})

    def plain_html(self):
        return HTMLResponse("<b>hi</b>")

    def pair(self):
        return {"a": 1}, "ignored"

    def nothing(self):
        return None

    def number(self):
        return 42

    def truth(self):
        return True

    def model(self):
        return Item(name="x")

    def data(self):
        return b"abc"

    async def pieces(self):
        yield "a"
        yield "b"

    def open_arguments(self, first, *args, **kwargs):
        return {"first": first, "args": args, "kwargs": kwargs}

    def item(self, item: Item):
        return type(item).__name__

    @property
    def costly(self):
        raise RuntimeError("a property must not be read")

    @staticmethod
    def static(x: int):
        return x + 1

    def _hidden(self):
        return 1

    def __init__(self):
        self.shortcut = lambda: 1
        self.Inner = Item
