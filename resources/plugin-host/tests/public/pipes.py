"""Pipes: models of providers, of other models, and of programs."""

from __future__ import annotations

from .sample import Sample, chat

PIPES = [
    Sample("echo", "pipe", '''
        class Pipe:
            def pipe(self, body: dict) -> str:
                return body["messages"][-1]["content"].upper()
        ''', "WEATHER", {"body": chat()}),
    Sample("lines_of_a_provider", "pipe", '''
        """
        title: Provider Manifold Pipe
        requirements: requests, sseclient-py
        """
        import json, os, requests, time
        from typing import Generator, Iterator, List, Union
        from pydantic import BaseModel, Field
        from open_webui.utils.misc import pop_system_message


        class Pipe:
            class Valves(BaseModel):
                API_KEY: str = Field(default="")

            def __init__(self):
                self.type = "manifold"
                self.id = "provider"
                self.name = "provider/"
                self.valves = self.Valves(**{"API_KEY": os.getenv("PROVIDER_API_KEY", "")})

            def pipes(self) -> List[dict]:
                return [{"id": "one-latest", "name": "one"}]

            def pipe(self, body: dict) -> Union[str, Generator, Iterator]:
                system, messages = pop_system_message(body["messages"])
                model = body["model"][body["model"].find(".") + 1 :]
                return self.stream_response({"model": model, "system": system["content"], "messages": messages})

            def stream_response(self, payload):
                with requests.post("http/lines", json=payload, stream=True, timeout=(3.05, 60)) as response:
                    for line in response.iter_lines():
                        if line and line.decode().startswith("data: "):
                            yield json.loads(line.decode()[6:])["text"]
        ''', '{"text": "one-latest Be brief."}', {"body": chat(model="provider.one-latest"), "valves": {"API_KEY": "k"}}),
    Sample("lines_passed_on", "pipe", '''
        import aiohttp


        class Pipe:
            def __init__(self):
                self.session = None

            async def pipe(self, body, __user__=None):
                async def lines():
                    async with aiohttp.ClientSession() as session:
                        async with session.post("http/lines", json={"model": "m", "system": __user__["name"]}) as response:
                            async for line in response.content:
                                yield line.decode()
                return lines()
        ''', "m Ada", {"body": chat()}),
    Sample("shared_client", "pipe", '''
        import httpx

        client = httpx.AsyncClient(timeout=10)


        class Pipe:
            async def pipe(self, body: dict):
                async with client.stream("POST", "http/lines", json={"model": "h", "system": "x"}) as response:
                    async for line in response.aiter_lines():
                        if line.startswith("data: "):
                            yield line[6:]
        ''', "h x", {"body": chat()}),
    Sample("two_in_one", "pipe", '''
        import asyncio
        from fastapi import Request
        from open_webui.models.users import Users
        from open_webui.utils.chat import generate_chat_completion


        class Pipe:
            async def ask(self, request, user, model, messages):
                answer = await generate_chat_completion(request, {"model": model, "messages": messages, "stream": False}, user)
                return answer["choices"][0]["message"]["content"]

            async def pipe(self, body: dict, __user__: dict, __request__: Request, __event_emitter__=None, __task__=None) -> str:
                user = await Users.get_user_by_id(__user__["id"])
                answers = await asyncio.gather(*(self.ask(__request__, user, "llama", body["messages"]) for _ in range(3)))
                await __event_emitter__({"type": "message", "data": {"content": f"{len(answers)} experts"}})
                return " / ".join(answers)
        ''', "Good day / Good day / Good day", {"body": chat()}),
    Sample("streams_another_model", "pipe", '''
        from open_webui.models.users import Users
        from open_webui.utils.chat import generate_chat_completion


        class Pipe:
            async def pipe(self, body, __user__, __request__):
                user = Users.get_user_by_id(__user__["id"])
                response = await generate_chat_completion(__request__, {**body, "model": "llama", "stream": True}, user=user)
                async for chunk in response.body_iterator:
                    yield chunk
        ''', "Good ", {"body": chat()}),
    Sample("thinks_aloud", "pipe", '''
        import asyncio, time


        class Pipe:
            async def pipe(self, body, __event_emitter__):
                yield {"choices": [{"index": 0, "delta": {"reasoning_content": "let me see"}}]}
                await __event_emitter__({"type": "status", "data": {"description": "thinking", "done": False}})
                yield "<think>\\n"
                for word in ("so", "it", "is"):
                    await asyncio.sleep(0)
                    yield word + " "
                yield {"event": {"type": "status", "data": {"description": "thought", "done": True}}}
        ''', "let me see", {"body": chat()}),
    Sample("answers_titles_cheaply", "pipe", '''
        from open_webui.constants import TASKS
        from open_webui.utils.chat import generate_chat_completion
        from open_webui.models.users import Users


        class Pipe:
            async def pipe(self, body, __task__, __user__, __request__):
                if __task__ == TASKS.TITLE_GENERATION or str(__task__) == "tags_generation":
                    user = Users.get_user_by_id(__user__["id"])
                    made = await generate_chat_completion(__request__, {"model": "llama", "messages": [], "stream": False}, user=user)
                    return "Title: " + made["choices"][0]["message"]["content"]
                return "no task"
        ''', "Title: Good day", {"body": chat(), "given": {"task": "title_generation"}}),
    Sample("lists_its_models", "pipes", '''
        from typing import Optional
        import aiohttp
        from pydantic import BaseModel


        class Pipe:
            class Valves(BaseModel):
                NAME_PREFIX: str = "P/"
                FILTER: Optional[str] = None

            def __init__(self):
                self.valves = self.Valves()
                self.name = self.valves.NAME_PREFIX

            async def pipes(self):
                async with aiohttp.ClientSession(trust_env=True) as session:
                    async with session.get("http/models", headers={"Authorization": "Bearer x"}) as response:
                        return [{"id": item["id"], "name": item["name"]} for item in (await response.json())["data"]]
        ''', "P/Large", {}),
    Sample("error_as_a_dict", "pipe", '''
        class Pipe:
            async def pipe(self, body):
                try:
                    raise RuntimeError("no key")
                except Exception as e:
                    return {"error": {"detail": f"Error: {e}"}}
        ''', "Error: no key", {"body": chat()}),
    Sample("streaming_response", "pipe", '''
        from fastapi.responses import StreamingResponse
        from starlette.background import BackgroundTask


        class Pipe:
            def pipe(self, body: dict):
                async def lines():
                    for word in ("A", "B"):
                        yield f'data: {{"choices": [{{"delta": {{"content": "{word}"}}}}]}}\\n\\n'
                    yield "data: [DONE]\\n\\n"
                return StreamingResponse(lines(), media_type="text/event-stream", background=BackgroundTask(print, "sent"))
        ''', "[DONE]", {"body": chat()}),
    Sample("reads_the_emitter", "pipe", '''
        import requests
        from typing import Optional, Callable, Awaitable


        def extract_event_info(event_emitter):
            if not event_emitter or not event_emitter.__closure__:
                return None, None
            for cell in event_emitter.__closure__:
                if isinstance(request_info := cell.cell_contents, dict):
                    return request_info.get("chat_id"), request_info.get("message_id")
            return None, None


        class Pipe:
            async def pipe(self, body, __user__: Optional[dict] = None, __event_emitter__: Callable[[dict], Awaitable[None]] = None, __event_call__=None):
                chat_id, message_id = extract_event_info(__event_emitter__)
                answer = requests.post("http/hook", json={"sessionId": chat_id, "message": message_id})
                return answer.json()["seen"]["sessionId"] + answer.json()["seen"]["message"]
        ''', "c1m2", {"body": chat()}),
    Sample("uses_the_tools_of_the_chat", "pipe", '''
        import inspect, json


        class Pipe:
            async def pipe(self, body, __tools__=None, __metadata__=None):
                tools = await __tools__ if inspect.isawaitable(__tools__) else __tools__
                specs = [tool["spec"]["name"] for tool in tools.values()]
                result = await tools["add"]["callable"](a=1, b=2)
                return f"{specs} {result}"
        ''', "['add'] 3", {"body": chat(), "given": {"tools": [{"name": "add", "tool_id": "calc", "spec": {"name": "add", "parameters": {}}}]}}),
    Sample("draws", "pipe", '''
        import base64, io, mimetypes, uuid
        from fastapi import UploadFile
        from open_webui.models.users import Users
        from open_webui.routers.files import upload_file


        class Pipe:
            async def pipe(self, body, __user__, __request__, __event_emitter__):
                data = io.BytesIO(base64.b64decode("QUJD"))
                file = upload_file(__request__, UploadFile(file=data, filename=f"{uuid.uuid4()}.png", headers={"content-type": "image/png"}), user=Users.get_user_by_id(__user__["id"]))
                if hasattr(file, "__await__"):
                    file = await file
                await __event_emitter__({"type": "files", "data": {"files": [{"type": "image", "url": f"/api/v1/files/{file.id}/content"}]}})
                return f"![image](/api/v1/files/{file.id}/content)"
        ''', "![image](/api/v1/files/", {"body": chat()}),
]  # fmt: skip
