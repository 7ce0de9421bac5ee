"""Plain and awaited calls, as plugins of both generations write them, and what plugins do besides calling."""

from __future__ import annotations

import unittest
from typing import Any

from tests.compatibility.gateway import GIVEN, Gateway
from tests.harness import Failure, Worker

STYLES = """
import asyncio
import concurrent.futures
import inspect
from open_webui.models.users import Users
from open_webui.models.chats import Chats
from open_webui.models.functions import Functions


class Tools:
    def plain(self):
        return Users.get_user_by_id("u1").name

    async def plain_in_async(self):
        user = Users.get_user_by_id("u1")
        return user.name

    async def awaited(self):
        return (await Users.get_user_by_id("u1")).name

    async def awaited_none(self):
        return str(await Users.get_user_by_id("nobody"))

    async def several_lines(self):
        user = await Users.get_user_by_id(
            "u1",
        )
        return user.name

    async def gathered(self):
        found = await asyncio.gather(Users.get_user_by_id("u1"), Users.get_user_by_id("nobody"))
        return f"{found[0].name} {found[1]}"

    async def gathered_list(self):
        tasks = [Users.get_user_by_id(id) for id in ("u1", "u2")]
        return " ".join(user.name for user in await asyncio.gather(*tasks))

    async def appended(self):
        tasks = []
        for id in ("u1", "nobody"):
            tasks.append(Users.get_user_by_id(id))
        return str([user and user.name for user in await asyncio.gather(*tasks)])

    async def waited_for(self):
        return (await asyncio.wait_for(Users.get_user_by_id("u1"), timeout=5)).name

    async def task(self):
        task = asyncio.create_task(Chats.get_chat_by_id("nothing"))
        return str(await task)

    async def later(self):
        coming = Chats.get_chat_by_id("nothing")
        return str(await coming)

    async def either_way(self):
        found = Users.get_user_by_id("u1")
        if inspect.isawaitable(found):
            found = await found
        return found.name

    async def helped(self):
        async def maybe(function, *args):
            result = function(*args)
            if inspect.iscoroutine(result):
                result = await result
            return result
        return (await maybe(Users.get_user_by_id, "u1")).name + str(await maybe(Users.get_user_by_id, "nobody"))

    async def in_thread(self):
        return (await asyncio.to_thread(Users.get_user_by_id, "u1")).name

    async def in_thread_lambda(self):
        return (await asyncio.to_thread(lambda: Users.get_user_by_id("u1"))).name

    def executor(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return pool.submit(Users.get_user_by_id, "u1").result().name

    async def comprehended(self):
        return " ".join([(await Users.get_user_by_id(id)).name for id in ("u1", "u2")])

    def comprehended_plain(self):
        return " ".join(Users.get_user_by_id(id).name for id in ("u1", "u2"))

    def own_loop(self):
        return asyncio.run(Users.get_user_by_id("u1")).name

    async def condition(self):
        return "yes" if await Users.get_user_by_id("u1") else "no"

    async def chained(self):
        return (await Users.get_user_by_id((await Users.get_user_by_email("bob@example.org")).id)).name

    async def keywords(self):
        arguments = {"id": "u1"}
        return (await Users.get_user_by_id(**arguments)).name + Users.get_user_by_id(**arguments).name

    async def returned(self):
        def find():
            return Users.get_user_by_id("nobody")
        return str(await find())

    async def list_awaited_later(self):
        chats = Chats.get_chats_by_user_id("u1")
        return str(len(chats if isinstance(chats, list) else await chats))
"""
ANSWERS = {
    "plain": "Ada", "plain_in_async": "Ada", "awaited": "Ada", "awaited_none": "None", "several_lines": "Ada", "gathered": "Ada None",
    "gathered_list": "Ada Bob", "appended": "['Ada', None]", "waited_for": "Ada", "task": "None", "later": "None", "either_way": "Ada",
    "helped": "AdaNone", "in_thread": "Ada", "in_thread_lambda": "Ada", "executor": "Ada", "comprehended": "Ada Bob",
    "comprehended_plain": "Ada Bob", "own_loop": "Ada", "condition": "yes", "chained": "Bob", "keywords": "AdaAda", "returned": "None",
    "list_awaited_later": "1",
}  # fmt: skip


