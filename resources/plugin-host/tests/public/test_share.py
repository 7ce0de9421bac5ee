"""How many plugins like those people publish load, and how many do what they are for."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.compatibility.gateway import GIVEN, Gateway
from tests.harness import Failure, Message, Pending, Worker
from tests.public.actions import ACTIONS
from tests.public.filters import FILTERS
from tests.public.pipes import PIPES
from tests.public.sample import Sample
from tests.public.tools import TOOLS

SAMPLES = [*FILTERS, *PIPES, *ACTIONS, *TOOLS]
#: Shares below which the host is not as good as its plan.
LEAST_LOADING, LEAST_WORKING = 0.97, 0.95
#: What the gateway gives each plugin in the place of its own secret.
SECRET = "a secret of the plugin alone"


class Site(BaseHTTPRequestHandler):
    """What plugins reach on the network."""

    protocol_version = "HTTP/1.1"

    def answer(self, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        if place.path == "/page":
            self.answer("text/html", "<html><head><title>Today</title></head><body><p>It rains.</p></body></html>")
        elif place.path == "/weather":
            self.answer("application/json", json.dumps({"weather": f"rain in {parse_qs(place.query)['q'][0]}"}))
        else:
            self.answer("application/json", json.dumps({"data": [{"id": "large", "name": "Large"}]}))

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/lines":
            lines = [json.dumps({"text": text}) for text in (f"{given['model']} {given['system']}", "!")]
            self.answer("text/event-stream", "".join(f"data: {line}\n\n" for line in lines))
        else:
            self.answer("application/json", json.dumps({"seen": given}))

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


class Surroundings(Gateway):
    """The gateway of the compatibility tests, with a person who answers and tools of the chat."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker)
        self.said: Any = None

    def on_event_call(self, *_: Any) -> Any:
        return self.said

    def on_tools_call(self, params: dict[str, Any], _: Message) -> Any:
        return {"value": params["arguments"]["a"] + params["arguments"]["b"]}


def told(pending: Pending) -> str:
    """Everything that came of a call, as one text."""
    try:
        value = pending.value()
    except Failure as failure:
        return f"failed: {failure.error['message']}"
    return json.dumps([value, pending.items, pending.events, [message.get("e") for message in pending.of("c")]], ensure_ascii=False)


class Share(unittest.TestCase):
    worker: Worker

    @classmethod
    def setUpClass(cls) -> None:
        cls.site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=cls.site.serve_forever, daemon=True).start()
        cls.url = f"http://127.0.0.1:{cls.site.server_port}"
        cls.worker = Worker()
        cls.gateway = Surroundings(cls.worker)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()
        cls.site.shutdown()
        cls.site.server_close()

    def run_sample(self, sample: Sample) -> str:
        here = json.loads(json.dumps(sample.fields).replace('"http/', f'"{self.url}/'))
        fields = {**here, "given": {**GIVEN, **here.get("given", {})}}
        self.gateway.said = sample.answer
        if sample.op != "stream":
            return told(self.worker.start(sample.op, sample.name, **fields))
        given, event = fields["given"], fields["event"]
        session = self.worker.start("stream", plugins=[{"plugin": self.worker.plugins[sample.name]}], given=given)
        self.worker.send({"t": "c", "id": session.id, "n": 1, "e": [event]})
        self.worker.send({"t": "c", "id": session.id, "end": True})
        return told(session)

    def test_plugins_like_those_people_publish_load_and_work(self) -> None:
        self.assertGreaterEqual(len(SAMPLES), 40)
        faults: dict[str, str] = {}
        loaded = 0
        for sample in SAMPLES:
            content = sample.content.replace('"http/', f'"{self.url}/')
            try:
                self.worker.load(sample.name, content, "tool" if sample.op == "tool" else "function", secret=SECRET)
            except Failure as failure:
                faults[sample.name] = f"does not load: {failure}"
                continue
            loaded += 1
            answer = self.run_sample(sample)
            if json.dumps(sample.expected, ensure_ascii=False)[1:-1] not in answer and sample.expected not in answer:
                faults[sample.name] = f"{sample.expected!r} is not in {answer[:600]}"
        working = len(SAMPLES) - len(faults)
        print(f"\nplugins: {loaded} of {len(SAMPLES)} load, {working} work")
        for name, fault in faults.items():
            print(f"  {name}: {fault}")
        self.assertGreaterEqual(loaded / len(SAMPLES), LEAST_LOADING)
        self.assertGreaterEqual(working / len(SAMPLES), LEAST_WORKING)
