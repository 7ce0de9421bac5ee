from typing import Any

from tests.harness import Pending, WorkerTest


def chunk(text: str) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": text}}]}


class Filters(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.worker.load("chunks")
        cls.worker.load("shout")

    def body(self, tag: str) -> dict[str, Any]:
        return {
            "tag": tag,
            "messages": [{"role": "user", "content": "image…" * 50}, {"role": "user", "content": "hi"}],
            "metadata": {"a": 1},
        }

    def session(self, *names: str, **fields: Any) -> Pending:
        plugins = [{"plugin": self.worker.plugins[name]} for name in names]
        return self.worker.start("stream", plugins=plugins, **fields)

    def send(self, session: Pending, number: int, *texts: str) -> None:
        self.worker.send({"t": "c", "id": session.id, "n": number, "e": [chunk(text) for text in texts]})

    def texts(self, session: Pending) -> list[list[str | None]]:
        return [[event and event["choices"][0]["delta"]["content"] for event in message["e"]] for message in session.of("c")]

    def test_only_what_changed_travels_back(self) -> None:
        pending = self.worker.start("inlet", "chunks", body=self.body("A"), given={"metadata": {"a": 1}}, scope="only")
        steps = [["set", ["messages", 1, "content"], "hi!"], ["set", ["metadata", "mark"], 1]]
        self.assertEqual(pending.value(), {"form": "changed", "steps": steps})
        self.assertEqual(pending.answer["changes"], {"metadata": [["set", ["mark"], 1]]})

    def test_features_and_files_of_the_metadata_are_those_of_the_request(self) -> None:
        self.worker.load(
            "switch",
            "class Filter:\n"
            "    def inlet(self, body, __metadata__=None, __features__=None, __files__=None):\n"
            "        __metadata__['features'].update({'web_search': False})\n"
            "        __metadata__['files'].pop()\n"
            "        body['same'] = [body['metadata'] is __metadata__, __features__ is body['features'], __files__ is body['files']]\n"
            "        return body\n",
        )
        features, files = {"web_search": True}, [{"type": "file", "id": "f1"}, {"type": "file", "id": "f2"}]
        metadata = {"features": features, "files": files}
        body = {"features": features, "files": files, "metadata": metadata}
        given = {"metadata": metadata, "features": features, "files": files}
        pending = self.worker.start("inlet", "switch", body=body, given=given)
        steps = pending.value()["steps"]
        self.assertIn(["set", ["features", "web_search"], False], steps)
        self.assertIn(["truncate", ["files"], 1], steps)
        self.assertIn(["set", ["same"], [True, True, True]], steps)
        changes = [["set", ["features", "web_search"], False], ["truncate", ["files"], 1]]
        self.assertEqual(pending.answer["changes"], {"metadata": changes})

    def test_inlet_stream_and_outlet_of_one_request_share_their_attributes(self) -> None:
        for tag in "AB":
            self.worker.call("inlet", "chunks", body=self.body(tag), given={"metadata": {"a": 1}}, scope=f"shared-{tag}")
        sessions = {tag: self.session("chunks", "shout", scope=f"shared-{tag}", given={"metadata": {}}) for tag in "AB"}
        for tag, session in sessions.items():
            self.send(session, 1, "x")
            self.worker.send({"t": "c", "id": session.id, "end": True})
            self.assertEqual(session.value(), {"dropped": 0, "failed": 0})
            self.assertEqual(self.texts(session), [[f"x {tag} chunks!"]])
            self.assertEqual(session.answer["changes"], {"metadata": [["set", ["chunks"], 1]]})
            value = self.worker.call("outlet", "chunks", body={"tag": "", "n": 1}, scope=f"shared-{tag}")
            self.assertEqual(value["steps"], [["set", ["tag"], tag]])
        self.assertEqual(self.worker.call("outlet", "chunks", body={}, scope="other")["steps"], [["set", ["tag"], "none"]])

    def test_dropped_and_failed_chunks_in_a_thread(self) -> None:
        session = self.session("chunks", scope="t")
        self.send(session, 1, "a", "drop", "fail", "b")
        self.send(session, 2, "c")
        self.worker.send({"t": "c", "id": session.id, "end": True})
        self.assertEqual(session.value(), {"dropped": 2, "failed": 1})
        self.assertEqual(self.texts(session), [["a none chunks", None, None, "b none chunks"], ["c none chunks"]])
        ((index, plugin, error),) = session.of("c")[0]["x"]
        self.assertEqual((index, plugin, error["message"], error["line"]), (2, "chunks", "cannot read this", 26))

    def test_chunks_keep_their_order_from_the_first_on(self) -> None:
        for names in (["chunks"], ["chunks", "shout"]):
            for _ in range(10):
                session = self.session(*names)
                for number in range(40):
                    self.send(session, number, f"t{number}")
                self.worker.send({"t": "c", "id": session.id, "end": True})
                session.value()
                self.assertEqual([message["n"] for message in session.of("c")], list(range(40)))

    def test_a_cancelled_session_ends(self) -> None:
        for names in (["chunks"], ["chunks", "shout"]):
            session = self.session(*names)
            self.send(session, 1, "a")
            self.worker.wait_for("c", where=lambda message, number=session.id: message["id"] == number)
            self.worker.cancel(session)
            self.fails("cancelled", session.value)

    def test_returned_forms(self) -> None:
        self.worker.load("none", "class Filter:\n    def inlet(self, body):\n        body['x'] = 1\n")
        self.assertEqual(self.worker.call("inlet", "none", body={}), {"form": "none"})
        self.worker.load("text", "class Filter:\n    async def outlet(self, body): return 'no'\n")
        self.assertEqual(self.worker.call("outlet", "text", body={}), {"form": "other", "value": "no"})
        self.fails("missing", lambda: self.worker.call("inlet", "text", body={}))

    def test_an_exception_is_the_authors_text(self) -> None:
        self.worker.load("angry", "class Filter:\n    def inlet(self, body):\n        raise Exception('Not on Sundays')\n")
        error = self.fails("plugin", lambda: self.worker.call("inlet", "angry", body={}))
        self.assertEqual((error["message"], error["type"], error["line"]), ("Not on Sundays", "Exception", 3))
        self.assertNotIn("plugin_host/", error["traceback"])
