class Filter:
    async def stream(self, event: dict, __metadata__: dict = {}) -> dict:
        event["choices"][0]["delta"]["content"] += "!"
        __metadata__["chunks"] = __metadata__.get("chunks", 0) + 1
        return event
