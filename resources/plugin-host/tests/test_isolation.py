import json
import time

from tests.harness import Worker, WorkerTest, worker


class Concurrent(WorkerTest):
    def test_fifty_interleaved_calls_of_two_users_never_mix(self) -> None:
        self.worker.load("careless")
        pendings = []
        for number in range(50):
            name = "Ann" if number % 2 else "Bob"
            pendings.append(
                self.worker.start(
                    "tool",
                    "careless",
                    name="remember_sync" if number % 5 == 0 else "remember",
                    arguments={"value": f"v{number}"},
                    scope=f"request-{number}",
                    user_valves={"colour": f"{name}-{number}"},
                    given={
                        "user": {"id": name, "name": name},
                        "metadata": {"n": number},
                        "chat_id": f"chat-{number}",
                        "request": {"headers": {"X-User": name}, "base_url": "http://g/"},
                    },
                )
            )
        for number, pending in enumerate(pendings):
            name = "Ann" if number % 2 else "Bob"
            raw = pending.value()["raw"]
            self.assertEqual((raw["user"], raw["value"]), (name, f"v{number}"))
            if number % 5 == 0:
                self.assertEqual(pending.lines, [f"v{number} prints"])
            else:
                self.assertEqual((raw["ok"], raw["thread"]), (True, name))
                self.assertEqual({event["data"]["description"] for event in pending.events}, {f"v{number}"})
                self.assertEqual(pending.lines, [*(f"v{number} prints {turn}" for turn in range(3)), f"v{number} in thread"])
        counted = self.worker.call("tool", "careless", name="counted", arguments={})["raw"]
        self.assertEqual(counted, {"calls": 40, "emitter": None, "has_user": False, "type": "Tools", "class": "class"})

    def test_source_and_tracebacks_are_real(self) -> None:
        content = "import inspect, sys\nclass Tools:\n    def source(self):\n        m = sys.modules[__name__]\n"
        content += "        return [inspect.getsource(Tools.source), __file__, m.__name__, __name__]\n"
        self.worker.load("source", content)
        source, file, name, own = json.loads(self.worker.call("tool", "source", name="source")["text"])["results"]
        self.assertTrue(source.startswith("    def source(self):"))
        self.assertTrue(file.endswith("/tool_source.py"))
        self.assertEqual((name, own), ("tool_source", "tool_source"))

    def test_the_same_source_is_loaded_once_another_replaces_it(self) -> None:
        content = "print('module runs')\nclass Tools:\n    def version(self): return 'one'\n"
        self.worker.load("versions", content)
        again = self.worker.start("load", plugin=None, content=content)
        self.fails("host", again.value)
        pending = self.worker.start("load", "versions", content=content)
        pending.value()
        self.assertEqual(pending.lines, [])
        old = self.worker.plugins["versions"]
        self.worker.load("versions", content.replace("one", "two"))
        self.assertEqual(self.worker.call("tool", "versions", name="version")["text"], "two")
        self.worker.plugins["versions"] = old
        self.fails("not_loaded", lambda: self.worker.call("tool", "versions", name="version"))
        self.worker.call("unload", "versions")
        self.fails("not_loaded", lambda: self.worker.call("tool", "versions", name="version"))

    def test_a_failed_replacement_leaves_the_loaded_one(self) -> None:
        self.worker.load("careful", "class Tools:\n    def version(self): return 'one'\n")
        good = self.worker.plugins["careful"]
        error = self.fails("load", lambda: self.worker.load("careful", "import nothing_of_this_name\nclass Tools: pass\n"))
        self.assertEqual((error["type"], error["line"]), ("ModuleNotFoundError", 1))
        self.worker.plugins["careful"] = good
        self.assertEqual(self.worker.call("tool", "careful", name="version")["text"], "one")

    def test_calls_that_are_over_are_not_kept(self) -> None:
        content = "import gc\nclass Tools:\n    async def count(self):\n        gc.collect()\n"
        content += "        return sum(type(item).__name__ == 'Call' for item in gc.get_objects())\n"
        self.worker.load("count", content)
        counts = [int(self.worker.call("tool", "count", name="count")["text"]) for _ in range(30)]
        self.assertLessEqual(counts[-1], counts[0] + 2)

    def test_tasks_outlive_their_call(self) -> None:
        content = """
import asyncio
class Tools:
    async def later(self):
        async def work():
            await asyncio.sleep(0.1)
            print("still here")
            raise RuntimeError("in the background")
        asyncio.create_task(work())
        return "started"
    def later_sync(self):
        async def work():
            print("from a sync hook")
        asyncio.create_task(work())
        asyncio.get_event_loop().create_task(asyncio.sleep(0))
        return asyncio.run(asyncio.sleep(0, "own loop"))
"""
        self.worker.load("later", content)
        pending = self.worker.start("tool", "later", name="later")
        self.assertEqual(pending.value()["text"], "started")
        self.worker.wait_for("log", where=lambda message: message["lines"] == ["still here"] and message["call"] == pending.id)
        line = self.worker.wait_for("log", where=lambda message: "in the background" in message["lines"][0])
        self.assertEqual((line["call"], line["plugin"], line["stream"]), (pending.id, "later", "task"))
        self.assertEqual(self.worker.call("tool", "later", name="later_sync")["text"], "own loop")
        self.worker.wait_for("log", where=lambda message: message["lines"] == ["from a sync hook"])


