"""
title: Settings
icon_url: https://example.com/icon.svg
"""

import hashlib
import os
from typing import Any, Literal, Optional

from pydantic import BaseModel, Field, GetCoreSchemaHandler, field_validator
from pydantic_core import core_schema

toggle = False
file_handler = True


class EncryptedStr(str):
    """A text that is stored encrypted under a key only this server has."""

    @classmethod
    def _key(cls) -> int:
        return hashlib.sha256(os.getenv("WEBUI_SECRET_KEY", "").encode()).digest()[0]

    @classmethod
    def encrypt(cls, value: str) -> str:
        if not value or value.startswith("encrypted:"):
            return value
        return "encrypted:" + bytes(byte ^ cls._key() for byte in value.encode()).hex()

    def decrypt(self) -> str:
        if not self.startswith("encrypted:"):
            return str(self)
        return bytes(byte ^ self._key() for byte in bytes.fromhex(self[10:])).decode()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.union_schema(
            [
                core_schema.is_instance_schema(cls),
                core_schema.chain_schema(
                    [core_schema.str_schema(), core_schema.no_info_plain_validator_function(lambda value: cls(cls.encrypt(value)))]
                ),
            ],
            serialization=core_schema.plain_serializer_function_ser_schema(str),
        )


class Filter:
    class Valves(BaseModel):
        priority: int = Field(default=7)
        api_key: EncryptedStr = Field(default=EncryptedStr(""), json_schema_extra={"input": {"type": "password"}})
        size: int = 1
        model: str = Field(default="", json_schema_extra={"input": {"type": "select", "options": "list_models"}})
        note: Optional[str] = None

        @field_validator("size")
        @classmethod
        def not_negative(cls, value):
            if value < 0:
                raise ValueError("size must not be negative")
            return value * 2

        @classmethod
        def list_models(cls, __user__=None):
            return [{"value": "a", "label": f"A for {__user__['name']}"}, "b"]

    class UserValves(BaseModel):
        tone: Literal["calm", "loud"] = "calm"

    def __init__(self):
        self.valves = self.Valves()
        self.toggle = True
        self.icon = "data:image/svg+xml;base64,x"

    async def inlet(self, body: dict, __user__: dict) -> dict:
        body["seen"] = {
            "size": self.valves.size,
            "key": self.valves.api_key.decrypt(),
            "tone": __user__["valves"].tone if "valves" in __user__ else None,
            "secret_in_environment": "WEBUI_SECRET_KEY" in os.environ and os.environ["WEBUI_SECRET_KEY"],
            "listed": "WEBUI_SECRET_KEY" in list(os.environ),
        }
        return body
