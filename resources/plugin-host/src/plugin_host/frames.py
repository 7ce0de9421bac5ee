"""Frames of the protocol: length, kind, JSON and the bytes that go with it."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any

from .plain import plain, plain_value

HEADER = struct.Struct(">IB")
LENGTH = struct.Struct(">I")
LARGEST = 256 * 1024 * 1024
JSON_ONLY = 0
WITH_PARTS = 1

Message = dict[str, Any]


class BrokenFrame(Exception):
    """The other side sent something that is no frame."""


def encode(message: Message) -> bytes:
    """One frame. Values JSON does not know are made plain, bytes travel as parts."""
    parts: list[bytes] = []

    def unknown(value: Any) -> Any:
        if isinstance(value, (bytes, bytearray, memoryview)):
            parts.append(bytes(value))
            return {"$bytes": len(parts) - 1}
        return plain_value(value)

    try:
        text = _dumps(message, unknown)
    except (ValueError, TypeError, RecursionError):
        parts.clear()
        message = plain(message)
        text = _dumps(message, unknown)
    if not parts:
        return HEADER.pack(_checked(len(text)), JSON_ONLY) + text
    text = text[:-1] + b',"parts":' + json.dumps([len(part) for part in parts]).encode() + b"}"
    length = _checked(LENGTH.size + len(text) + sum(map(len, parts)))
    return b"".join([HEADER.pack(length, WITH_PARTS), LENGTH.pack(len(text)), text, *parts])


def _dumps(message: Message, unknown: Any) -> bytes:
    try:
        return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=unknown).encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair: escaped it is JSON that every reader takes.
        return json.dumps(message, allow_nan=False, separators=(",", ":"), default=unknown).encode()


def _checked(length: int) -> int:
    if length > LARGEST:
        raise ValueError(f"A message of {length} bytes is larger than the {LARGEST} bytes a plugin may send at once.")
    return length


class Decoder:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are complete with this piece."""
        buffer = self._buffer
        buffer += data
        position = 0
        try:
            while len(buffer) - position >= HEADER.size:
                length, kind = HEADER.unpack_from(buffer, position)
                if length > LARGEST or kind not in (JSON_ONLY, WITH_PARTS):
                    raise BrokenFrame("The frame is too long or of an unknown kind.")
                end = position + HEADER.size + length
                if len(buffer) < end:
                    break
                payload = bytes(buffer[position + HEADER.size : end])
                position = end
                yield _message(kind, payload)
        finally:
            if position:
                del buffer[:position]


def _message(kind: int, payload: bytes) -> Message:
    try:
        if kind == JSON_ONLY:
            message = json.loads(payload)
        else:
            (length,) = LENGTH.unpack_from(payload)
            start = LENGTH.size + length
            message = json.loads(payload[LENGTH.size : start])
            parts: list[bytes] = []
            for size in message.pop("parts"):
                parts.append(payload[start : start + size])
                start += size
            message = _with_parts(message, parts)
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise BrokenFrame(f"The frame cannot be read: {error}") from error
    if not isinstance(message, dict):
        raise BrokenFrame("The frame holds no object.")
    return message


def _with_parts(value: Any, parts: list[bytes]) -> Any:
    if isinstance(value, dict):
        if len(value) == 1 and isinstance(index := value.get("$bytes"), int):
            return parts[index]
        return {key: _with_parts(item, parts) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_parts(item, parts) for item in value]
    return value
