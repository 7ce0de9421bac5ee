import datetime
import json
import unittest

from pydantic import BaseModel

from plugin_host.changes import changes
from plugin_host.frames import BrokenFrame, Decoder, encode
from tests.harness import ROOT  # noqa: F401


def read(data: bytes, size: int = 1 << 20) -> list[object]:
    decoder = Decoder()
    return [message for start in range(0, len(data), size) for message in decoder.feed(data[start : start + size])]


class Frames(unittest.TestCase):
    def test_come_back_in_any_pieces(self) -> None:
        messages = [{"t": "a", "x": "ü" * 50}, {"t": "b", "data": b"\x00\xff", "list": [{"y": b"z"}]}, {"t": "c"}]
        data = b"".join(map(encode, messages))
        for size in (1, 2, 7, 64, len(data)):
            self.assertEqual(read(data, size), messages)

    def test_values_json_does_not_know(self) -> None:
        class Model(BaseModel):
            when: datetime.date = datetime.date(2024, 1, 2)

        message = {"t": "x", "a": float("nan"), "b": {1}, "c": Model(), "d": {(1, 2): 3}, "e": "\ud800", "f": object}
        (found,) = read(encode(message))
        expected = {"t": "x", "a": None, "b": [1], "c": {"when": "2024-01-02"}, "d": {"(1, 2)": 3}, "e": "\ud800", "f": str(object)}
        self.assertEqual(found, expected)

    def test_a_cycle_ends(self) -> None:
        value: list[object] = []
        value.append(value)
        self.assertTrue(read(encode({"t": "x", "v": value})))

    def test_broken_ones_are_refused(self) -> None:
        for data in (b"\xff\xff\xff\xff\x00", b"\x00\x00\x00\x01\x07x", b"\x00\x00\x00\x01\x00{", b"\x00\x00\x00\x02\x00[]"):
            with self.assertRaises(BrokenFrame):
                read(data)


class Changes(unittest.TestCase):
    def check(self, before: object, after: object, steps: list[object]) -> None:
        self.assertEqual(changes(before, after), steps)
        self.assertEqual(apply(json.loads(json.dumps(before)), steps), json.loads(json.dumps(after)))

    def test_steps(self) -> None:
        self.check({"a": 1}, {"a": 1}, [])
        self.check({"a": 1, "b": 2}, {"a": 3, "c": [1]}, [["delete", ["b"]], ["set", ["a"], 3], ["set", ["c"], [1]]])
        self.check({"m": [{"c": "x"}, {"c": "y"}]}, {"m": [{"c": "x"}, {"c": "z"}, 3]}, [["set", ["m", 1, "c"], "z"], ["set", ["m", 2], 3]])
        self.check([1, 2, 3], [1], [["truncate", [], 1]])
        self.check({"a": 1}, {"a": True}, [["set", ["a"], True]])
        self.check({"a": {}}, {"a": []}, [["set", ["a"], []]])
        self.check({"a": 1}, [1], [["set", [], [1]]])


def apply(value: object, steps: list[object]) -> object:
    """The other side's work, to prove that steps are enough."""
    root = {"root": value}
    for kind, path, *rest in steps:  # type: ignore[misc]
        node: object = root
        *way, last = ["root", *path]
        for key in way:
            node = node[key]  # type: ignore[index]
        if kind == "delete":
            del node[last]  # type: ignore[attr-defined]
        elif kind == "truncate":
            del node[last][rest[0] :]  # type: ignore[index]
        elif isinstance(node, list) and last == len(node):
            node.append(rest[0])
        else:
            node[last] = rest[0]  # type: ignore[index]
    return root["root"]
