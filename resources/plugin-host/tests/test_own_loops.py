import asyncio
import json
import threading
import unittest
from pathlib import Path
from unittest import mock

from plugin_host import threads
from plugin_host.threads import CallThreads
from tests.harness import WorkerTest, worker

#: Holds its loop until somebody else could do something.
BLOCKER = """
import os, time


def wait(path):
    while not os.path.exists(path):
        time.sleep(0.01)


class Tools:
    async def block(self, path: str):
        wait(path)
        return "released"

    def block_sync(self, path: str):
        wait(path)
        return "released"
"""

TOOLS = """
import asyncio, pathlib, threading

lock = asyncio.Lock()
started = []
waiting = asyncio.Queue()
left = []


async def consume():
    try:
        while True:
            left.append(await waiting.get())
    finally:
        print("consumer ended")


async def begin():
    started.append(threading.current_thread().name)


asyncio.get_event_loop().create_task(begin())


class Tools:
    def __init__(self):
        self.consumer = asyncio.create_task(consume())

    async def add(self, a: int, b: int):
        return a + b

    def add_sync(self, a: int, b: int):
        return a + b

    async def release(self, path: str):
        pathlib.Path(path).touch()
        return "done"

    async def locked(self, n: int):
        async with lock:
            await asyncio.sleep(0)
            return n

    async def offer(self, item: str):
        await waiting.put(item)
        while item not in left:
            await asyncio.sleep(0.001)
        return await asyncio.to_thread(lambda: threading.current_thread() is not threading.main_thread())

    def offer_sync(self, item: str):
        loop = asyncio.get_event_loop()
        return asyncio.run_coroutine_threadsafe(self.offer(item), loop).result()

    async def begun(self):
        return started + [threading.current_thread().name]
"""

PIPE = """
import asyncio

steps = asyncio.Event()


class Pipe:
    async def pipe(self, body):
        for number in range(3):
            yield str(number)
            await asyncio.sleep(0.01)
"""

ASYNC_FILTER = """
import asyncio

loops = set()


class Filter:
    async def stream(self, event):
        loops.add(id(asyncio.get_running_loop()))
        await asyncio.sleep(0)
        return {**event, "by": [*event.get("by", []), "async"], "loops": len(loops)}
"""

SYNC_FILTER = """
import asyncio

async def nothing():
    return None


class Filter:
    def stream(self, event):
        asyncio.get_event_loop().create_task(nothing())
        return {**event, "by": [*event.get("by", []), "sync"]}
"""

BLOCKING_FILTER = """
import os, time


class Filter:
    async def stream(self, event):
        while not os.path.exists(event["path"]):
            time.sleep(0.01)
        return {**event, "by": [*event.get("by", []), "blocking"]}
"""


