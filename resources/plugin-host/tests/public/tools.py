"""Tools: functions a model calls."""

from __future__ import annotations

from .sample import Sample

EMITTER = """
        import asyncio, json, re
        from typing import Any, Awaitable, Callable, Optional


        class EventEmitter:
            def __init__(self, event_emitter: Callable[[dict], Any] = None):
                self.event_emitter = event_emitter

            async def emit(self, description="Unknown State", status="in_progress", done=False):
                if self.event_emitter:
                    await self.event_emitter({"type": "status", "data": {"status": status, "description": description, "done": done}})
"""


def called(name: str, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


TOOLS = [
    Sample("calculator", "tool", '''
        import ast, operator
        from datetime import datetime


        class Tools:
            def calculator(self, equation: str) -> str:
                """
                Calculate the result of an equation.
                :param equation: The equation to calculate.
                """
                operators = {ast.Add: operator.add, ast.Mult: operator.mul}
                def value(node):
                    if isinstance(node, ast.BinOp):
                        return operators[type(node.op)](value(node.left), value(node.right))
                    return node.value
                return f"{equation} = {value(ast.parse(equation, mode='eval').body)}"
        ''', "2+3*4 = 14", called("calculator", equation="2+3*4")),
    Sample("weather", "tool", '''
        import os, requests
        from pydantic import BaseModel, Field


        class Tools:
            class Valves(BaseModel):
                api_key: str = Field("", description="key", json_schema_extra={"input": {"type": "password"}})
                units: str = Field("metric", json_schema_extra={"enum": ["metric", "imperial"]})

            def __init__(self):
                self.citation = True
                self.valves = self.Valves()

            def get_current_weather(self, city: str, days: int = 1, __user__: dict = {}) -> str:
                """
                Get the current weather.
                :param city: The name of the city.
                """
                response = requests.get("http/weather", params={"q": city, "units": self.valves.units})
                response.raise_for_status()
                return f"{response.json()['weather']} for {days} in {self.valves.units}"
        ''', "rain in Oslo for 1 in imperial", {**called("get_current_weather", city="Oslo"), "valves": {"units": "imperial", "api_key": "k"}}),
    Sample("reads_pages", "tool", EMITTER + '''
        import aiohttp
        from bs4 import BeautifulSoup


        class Tools:
            def __init__(self):
                self.citation = False

            async def scrape(self, urls: list[str], __event_emitter__: Optional[Callable[[dict], Awaitable[None]]] = None) -> str:
                """Scrape web pages.

                Args:
                    urls: The pages.
                """
                emitter = EventEmitter(__event_emitter__)
                async def read(session, url):
                    async with session.get(url) as response:
                        return BeautifulSoup(await response.text(), "html.parser").p.get_text()
                await emitter.emit(f"Reading {len(urls)}")
                async with aiohttp.ClientSession() as session:
                    texts = await asyncio.gather(*(read(session, url) for url in urls))
                for url, text in zip(urls, texts):
                    await __event_emitter__({"type": "citation", "data": {"document": [text], "metadata": [{"source": url}], "source": {"name": url}}})
                await emitter.emit("Done", "complete", True)
                return json.dumps(texts)
        ''', '"It rains.", "It rains."', called("scrape", urls=["http/page", "http/page"])),
    Sample("searches", "tool", '''
        import concurrent.futures, requests


        class Tools:
            async def search_web(self, query: str, __event_emitter__=None) -> str:
                def fetch(number):
                    return requests.get("http/weather", params={"q": f"{query} {number}"}).json()["weather"]
                with concurrent.futures.ThreadPoolExecutor(max_workers=4) as executor:
                    futures = [executor.submit(fetch, n) for n in range(3)]
                    found = sorted(f.result() for f in concurrent.futures.as_completed(futures))
                await __event_emitter__({"type": "status", "data": {"description": found[-1], "done": True, "urls": ["http/page"]}})
                return "\\n".join(found)
        ''', "rain in fog 2", called("search_web", query="fog")),
    Sample("searches_with_the_gateway", "tool", '''
        from open_webui.models.users import Users
        from open_webui.routers.retrieval import SearchForm, process_web_search


        class Tools:
            async def search(self, query: str, __request__=None, __user__=None) -> str:
                user = Users.get_user_by_id(__user__["id"])
                found = await process_web_search(__request__, SearchForm(queries=[query]), user)
                return str(found["items"][0]["link"])
        ''', "https://example.org", called("search", query="fog")),
    Sample("remembers", "tool", '''
        from fastapi import Request
        from open_webui.models.memories import Memories
        from open_webui.models.users import Users
        from open_webui.routers.memories import AddMemoryForm, add_memory, delete_memory_by_id


        class Tools:
            async def remember(self, text: str, __user__: dict = None, __request__: Request = None) -> str:
                user = Users.get_user_by_id(__user__["id"])
                added = await add_memory(__request__, AddMemoryForm(content=text), user)
                kept = Memories.get_memories_by_user_id(__user__["id"])
                await delete_memory_by_id(memory_id=kept[0].id, request=__request__, user=user)
                return f"{added.content} of {len(kept)}"
        ''', "Likes tea of 1", called("remember", text="Likes tea")),
    Sample("paints", "tool", '''
        from open_webui.models.users import Users
        from open_webui.routers.images import GenerateImageForm, image_generations


        class Tools:
            async def generate_image(self, prompt: str, __request__, __user__, __event_emitter__=None) -> str:
                try:
                    images = await image_generations(request=__request__, form_data=GenerateImageForm(prompt=prompt), user=Users.get_user_by_id(__user__["id"]))
                    await __event_emitter__({"type": "message", "data": {"content": f"![Image]({images[0]['url']})"}})
                    return "shown"
                except Exception as e:
                    return f"An error occurred: {type(e).__name__}"
        ''', "An error occurred", called("generate_image", prompt="A cat")),
    Sample("asks_the_collections", "tool", '''
        from open_webui.models.knowledge import Knowledges
        from open_webui.retrieval.utils import query_collection


        class Tools:
            async def ask_knowledge(self, question: str, __request__=None, __user__=None) -> str:
                bases = Knowledges.get_knowledge_bases_by_user_id(__user__["id"], "read")
                embed = lambda query, prefix=None: __request__.app.state.EMBEDDING_FUNCTION(query, prefix=prefix, user=__user__)
                found = query_collection(collection_names=[b.id for b in bases], queries=[question], embedding_function=embed, k=2)
                if hasattr(found, "__await__"):
                    found = await found
                return bases[0].name + ": " + found["documents"][0][0]
        ''', "Manuals: a passage", called("ask_knowledge", question="How?")),
    Sample("keeps_a_list", "tool", '''
        import os, sqlite3
        from pathlib import Path
        from open_webui.env import DATA_DIR


        class Tools:
            def __init__(self):
                self.path = Path("todo.db")
                with sqlite3.connect(self.path) as db:
                    db.execute("create table if not exists todo (text text)")

            def add_todo(self, text: str) -> str:
                with sqlite3.connect(self.path) as db:
                    db.execute("insert into todo values (?)", (text,))
                    return str(db.execute("select count(*), max(text) from todo").fetchone())
        ''', "(1, 'milk')", called("add_todo", text="milk")),
    Sample("shows_html", "tool", '''
        from fastapi.responses import HTMLResponse


        class Tools:
            def show_map(self, place: str) -> tuple:
                html = f"<html><body>{place}</body></html>"
                return HTMLResponse(content=html, headers={"Content-Disposition": "inline"}), {"place": place, "shown": True}
        ''', "<body>Oslo</body>", called("show_map", place="Oslo")),
    Sample("takes_typed_arguments", "tool", '''
        from enum import Enum
        from typing import Annotated, Any, Dict, List, Literal, Optional, Union
        from pydantic import BaseModel, Field


        class Colour(str, Enum):
            RED = "red"
            BLUE = "blue"


        class Item(BaseModel):
            """One thing."""
            name: str = Field(..., description="What it is")
            amount: Optional[int] = None


        class Tools:
            def order(
                self,
                items: List[Item],
                colour: Colour = Colour.RED,
                size: Literal["s", "m"] = "s",
                tags: Optional[List[str]] = None,
                options: Dict[str, Any] = {},
                note: Annotated[str, "A remark"] = "",
                limit: Union[int, str] = Field(3, ge=1),
            ) -> dict:
                """
                Order things.
                :param items: What to order
                """
                return {"count": len(items), "first": dict(items[0])["name"], "colour": str(colour), "size": size, "tags": tags}
        ''', '"first": "tea"', called("order", items=[{"name": "tea"}], tags=["hot"])),
    Sample("runs_a_program", "tool", '''
        import asyncio, subprocess, sys, tempfile


        class Tools:
            async def run_python_code(self, code: str, __event_emitter__=None) -> str:
                with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
                    file.write(code)
                    file.flush()
                    process = await asyncio.create_subprocess_exec(sys.executable, file.name, stdout=asyncio.subprocess.PIPE)
                    out, _ = await asyncio.wait_for(process.communicate(), timeout=20)
                await __event_emitter__({"type": "citation", "data": {"type": "code_execution", "id": "1", "name": "run", "code": code, "result": {"output": out.decode()}}})
                return out.decode() + subprocess.run([sys.executable, "-c", "print(2)"], capture_output=True, text=True).stdout
        ''', "42\\n2", called("run_python_code", code="print(6 * 7)")),
    Sample("knows_who_asks", "tool", '''
        class Tools:
            def get_user_name_and_email_and_id(self, __user__: dict = {}, __metadata__=None, __messages__=None, __model__=None, __id__=None) -> str:
                """Get the user name, Email and ID from the user object."""
                result = f"User: {__user__['name']} (ID: {__user__['id']})" if "name" in __user__ else "User: Unknown"
                return f"{result} {__user__.get('email')} {__metadata__['chat_id']} {__id__}"
        ''', "User: Ada (ID: u1) ada@example.org c1 knows_who_asks", called("get_user_name_and_email_and_id")),
    Sample("works_in_the_background", "tool", '''
        import asyncio, threading, time


        class Tools:
            def __init__(self):
                self.done = threading.Event()

            async def start(self, __event_emitter__=None) -> str:
                loop = asyncio.get_running_loop()
                def work():
                    future = asyncio.run_coroutine_threadsafe(__event_emitter__({"type": "notification", "data": {"type": "success", "content": "from a thread"}}), loop)
                    future.result(5)
                    self.done.set()
                threading.Thread(target=work, daemon=True).start()
                await loop.run_in_executor(None, self.done.wait, 5)
                return str(self.done.is_set())
        ''', "from a thread", called("start")),
    Sample("calls_from_sync_code", "tool", '''
        import asyncio
        from open_webui.models.users import Users


        class Tools:
            def who(self, __user__=None, __event_emitter__=None) -> str:
                async def ask():
                    await __event_emitter__({"type": "status", "data": {"description": "asked", "done": True}})
                    return (await Users.get_user_by_id(__user__["id"])).name
                try:
                    loop = asyncio.get_event_loop()
                    return asyncio.run_coroutine_threadsafe(ask(), loop).result(10) if loop.is_running() else loop.run_until_complete(ask())
                except RuntimeError:
                    return asyncio.run(ask())
        ''', "Ada", called("who")),
    Sample("researches", "tool", '''
        import asyncio
        from open_webui.main import app
        from open_webui.models.users import Users
        from open_webui.utils.chat import generate_chat_completion
        from open_webui.utils.misc import get_last_assistant_message


        class Tools:
            async def research(self, topic: str, __request__=None, __user__=None, __event_emitter__=None) -> str:
                user = Users.get_user_by_id(__user__["id"])
                semaphore = asyncio.Semaphore(2)
                async def step(number):
                    async with semaphore:
                        form = {"model": "llama", "messages": [{"role": "user", "content": f"{topic} {number}"}], "stream": False}
                        return (await generate_chat_completion(__request__, form, user=user))["choices"][0]["message"]
                messages = await asyncio.gather(*(step(n) for n in range(4)))
                return f"{len(messages)} steps, at last {get_last_assistant_message(messages)}"
        ''', "4 steps, at last Good day", called("research", topic="tea")),
    Sample("looks_things_up", "tool", '''
        from open_webui.models.folders import Folders
        from open_webui.models.groups import Groups
        from open_webui.models.models import Models
        from open_webui.models.prompts import Prompts
        from open_webui.models.tools import Tools as ToolsTable
        from open_webui.utils.access_control import has_permission


        class Tools:
            async def overview(self, __user__=None) -> str:
                prompt = Prompts.get_prompt_by_command("tea")
                groups = Groups.get_groups_by_member_id(__user__["id"])
                return f"{prompt.title} {groups[0].name} {len(Models.get_all_models())} {has_permission(__user__['id'], 'chat.delete', {})}"
        ''', "Tea Team", called("overview")),
    Sample("keeps_its_state", "tool", '''
        class Tools:
            async def count(self, __request__=None) -> str:
                state = __request__.app.state
                state.COUNTER = getattr(state, "COUNTER", 0) + 1
                return f"{state.COUNTER} {__request__.headers.get('authorization')} {__request__.base_url}"
        ''', "1 Bearer short http://localhost/", called("count")),
    Sample("old_import_names", "tool", '''
        from apps.webui.models.users import Users
        from utils.misc import get_last_user_message
        from config import WEBUI_NAME


        class Tools:
            def hello(self, __user__=None) -> str:
                return Users.get_user_by_id(__user__["id"]).name + " of " + str(WEBUI_NAME)
        ''', "Ada of", called("hello")),
    Sample("counts_tokens_if_it_can", "tool", '''
        try:
            import tiktoken
            ENCODING = tiktoken.get_encoding("cl100k_base")
        except Exception:
            tiktoken = None

        try:
            from open_webui.retrieval.vector.factory import VECTOR_DB_CLIENT
        except ImportError:
            VECTOR_DB_CLIENT = None


        class Tools:
            def count(self, text: str) -> str:
                tokens = len(ENCODING.encode(text)) if tiktoken else len(text) // 4
                return f"{tokens} tokens, {VECTOR_DB_CLIENT is None}"
        ''', "2 tokens, True", called("count", text="12345678")),
    Sample("client_made_at_the_start", "tool", '''
        import aiohttp, asyncio


        class Tools:
            def __init__(self):
                self.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=10))
                self.ready = asyncio.get_running_loop().create_future()
                self.ready.set_result("ready")

            async def weather(self, city: str) -> str:
                async with self.session.get("http/weather", params={"q": city}) as response:
                    return f"{await self.ready}: {(await response.json())['weather']}"
        ''', "ready: rain in Oslo", called("weather", city="Oslo")),
    Sample("hashes_itself", "tool", '''
        from __future__ import annotations

        import dataclasses, hashlib, inspect, sys
        from typing import TYPE_CHECKING, Optional

        if TYPE_CHECKING:
            from fastapi import Request


        @dataclasses.dataclass
        class Options:
            depth: int = 1
            inner: Optional[Options] = None


        class Tools:
            def version(self, options: Optional[dict] = None, __request__: Request = None) -> str:
                with open(__file__, "rb") as source:
                    same = hashlib.sha256(source.read()).hexdigest() == hashlib.sha256(inspect.getsource(sys.modules[__name__]).encode()).hexdigest()
                return f"{same} {Options(inner=Options()).inner.depth}"
        ''', "True 1", called("version")),
    Sample("settings_of_the_gateway", "tool", '''
        class Tools:
            async def look(self, __request__=None, __user__=None) -> str:
                state = __request__.app.state
                names = sorted(state.MODELS)
                return f"{state.config.TASK_MODEL} {names[0]} {state.WEBUI_NAME if hasattr(state, 'WEBUI_NAME') else 'Chat'} {hasattr(state, 'nothing_like_it')}"
        ''', "small llama Chat False", called("look")),
    Sample("yields_its_answer", "tool", '''
        import asyncio
        from contextvars import ContextVar

        who = ContextVar("who", default=None)


        class Tools:
            async def tell(self, words: str, __user__=None):
                who.set(__user__["name"])
                async def say(word):
                    await asyncio.sleep(0)
                    return f"{word} {who.get()}"
                for word in words.split():
                    yield await asyncio.create_task(say(word)) + ". "
        ''', "one Ada. two Ada. ", called("tell", words="one two")),
    Sample("old_pydantic", "tool", '''
        from pydantic import BaseModel, Field, validator, root_validator


        class Forecast(BaseModel):
            city: str
            degrees: float = Field(default=1.0)

            class Config:
                extra = "allow"

            @validator("city")
            def strip(cls, value):
                return value.strip()


        class Tools:
            class Valves(BaseModel):
                BASE_URL: str = Field(default="http://x/", description="Address")

                @validator("BASE_URL", pre=True)
                def without_slash(cls, value):
                    return value.rstrip("/")

            def __init__(self):
                self.valves = self.Valves()

            def forecast(self, city: str) -> str:
                made = Forecast.parse_obj({"city": city, "more": 1})
                return f"{made.dict()} {self.valves.BASE_URL}"
        ''', "'city': 'Oslo', 'degrees': 1.0, 'more': 1} http://y", {**called("forecast", city=" Oslo "), "valves": {"BASE_URL": "http://y/"}}),
    Sample("keeps_a_secret", "tool", '''
        import base64, hashlib, os
        from typing import Any, Optional
        from cryptography.fernet import Fernet
        from pydantic import BaseModel, Field, GetCoreSchemaHandler
        from pydantic_core import core_schema


        class EncryptedStr(str):
            @classmethod
            def _get_encryption_key(cls) -> Optional[bytes]:
                secret = os.getenv("WEBUI_SECRET_KEY")
                return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()) if secret else None

            @classmethod
            def encrypt(cls, value: str) -> str:
                key = cls._get_encryption_key()
                if not value or value.startswith("encrypted:") or not key:
                    return value
                return f"encrypted:{Fernet(key).encrypt(value.encode()).decode()}"

            @classmethod
            def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler):
                return core_schema.union_schema([
                    core_schema.is_instance_schema(cls),
                    core_schema.chain_schema([core_schema.str_schema(), core_schema.no_info_plain_validator_function(lambda value: cls(cls.encrypt(value) if value else value))]),
                ], serialization=core_schema.plain_serializer_function_ser_schema(lambda instance: str(instance)))

            def get_decrypted(self) -> str:
                key = self._get_encryption_key()
                return Fernet(key).decrypt(self[len("encrypted:"):].encode()).decode() if key and self.startswith("encrypted:") else str(self)


        class Tools:
            class Valves(BaseModel):
                API_KEY: EncryptedStr = Field(default="", description="key")

            def __init__(self):
                self.valves = self.Valves()

            def show(self) -> str:
                return f"{self.valves.API_KEY[:10]} {self.valves.API_KEY.get_decrypted()}"
        ''', "encrypted: s3cret", {**called("show"), "valves": {"API_KEY": "s3cret"}}),
]  # fmt: skip