class Surroundings(WorkerTest):
    def test_what_a_plugin_sees(self) -> None:
        content = """
import os, sys
class Tools:
    def look(self, numbers: list):
        for number in numbers:
            os.write(number, b"garbage")
        return {"names": sorted(os.environ), "cwd": os.getcwd(), "stdin": sys.stdin.read() if sys.stdin else "",
                "path": [p for p in sys.path if p in ("", os.getcwd())]}
"""
        self.worker.load("look", content)
        raw = self.worker.call("tool", "look", name="look", arguments={"numbers": self.worker.descriptors})["raw"]
        self.assertEqual(set(raw["names"]) - {"LC_CTYPE"}, {"HOME", "PATH", "PYTHONPYCACHEPREFIX"})
        self.assertEqual((raw["cwd"], raw["stdin"], raw["path"]), (self.worker.folder, "", []))

    def test_limits(self) -> None:
        content = """
class Tools:
    def grab(self):
        return str(len(bytearray(3_000_000_000)))
    def fill(self):
        with open("big", "wb") as file:
            file.write(b"x" * 2_000_000)
"""
        with worker(limits={"memory": 2_000_000_000, "file_size": 1_000_000}) as limited:
            limited.load("limits", content)
            error = self.fails("plugin", lambda: limited.call("tool", "limits", name="grab"))
            self.assertEqual(error["type"], "MemoryError")
            self.assertEqual(self.fails("plugin", lambda: limited.call("tool", "limits", name="fill"))["type"], "OSError")

    def test_defaults_the_author_wrote_stay_where_nothing_is_given(self) -> None:
        content = "class Tools:\n    def see(self, __user__={'name': 'nobody'}, __metadata__=7, __model__=8, __files__='f'):\n"
        content += "        return [__user__['name'], __metadata__, __model__, __files__]\n"
        self.worker.load("see", content)
        value = self.worker.call("tool", "see", name="see", given={"model": {"id": "m"}, "files": None})
        self.assertEqual(value["raw"], ["nobody", 7, {"id": "m"}, None])

    def test_application_state_is_shared_by_messages(self) -> None:
        content = """
class Filter:
    def inlet(self, body, __request__=None):
        state = __request__.app.state
        body["before"] = getattr(state, "counter", None)
        state.counter = (body["before"] or 0) + 1
        state.private = object()
        body["nothing"] = hasattr(state, "nothing")
        return body
    def outlet(self, body, __request__=None):
        del __request__.app.state.counter
        return body
"""
        with worker(hello={"state": {"counter": 4}}) as own:
            own.load("counter", content)
            steps = own.call("inlet", "counter", body={})["steps"]
            self.assertEqual(steps, [["set", ["before"], 4], ["set", ["nothing"], False]])
            own.send({"t": "state", "key": "counter", "value": 10})
            self.assertEqual(own.call("inlet", "counter", body={})["steps"][0], ["set", ["before"], 10])
            own.call("outlet", "counter", body={})
            states = [message for message in own.messages if message["t"] == "state"]
            self.assertEqual([message.get("value") for message in states], [5, 11, None])
            self.assertTrue(states[2]["deleted"])

    def test_short_names_of_the_host_application(self) -> None:
        from tests.harness import ROOT

        content = """
from utils.chat import MARK, generate_chat_completion
from config import DATA_DIR
import utils
import open_webui.utils.chat
class Tools:
    def same(self):
        return [open_webui.utils.chat.MARK is MARK, utils is open_webui.utils, generate_chat_completion(), DATA_DIR, utils.__name__]
"""
        made = Worker(paths=[ROOT / "tests" / "packages"])
        try:
            made.load("same", content)
            results = json.loads(made.call("tool", "same", name="same")["text"])["results"]
            self.assertEqual(results, [True, True, "answer", "/data", "open_webui.utils"])
            error = self.fails("load", lambda: made.load("missing", "from utils.nowhere import x\nclass Tools: pass\n"))
            self.assertEqual(error["type"], "ModuleNotFoundError")
            error = self.fails("load", lambda: made.load("missing2", "from apps import x\nclass Tools: pass\n"))
            self.assertEqual(error["type"], "ModuleNotFoundError")
        finally:
            made.close()
        time.sleep(0)
