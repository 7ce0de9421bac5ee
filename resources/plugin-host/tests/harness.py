"""A worker process and the gateway's side of the protocol, as the tests need it."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from plugin_host.frames import Decoder, encode  # noqa: E402

PLUGINS = ROOT / "tests" / "plugins"
#: The interpreter below the one of the tests.
LAUNCHER = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
Message = dict[str, Any]


class Failure(Exception):
    def __init__(self, error: Message) -> None:
        super().__init__(f"{error['code']}: {error['type']}: {error['message']}")
        self.error = error


class Pending:
    """A call under way, with all that came for it."""

    def __init__(self, identifier: int) -> None:
        self.id = identifier
        self.done = threading.Event()
        self.answer: Message = {}
        self.messages: list[Message] = []

    def of(self, kind: str) -> list[Message]:
        return [message for message in self.messages if message["t"] == kind]

    @property
    def items(self) -> list[Any]:
        return [item for message in self.of("item") for item in message["items"]]

    @property
    def events(self) -> list[Any]:
        return [message["data"] for message in self.of("event")]

    @property
    def lines(self) -> list[str]:
        return [line for message in self.of("log") for line in message["lines"]]

    def value(self, seconds: float = 20) -> Any:
        if not self.done.wait(seconds):
            raise TimeoutError(f"No answer to call {self.id}: {self.messages}")
        if self.answer["t"] == "failure":
            raise Failure(self.answer["error"])
        return self.answer["value"]


class Worker:
    """Owns one worker process in a temporary folder."""

    def __init__(
        self,
        hello: Message | None = None,
        paths: list[Path] | None = None,
        greet: bool = True,
        limits: Message | None = None,
        fence: Message | None = None,
    ) -> None:
        self.folder = tempfile.mkdtemp(prefix="plugin-worker-")
        to_worker, self.write_to = os.pipe()[0:2]
        self.read_from, from_worker = os.pipe()[0:2]
        self.descriptors = [to_worker, from_worker]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": self.folder,
            "PYTHONPATH": os.pathsep.join(map(str, [*(paths or []), ROOT / "src"])),
            "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "plugin-host-bytecode"),
            "PLUGIN_HOST_IN": str(to_worker),
            "PLUGIN_HOST_OUT": str(from_worker),
        }
        description = {"limits": limits or {}, "descriptors": [to_worker, from_worker]}
        if fence:
            description["fence"] = {"readable": [], **fence, "writable": [self.folder, *fence.get("writable", [])]}
        launcher = [LAUNCHER, "-I", "-S", "-B", str(ROOT / "src" / "plugin_host" / "fence.py"), json.dumps(description)]
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [*launcher, sys.executable, "-P", "-s", "-X", "utf8", "-m", "plugin_host"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(to_worker, from_worker),
            cwd=self.folder,
            env=environment,
        )
        os.close(to_worker)
        os.close(from_worker)
        self.recording: list[Message] = []
        self.messages: list[Message] = []
        self.calls: dict[int, Pending] = {}
        self.ids = itertools.count(1)
        self.arrived = threading.Condition()
        self.respond: Callable[[Message], Message | None] = lambda request: {
            "error": {"type": "Error", "message": f"no {request['method']}"}
        }
        self.is_reading = threading.Event()
        self.is_reading.set()
        self.plugins: dict[str, Message] = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.outputs = [self._drain(self.process.stdout), self._drain(self.process.stderr)]
        if greet:
            self.send({"t": "hello", "protocol": 1, **(hello or {})})

    def _drain(self, pipe: Any) -> bytearray:
        kept = bytearray()

        def work() -> None:
            while data := os.read(pipe.fileno(), 65536):
                if len(kept) < 1_000_000:
                    kept.extend(data)

        threading.Thread(target=work, daemon=True).start()
        return kept

    def send(self, message: Message) -> None:
        self.recording.append({"from": "gateway", "message": message})
        self.send_bytes(encode(message))

    def send_bytes(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self.write_to, view) :]

    def _read(self) -> None:
        decoder = Decoder()
        with contextlib.suppress(OSError):
            while data := os.read(self.read_from, 65536):
                for message in decoder.feed(data):
                    self._receive(message)
                self.is_reading.wait()
        with self.arrived:
            self.messages.append({"t": "end"})
            self.arrived.notify_all()

    def _receive(self, message: Message) -> None:
        if message["t"] not in ("beat",):
            self.recording.append({"from": "worker", "message": message})
        with self.arrived:
            self.messages.append(message)
            self.arrived.notify_all()
        identifier = message.get("id") if message["t"] in ("result", "failure", "item", "open", "c") else message.get("call")
        if message["t"] == "request":
            answer = self.respond(message)
            if answer is not None:
                self.send({"t": "answer", "id": message["id"], **answer})
        if pending := self.calls.get(identifier or 0):
            pending.messages.append(message)
            if message["t"] in ("result", "failure"):
                pending.answer = message
                pending.done.set()

    def wait_for(self, kind: str, seconds: float = 20, where: Callable[[Message], bool] = lambda _: True) -> Message:
        def find() -> Message | None:
            return next((message for message in self.messages if message["t"] == kind and where(message)), None)

        with self.arrived:
            if not self.arrived.wait_for(find, timeout=seconds):
                raise TimeoutError(f"No {kind} came. {self.outputs[1].decode()}")
            found = find()
        assert found is not None
        return found

    def start(self, op: str, plugin: str | None = None, **fields: Any) -> Pending:
        pending = Pending(next(self.ids))
        self.calls[pending.id] = pending
        message: Message = {"t": "call", "id": pending.id, "op": op, **fields}
        if op == "tool":
            message.setdefault("raw", True)
        if plugin:
            message["plugin"] = self.plugins[plugin]
        self.send(message)
        return pending

    def call(self, op: str, plugin: str | None = None, **fields: Any) -> Any:
        return self.start(op, plugin, **fields).value()

    def load(self, name: str, content: str | None = None, store: str | None = None, **fields: Any) -> Any:
        """Loads tests/plugins/<name>.py, or the given source; answers the description."""
        content = (PLUGINS / f"{name}.py").read_text() if content is None else content
        store = store or ("tool" if "class Tools" in content else "function")
        self.plugins[name] = {"store": store, "id": name, "hash": hashlib.sha256(content.encode()).hexdigest()}
        return self.call("load", name, content=content, **fields)

    def cancel(self, pending: Pending) -> None:
        self.send({"t": "cancel", "id": pending.id})

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self.write_to)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe
            pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def worker(**options: Any) -> Iterator[Worker]:
    made = Worker(**options)
    try:
        yield made
    finally:
        made.close()


class WorkerTest(unittest.TestCase):
    """Tests that share one worker."""

    worker: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker()
        cls.worker.wait_for("ready")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()

    def fails(self, code: str, work: Callable[[], Any]) -> Message:
        with self.assertRaises(Failure) as caught:
            work()
        self.assertEqual(caught.exception.error["code"], code, caught.exception.error)
        return caught.exception.error
