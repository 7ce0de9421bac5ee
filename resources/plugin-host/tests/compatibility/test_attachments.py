"""Attached files come with their text, as far as the person may read them."""

from __future__ import annotations

from typing import Any

from tests.compatibility.gateway import GIVEN, Gateway
from tests.harness import WorkerTest

WHOLE_DOCUMENTS = '''
"""
title: Whole documents
"""


class Filter:
    def __init__(self):
        self.file_handler = True

    def inlet(self, body: dict) -> dict:
        for item in body.get("files") or []:
            text = item.get("file", {}).get("data", {}).get("content")
            if text:
                body["messages"][0]["content"] = f"{text}\\n\\n{body['messages'][0]['content']}"
        return body
'''
READER = """
class Pipe:
    async def pipe(self, body, __files__=None, __metadata__=None):
        assert __files__ is __metadata__["files"]
        return " ".join((item.get("file") or {}).get("data", {}).get("content", "nothing") for item in __files__)
"""


def attached(*names: str) -> list[dict[str, Any]]:
    return [{"type": "file", "id": name, "name": name} for name in names]


class Attachments(WorkerTest):
    gateway: Gateway

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.gateway = Gateway(cls.worker)
        cls.worker.load("documents", WHOLE_DOCUMENTS)
        cls.worker.load("reader", READER)
        cls.worker.load("blind", "class Filter:\n    def inlet(self, body):\n        body['x'] = 1\n        return body\n")

    def body(self) -> dict[str, Any]:
        return {"messages": [{"role": "user", "content": "What is it?"}], "files": attached("file1")}

    def test_a_filter_reads_them_and_only_what_it_changed_travels_back(self) -> None:
        steps = self.worker.call("inlet", "documents", body=self.body(), given=GIVEN)["steps"]
        self.assertEqual(steps, [["set", ["messages", 0, "content"], "text of it\n\nWhat is it?"]])

    def test_a_pipe_reads_what_its_person_may(self) -> None:
        files = attached("file1", "nobodys")
        given = {**GIVEN, "files": files, "metadata": {"files": files}}
        self.assertEqual(self.worker.call("pipe", "reader", body={}, given=given)["text"], "text of it nothing")

    def test_what_the_request_brought_is_not_asked_for(self) -> None:
        before = len(self.gateway.asked("files.get"))
        body = self.body()
        body["files"][0]["file"] = {"data": {"content": "brought along"}}
        steps = self.worker.call("inlet", "documents", body=body, given=GIVEN)["steps"]
        self.assertEqual(steps[0][2], "brought along\n\nWhat is it?")
        self.worker.call("inlet", "blind", body=self.body(), given=GIVEN)
        self.assertEqual(len(self.gateway.asked("files.get")), before)
