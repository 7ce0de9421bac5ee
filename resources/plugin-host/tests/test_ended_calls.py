from tests.harness import WorkerTest

ENDED = """
import asyncio, threading, time
from plugin_host import host

kept = {}


def attempt(work):
    try:
        return str(work())
    except host.GatewayError as error:
        return f"{error.type}: {error}"


class Tools:
    async def keep(self, __event_emitter__=None, __event_call__=None, __user__=None):
        kept.update(call=host.current_call(), emit=__event_emitter__, ask=__event_call__)
        asyncio.create_task(__event_emitter__({"type": "status", "data": {"description": "not waited for"}}))
        return "kept"

    def go_on(self):
        def work():
            while kept["call"] is None or not kept["call"].has_ended:
                time.sleep(0.01)
            kept["thread"] = attempt(lambda: host.request("files.read"))
            kept["stream"] = attempt(lambda: list(host.stream("files.read")))
            kept["given"] = str(host.given())
        kept["call"] = host.current_call()
        kept["running"] = threading.Thread(target=work)
        kept["running"].start()
        return "started"

    def told(self):
        kept["running"].join()
        return {name: kept[name] for name in ("thread", "stream", "given")}

    async def use(self):
        said = {"given": str(kept["call"].message.get("given"))}
        for name, work in {"emit": kept["emit"], "ask": kept["ask"]}.items():
            try:
                await work({"type": "status", "data": {"description": "much later"}})
                said[name] = "worked"
            except host.GatewayError as error:
                said[name] = error.type
        return said

    async def continue_as_task(self, __event_emitter__=None, __event_call__=None):
        async def work():
            while not kept["call"].has_ended:
                await asyncio.sleep(0.01)
            await __event_emitter__({"type": "status", "data": {"description": "later"}})
            await __event_emitter__({"type": "files", "data": {"files": ["x" * 70_000]}})
            kept["asked"] = await __event_call__({"type": "input", "data": {}})
            try:
                await host.request_async("models.list")
            except host.GatewayError as error:
                kept["refused"] = error.type
        kept.update(call=host.current_call(), emit=__event_emitter__, ask=__event_call__, task=asyncio.create_task(work()))

    async def told_by_task(self):
        await kept["task"]
        return [kept["asked"], kept["refused"]]
"""

PAIR = """
class Filter:
    async def inlet(self, body, __event_emitter__=None):
        self.later = {"emit": __event_emitter__}
        return body

    async def outlet(self, body):
        await self.later["emit"]({"type": "status", "data": {"description": "from the outlet"}})
        return body
"""


class EndedCalls(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.worker.load("ended", ENDED)
        cls.worker.load("pair", PAIR)

    def tool(self, name: str, **fields: object):
        return self.worker.start("tool", "ended", name=name, given={"user": {"id": "ann"}}, session=True, **fields)

    def test_an_event_that_is_not_waited_for_goes_out_before_the_call_ends(self) -> None:
        pending = self.tool("keep")
        self.assertEqual(pending.value()["text"], "kept")
        self.assertEqual([message["t"] for message in pending.messages], ["event", "result"])

    def test_what_a_plugin_kept_of_a_call_that_is_over_says_so_and_holds_nothing(self) -> None:
        self.tool("keep", scope="one").value()
        pending = self.tool("use", scope="two")
        self.assertEqual(pending.value()["raw"], {"given": "None", "emit": "CallEnded", "ask": "CallEnded"})
        self.assertEqual((pending.events, pending.of("request")), ([], []))

    def test_what_a_task_sends_after_its_call_goes_out_until_its_answer_is_over(self) -> None:
        asked = []

        def respond(request):
            asked.append((request["method"], request["call"]))
            return {"value": "yes" if request["method"] == "event_call" else None}

        self.worker.respond = respond
        pending = self.tool("continue_as_task", scope="long", answer=True)
        self.assertEqual(pending.value()["text"], "")
        self.assertEqual(self.tool("told_by_task", scope="other").value()["raw"], ["yes", "CallEnded"])
        self.assertEqual([event["data"] for event in pending.events], [{"description": "later"}])
        self.assertEqual(asked, [("event", pending.id), ("event_call", pending.id)])
        self.worker.send({"t": "over", "scope": "long"})
        later = self.tool("use", scope="other")
        self.assertEqual(later.value()["raw"], {"given": "None", "emit": "CallEnded", "ask": "CallEnded"})
        self.assertEqual((len(pending.events), later.events), (1, []))

    def test_a_thread_that_goes_on_after_its_call_gets_a_clear_error(self) -> None:
        self.assertEqual(self.tool("go_on").value()["text"], "started")
        told = self.tool("told").value()["raw"]
        refusal = "CallEnded: The call this belongs to has ended, and with it the right to ask the gateway."
        self.assertEqual(told, {"thread": refusal, "stream": refusal, "given": "{}"})

    def test_an_outlet_may_use_what_the_inlet_of_the_same_chat_request_was_given(self) -> None:
        self.worker.start("inlet", "pair", body={}, scope="request").value()
        pending = self.worker.start("outlet", "pair", body={}, scope="request")
        pending.value()
        self.assertEqual([event["data"]["description"] for event in pending.events], ["from the outlet"])
        self.assertEqual({event["plugin"] for event in pending.of("event")}, {"pair"})
