import time

from tests.harness import ROOT, Worker, WorkerTest


class Actions(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker(paths=[ROOT / "tests" / "packages"])
        cls.description = cls.worker.load("buttons")

    def setUp(self) -> None:
        self.worker.respond = lambda request: {"value": "Ann"}

    def test_buttons(self) -> None:
        actions = [{"id": "copy", "name": "Copy", "icon_url": "data:,"}, {"id": "mail", "name": "Mail"}]
        self.assertEqual((self.description["kind"], self.description["flags"]["actions"]), ("action", actions))

    def test_asks_the_user_and_changes_messages(self) -> None:
        pending = self.worker.start("action", "buttons", body={"id": "m1"}, sub_id="copy", session=True)
        self.assertEqual(pending.value(), {"value": {"messages": [{"id": "m1", "content": "Ann"}]}})
        self.assertEqual(pending.events, [{"type": "notification", "data": {"type": "info", "content": "Ann"}}])
        (request,) = pending.of("request")
        self.assertEqual((request["method"], request["plugin"]), ("event_call", "buttons"))
        self.assertEqual(request["params"]["data"]["type"], "input")

    def test_nobody_answers(self) -> None:
        self.worker.respond = lambda request: {"error": {"type": "TimeoutError", "message": "Nobody answered within 300 s."}}
        pending = self.worker.start("action", "buttons", body={"id": "m1"}, sub_id="copy", session=True)
        error = self.fails("plugin", pending.value)
        self.assertEqual((error["type"], error["message"]), ("TimeoutError", "Nobody answered within 300 s."))

    def test_cancel_while_the_dialog_is_open_abandons_it(self) -> None:
        self.worker.respond = lambda request: None
        pending = self.worker.start("action", "buttons", body={"id": "m1"}, sub_id="copy", session=True)
        request = self.worker.wait_for("request", where=lambda message: message["call"] == pending.id)
        self.worker.cancel(pending)
        self.fails("cancelled", pending.value)
        self.assertEqual(self.worker.wait_for("abandon", where=lambda m: m["id"] == request["id"])["id"], request["id"])
        time.sleep(0)

    def test_html(self) -> None:
        value = self.worker.call("action", "buttons", body={}, sub_id="mail")
        self.assertEqual(value["embed"], "<p>mail</p>")
        self.assertEqual(self.worker.call("action", "buttons", body={"kind": "headers"})["embed"], "<p>x</p>")
        value = self.worker.call("action", "buttons", body={"kind": "location"})
        self.assertEqual((value["embed"], value["value"]), ("https://example.com/", {"opened": True}))

    def test_without_a_session_there_is_nobody_to_ask(self) -> None:
        self.assertEqual(self.worker.call("action", "buttons", body={}), {"value": True})
