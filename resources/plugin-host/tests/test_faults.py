import contextlib
import os
import signal
import struct
import time
import unittest
from pathlib import Path
from typing import Any

from tests.harness import Failure, Worker, WorkerTest, worker

FAULTS = """
import asyncio, ctypes, os, signal, subprocess, sys, threading, time

class Tools:
    def leave(self): sys.exit(3)
    async def leave_on_loop(self): sys.exit(3)
    async def leave_in_task(self):
        async def work(): sys.exit(3)
        asyncio.create_task(work())
        await asyncio.sleep(0.05)
        return "on"
    def vanish(self): os._exit(7)
    def crash(self):
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(5)  # The signal may reach another thread first, and this one would answer meanwhile.
    async def block(self, seconds: float = 0.6):
        time.sleep(seconds)
        return "over"
    def spin(self):
        n = 0
        while True:
            n += 1
    def stubborn(self):
        end = time.time() + 3
        while time.time() < end:
            try:
                self._spin(end)
            except BaseException:
                pass
    def _spin(self, end):
        while time.time() < end:
            pass
    async def wait(self):
        try:
            await asyncio.sleep(60)
        finally:
            print("cleaned up")
    def sleep(self): time.sleep(1)
    def garbage(self):
        os.write(1, bytes(range(256)) * 100)
        sys.stdout.buffer.write(b"bytes too\\n")
        subprocess.run(["echo", "from a child"], check=True)
        ctypes.CDLL(None).puts(b"from C")
        return "fine"
    def chatter(self, lines: int):
        line = "x" * 1000
        for _ in range(lines):
            print(line)
        return "done"
    def one_line(self):
        for _ in range(1000):
            print("y" * 10000, end="")
    def read(self): return repr(sys.stdin.read())
    async def flood(self, __event_emitter__=None):
        await asyncio.gather(*(__event_emitter__({"type": "status", "data": {"n": n}}) for n in range(20000)))
        return "sent"
    async def steady(self, __event_emitter__=None):
        for n in range(300):
            await __event_emitter__({"n": n})
    def child(self):
        return subprocess.Popen(["sleep", "60"]).pid
    def fork(self):
        import multiprocessing
        process = multiprocessing.get_context("fork").Process(target=print, args=("from the child",))
        process.start()
        process.join()
        print("from the parent")
        return "parent"
    def deep(self): return self.deep()
    def odd(self):
        class Strange(Exception):
            def __str__(self): raise ValueError
        raise Strange
    def huge(self): return "x" * 300_000_000
    def chain(self):
        try:
            {}["a"]
        except KeyError as error:
            raise RuntimeError("outer") from error
"""


