"""
title: Chunk filter
"""

import asyncio


class Filter:
    def __init__(self):
        self.toggle = False
        self.__request_tag__ = "none"

    async def inlet(self, body, __metadata__=None, __user__=None):
        self.__request_tag__ = body["tag"]
        self.emitter_of_request = __metadata__
        body["messages"][-1]["content"] += "!"
        body["metadata"]["mark"] = 1
        await asyncio.sleep(0)
        return body

    def stream(self, event, __id__=None):
        delta = event["choices"][0]["delta"]
        if delta.get("content") == "drop":
            return None
        if delta.get("content") == "fail":
            raise ValueError("cannot read this")
        delta["content"] = f"{delta['content']} {self.__request_tag__} {__id__}"
        return event

    def outlet(self, body):
        return {**body, "tag": self.__request_tag__}
