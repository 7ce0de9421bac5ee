import time
from typing import Any

from tests.harness import ROOT, Pending, Worker, WorkerTest


class Pipes(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker(paths=[ROOT / "tests" / "packages"])
        cls.description = cls.worker.load("forms")

    def pipe(self, form: str, **fields: Any) -> Pending:
        return self.worker.start("pipe", "forms", body={"model": f"forms.{form}"}, **fields)

    def test_models(self) -> None:
        models = [{"id": "a.b/c", "name": "forms/First"}, {"id": "second", "name": "forms/second"}]
        self.assertEqual(self.worker.call("pipes", "forms"), {"models": models, "name": "forms/"})
        self.worker.load("single", "class Pipe:\n    def pipe(self, body): return ''\n")
        self.assertEqual(self.worker.call("pipes", "single"), {"models": None, "name": None})
        self.worker.load("listed", "class Pipe:\n    pipes = [{'id': 'x', 'name': 'X'}]\n    def pipe(self, body): return ''\n")
        self.assertEqual(self.worker.call("pipes", "listed")["models"], [{"id": "x", "name": "X"}])
        self.worker.load("broken", "class Pipe:\n    def pipes(self): raise OSError('offline')\n    def pipe(self, body): return ''\n")
        self.fails("plugin", lambda: self.worker.call("pipes", "broken"))

    def test_whole_answers(self) -> None:
        self.assertEqual(self.pipe("text").value(), {"form": "text", "text": "hello"})
        self.assertEqual(self.pipe("none").value(), {"form": "none"})
        self.assertEqual(self.pipe("mapping").value(), {"form": "json", "value": {"choices": []}})
        self.assertEqual(self.pipe("model").value(), {"form": "json", "value": {"n": 1}})
        headers = {"content-type": "text/html"}
        self.assertEqual(self.pipe("page").value(), {"form": "response", "status": 203, "headers": headers, "body": "page"})

    def test_generators(self) -> None:
        items = [{"text": "one"}, {"json": {"n": 2}}, {"json": {"n": 3}}, {"raw": "data: {}\n\n"}, {"text": ""}]
        for form in ("generator", "async_generator"):
            pending = self.pipe(form)
            self.assertEqual(pending.value(), {"form": "stream", "items": 5})
            self.assertEqual(pending.items, items)
            self.assertEqual(pending.events, [{"type": "status", "data": {"description": "half"}}])
            self.assertEqual([m["t"] for m in pending.messages], ["item", "event", "item", "item", "item", "item", "result"])

    def test_streaming_response(self) -> None:
        pending = self.pipe("response")
        headers = {"x": "y", "content-type": "text/event-stream"}
        self.assertEqual(pending.value(), {"form": "response", "status": 201, "headers": headers, "items": 2})
        self.assertEqual(pending.items, [{"raw": "data: 1\n\n"}, {"raw": "data: 2\n\n"}])
        self.assertEqual(pending.messages[0], {"t": "open", "id": pending.id, "status": 201, "headers": headers})

    def test_lines_of_a_provider_without_their_ends(self) -> None:
        lines = ["b'data: {\"n\": \\xc3\\xa9}'", "b''", "'data: [DONE]'"]
        self.worker.load("lines", f"class Pipe:\n    def pipe(self, body): return iter([{', '.join(lines)}])\n")
        pending = self.worker.start("pipe", "lines", body={})
        pending.value()
        self.assertEqual(pending.items, [{"raw": 'data: {"n": é}\n\n'}, {"text": ""}, {"raw": "data: [DONE]\n\n"}])

    def test_a_character_that_is_cut_between_two_yields_stays_whole(self) -> None:
        pieces = [b"caf\xc3", b"\xa9 \xe2\x82", b"\xac", b" end \xf0\x9f"]
        generator = f"\n        async def all():\n            for piece in {pieces!r}: yield piece\n        return all()"
        for form in (f"return iter({pieces!r})", generator):
            self.worker.load("cut", f"class Pipe:\n    def pipe(self, body): {form}\n")
            pending = self.worker.start("pipe", "cut", body={})
            pending.value()
            self.assertEqual("".join(item["text"] for item in pending.items), "café € end \ufffd")

    def test_pieces_of_a_response_are_cut_anywhere(self) -> None:
        pieces = [b'data: {"n": "\xc3', b'\xa9"}', b"data: 2\n", b"", b"\ndata: [DONE]", b"data: 3"]
        response = f"type('Response', (), dict(status_code=200, headers={{}}, body_iterator={pieces!r}))()"
        self.worker.load("pieces", f"class Pipe:\n    def pipe(self, body): return {response}\n")
        pending = self.worker.start("pipe", "pieces", body={})
        pending.value()
        text = 'data: {"n": "é"}\n\ndata: 2\n\ndata: [DONE]\n\ndata: 3'
        self.assertEqual("".join(item["raw"] for item in pending.items), text)

    def test_lines_of_a_response_without_their_ends(self) -> None:
        pieces = ["event: a", 'data: {"n": 1}', "event: b", 'data: {"n": 2}', "data: [DONE]"]
        response = f"type('Response', (), dict(status_code=200, headers={{}}, body_iterator={pieces!r}))()"
        self.worker.load("named", f"class Pipe:\n    def pipe(self, body): return {response}\n")
        pending = self.worker.start("pipe", "named", body={})
        pending.value()
        text = 'event: a\ndata: {"n": 1}\n\nevent: b\ndata: {"n": 2}\n\ndata: [DONE]'
        self.assertEqual("".join(item["raw"] for item in pending.items), text)

    def test_credit_bounds_what_is_on_the_way_and_cancel_closes(self) -> None:
        for form in ("endless", "endless_in_thread"):
            pending = self.pipe(form, credit=3)
            self.wait_for_items(pending, 3)
            time.sleep(0.1)
            self.assertEqual(len(pending.items), 3, form)
            self.worker.send({"t": "credit", "id": pending.id, "n": 2})
            self.wait_for_items(pending, 5)
            self.worker.cancel(pending)
            self.fails("cancelled", pending.value)
            self.assertEqual(pending.items, [{"text": str(n)} for n in range(5)])
            # The cancel may come before the generator is asked for its sixth item.
            self.assertIn(pending.lines, (["closed after 4"], ["closed after 5"]), form)

    def wait_for_items(self, pending: Pending, count: int) -> None:
        deadline = time.monotonic() + 10
        while len(pending.items) < count and time.monotonic() < deadline:
            time.sleep(0.005)

    def test_an_exception_after_items(self) -> None:
        pending = self.pipe("failing")
        self.assertEqual(self.fails("plugin", pending.value)["message"], "upstream said no")
        self.assertEqual(pending.items, [{"text": "first"}])

    def test_plain_def_with_blocking_work(self) -> None:
        content = (
            "import time\nclass Pipe:\n    def pipe(self, body):\n        time.sleep(0.2)\n        for w in 'ab':\n            yield w\n"
        )
        self.assertEqual(self.worker.load("slow", content)["hooks"], {"pipe": "generator"})
        pending = self.worker.start("pipe", "slow", body={})
        self.assertEqual(self.worker.call("pipe", "forms", body={"model": "x.text"})["text"], "hello")
        self.assertEqual(pending.value(), {"form": "stream", "items": 2})
