import json
import unittest

from tests.harness import ROOT, Worker, WorkerTest

PACKAGES = [ROOT / "tests" / "packages"]


class Returned(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker(paths=PACKAGES)
        cls.description = cls.worker.load("shapes")

    def returned(self, name: str, **arguments: object) -> tuple[object, object, object]:
        value = self.worker.call("tool", "shapes", name=name, arguments=arguments)
        return value["text"], value["files"], value["embeds"]

    def test_exposed(self) -> None:
        names = [spec["name"] for spec in self.description["specs"]]
        self.assertEqual(names, sorted(names))
        for hidden in ("_hidden", "shortcut", "Inner", "costly"):
            self.assertNotIn(hidden, names)
        self.assertIn("static", names)
        self.fails("missing", lambda: self.returned("_hidden"))
        self.fails("missing", lambda: self.returned("__init__"))

    def test_text_and_numbers(self) -> None:
        self.assertEqual(self.returned("text"), ("plain", [], []))
        self.assertEqual(self.returned("nothing"), ("", [], []))
        self.assertEqual(self.returned("number"), ("42", [], []))
        self.assertEqual(self.returned("truth"), ("True", [], []))
        self.assertEqual(self.returned("model"), ("name='x' count=1", [], []))
        self.assertEqual(self.returned("data"), ("b'abc'", [], []))
        self.assertEqual(self.returned("pieces"), ("ab", [], []))
        self.assertEqual(self.returned("static", x=1), ("2", [], []))

    def test_mappings_and_lists(self) -> None:
        self.assertEqual(self.returned("mapping")[0], '{\n  "größe": 1\n}')
        text, files, _ = self.returned("listing")
        self.assertEqual(json.loads(str(text)), {"results": ["a", {"b": 1}]})
        self.assertEqual(files, [{"type": "data", "content": f"data:text/plain,{number}"} for number in (1, 2)])
        self.assertEqual(json.loads(str(self.returned("pair")[0])), {"a": 1})

    def test_image(self) -> None:
        text, files, _ = self.returned("image")
        self.assertEqual(files, [{"type": "image", "url": "data:image/png;base64,eA=="}])
        self.assertLess(len(str(text)), 80)

    def test_html(self) -> None:
        text, _, embeds = self.returned("inline_html")
        self.assertEqual(embeds, ["<b>hi</b>"])
        self.assertEqual({**json.loads(str(text)), "message": ""}, {"status": "success", "code": "ui_component", "message": ""})
        text, _, embeds = self.returned("inline_with_context")
        self.assertEqual((json.loads(str(text)), embeds), ({"seen": True}, ["<b>hi</b>"]))
        text, _, embeds = self.returned("inline_error")
        self.assertEqual((json.loads(str(text))["status"], embeds), ("error", []))
        self.assertEqual(self.returned("plain_html"), ("<b>hi</b>", [], []))

    def test_models_are_not_built_from_arguments(self) -> None:
        self.assertEqual(self.returned("item", item={"name": "x"})[0], "dict")

    def test_open_arguments(self) -> None:
        text, _, _ = self.returned("open_arguments", first=1, args="x", kwargs={"a": 2}, other=3)
        self.assertEqual(json.loads(str(text)), {"first": 1, "args": [], "kwargs": {"a": 2}})

    def test_arguments_as_text(self) -> None:
        def call(arguments: object) -> str:
            value = self.worker.call("tool", "shapes", name="static", arguments=arguments)
            self.assertIsInstance(value["text"], str)
            return str(value["text"])

        self.assertEqual(call('{"x": 1}'), "2")
        self.assertEqual(call("{'x': 1, 'unknown': 2}"), "2")
        self.assertIn("JSON object", call("{x: 1"))
        self.assertIn("JSON object", call("[1]"))
        self.fails("plugin", lambda: call(""))


class WebResponses(unittest.TestCase):
    def test_of_the_real_framework(self) -> None:
        try:
            from starlette.responses import HTMLResponse, JSONResponse
        except ImportError:
            self.skipTest("Starlette is not installed")
        from plugin_host.returned import shape_action_result, shape_tool_result

        inline = HTMLResponse("<i>x</i>", headers={"Content-Disposition": 'Inline; filename="x"'})
        self.assertEqual(shape_tool_result(inline)["embeds"], ["<i>x</i>"])
        self.assertEqual(shape_tool_result((inline, "seen"))["text"], "seen")
        self.assertEqual(shape_tool_result(JSONResponse({"a": 1}))["text"], '{"a":1}')
        self.assertEqual(shape_action_result(inline)["embed"], "<i>x</i>")


PROBE = """
class Tools:
    async def probe(self, %s, **kwargs):
        emitter, call = __event_emitter__, __event_call__
        cell = [c.cell_contents for c in emitter.__closure__]
        __metadata__["count"] = __metadata__.get("count", 0) + 1
        __metadata__["list"].append({"a": 1})
        del __metadata__["old"]
        tool = await __tools__["add"]["callable"](a=1, b=2)
        return {
            "user": {k: v for k, v in __user__.items()},
            "id": __id__, "chat": __chat_id__, "none": [__task__, __features__, __oauth_token__, __files__],
            "cell": cell, "call": call is None, "kwargs": kwargs, "tool": tool,
            "language": __request__.headers.get("Accept-Language"), "base": str(__request__.base_url),
            "cookie": __request__.cookies.get("theme"), "messages": __messages__, "model": __model__["id"],
        }
"""
NAMES = """__user__ __metadata__ __request__ __model__ __event_emitter__ __event_call__ __id__ __messages__ __files__ __chat_id__
__message_id__ __session_id__ __task__ __task_body__ __tools__ __oauth_token__ __features__ __body__"""


class Injected(WorkerTest):
    def test_every_name(self) -> None:
        self.worker.load("probe", PROBE % ", ".join(NAMES.split()))
        self.worker.respond = lambda request: {"value": {"value": sum(request["params"]["arguments"].values())}}
        given = {
            "user": {"id": "u", "name": "Ann", "role": "user"},
            "metadata": {"chat_id": "c1", "message_id": "m1", "session_id": "s1", "list": [], "old": 1},
            "request": {
                "method": "POST",
                "url": "http://gateway:8080/api/chat/completions",
                "base_url": "http://gateway:8080/",
                "headers": {"accept-language": "de"},
                "cookies": {"theme": "dark"},
            },
            "model": {"id": "base"},
            "messages": [{"role": "user", "content": "hi"}],
            "chat_id": "c1",
            "tools": [{"name": "add", "tool_id": "t", "spec": {}}],
        }
        pending = self.worker.start("tool", "probe", name="probe", arguments={}, given=given)
        raw = pending.value()["raw"]
        self.assertEqual(raw["user"], given["user"])
        self.assertEqual((raw["id"], raw["chat"], raw["none"]), ("probe", "c1", [None, None, None, None]))
        self.assertEqual(raw["cell"], [{"chat_id": "c1", "message_id": "m1", "session_id": "s1", "user_id": "u"}])
        self.assertEqual((raw["call"], raw["kwargs"], raw["tool"]), (True, {}, 3))
        self.assertEqual((raw["language"], raw["base"], raw["cookie"]), ("de", "http://gateway:8080/", "dark"))
        self.assertEqual((raw["messages"], raw["model"]), (given["messages"], "base"))
        steps = [["delete", ["old"]], ["set", ["list", 0], {"a": 1}], ["set", ["count"], 1]]
        self.assertEqual(pending.answer["changes"], {"metadata": steps})

    def test_the_light_request_answers_the_same(self) -> None:
        from plugin_host.request_object import LightRequest

        given = {"url": "http://g:1/x?y=1", "base_url": "http://g:1/", "headers": {"Authorization": "t"}, "cookies": {"a": "b"}}
        light = LightRequest({**given, "state": {"n": 1}})
        self.assertEqual(
            (light.headers.get("authorization"), light.headers["AUTHORIZATION"], "authorization" in light.headers), ("t", "t", True)
        )
        self.assertEqual((str(light.base_url), light.url.path, light.url.query, light.cookies), ("http://g:1/", "/x", "y=1", {"a": "b"}))
        self.assertEqual((light.state.n, light.app.state), (1, light.scope["app"].state))
        self.assertFalse(hasattr(light.state, "token"))

    def test_the_token_of_the_call_is_kept_where_routes_keep_it(self) -> None:
        from plugin_host.request_object import LightRequest, make_request

        for make in (LightRequest, make_request):
            token = make({"headers": {"Authorization": "Bearer call-1"}}).state.token
            self.assertEqual((token.scheme, token.credentials), ("Bearer", "call-1"))
