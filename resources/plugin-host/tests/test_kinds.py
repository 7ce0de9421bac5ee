"""Which kind a file is, what its author may lean on while it is loaded and runs, and what wrong types do."""

from tests.harness import WorkerTest

ALL = "class {}:\n    def inlet(self, body): return body\n    def pipe(self, body): return ''\n    def action(self, body): return None\n"


class Kinds(WorkerTest):
    def kind(self, *names: str, store: str = "function") -> str:
        return str(self.worker.load("kinds", "".join(ALL.format(name) for name in names), store=store)["kind"])

    def test_one_file_is_one_kind(self) -> None:
        self.assertEqual(self.kind("Filter", "Pipe", "Action"), "pipe")
        self.assertEqual(self.kind("Action", "Filter"), "filter")
        self.assertEqual(self.kind("Event", "Action"), "action")
        self.assertEqual(self.kind("Event"), "event")
        self.assertEqual(self.kind("Tools", "Filter", store="tool"), "tool")
        self.fails("no_class", lambda: self.kind("Tools"))
        self.fails("no_class", lambda: self.kind("Filter", store="tool"))
        self.fails("no_class", lambda: self.worker.load("kinds", "Filter = 1\n"))

    def test_flags_of_the_class_count(self) -> None:
        flags = self.worker.load("flagged", "class Filter:\n    toggle = True\n    icon = 'data:,x'\n    file_handler = True\n")["flags"]
        self.assertEqual((flags["toggle"], flags["icon"], flags["file_handler"]), (True, "data:,x", True))
        flags = self.worker.load("plain", "class Filter:\n    pass\n")["flags"]
        self.assertFalse(flags["toggle"] or flags["file_handler"])

    def test_the_module_knows_its_text_and_file(self) -> None:
        content = '"""\ntitle: Mirror\n"""\nTITLE = __doc__.strip()\nclass Tools:\n'
        content += "    def read(self):\n        return [TITLE, __doc__.strip(), open(__file__).read() == self.text, __package__]\n"
        content += "    def __init__(self):\n        self.text = open(__file__).read()\n"
        self.worker.load("mirror", content)
        raw = self.worker.call("tool", "mirror", name="read")["raw"]
        self.assertEqual(raw, ["title: Mirror", "title: Mirror", True, None])
        error = self.fails("load", lambda: self.worker.load("relative", "from . import x\nclass Tools: pass\n"))
        self.assertEqual(error["type"], "ImportError")

    def test_settings_of_pipes_are_lenient(self) -> None:
        head = "from pydantic import BaseModel\n"
        valves = "    class Valves(BaseModel):\n        size: int = 1\n    class UserValves(BaseModel):\n        tone: int = 2\n"
        begin = "    def __init__(self):\n        self.valves = self.Valves()\n"
        pipe = "    def pipe(self, body, __user__):\n        return f\"{self.valves.size} {__user__['valves'].tone}\"\n"
        self.worker.load("lenient", f"{head}class Pipe:\n{valves}{begin}{pipe}")
        given = {"user": {"id": "u1"}}
        fields = {"valves": {"size": None}, "user_valves": {"tone": "loud"}, "given": given}
        self.assertEqual(self.worker.call("pipe", "lenient", body={}, **fields)["text"], "1 2")
        inlet = "    def inlet(self, body, __user__):\n        return {**body, 'keys': list(__user__)}\n"
        self.worker.load("strict", f"{head}class Filter:\n{valves}{begin}{inlet}")
        self.fails("valves", lambda: self.worker.call("inlet", "strict", body={}, **fields))
        steps = self.worker.call("inlet", "strict", body={}, **{**fields, "valves": {}})["steps"]
        self.assertEqual(steps, [["set", ["keys"], ["id"]]])

    def test_wrong_types_are_errors_of_the_plugin_alone(self) -> None:
        self.worker.load("picky", "class Filter:\n    def inlet(self, body):\n        return body['a']['b']\n    stream = outlet = 7\n")
        for body in (None, 7, [], {"a": 1}, {"a": {}}):
            self.fails("plugin", lambda given=body: self.worker.call("inlet", "picky", body=given))
        self.fails("missing", lambda: self.worker.call("outlet", "picky", body={}))
        self.worker.load("odd", "class Tools:\n    def odd(self): return {1: {2}, 'x': object(), 'y': b'z', 'z': float('nan')}\n")
        self.assertIn('"y"', self.worker.call("tool", "odd", name="odd")["text"])
        self.assertEqual(self.worker.call("inlet", "picky", body={"a": {"b": {"c": 1}}})["form"], "changed")
