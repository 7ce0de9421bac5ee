"""Files of people as real files of the worker: copied here when a plugin wants their path.

@NOTE They lie in folders of this worker, which the gateway removes with it. Plugins may change them; that changes nothing stored.
"""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

from plugin_host import host

#: Beyond this the oldest copies go.
MOST_BYTES = 1024 * 1024 * 1024
_NAMED = re.compile(r"^([0-9A-Za-z-]{1,64})_(.+)$", re.DOTALL)
_UNSAFE = re.compile(r"[\x00-\x1f/\\:*?\"<>|]")
_lock = threading.Lock()


def files_folder() -> Path:
    return _folder("files")


def uploads_folder() -> Path:
    return _folder("uploads")


def _folder(name: str) -> Path:
    folder = _home / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


#: Plugins may change the working folder.
_home: Path = Path.cwd()


def safe_name(name: str) -> str:
    """A file name without anything that leads elsewhere."""
    return _UNSAFE.sub("_", os.path.basename(str(name).replace("\\", "/"))).lstrip(".")[:180] or "file"


def path_of(identifier: str, filename: str) -> Path:
    return files_folder() / f"{safe_name(identifier)}_{safe_name(filename)}"


def fetch(identifier: str, filename: str) -> Path:
    """The path of a copy of a stored file; raises GatewayError when the person may not read it."""
    path = path_of(identifier, filename)
    with _lock:
        # The person is asked for each time: the same worker serves others too.
        stream = host.stream("files.read", {"id": identifier})
        partial = path.with_name(f"{path.name}.part")
        try:
            with partial.open("wb") as file:
                for piece in stream:
                    file.write(piece)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        _make_room(path)
    return path


def _make_room(newest: Path) -> None:
    kept = sorted((path for path in files_folder().iterdir() if path != newest), key=lambda path: path.stat().st_mtime)
    size = sum(path.stat().st_size for path in (*kept, newest))
    for path in kept:
        if size <= MOST_BYTES:
            return
        size -= path.stat().st_size
        path.unlink(missing_ok=True)


def identifier_of(path: Path) -> tuple[str, str] | None:
    """Id and name of the stored file a path of the files' folder stands for."""
    found = _NAMED.match(path.name) if path.parent == files_folder() else None
    return (found[1], found[2]) if found else None
