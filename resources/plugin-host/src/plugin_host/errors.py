"""Errors as the gateway gets them: type, message, and a traceback that shows the plugin's lines and not the host's."""

from __future__ import annotations

import os
import traceback
from typing import Any

HOST_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
LONGEST = 16_000
#: Where the system refuses what plugins do elsewhere, it cannot say why.
HINT = (
    "The fence of plugins lets them write their own folder only, with HOME and temporary files in it, and the folders of "
    "PLUGIN_WRITABLE_FOLDERS; folders of the gateway cannot be read."
)
_is_fenced = False


class HostError(Exception):
    """Something the host itself has to say about a call; `code` is one of the protocol's."""

    def __init__(self, code: str, message: str, detail: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail


def explain_refusals() -> None:
    """From now on, what the fence may have refused is explained."""
    global _is_fenced
    _is_fenced = True


def error_frame(error: BaseException, code: str = "plugin", file: str | None = None) -> dict[str, Any]:
    """The protocol's `error` for an exception; `file` is the plugin's own file."""
    detail = None
    if isinstance(error, HostError):
        code, detail = error.code, error.detail
    shown = traceback.TracebackException.from_exception(error, capture_locals=False)
    _without_host(shown)
    text = "".join(shown.format())
    return {
        "code": code,
        "type": type(error).__name__,
        "message": _message(error),
        "traceback": text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}\n…\n{text[-LONGEST // 2 :]}",
        "line": _line(error, file),
        **({"detail": detail} if detail is not None else {}),
    }


def _message(error: BaseException) -> str:
    try:
        is_refusal = _is_fenced and isinstance(error, PermissionError) and error.filename is not None
        return f"{error}. {HINT}" if is_refusal else str(error)
    except Exception:
        return f"{type(error).__name__} (its text cannot be read)"


def _without_host(shown: traceback.TracebackException, depth: int = 0) -> None:
    frames = [frame for frame in shown.stack if not frame.filename.startswith(HOST_FOLDER) and not frame.filename.startswith("<frozen")]
    shown.stack = traceback.StackSummary.from_list(frames)
    for inner in (shown.__cause__, shown.__context__):
        if inner and depth < 10:
            _without_host(inner, depth + 1)


def _line(error: BaseException, file: str | None) -> int | None:
    if isinstance(syntax := error.__cause__ or error, SyntaxError):
        return syntax.lineno
    line = None
    if file:
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == file:
                line = number
    return line
