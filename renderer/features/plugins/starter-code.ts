import type { PluginStoreKind } from './plugin-kinds.ts'

const TOOL = `"""
title: Word counter
description: Counts words of a text.
version: 0.1.0
"""

from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        shortest: int = Field(default=1, description="Words below this length are not counted")

    def __init__(self):
        self.valves = self.Valves()

    async def count_words(self, text: str, __event_emitter__=None) -> str:
        """
        Counts the words of a text.
        :param text: The text to look at
        """
        words = [word for word in text.split() if len(word) >= self.valves.shortest]
        await __event_emitter__({"type": "status", "data": {"description": "Counted", "done": True}})
        return f"{len(words)} words"
`

const FILTER = `"""
title: Polite ending
description: Adds a line to every answer.
version: 0.1.0
"""

from pydantic import BaseModel, Field


class Filter:
    class Valves(BaseModel):
        priority: int = Field(default=0, description="Lower runs first")
        line: str = Field(default="Ask me anything.", description="What is added")

    def __init__(self):
        self.valves = self.Valves()

    async def inlet(self, body: dict) -> dict:
        return body

    async def outlet(self, body: dict) -> dict:
        body["messages"][-1]["content"] += "\\n\\n" + self.valves.line
        return body
`

/** Returns the initial source of a new plugin. */
export const starterCode = (store: PluginStoreKind): string => (store === 'tool' ? TOOL : FILTER)