class Faults(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        intervals = {"beat_ms": 50, "blocked_ms": 200}
        cls.worker = Worker(hello={"intervals": intervals, "limits": {"events_burst": 500, "events_per_second": 2000}})
        cls.worker.load("faults", FAULTS)

    def start(self, name: str, **arguments: Any) -> Any:
        return self.worker.start("tool", "faults", name=name, arguments=arguments)

    def alive(self) -> None:
        self.assertEqual(self.start("chatter", lines=0).value()["text"], "done")

    def test_exit_ends_the_call_only(self) -> None:
        for name in ("leave", "leave_on_loop"):
            self.assertIn("end the whole process", self.fails("plugin", self.start(name).value)["message"])
        self.assertEqual(self.start("leave_in_task").value()["text"], "on")
        self.alive()

    def test_exceptions_of_every_kind(self) -> None:
        self.assertEqual(self.fails("plugin", self.start("deep").value)["type"], "RecursionError")
        self.assertIn("Strange", self.fails("plugin", self.start("odd").value)["message"])
        error = self.fails("plugin", self.start("chain").value)
        self.assertIn("KeyError: 'a'", error["traceback"])
        self.assertIn("larger than", self.fails("host", self.start("huge").value)["message"])
        self.alive()

    def test_a_blocked_loop_is_told_with_the_plugins_line(self) -> None:
        pending = self.start("block")
        blocked = self.worker.wait_for("blocked", where=lambda message: message["call"] == pending.id)
        self.assertEqual(blocked["plugin"], "faults")
        self.assertIn("time.sleep(seconds)", blocked["stack"])
        self.assertNotIn("plugin_host", blocked["stack"])
        self.assertEqual(pending.value()["text"], "over")
        self.assertGreaterEqual(self.worker.wait_for("unblocked")["ms"], 200)
        beats = [message for message in self.worker.messages if message["t"] == "beat"]
        self.assertGreater(len(beats), 5)
        self.assertGreater(max(beat["loop_ms"] for beat in beats), 200)

    def test_sync_work_blocks_nobody(self) -> None:
        slow = [self.start("sleep") for _ in range(5)]
        self.alive()
        self.assertFalse(any(pending.done.is_set() for pending in slow))
        for pending in slow:
            pending.value()

    def test_cancel_stops_loops_and_waits(self) -> None:
        pending = self.start("spin")
        time.sleep(0.1)
        self.worker.cancel(pending)
        self.assertNotIn("detail", self.fails("cancelled", pending.value))
        pending = self.start("wait")
        time.sleep(0.1)
        self.worker.cancel(pending)
        self.fails("cancelled", pending.value)
        self.assertEqual(pending.lines, ["cleaned up"])
        pending = self.start("wait")
        self.worker.cancel(pending)
        self.fails("cancelled", pending.value)
        self.alive()

    def test_code_that_takes_no_cancel_is_told(self) -> None:
        pending = self.start("stubborn")
        time.sleep(0.1)
        self.worker.cancel(pending)
        self.assertEqual(self.fails("cancelled", pending.value)["detail"], {"still_running": True})

    def test_garbage_on_the_standard_streams(self) -> None:
        pending = self.start("garbage")
        self.assertEqual(pending.value()["text"], "fine")
        self.assertEqual(pending.lines, ["bytes too"])
        self.assertEqual(self.start("read").value()["text"], "''")

    def test_prints_are_bounded(self) -> None:
        pending = self.start("chatter", lines=5_000)
        pending.value()
        self.assertEqual(len(pending.lines), 261)
        self.assertEqual(pending.of("notice")[0], {**pending.of("notice")[0], "what": "log", "dropped": 5_000 - 261})
        pending = self.start("one_line")
        pending.value()
        self.assertLess(sum(map(len, pending.lines)), 300_000)

    def test_an_event_flood_is_slowed_and_dropped_with_a_notice(self) -> None:
        pending = self.start("flood")
        pending.value()
        (notice,) = pending.of("notice")
        self.assertEqual(len(pending.events) + notice["dropped"], 20_000)
        self.assertGreater(len(pending.events), 1_000)
        self.assertGreater(notice["dropped"], 10_000)
        numbers = [event["data"]["n"] for event in pending.events]
        self.assertEqual(numbers, sorted(numbers))
        pending = self.start("steady")
        pending.value()
        self.assertEqual([event["n"] for event in pending.events], list(range(300)))

    def test_a_gateway_that_does_not_read_holds_nobody(self) -> None:
        self.worker.is_reading.clear()
        try:
            pendings = [self.start("chatter", lines=300) for _ in range(60)]
            time.sleep(0.5)
        finally:
            self.worker.is_reading.set()
        for pending in pendings:
            self.assertEqual(pending.value()["text"], "done")


def is_running(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


class Ends(unittest.TestCase):
    def end(self, name: str) -> int:
        with worker() as own:
            own.load("faults", FAULTS)
            pending = own.start("tool", "faults", name=name)
            own.wait_for("end")
            self.assertFalse(pending.done.is_set())
            return own.process.wait(5)

    def test_exits_and_signals(self) -> None:
        self.assertEqual(self.end("vanish"), 7)
        self.assertEqual(self.end("crash"), -signal.SIGSEGV)

    def test_the_end_of_input_ends_the_worker_even_when_it_is_busy(self) -> None:
        with worker() as own:
            own.load("faults", FAULTS)
            own.start("tool", "faults", name="block", arguments={"seconds": 30})
            time.sleep(0.2)
            os.close(own.write_to)
            self.assertEqual(own.process.wait(5), -signal.SIGKILL)

    def test_children_end_with_the_worker(self) -> None:
        for ending in ("input", "shutdown"):
            with worker() as own:
                own.load("faults", FAULTS)
                child = int(own.call("tool", "faults", name="child")["text"])
                os.kill(child, 0)
                if ending == "input":
                    os.close(own.write_to)
                else:
                    own.send({"t": "shutdown"})
                own.process.wait(5)
                deadline = time.monotonic() + 5
                while is_running(child) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertFalse(is_running(child), ending)

    def test_a_forked_child_does_not_speak_for_the_worker(self) -> None:
        with worker() as own:
            own.load("faults", FAULTS)
            pending = own.start("tool", "faults", name="fork")
            self.assertEqual(pending.value()["text"], "parent")
            self.assertEqual(pending.lines, ["from the parent"])
            deadline = time.monotonic() + 5
            while b"from the child" not in own.outputs[0] and time.monotonic() < deadline:
                time.sleep(0.01)
            self.assertIn(b"from the child", own.outputs[0])

    def test_shutdown_cancels_and_answers(self) -> None:
        with worker() as own:
            own.load("faults", FAULTS)
            pending = own.start("tool", "faults", name="wait")
            time.sleep(0.1)
            own.send({"t": "shutdown", "grace_ms": 1000})
            with contextlib.suppress(Failure):
                pending.value(3)
            self.assertEqual(pending.answer["error"]["code"], "cancelled")
            self.assertEqual(own.process.wait(5), 0)

    def test_another_version_is_refused(self) -> None:
        for hello in ({"t": "hello", "protocol": 2}, {"t": "call", "id": 1, "op": "load"}):
            with worker(greet=False) as own:
                own.send(hello)
                self.assertIn("version 1", own.wait_for("fatal")["message"])
                self.assertEqual(own.process.wait(5), 3)

    def test_an_unreadable_frame(self) -> None:
        with worker() as own:
            own.wait_for("ready")
            own.send_bytes(struct.pack(">IB", 3, 0) + b"{no")
            own.wait_for("fatal")
            self.assertEqual(own.process.wait(5), 4)

    def test_a_message_without_its_fields(self) -> None:
        with worker() as own:
            own.wait_for("ready")
            own.send({"t": "call", "op": "load"})
            self.assertIn("not as agreed", own.wait_for("fatal")["message"])
            self.assertEqual(own.process.wait(5), 4)

    def test_load_errors(self) -> None:
        def failed(content: str) -> dict[str, Any]:
            with self.assertRaises(Failure) as caught:
                own.load("bad", content)
            return caught.exception.error

        with worker() as own:
            error = failed("class Tools:\n    def x(self:\n")
            self.assertEqual((error["code"], error["line"]), ("syntax", 2))
            self.assertEqual(failed("class Tool:\n    pass\n")["code"], "no_class")
            error = failed("import missing_package\nclass Tools: pass\n")
            self.assertEqual((error["code"], error["type"], error["line"]), ("load", "ModuleNotFoundError", 1))
            error = failed("class Tools:\n    def __init__(self):\n        1 / 0\n")
            self.assertEqual((error["code"], error["line"]), ("load", 3))
            self.assertEqual(failed("class Tools:\n    def m(self, model_config: str): pass\n")["code"], "specs")
            self.assertEqual(failed("raise SystemExit(1)\nclass Tools: pass\n")["code"], "plugin")

    def test_kinds(self) -> None:
        with worker() as own:
            kinds = {"Pipe": "pipe", "Filter": "filter", "Action": "action", "Event": "event"}
            for name, kind in kinds.items():
                self.assertEqual(own.load(kind, f"class {name}: pass\n")["kind"], kind)
            self.assertEqual(own.load("both", "class Action: pass\nclass Filter: pass\n")["kind"], "filter")
            self.assertEqual(own.load("tools", "class Tools: pass\nclass Pipe: pass\n")["kind"], "tool")

    def test_inspect_runs_nothing(self) -> None:
        content = '"""\ntitle: T\nrequirements: requests\n"""\nimport os\nfrom open_webui.models.users import Users\n'
        content += "try:\n    import no_such_package\nexcept ImportError:\n    no_such_package = None\nraise SystemExit\nclass Pipe:\n"
        content += "    async def pipe(self):\n        from open_webui.main import app\n        return await Users.get_user_by_id(1)\n"
        with worker() as own:
            found = own.call("inspect", content=content, store="function")
            self.assertEqual((found["kind"], found["requirements"], found["front_matter"]["title"]), ("pipe", ["requests"], "T"))
            there = {"found": True, "missing": []}
            expected = [
                {"module": "os", "names": [], "line": 5, "lazy": False, "guarded": False, **there},
                {"module": "open_webui.models.users", "names": ["Users"], "line": 6, "lazy": False, "guarded": False, **there},
                {"module": "no_such_package", "names": [], "line": 8, "lazy": False, "guarded": True, "found": False, "missing": []},
                {"module": "open_webui.main", "names": ["app"], "line": 14, "lazy": True, "guarded": False, **there},
            ]
            self.assertEqual(found["imports"], expected)
            self.assertEqual(found["awaits"], ["Users.get_user_by_id"])
            broken = own.call("inspect", content="def f(:\n", store="tool")
            self.assertEqual(broken["syntax_error"]["line"], 1)