class WithGateway(unittest.TestCase):
    worker: Worker
    gateway: Gateway

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker()
        cls.gateway = Gateway(cls.worker)
        cls.worker.wait_for("ready")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()

    def ask(self, plugin: str, name: str, **arguments: Any) -> str:
        return self.worker.call("tool", plugin, name=name, arguments=arguments, given=GIVEN)["text"]


class Styles(WithGateway):
    def test_plain_and_awaited(self) -> None:
        self.worker.load("styles", STYLES)
        for name, answer in ANSWERS.items():
            with self.subTest(name):
                self.assertEqual(self.ask("styles", name), answer)

    def test_requests_belong_to_the_call(self) -> None:
        self.worker.load("styles", STYLES)
        self.gateway.requests.clear()
        pending = self.worker.start("tool", "styles", name="in_thread", given=GIVEN)
        pending.value()
        self.assertEqual([request["call"] for request in self.gateway.requests], [pending.id])


INIT = """
from open_webui.models.functions import Functions

class Pipe:
    def __init__(self):
        self.stored = Functions.get_function_valves_by_id("init")

    def pipe(self, body):
        return str(self.stored)
"""
PIPE = """
import json
from open_webui.main import app
from open_webui.models.users import Users
from open_webui.utils.chat import generate_chat_completion
from starlette.requests import Request

class Pipe:
    async def pipe(self, body, __user__=None, __request__=None):
        user = Users.get_user_by_id(__user__["id"])
        if body.get("own_request"):
            __request__ = Request(scope={"type": "http", "app": app, "headers": [], "method": "POST", "path": "/"})
        answer = await generate_chat_completion(__request__, {**body, "metadata": {"task": "x", "emit": lambda: 0}}, user)
        if not body.get("stream"):
            return answer["choices"][0]["message"]["content"]
        if body.get("as_it_is"):
            return answer
        text = ""
        async for line in answer.body_iterator:
            line = line.decode("utf-8") if isinstance(line, bytes) else line
            if line.startswith("data: ") and "[DONE]" not in line:
                text += json.loads(line[6:])["choices"][0]["delta"].get("content", "")
        return text
"""
GUARDED = """
try:
    from open_webui.models.nowhere import Somebody
except ImportError:
    Somebody = None
try:
    from open_webui.utils.misc import not_there
except Exception:
    not_there = None
from open_webui.utils.misc import also_not_there
from open_webui.some.where.deep import Thing
import open_webui.another as another
from utils.misc import get_last_user_message
from apps.webui.models.users import Users
from typing import Optional
from pydantic import BaseModel

class Derived(Thing):
    pass

class Form(BaseModel):
    thing: Optional[Thing] = None

class Tools:
    def fallbacks(self):
        return f"{Somebody} {not_there} {get_last_user_message([{'role': 'user', 'content': 'x'}])} {Users.get_user_by_id('u1').name}"

    def use(self):
        return also_not_there([])

    def use_deep(self):
        return another.tool.run(1)

    def use_derived(self):
        return Derived()

    def use_method(self):
        return Users.paint_user_green("u1")
"""
FILES = """
import asyncio
import io
import uuid
from open_webui.models.files import FileForm, Files
from open_webui.storage.provider import Storage
from open_webui.routers.files import upload_file_handler

class Tools:
    async def make(self, __user__=None, __request__=None):
        id = str(uuid.uuid4())
        contents, path = Storage.upload_file(io.BytesIO(b"picture"), f"{id}_a.png", {"kind": "test"})
        file = Files.insert_new_file(__user__["id"], FileForm(
            id=id, filename="a.png", path=path, data={}, meta={"name": "a.png", "content_type": "image/png", "size": len(contents), "mine": 1},
        ))
        back = Files.get_file_by_id(id)
        with open(Storage.get_file(back.path), "rb") as stored:
            return {"same": file.id == id == back.id, "bytes": stored.read().decode(), "url": str(__request__.app.url_path_for("get_file_content_by_id", id=id))}

    def empty(self):
        try:
            Storage.upload_file(io.BytesIO(b""), "x", {})
        except ValueError as error:
            return str(error)

    def outside(self):
        return Storage.upload_file(io.BytesIO(b"x"), "../../../etc/x", {})[1]

    async def twice(self):
        one, two = await asyncio.gather(asyncio.to_thread(lambda: Files.get_file_by_id("file1").path), asyncio.to_thread(lambda: Files.get_file_by_id("file1").path))
        return one == two and open(one).read()
"""
STATE = """
from open_webui.env import SRC_LOG_LEVELS
import logging
log = logging.getLogger(__name__)
log.setLevel(SRC_LOG_LEVELS["MAIN"])

class Filter:
    async def inlet(self, body, __request__=None):
        state = __request__.app.state
        body["seen"] = {
            "models": sorted(state.MODELS), "task": state.config.TASK_MODEL, "missing": getattr(state.config, "OPENAI_API_KEY", "none"),
            "vector": state.EMBEDDING_FUNCTION("abc", prefix="x: ", user=None), "awaited": await state.EMBEDDING_FUNCTION(["a"]),
            "servers": state.TOOL_SERVERS, "header": __request__.headers.get("authorization"),
        }
        return body
"""


