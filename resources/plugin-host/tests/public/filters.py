"""Filters: what is done to a request, to each piece of an answer and to the whole of it."""

from __future__ import annotations

from .sample import Sample, answered, chat

LONG = {"messages": [{"role": "system", "content": "s"}, *({"role": "user", "content": f"turn {n}"} for n in range(9))], "model": "llama"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}

FILTERS = [
    Sample("context_clip", "inlet", '''
        """
        title: Context Clip
        author: somebody
        version: 0.1
        """
        from pydantic import BaseModel, Field
        from typing import Optional


        class Filter:
            class Valves(BaseModel):
                priority: int = Field(default=0, description="Priority level")
                n_last_messages: int = Field(default=4, description="Number of last messages to retain.")

            class UserValves(BaseModel):
                pass

            def __init__(self):
                self.valves = self.Valves()

            def inlet(self, body: dict, __user__: Optional[dict] = None) -> dict:
                messages = body["messages"]
                system_prompt = next((m for m in messages if m.get("role") == "system"), None)
                if system_prompt:
                    messages = [m for m in messages if m.get("role") != "system"][-self.valves.n_last_messages :]
                    messages.insert(0, system_prompt)
                body["messages"] = messages
                return body
        ''', "turn 8", {"body": LONG, "valves": {"n_last_messages": 2}}),
    Sample("token_counter", "outlet", '''
        import time
        from typing import Any, Awaitable, Callable
        from open_webui.utils.misc import get_last_assistant_message, get_messages_content


        class Filter:
            def __init__(self):
                self.start_time = None

            async def inlet(self, body: dict) -> dict:
                self.start_time = time.time()
                return body

            async def outlet(self, body: dict, __event_emitter__: Callable[[Any], Awaitable[None]]) -> dict:
                tokens = len(get_last_assistant_message(body["messages"]).split())
                whole = len(get_messages_content(body["messages"]))
                await __event_emitter__({"type": "status", "data": {"description": f"{tokens} tokens, {whole > 0}", "done": True}})
                return body
        ''', "3 tokens, True", {"body": answered("Rain all day")}),
    Sample("max_turns", "inlet", '''
        from pydantic import BaseModel


        class Filter:
            class Valves(BaseModel):
                max_turns_for_users: int = 4
                max_turns_for_admins: int = 8

            def __init__(self):
                self.valves = self.Valves()

            def inlet(self, body: dict, __user__=None) -> dict:
                limit = self.valves.max_turns_for_admins if __user__["role"] == "admin" else self.valves.max_turns_for_users
                if len(body["messages"]) > limit:
                    raise Exception(f"Conversation turn limit exceeded. The maximum turn limit is {limit} turns.")
                return body
        ''', "failed: Conversation turn limit exceeded. The maximum turn limit is 4 turns.", {"body": LONG}),
    Sample("rate_limit", "inlet", '''
        import time
        from collections import defaultdict, deque
        from pydantic import BaseModel, Field


        class Filter:
            class Valves(BaseModel):
                requests_per_minute: int = Field(default=1)
                enabled_for_admins: bool = True

            def __init__(self):
                self.file_handler = False
                self.valves = self.Valves()
                self.requests = defaultdict(deque)

            async def inlet(self, body, __user__, __metadata__={}):
                seen = self.requests[__user__["id"]]
                while seen and seen[0] < time.time() - 60:
                    seen.popleft()
                if len(seen) >= self.valves.requests_per_minute:
                    raise Exception("Rate limit exceeded.")
                seen.append(time.time())
                body["user_key"] = f"{__user__['email']} {len(seen)}"
                return body
        ''', "ada@example.org 1", {"body": chat()}),
    Sample("system_prompt_of_the_day", "inlet", '''
        from datetime import datetime
        from zoneinfo import ZoneInfo
        from pydantic import BaseModel, Field
        from open_webui.utils.misc import add_or_update_system_message, get_last_user_message


        class Filter:
            class UserValves(BaseModel):
                timezone: str = Field(default="UTC")

            def __init__(self):
                self.valves = None

            async def inlet(self, body: dict, __user__: dict = {}) -> dict:
                zone = ZoneInfo(__user__["valves"].timezone)
                line = f"Zone {zone.key} {datetime.now(zone).year > 2000} {get_last_user_message(body['messages'])[:4]}"
                body["messages"] = add_or_update_system_message(line, body["messages"])
                return body
        ''', "Zone UTC True What", {"body": chat()}),
    Sample("think_tags", "stream", '''
        import re


        class Filter:
            def __init__(self):
                self.in_thought = False

            def stream(self, event: dict) -> dict:
                for choice in event.get("choices", []):
                    delta = choice.get("delta", {})
                    if content := delta.get("content"):
                        delta["content"] = re.sub(r"<think>(.*?)</think>", r"(\\1)", content)
                return event
        ''', "(hm) yes", {"event": {"choices": [{"index": 0, "delta": {"content": "<think>hm</think> yes"}}]}}),
    Sample("watched_stream", "stream", '''
        import asyncio, time


        class Filter:
            toggle = True
            icon = "data:image/svg+xml;base64,QUJD"

            def __init__(self):
                self.lock = asyncio.Lock()

            async def stream(self, event, __event_emitter__=None, __metadata__=None):
                async with self.lock:
                    await __event_emitter__({"type": "status", "data": {"description": __metadata__["chat_id"], "done": False}})
                return event
        ''', "c1", {"event": {"choices": [{"index": 0, "delta": {"content": "x"}}]}}),
    Sample("ask_first", "inlet", '''
        class Filter:
            def __init__(self):
                self.toggle = True

            async def inlet(self, body, __event_call__=None, __event_emitter__=None):
                agreed = await __event_call__({"type": "confirmation", "data": {"title": "Send?", "message": "It costs money."}})
                await __event_emitter__({"type": "notification", "data": {"type": "info", "content": f"agreed {agreed}"}})
                return body
        ''', "agreed True", {"body": chat(), "session": True}, True),
    Sample("auto_memory", "outlet", '''
        import asyncio, json, logging
        from typing import Literal, Optional
        from fastapi import Request
        from pydantic import BaseModel, Field
        from open_webui.env import SRC_LOG_LEVELS
        from open_webui.main import app as webui_app
        from open_webui.models.users import UserModel, Users
        from open_webui.routers.memories import AddMemoryForm, MemoryUpdateModel, QueryMemoryForm, add_memory, query_memory, update_memory_by_id
        from open_webui.utils.chat import generate_chat_completion

        log = logging.getLogger(__name__)
        log.setLevel(SRC_LOG_LEVELS.get("MAIN", logging.INFO))


        class Filter:
            class Valves(BaseModel):
                model: str = "llama"
                mode: Literal["add", "off"] = "add"

            def __init__(self):
                self.valves = self.Valves()
                self._tasks = set()

            async def identify(self, body, user, request):
                form = {"model": self.valves.model, "messages": body["messages"][-1:], "stream": False}
                found = await generate_chat_completion(request, form, user=user, bypass_filter=True)
                return found["choices"][0]["message"]["content"]

            async def keep(self, text, user, request):
                await add_memory(request=request, form_data=AddMemoryForm(content=text), user=user)

            async def outlet(self, body, __user__, __request__: Request, __event_emitter__=None):
                user = Users.get_user_by_id(__user__["id"])
                text = await self.identify(body, user, __request__)
                task = asyncio.create_task(self.keep(text, user, __request__))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                await task
                found = await query_memory(__request__, QueryMemoryForm(content=text, k=1), user)
                await __event_emitter__({"type": "status", "data": {"description": f"kept {text}: {found['documents'][0][0]}", "done": True}})
                return body
        ''', "kept Good day: Likes tea", {"body": answered("I will remember that.")}),
    Sample("router_by_picture", "inlet", '''
        from typing import Optional
        from open_webui.models.models import Models


        class Filter:
            async def inlet(self, body, __model__=None, __user__: Optional[dict] = None, __event_emitter__=None):
                last = body["messages"][-1]["content"]
                if isinstance(last, list) and any(item.get("type") == "image_url" for item in last):
                    if (body.get("model") or "") == "llama":
                        body["model"] = "llama-vision"
                        found = Models.get_model_by_id("llama")
                        await __event_emitter__({"type": "status", "data": {"description": f"to vision from {found.id}", "done": True}})
                return body
        ''', "llama-vision", {"body": {"model": "llama", "messages": [{"role": "user", "content": [{"type": "text", "text": "What?"}, PICTURE]}]}}),
    Sample("redaction", "outlet", '''
        import re, uuid


        class Filter:
            def __init__(self):
                self.names = {}

            def inlet(self, body, __metadata__=None):
                known = self.names.setdefault(__metadata__["chat_id"], {})
                for message in body["messages"]:
                    message["content"] = re.sub(r"[\\w.]+@[\\w.]+", lambda m: known.setdefault(m[0], f"<{uuid.uuid4().hex[:6]}>"), message["content"])
                return body

            def outlet(self, body, __metadata__=None):
                body["messages"][-1]["content"] = re.sub(r"\\S+@\\S+", "<address>", body["messages"][-1]["content"])
                return body
        ''', "write to <address> now", {"body": answered("write to me@example.org now")}),
    Sample("own_files", "inlet", '''
        import base64, os
        from open_webui.models.files import Files
        from open_webui.storage.provider import Storage


        class Filter:
            file_handler = True

            def inlet(self, body, __files__=None):
                file = Files.get_file_by_id(body["files"][0]["id"])
                path = Storage.get_file(file.path)
                with open(path, "rb") as opened:
                    body["messages"][-1]["content"] += "|" + base64.b64encode(opened.read()).decode()
                body["files"] = []
                return body
        ''', "|ZmlsZSBvbmU=", {"body": chat(files=[{"type": "file", "id": "file1", "name": "a.txt"}])}),
    Sample("markdown_normalizer", "outlet", '''
        """
        title: Markdown Normalizer
        requirements:
        """
        import dataclasses, logging, re
        from typing import Any, Callable, List, Optional, Dict

        logger = logging.getLogger(__name__)


        @dataclasses.dataclass
        class NormalizerConfig:
            fix_headings: bool = True
            custom_cleaners: List[Callable[[str], str]] = dataclasses.field(default_factory=list)


        class Filter:
            def __init__(self, config: Optional[NormalizerConfig] = None):
                self.config = config or NormalizerConfig()
                self.applied: Dict[str, int] = {}

            async def outlet(self, body: dict, __user__: Optional[dict] = None, __metadata__: Optional[dict] = None, **kwargs: Any) -> dict:
                for message in body["messages"]:
                    if message.get("role") == "assistant":
                        message["content"] = re.sub(r"^(#+)([^ #])", r"\\1 \\2", message["content"], flags=re.M)
                return body
        ''', "# Title", {"body": answered("#Title")}),
    Sample("web_grounding", "inlet", '''
        import aiohttp
        from bs4 import BeautifulSoup


        class Filter:
            async def inlet(self, body, __event_emitter__):
                async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10)) as session:
                    async with session.get("http/page") as response:
                        page = BeautifulSoup(await response.text(), "html.parser")
                source = {"source": {"name": page.title.string, "url": "http/page"}, "document": [page.get_text()], "metadata": [{"source": "http/page"}]}
                await __event_emitter__({"type": "citation", "data": source})
                body["messages"].append({"role": "system", "content": page.p.string})
                return body
        ''', "It rains.", {"body": chat()}),
]  # fmt: skip
