"""
title: Stores everything on itself
"""

import asyncio
import threading
import time

from pydantic import BaseModel


class Helper:
    def __init__(self, parent):
        self.parent = parent

    def name(self):
        return self.parent.__user__["name"]


class Tools:
    __class_level__ = "class"

    class UserValves(BaseModel):
        colour: str = "none"

    def __init__(self):
        self.__event_emitter__ = None
        self.helper = Helper(self)
        self.calls = 0
        self.emitter = None

    async def remember(self, value: str, __user__=None, __event_emitter__=None, __request__=None, __metadata__=None):
        self.__user__ = __user__
        self.__event_emitter__ = __event_emitter__
        self.__request__ = __request__
        self.emitter = __event_emitter__
        self.user = __user__
        self.user_valves = __user__["valves"]
        self.metadata = __metadata__
        self.calls += 1
        self.shared = value
        seen = []
        for turn in range(3):
            await asyncio.sleep(0.002)
            print(f"{value} prints {turn}")
            await self.emitter({"type": "status", "data": {"description": value, "turn": turn}})
            seen.append(self.__user__["name"] == self.user["name"] == self.helper.name() == __user__["name"])
            seen.append(self.user_valves.colour == __user__["valves"].colour)
            seen.append(self.__request__.headers.get("x-user") == __user__["name"] and self.metadata is __metadata__)
        found = []
        thread = threading.Thread(target=lambda: (print(f"{value} in thread"), found.append(self.__user__["name"])))
        thread.start()
        await asyncio.to_thread(thread.join)
        return {"ok": all(seen), "user": self.__user__["name"], "thread": found[0], "value": value}

    def remember_sync(self, value: str, __user__=None):
        self.__user__ = __user__
        time.sleep(0.01)
        print(f"{value} prints")
        return {"user": self.__user__["name"], "value": value}

    def counted(self):
        return {"calls": self.calls, "emitter": self.emitter, "has_user": hasattr(self, "user"), "type": type(self).__name__, "class": self.__class_level__}
