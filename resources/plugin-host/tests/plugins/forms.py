"""
title: Every form a pipe can answer in
"""

import asyncio
import time

from fastapi_like import HTMLResponse, StreamingResponse
from pydantic import BaseModel


class Chunk(BaseModel):
    n: int


class Pipe:
    def __init__(self):
        self.name = "forms/"
        self.closed = []

    async def pipes(self):
        return [{"id": "a.b/c", "name": "First"}, {"id": "second"}, "no model"]

    async def pipe(self, body, __event_emitter__=None):
        form = body["model"].split(".", 1)[1]
        return getattr(self, f"as_{form}")(body)

    def as_text(self, body):
        return "hello"

    def as_none(self, body):
        return None

    def as_mapping(self, body):
        return {"choices": []}

    def as_model(self, body):
        return Chunk(n=1)

    async def as_coroutine(self, body):
        return "awaited"

    def as_generator(self, body):
        yield "one"
        yield {"event": {"type": "status", "data": {"description": "half"}}}
        yield {"n": 2}
        yield Chunk(n=3)
        yield b"data: {}\n\n"
        yield ""

    async def as_async_generator(self, body):
        for item in self.as_generator(body):
            await asyncio.sleep(0)
            yield item

    async def as_endless(self, body):
        number = 0
        try:
            while True:
                yield str(number)
                number += 1
        finally:
            print(f"closed after {number}")

    def as_endless_in_thread(self, body):
        number = 0
        try:
            while True:
                yield str(number)
                number += 1
        finally:
            print(f"closed after {number}")

    def as_response(self, body):
        async def lines():
            yield "data: 1\n\n"
            yield b"data: 2\n\n"

        return StreamingResponse(lines(), status_code=201, headers={"x": "y"})

    def as_page(self, body):
        return HTMLResponse("page", status_code=203)

    async def as_failing(self, body):
        yield "first"
        raise RuntimeError("upstream said no")