class OwnLoops(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        sources = {
            "blocker": BLOCKER, "own": TOOLS, "numbers": PIPE,
            "calm": ASYNC_FILTER, "plain": SYNC_FILTER, "second": SYNC_FILTER, "holding": BLOCKING_FILTER,
        }  # fmt: skip
        for name, source in sources.items():
            cls.worker.load(name, source)

    def path(self) -> Path:
        return Path(self.worker.folder) / self.id()

    def open(self, *names: str):
        return self.worker.start("stream", plugins=[{"plugin": self.worker.plugins[name]} for name in names])

    def chunk(self, session, number: int, **event: object) -> None:
        self.worker.send({"t": "c", "id": session.id, "n": number, "e": [event]})

    def answered(self, session, number: int):
        return self.worker.wait_for("c", where=lambda message: (message["id"], message["n"]) == (session.id, number))["e"]

    def test_a_plugin_that_blocks_holds_up_no_running_and_no_new_call_of_others(self) -> None:
        session = self.open("calm")
        self.chunk(session, 1)
        self.answered(session, 1)
        blocked = [self.worker.start("tool", "blocker", name="block", arguments={"path": str(self.path())}) for _ in range(2)]
        self.chunk(session, 2, text="on")
        self.assertEqual(self.answered(session, 2)[0]["text"], "on")
        self.assertEqual(self.worker.call("tool", "own", name="add", arguments={"a": 2, "b": 3})["text"], "5")
        self.assertEqual(self.worker.call("tool", "own", name="add_sync", arguments={"a": 2, "b": 3})["text"], "5")
        pipe = self.worker.start("pipe", "numbers", body={})
        pipe.value()
        self.assertEqual(pipe.items, [{"text": "0"}, {"text": "1"}, {"text": "2"}])
        self.worker.load("fresh", "class Tools:\n    async def hello(self):\n        return 'hello'\n")
        self.assertEqual(self.worker.call("tool", "fresh", name="hello")["text"], "hello")
        self.assertFalse(any(pending.done.is_set() for pending in blocked))
        # Only now, by a call of the other plugin.
        self.worker.call("tool", "own", name="release", arguments={"path": str(self.path())})
        self.assertEqual([pending.value()["text"] for pending in blocked], ["released", "released"])
        self.worker.send({"t": "c", "id": session.id, "end": True})
        self.assertEqual(session.value(), {"dropped": 0, "failed": 0})

    def test_a_filter_that_blocks_holds_up_the_answers_it_is_in_alone(self) -> None:
        held, free = self.open("calm", "holding"), self.open("plain", "calm")
        self.chunk(held, 1, path=str(self.path()))
        self.chunk(free, 1)
        self.assertEqual(self.answered(free, 1)[0]["by"], ["sync", "async"])
        self.assertEqual(held.of("c"), [])
        self.path().touch()
        self.assertEqual(self.answered(held, 1)[0]["by"], ["async", "blocking"])
        for session in (held, free):
            self.worker.send({"t": "c", "id": session.id, "end": True})
            session.value()

    def test_filters_of_one_answer_run_in_order_each_on_its_own_loop(self) -> None:
        for names, expected in {("calm", "plain", "second"): ["async", "sync", "sync"], ("plain", "second"): ["sync", "sync"]}.items():
            session = self.open(*names)
            for number in range(1, 20):
                self.chunk(session, number)
            events = [self.answered(session, number)[0] for number in range(1, 20)]
            self.assertEqual([event["by"] for event in events], [expected] * 19)
            self.assertLessEqual(events[-1].get("loops", 1), 1)
            self.worker.send({"t": "c", "id": session.id, "end": True})
            session.value()

    def test_a_cancel_reaches_a_filter_that_waits_on_another_loop(self) -> None:
        waiting = "import asyncio\nclass Filter:\n    async def stream(self, event):\n"
        waiting += "        try:\n            print('waits')\n            await asyncio.sleep(60)\n        finally:\n            print('let go')\n"
        self.worker.load("waiting", waiting)
        session = self.open("calm", "waiting")
        self.chunk(session, 1)
        self.chunk(session, 2)
        # A cancel that comes before the filter began leaves it nothing to let go.
        self.worker.wait_for("log", where=lambda message: "waits" in message["lines"])
        self.worker.cancel(session)
        self.fails("cancelled", session.value)
        self.worker.wait_for("log", where=lambda message: "let go" in message["lines"])

    def test_what_a_plugin_makes_while_it_is_imported_works_in_all_its_calls(self) -> None:
        begun = json.loads(self.worker.call("tool", "own", name="begun")["text"])["results"]
        self.assertEqual(begun, ["plugin-loop-own", "plugin-loop-own"])
        pendings = [self.worker.start("tool", "own", name="locked", arguments={"n": number}) for number in range(20)]
        self.assertEqual([pending.value()["text"] for pending in pendings], [str(number) for number in range(20)])
        self.assertEqual(self.worker.call("tool", "own", name="offer", arguments={"item": "one"})["text"], "True")
        self.assertEqual(self.worker.call("tool", "own", name="offer_sync", arguments={"item": "two"})["text"], "True")


class Ends(unittest.TestCase):
    def threads_of(self, own) -> list[str]:
        names = "import threading\nclass Tools:\n    async def names(self):\n        return sorted(t.name for t in threading.enumerate())\n"
        if "names" not in own.plugins:
            own.load("names", names)
        return [name for name in own.call("tool", "names", name="names")["raw"] if "own" in name]

    def test_a_plugin_that_is_unloaded_takes_its_loop_its_tasks_and_its_threads_along(self) -> None:
        with worker() as own:
            own.load("own", TOOLS)
            own.call("tool", "own", name="offer", arguments={"item": "one"})
            self.assertEqual(self.threads_of(own)[0], "plugin-loop-own")
            own.call("unload", "own")
            self.assertNotIn("plugin-loop-own", self.threads_of(own))
            own.wait_for("log", where=lambda message: message["lines"] == ["consumer ended"])
            own.load("own", TOOLS)
            self.assertEqual(own.call("tool", "own", name="add", arguments={"a": 1, "b": 2})["text"], "3")

    def test_a_replaced_source_ends_after_the_calls_that_run_in_it(self) -> None:
        with worker() as own:
            own.load("own", TOOLS)
            own.load("blocker", BLOCKER)
            path = str(Path(own.folder) / "released")
            running = own.start("tool", "blocker", name="block", arguments={"path": path})
            own.load("blocker", f"{BLOCKER}\n# another\n")
            again = own.start("tool", "blocker", name="block", arguments={"path": path})
            self.assertFalse(running.done.is_set())
            own.call("tool", "own", name="release", arguments={"path": path})
            self.assertEqual([running.value()["text"], again.value()["text"]], ["released", "released"])
            own.load("own", f"{TOOLS}\n# another\n")
            own.wait_for("log", where=lambda message: message["lines"] == ["consumer ended"])

    def test_code_that_blocks_is_left_to_end_when_its_plugin_is_unloaded(self) -> None:
        with worker() as own:
            own.load("blocker", BLOCKER)
            path = Path(own.folder) / "released"
            running = own.start("tool", "blocker", name="block", arguments={"path": str(path)})
            own.call("unload", "blocker")
            path.touch()
            self.assertEqual(running.value()["text"], "released")

    def test_the_threads_of_a_plugin_are_bounded_and_its_own(self) -> None:
        with worker(hello={"limits": {"threads": 2}}) as own:
            own.load("blocker", BLOCKER)
            own.load("own", TOOLS)
            path = str(Path(own.folder) / "released")
            held = [own.start("tool", "blocker", name="block_sync", arguments={"path": path}) for _ in range(3)]
            self.assertEqual(own.call("tool", "own", name="add_sync", arguments={"a": 2, "b": 3})["text"], "5")
            beat = own.wait_for("beat", where=lambda message: message["calls"] == 3)
            self.assertLessEqual(beat["threads"], 2 + 1 + 1)
            own.call("tool", "own", name="release", arguments={"path": path})
            self.assertEqual([pending.value()["text"] for pending in held], ["released"] * 3)


class Idle(unittest.TestCase):
    def test_threads_nobody_needs_end_and_come_again(self) -> None:
        with mock.patch.object(threads, "IDLE_SECONDS", 0.02):
            loop = asyncio.new_event_loop()
            self.addCleanup(loop.close)
            pool = CallThreads(loop, 3)
            for _ in range(3):
                done = [threading.Event() for _ in range(5)]
                for event in done:
                    pool.start(event.set)
                self.assertTrue(all(event.wait(5) for event in done))
                ended = threading.Event()
                while pool.count and not ended.wait(0.005):
                    pass
            pool.close()
