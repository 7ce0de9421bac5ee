from tests.harness import WorkerTest


class Valves(WorkerTest):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.description = cls.worker.load("settings", secret="derived-1")

    def seen(self, **fields: object) -> dict[str, object]:
        value = self.worker.call("inlet", "settings", body={}, given={"user": {"name": "Ann"}}, **fields)
        return value["steps"][0][2]

    def test_description(self) -> None:
        flags = self.description["flags"]
        self.assertEqual(
            (flags["toggle"], flags["icon"], flags["icon_url"], flags["file_handler"]),
            (True, "data:image/svg+xml;base64,x", "https://example.com/icon.svg", True),
        )
        self.assertEqual(self.description["priority"], 7)
        properties = self.description["valves_schema"]["properties"]
        self.assertEqual(properties["api_key"]["input"], {"type": "password"})
        self.assertEqual(self.description["user_valves_schema"]["properties"]["tone"]["enum"], ["calm", "loud"])
        self.assertEqual(self.worker.call("describe", "settings", valves={"priority": 2})["priority"], 2)

    def test_stored_values_reach_the_plugin_validated(self) -> None:
        stored = self.worker.call("valves.validate", "settings", which="valves", values={"size": 4, "api_key": "hush", "note": None})
        self.assertEqual(stored["size"], 8)
        self.assertTrue(stored["api_key"].startswith("encrypted:"))
        self.assertEqual(set(stored), {"size", "api_key"})
        seen = self.seen(valves={"size": 5, "api_key": stored["api_key"]}, user_valves={"tone": "loud"})
        self.assertEqual((seen["size"], seen["key"], seen["tone"]), (10, "hush", "loud"))

    def test_absent_valves_leave_the_instance_alone(self) -> None:
        self.seen(valves={"size": 3})
        self.assertEqual(self.seen()["size"], 6)
        self.assertEqual(self.seen(valves=None)["size"], 1)

    def test_errors_name_the_field(self) -> None:
        error = self.fails("valves", lambda: self.worker.call("valves.validate", "settings", which="valves", values={"size": -1}))
        self.assertEqual(error["detail"][0]["loc"], ["size"])
        self.assertIn("size must not be negative", error["message"])
        self.fails("valves", lambda: self.seen(valves={"size": "x"}))
        self.fails("missing", lambda: self.worker.call("valves.validate", "settings", which="others", values={}))

    def test_bad_user_valves_are_left_out(self) -> None:
        self.assertIsNone(self.seen(user_valves={"tone": "rude"})["tone"])
        self.assertEqual(self.seen(user_valves=None)["tone"], "calm")

    def test_options_of_a_method(self) -> None:
        options = self.worker.call("valves.options", "settings", which="valves", given={"user": {"name": "Ann"}})
        self.assertEqual(options, {"model": [{"value": "a", "label": "A for Ann"}, "b"]})

    def test_each_plugin_sees_its_own_secret_and_no_other(self) -> None:
        seen = self.seen()
        self.assertEqual((seen["secret_in_environment"], seen["listed"]), ("derived-1", False))
        content = (
            "import os\nclass Filter:\n    def inlet(self, body):\n        body['s'] = os.getenv('WEBUI_SECRET_KEY')\n        return body\n"
        )
        self.worker.load("bare", content)
        self.assertEqual(self.worker.call("inlet", "bare", body={})["steps"], [["set", ["s"], None]])

    def test_hidden_pitfall_is_told(self) -> None:
        content = "from pydantic import BaseModel\nclass Pipe:\n    class Valves(BaseModel):\n        a: int = 1\n"
        content += "    def pipe(self, body): return 'x'\n"
        self.assertIn("never reach", self.worker.load("lost", content)["warnings"][0])
        self.assertEqual(self.worker.call("pipe", "lost", body={}, valves={"a": 2}), {"form": "text", "text": "x"})
