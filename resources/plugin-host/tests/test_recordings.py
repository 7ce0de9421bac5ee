"""Recorded conversations: made with RECORD_PROTOCOL=1 from the scenarios below, replayed here against a real worker.

The gateway's tests replay the worker's lines, so both sides are held to the same files.
"""

import base64
import json
import os
import unittest
from collections.abc import Callable
from typing import Any

from tests.harness import ROOT, Message, Worker, worker

FOLDER = ROOT / "tests" / "recordings"
#: Fields that differ from run to run.
VOLATILE = {"ms", "pid", "python", "pydantic", "starlette", "rss", "traceback", "loop_ms"}


def chunk(text: str) -> Message:
    return {"choices": [{"delta": {"content": text}}]}


def tool(own: Worker) -> None:
    own.load("weather", secret="derived")
    given = {"user": {"id": "u1", "name": "Ann"}, "chat_id": "c1", "metadata": {"chat_id": "c1"}}
    own.call("tool", "weather", name="get_weather", arguments='{"city": "Bern"}', given=given, valves={"UNIT": "kelvin"}, user_valves=None)
    pending = own.start("tool", "weather", name="fail", arguments={"city": "x"})
    pending.done.wait(10)
    own.start("tool", "weather", name="get_weather", arguments="{oops").value()


def filters(own: Worker) -> None:
    own.load("chunks")
    own.load("shout")
    body = {"tag": "A", "messages": [{"role": "user", "content": "hi"}], "metadata": {}}
    own.call("inlet", "chunks", body=body, scope="r1", given={"metadata": {}})
    plugins = [{"plugin": own.plugins["chunks"]}, {"plugin": own.plugins["shout"]}]
    session = own.start("stream", plugins=plugins, scope="r1", given={"metadata": {}})
    own.send({"t": "c", "id": session.id, "n": 1, "e": [chunk("a"), chunk("drop"), chunk("fail")]})
    own.send({"t": "c", "id": session.id, "n": 2, "e": [chunk("b")]})
    own.send({"t": "c", "id": session.id, "end": True})
    session.value()
    own.call("outlet", "chunks", body={"messages": []}, scope="r1")


def pipe(own: Worker) -> None:
    own.load("forms")
    own.call("pipes", "forms")
    own.call("pipe", "forms", body={"model": "forms.text"})
    own.call("pipe", "forms", body={"model": "forms.async_generator"})
    pending = own.start("pipe", "forms", body={"model": "forms.endless"}, credit=2)
    own.wait_for("item", where=lambda message: message["items"] == [{"text": "1"}])
    own.cancel(pending)
    pending.done.wait(10)


def action(own: Worker) -> None:
    own.respond = lambda request: {"value": "Ann"}
    own.load("buttons")
    own.call("action", "buttons", body={"id": "m1"}, sub_id="copy", session=True)
    own.call("action", "buttons", body={"id": "m1"}, sub_id="mail")


def requests(own: Worker) -> None:
    content = "from plugin_host import host\nclass Tools:\n    def ask(self):\n"
    content += "        return host.request('reverse', {'data': b'abc'})[:2].decode()\n"
    own.respond = lambda request: {"value": request["params"]["data"][::-1]}
    own.load("asks", content)
    own.call("tool", "asks", name="ask")


def errors(own: Worker) -> None:
    for name, content in {
        "syntax": "class Tools:\n    def",
        "none": "x = 1\n",
        "load": "import no_such_package\nclass Tools: pass\n",
    }.items():
        own.plugins[name] = {"store": "tool", "id": name}
        own.start("load", name, content=content).done.wait(10)
    own.plugins["never"] = {"store": "tool", "id": "never", "hash": "0"}
    own.start("tool", "never", name="x").done.wait(10)


SCENARIOS: dict[str, Callable[[Worker], None]] = {
    "tool": tool,
    "filters": filters,
    "pipe": pipe,
    "action": action,
    "requests": requests,
    "errors": errors,
}


def stored(value: Any) -> Any:
    """JSON for a line of a recording; bytes are `{"$base64": text}`."""
    if isinstance(value, bytes):
        return {"$base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: stored(item) for key, item in value.items()}
    return [stored(item) for item in value] if isinstance(value, list) else value


def spoken(value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["$base64"]) if "$base64" in value else {key: spoken(item) for key, item in value.items()}
    return [spoken(item) for item in value] if isinstance(value, list) else value


def stable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: stable(item) for key, item in value.items() if key not in VOLATILE}
    return [stable(item) for item in value] if isinstance(value, list) else value


def of_worker(lines: list[Message]) -> list[Message]:
    return [line["message"] for line in lines if line["from"] == "worker"]


class Recordings(unittest.TestCase):
    def record(self, name: str, scenario: Callable[[Worker], None]) -> None:
        with worker(paths=[ROOT / "tests" / "packages"]) as own:
            own.wait_for("ready")
            scenario(own)
            lines = [json.dumps(stored(line), ensure_ascii=False).replace(own.folder, "/worker") for line in own.recording]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")

    def replay(self, lines: list[Message]) -> list[Message]:
        """What a worker answers when the gateway's lines come after the same number of answers."""
        with worker(paths=[ROOT / "tests" / "packages"], greet=False) as own:
            own.respond = lambda request: None
            expected = 0
            for line in lines:
                if line["from"] == "worker":
                    expected += 1
                    continue
                self.wait(own, expected)
                own.send(spoken(line["message"]))
            self.wait(own, expected)
            text = json.dumps(stored(of_worker(own.recording)), ensure_ascii=False).replace(own.folder, "/worker")
        return list(json.loads(text))

    def wait(self, own: Worker, count: int) -> None:
        with own.arrived:
            own.arrived.wait_for(lambda: len(of_worker(own.recording)) >= count, timeout=10)

    def test_replay(self) -> None:
        for name, scenario in SCENARIOS.items():
            with self.subTest(name):
                if os.environ.get("RECORD_PROTOCOL"):
                    self.record(name, scenario)
                lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]
                self.assertEqual(stable(self.replay(lines)), stable(of_worker(lines)))

    def test_every_recording_has_its_scenario(self) -> None:
        self.assertEqual({path.stem for path in FOLDER.glob("*.jsonl")}, set(SCENARIOS))
