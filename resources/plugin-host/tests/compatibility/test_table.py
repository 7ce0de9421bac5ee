"""Every symbol in the table is used, as `symbols` says."""

from __future__ import annotations

import unittest
from typing import Any

from tests.compatibility.gateway import GIVEN, Gateway
from tests.compatibility.symbols import tier_four, tier_one, tier_three_models, tier_three_routers, tier_three_utils, tier_two
from tests.harness import Worker

CLEAR = "clear failure"
TABLES = (tier_one, tier_two, tier_three_models, tier_three_routers, tier_three_utils, tier_four)
ROWS = [row for table in TABLES for row in table.ROWS]

HEAD = """
import io

def user_model(u):
    from open_webui.models.users import UserModel
    return UserModel(**u)

def files_():
    from open_webui.models.files import Files
    return Files

class Kit_:
    def add(self, a: int, b: int = 1) -> int:
        "Adds."
        return a + b

def upload_(name, content):
    from starlette.datastructures import UploadFile
    return UploadFile(file=io.BytesIO(content), filename=name)
"""


def source(module: str, symbol: str, code: str) -> str:
    """A tool that imports one symbol at its top and uses it."""
    name = symbol.partition(".")[0]
    # The plugin's own class has this name, too.
    code = code.replace("Tools.", "HostTools.") if name == "Tools" else code
    lines = [HEAD, f"from {module} import {name}{' as HostTools' if name == 'Tools' else ''}"]
    for word in sorted({word for word in _words(code) if word.endswith("_") and word[0].isupper() and word != "Kit_"}):
        lines.append(f"from {module} import {word[:-1]} as {word}")
    body = code.removeprefix(f"{CLEAR}: ")
    lines += ["", "class Tools:", "    async def use(self, __request__=None, __user__=None):", "        r, u = __request__, __user__"]
    lines += [f"        {part.strip()}" for part in body.split("; ")]
    return "\n".join([*lines, '        return "used"'])


def _words(code: str) -> list[str]:
    return "".join(letter if letter.isalnum() or letter == "_" else " " for letter in code).split()


class Table(unittest.TestCase):
    worker: Worker
    gateway: Gateway

    @classmethod
    def setUpClass(cls) -> None:
        cls.worker = Worker()
        cls.gateway = Gateway(cls.worker)
        cls.worker.wait_for("ready")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()

    def test_every_symbol(self) -> None:
        counts: dict[str, list[int]] = {}
        for tier, module, symbol, code in ROWS:
            counted = counts.setdefault(tier, [0, 0])
            with self.subTest(f"{module} {symbol}"):
                self.worker.load("row", source(module, symbol, code))
                pending = self.worker.start("tool", "row", name="use", arguments={}, given=GIVEN)
                if code.startswith(CLEAR):
                    counted[1] += 1
                    self.check_failure(symbol, pending)
                else:
                    counted[0] += 1
                    self.assertEqual(pending.value()["text"], "used")
        print(
            "\ncompatibility: " + ", ".join(f"{tier} {used} work, {failed} fail clearly" for tier, (used, failed) in sorted(counts.items()))
        )

    def check_failure(self, symbol: str, pending: Any) -> None:
        from tests.harness import Failure

        with self.assertRaises(Failure) as caught:
            pending.value()
        error = caught.exception.error
        self.assertIn(error["type"], ("NotInThisGateway", "HTTPException"), error["message"])
        named = symbol.partition(".")[0] in error["message"] or "engine" in error["message"] or "administrators" in error["message"]
        self.assertTrue(named or "“other”" in error["message"], error["message"])
        if error["type"] == "NotInThisGateway":
            self.assertTrue(any(log["level"] == "error" for log in pending.of("log")), "it is logged")
