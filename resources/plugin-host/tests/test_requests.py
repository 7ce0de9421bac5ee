from typing import Any

from tests.harness import Message, WorkerTest

ASKING = """
import asyncio
import threading
from plugin_host import host

class Tools:
    def __init__(self):
        self.at_start = host.request("valves.of", {"id": "other"})

    def start_value(self):
        return self.at_start

    def sync(self, x: int):
        return host.request("double", {"x": x})

    async def from_loop(self, x: int):
        one = await host.request_async("double", {"x": x})
        # A sync request on the plugin loop's own thread blocks that loop only.
        return one + host.request("double", {"x": x})

    def own_loop(self, x: int):
        return asyncio.run(host.request_async("double", {"x": x}))

    def from_thread(self, x: int):
        found = []
        thread = threading.Thread(target=lambda: found.append((host.request("double", {"x": x}), host.current_call().id)))
        thread.start()
        thread.join()
        return {"value": found[0][0], "call": found[0][1]}

    def refused(self):
        try:
            host.request("refuse")
        except host.GatewayError as error:
            return {"type": error.type, "status": error.status, "text": str(error)}

    def bytes_back(self, data: str):
        return host.request("reverse", {"data": data.encode()}).decode()

    def lines(self):
        stream = host.stream("count", {"to": 200})
        return {"items": [item for item in stream], "value": stream.value}

    async def lines_async(self):
        stream = host.stream("count", {"to": 200})
        return {"items": [item async for item in stream], "value": stream.value}

    async def first_line(self):
        async for item in host.stream("count", {"to": 200}):
            return item

    def never(self):
        return host.request("never")

    async def emit(self, sizes: list, __event_emitter__=None):
        heard = []
        for size in sizes:
            try:
                heard.append(await __event_emitter__({"text": "x" * size}))
            except host.GatewayError as error:
                heard.append(error.status)
        return heard

    async def many(self):
        return sum(await asyncio.gather(*(host.request_async("double", {"x": n}) for n in range(100))))
"""

PIPE = """
class Pipe:
    def pipe(self, body):
        yield {"event": {"text": "small"}}
        yield {"event": {"text": "x" * 100_000}}
        yield "after it"
"""


class Requests(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.seen: list[Message] = []
        cls.worker.respond = cls.answer  # type: ignore[assignment]
        cls.worker.load("asking", ASKING)

    @classmethod
    def answer(cls, request: Message) -> Message | None:
        cls.seen.append(request)
        method, params = request["method"], request["params"]
        if method == "double":
            return {"value": params["x"] * 2}
        if method == "valves.of":
            return {"value": f"valves of {params['id']} in call {request['call']}"}
        if method == "reverse":
            return {"value": params["data"][::-1]}
        if method == "event":
            is_refused = len(params["data"]["text"]) > 500_000
            return {"error": {"type": "ServiceError", "status": 413, "message": "Too large."}} if is_refused else {"value": None}
        if method == "refuse":
            return {"error": {"type": "Forbidden", "status": 403, "message": "Not yours."}}
        if method == "count":
            for start in range(0, params["to"], 50):
                cls.worker.send({"t": "answer", "id": request["id"], "items": list(range(start, start + 50))})
            return {"value": "all"}
        return None

    def ask(self, name: str, **arguments: Any) -> Any:
        value = self.worker.call("tool", "asking", name=name, arguments=arguments)
        return value.get("raw", value["text"])

    def test_while_the_instance_is_made(self) -> None:
        request = next(request for request in self.seen if request["method"] == "valves.of")
        self.assertEqual(self.ask("start_value"), f"valves of other in call {request['call']}")
        self.assertEqual(request["plugin"], "asking")

    def test_from_threads_and_loops(self) -> None:
        self.assertEqual(self.ask("sync", x=2), "4")
        self.assertEqual(self.ask("from_loop", x=2), "8")
        self.assertEqual(self.ask("own_loop", x=3), "6")
        self.assertEqual(self.ask("many"), "9900")

    def test_large_events_are_asked_so_that_their_sender_hears_of_a_refusal(self) -> None:
        pending = self.worker.start("tool", "asking", name="emit", arguments={"sizes": [10, 100_000, 600_000, 20]})
        self.assertEqual(pending.value()["raw"], [None, None, 413, None])
        sent = [message for message in pending.messages if message["t"] in ("event", "request")]
        self.assertEqual([message["t"] for message in sent], ["event", "request", "request", "event"])
        self.assertEqual({message["plugin"] for message in sent}, {"asking"})

    def test_large_events_of_pipes_are_taken_before_what_comes_after_them(self) -> None:
        self.worker.load("piping", PIPE, store="function")
        pending = self.worker.start("pipe", "piping", body={})
        self.assertEqual(pending.value(), {"form": "stream", "items": 1})
        sent = [message["t"] for message in pending.messages if message["t"] in ("event", "request", "item")]
        self.assertEqual(sent, ["event", "request", "item"])

    def test_threads_of_plugins_ask_for_their_call(self) -> None:
        pending = self.worker.start("tool", "asking", name="from_thread", arguments={"x": 5})
        self.assertEqual(pending.value()["raw"], {"value": 10, "call": pending.id})
        self.assertEqual(pending.of("request")[0]["call"], pending.id)

    def test_errors_and_bytes(self) -> None:
        self.assertEqual(self.ask("refused"), {"type": "Forbidden", "status": 403, "text": "Not yours."})
        self.assertEqual(self.ask("bytes_back", data="abc"), "cba")

    def test_streams(self) -> None:
        for name in ("lines", "lines_async"):
            self.assertEqual(self.ask(name), {"items": list(range(200)), "value": "all"})
        grants = [message for message in self.worker.messages if message["t"] == "credit"]
        self.assertGreaterEqual(sum(message["n"] for message in grants), 2 * 128)
        self.assertEqual(self.ask("first_line"), "0")

    def test_cancel_ends_a_waiting_request(self) -> None:
        pending = self.worker.start("tool", "asking", name="never")
        self.worker.wait_for("request", where=lambda message: message["method"] == "never")
        self.worker.cancel(pending)
        error = self.fails("cancelled", pending.value)
        self.assertNotIn("detail", error)
        self.worker.wait_for("abandon")
