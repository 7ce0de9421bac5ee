"""What a plugin process may use and see: resource limits, and the one secret name that differs from plugin to plugin."""

from __future__ import annotations

import os
import signal
from typing import Any

from .calls import CURRENT_PLUGIN

#: Plugins that encrypt their settings derive their key from this name.
SECRET_NAME = "WEBUI_SECRET_KEY"
LIMITS = {"memory": "RLIMIT_AS", "processes": "RLIMIT_NPROC", "file_size": "RLIMIT_FSIZE", "open_files": "RLIMIT_NOFILE"}


def apply_limits(limits: dict[str, Any]) -> None:
    """Sets the limits the system has; no core files in any case."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, constant in LIMITS.items():
        value, number = limits.get(name), getattr(resource, constant, None)
        if value is None or number is None:
            continue
        _, hard = resource.getrlimit(number)
        most = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
        resource.setrlimit(number, (most, most))


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
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)
    return True


def end_children(has_group: bool) -> None:
    """Asks the processes plugins started to end. Runs in the main thread."""
    if has_group:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)


def end_all(has_group: bool, code: int) -> None:
    """Ends this process, and its group where there is one, at once."""
    if has_group:
        os.killpg(0, signal.SIGKILL)
    os._exit(code)


def own_environment() -> None:
    """Hides how the worker was started, and answers the secret's name with the running plugin's own value."""
    os.environ.pop("PYTHONPATH", None)
    os.environ.pop(SECRET_NAME, None)
    os.environ.__class__ = _PluginEnviron
