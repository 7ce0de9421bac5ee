"""What a plugin process sees: only its own processes, and a secret name that differs for each plugin."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

from .calls import CURRENT_PLUGIN
from .processes import adopt_orphans, signal_descendants

#: Plugins that encrypt their settings derive their key from this name.
SECRET_NAME = "WEBUI_SECRET_KEY"
#: Seconds the processes plugins started have to end when they are asked to.
CHILDREN_GRACE = 0.3
#: `M_ARENA_MAX` of the C library, and how many pieces of memory its threads share: each takes 64 MiB of the address space, which
#: may be limited, and there would be eight for each processor.
ARENA_MAX, ARENAS = -8, 4


class _PluginEnviron(os._Environ):  # type: ignore[type-arg]
    def __getitem__(self, key: str) -> str:
        if key == SECRET_NAME:
            plugin = CURRENT_PLUGIN.get()
            if plugin is None or plugin.secret is None:
                raise KeyError(key)
            return plugin.secret
        return super().__getitem__(key)  # type: ignore[no-any-return]


def own_group() -> bool:
    """Makes the worker the head of a process group, so that it can be ended together with the processes its plugins start."""
    if not hasattr(os, "setpgid"):
        return False
    adopt_orphans()
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)
    return True


def end_children(has_group: bool) -> None:
    """Asks the processes plugins started to end, and ends those that do not within a moment. Runs in the main thread."""
    if not has_group:
        return
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    deadline = time.monotonic() + CHILDREN_GRACE
    while signal_descendants(signal.SIGTERM) and time.monotonic() < deadline:
        time.sleep(0.02)
    signal_descendants(signal.SIGKILL)


def end_all(has_group: bool, code: int) -> None:
    """Ends this process, and all it started, at once."""
    if has_group:
        signal_descendants(signal.SIGKILL)
        os.killpg(0, signal.SIGKILL)
    os._exit(code)


def share_memory() -> None:
    """Lets the threads of the process share their memory, where the C library is one that would give them pieces of their own."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(ARENA_MAX, ARENAS)


def own_environment() -> None:
    """Hides how the worker was started, and answers the secret's name with the running plugin's own value."""
    os.environ.pop("PYTHONPATH", None)
    os.environ.pop(SECRET_NAME, None)
    os.environ.__class__ = _PluginEnviron
