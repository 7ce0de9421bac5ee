"""
title: Weather
author: A. Author
author_url: https://example.com
version: 0.2.1
license: MIT
requirements: typing, asyncio
description: Tells the weather
 of a city.
"""

import asyncio
import logging

from pydantic import BaseModel, Field

log = logging.getLogger(__name__)


class Tools:
    class Valves(BaseModel):
        UNIT: str = Field(default="celsius", description="Unit")
        priority: int = 3

    class UserValves(BaseModel):
        city: str = Field(default="Bern")

    def __init__(self):
        self.valves = self.Valves()
        self.citation = True
        self.__event_emitter__ = None

    async def get_weather(self, city: str, days: int = 3, __user__: dict = {}, __event_emitter__=None) -> str:
        """
        Get the weather of a city.
        :param city: The city name
        :param days: How many days
        :return: A sentence
        """
        self.__event_emitter__ = __event_emitter__
        print("looking up", city)
        log.warning("slow source")
        await self._tell("Looking …", False)
        await asyncio.sleep(0)
        await self._tell("Done", True)
        return f"{days} days of sun in {city or __user__['valves'].city}, in {self.valves.UNIT}, for {__user__['name']}"

    async def _tell(self, text, done):
        await self.__event_emitter__({"type": "status", "data": {"description": text, "done": done}})

    def fail(self, city: str):
        """Always fails."""
        return {"a": 1}[city]
