"""Keeps plugin code out of folders of the gateway and away from processes that are not the worker's own.

@NOTE Only where the system lets a process give up rights by itself: Linux 5.13 and later with Landlock. Whatever lies elsewhere, and the
network, is as open to plugins as to the account. Has to be called while there is one thread; those started later are fenced in, too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterable, Iterator

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38
SCOPE_SIGNAL = 1 << 1
PR_CAPBSET_DROP = 24
CAPABILITY_VERSION = 0x20080522
#: With these, root looks into other processes and at disks all the same: module, rawio, ptrace, admin, boot, mknod, perfmon, bpf.
CAPABILITIES = (16, 17, 19, 21, 22, 27, 38, 39)
#: Execute, write, read, remove, make and so on; the later ones by the version that brought them.
RIGHTS = (1 << 13) - 1
LATER_RIGHTS = {2: 1 << 13, 3: 1 << 14}
#: What can be said of a file rather than of a folder: execute, write, read, truncate.
FILE_RIGHTS = 0b111 | 1 << 14


def own_folders() -> list[str]:
    """What a worker needs wherever it lies: its own folder, its interpreter and packages, and the host."""
    return [os.getcwd(), sys.prefix, sys.base_prefix, *sys.path, *filter(None, [sys.pycache_prefix])]


def build_fence(closed: Iterable[str], opened: Iterable[str]) -> bool:
    """Closes these folders with all that is in them, but for the opened ones; answers whether the system can do that."""
    if not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"):
        return False
    closed = [os.path.realpath(path) for path in closed]
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    if not closed or version < 1:
        return False
    handled = RIGHTS | sum(right for since, right in LATER_RIGHTS.items() if version >= since)
    fields = [handled, *([0] if version >= 4 else []), *([SCOPE_SIGNAL] if version >= 6 else [])]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = library.syscall(CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    try:
        for path in {*_around("/", closed), *map(os.path.realpath, opened)}:
            _allow(library, ruleset, path, handled)
        _drop_capabilities(library)
        library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(library.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _around(folder: str, closed: list[str]) -> Iterator[str]:
    """Everything but the closed folders: what lies beside them, and beside the folders they lie in."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        # What a link leads to is open or closed where it lies.
        if entry.path in closed or entry.is_symlink():
            continue
        if any(path.startswith(f"{entry.path}/") for path in closed):
            yield from _around(entry.path, closed)
        else:
            yield entry.path


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if stat.S_ISDIR(os.fstat(descriptor).st_mode) else rights & FILE_RIGHTS
            library.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", allowed, descriptor), 0)
        finally:
            os.close(descriptor)


def _drop_capabilities(library: ctypes.CDLL) -> None:
    head = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(24)
    if library.capget(head, sets) != 0:
        return
    for capability in CAPABILITIES:
        library.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    # Effective, permitted and inheritable, the lower 32 of each and then the upper.
    words = struct.unpack("=6I", sets.raw)
    kept = [word & ~_mask(capability_word) for word, capability_word in zip(words, (0, 0, 0, 1, 1, 1), strict=True)]
    library.capset(head, struct.pack("=6I", *kept))


def _mask(word: int) -> int:
    return sum(1 << capability % 32 for capability in CAPABILITIES if capability // 32 == word)