class Plugins(WithGateway):
    def test_settings_while_the_instance_is_made(self) -> None:
        self.worker.load("init", INIT)
        value = self.worker.call("pipe", "init", body={}, given=GIVEN)
        self.assertEqual(value["text"], "{'of': 'init', 'call': True}")

    def test_completions(self) -> None:
        self.worker.load("pipe", PIPE)
        for body in ({}, {"stream": True}, {"stream": True, "own_request": True}):
            value = self.worker.call("pipe", "pipe", body={"model": "llama", "messages": [], **body}, given=GIVEN)
            self.assertEqual(value, {"form": "text", "text": "Good day"})
        asked = self.gateway.asked("completion")[-1]
        self.assertEqual((asked["task"], "metadata" in asked["body"]), ("x", False))
        pending = self.worker.start("pipe", "pipe", body={"model": "llama", "messages": [], "stream": True, "as_it_is": True}, given=GIVEN)
        self.assertEqual(pending.value()["form"], "response")
        self.assertEqual(pending.items[-1], {"raw": "data: [DONE]\n\n"})
        for stream in (False, True):
            with self.assertRaises(Failure) as caught:
                self.worker.call("pipe", "pipe", body={"model": "none", "messages": [], "stream": stream}, given=GIVEN)
            self.assertEqual(caught.exception.error["message"], "Model not found")

    def test_names_that_are_not_there(self) -> None:
        self.worker.load("guarded", GUARDED)
        self.assertEqual(self.ask("guarded", "fallbacks"), "None None x Ada")
        for name, symbol in {
            "use": "open_webui.utils.misc.also_not_there",
            "use_deep": "open_webui.another.tool.run",
            "use_derived": "open_webui.some.where.deep.Thing",
            "use_method": "UsersTable.paint_user_green",
        }.items():
            with self.assertRaises(Failure) as caught:
                self.ask("guarded", name)
            self.assertIn(f"{symbol} is not there in this gateway", caught.exception.error["message"])

    def test_files(self) -> None:
        self.worker.load("files", FILES)
        made = self.worker.call("tool", "files", name="make", given=GIVEN)["raw"]
        self.assertEqual((made["same"], made["bytes"]), (True, "picture"))
        self.assertTrue(made["url"].endswith("/content"))
        asked = self.gateway.asked("files.create")[-1]
        self.assertEqual((asked["content_type"], asked["metadata"], asked["process"]), ("image/png", {"mine": 1}, False))
        self.assertEqual(self.ask("files", "empty"), "The file is empty.")
        self.assertTrue(self.ask("files", "outside").startswith(self.worker.folder))
        self.assertEqual(self.ask("files", "twice"), "file one")

    def test_state_of_the_application(self) -> None:
        self.worker.load("state", STATE)
        value = self.worker.call("inlet", "state", body={"messages": []}, given=GIVEN)
        seen = next(step[2] for step in value["steps"] if step[1] == ["seen"])
        self.assertEqual(
            seen,
            {
                "models": ["llama", "preset"], "task": "small", "missing": "none", "vector": [6.0, 0.0], "awaited": [[1.0, 0.0]],
                "servers": [], "header": "Bearer short",
            },
        )  # fmt: skip
