"""Starts a program that can leave its fence at no moment: `python -I -S -B fence.py <description> <program> <argument>…`.

The description is JSON: `fence {closed[], readable[], writable[], alone?, offline?}`, `limits`, `descriptors[]`, `nice?`, `watch?` (PROTOCOL.md, Starting a worker). The interpreter
that runs this file reads nothing a plugin can write: no packages, no settings, no compiled modules of this file. What runs after it, which is
the code of packages before any of the host, is fenced in already.

@NOTE Only where the system lets a process give up rights by itself: Linux 5.13 and later with Landlock. Everything outside of the closed folders
can be read, and nothing but the writable ones and shared memory can be written. The network is as open as to the account, but for programs
that are to be `alone`: they have neither network nor shared memory, and start no other process. Those that are `offline` have no network.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator

# The launcher stays in front of each program as long as that runs, so it loads no module it can do without.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_CAPBSET_READ, PR_CAPBSET_DROP, PR_CAP_AMBIENT = 38, 22, 23, 24, 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
#: No socket with a name the system keeps apart from files may be reached, and no process outside be sent a signal.
SCOPES = 0b11
CAPABILITY_VERSION = 0x20080522
#: More than any system knows.
CAPABILITIES = range(64)
CAP_DAC_OVERRIDE = 1
#: Rights by the bit of the system, and the version of Landlock that brought the later ones.
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_CHAR, MAKE_BLOCK, TRUNCATE, IOCTL = (1 << bit for bit in (0, 1, 2, 3, 6, 11, 14, 15))
FIRST_RIGHTS = (1 << 13) - 1
LATER_RIGHTS = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL}
READING = EXECUTE | READ_FILE | READ_DIR
#: Devices give away what lies on disks, so none is ever made.
WRITING = (FIRST_RIGHTS | 1 << 13 | TRUNCATE) & ~(MAKE_CHAR | MAKE_BLOCK)
#: Rights that apply to a file, not to a folder.
FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL
#: The devices programs need, and those for computing. The folder of shared memory is open, because the system keeps the semaphores there that
#: locks, queues and pools of `multiprocessing` are made of. It cannot be listed, so what lies there is found by those who know its name.
DEVICES = ("null", "zero", "full", "random", "urandom", "shm", "kfd", "nvidia*", "dri/renderD*")
#: Those that hold nothing and lead nowhere.
HARMLESS = ("null", "zero", "full", "random", "urandom")
#: By processor: its name for filters, its calls `socket`, `socketpair` and `truncate`. io_uring, the same on both, makes sockets past any
#: filter.
PROCESSORS = {"x86_64": (0xC000003E, 41, 53, 76), "aarch64": (0xC00000B7, 198, 199, 45)}
IO_URING_SETUP = 425
#: Calls that change how other processes run or what they may use, which the kernel lets every process of the account do: their numbers by
#: processor, and what their arguments must be to mean the calling process alone. The first are prlimit64, sched_setaffinity,
#: sched_setscheduler, sched_setparam, sched_setattr, migrate_pages and move_pages, then setpriority and ioprio_set.
CALLS_ON_OTHERS: tuple[tuple[dict[str, tuple[int, ...]], tuple[int, ...]], ...] = (
    ({"x86_64": (302, 203, 144, 142, 314, 256, 279), "aarch64": (261, 122, 119, 118, 274, 238, 239)}, (0,)),
    ({"x86_64": (141,), "aarch64": (140,)}, (0, 0)),
    ({"x86_64": (251,), "aarch64": (30,)}, (1, 0)),
)
#: add_key, request_key and keyctl: the keys of the account and of the gateway's session lie in the kernel.
KEY_CALLS = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}
#: `clone`, of which threads alone may be made, and what makes nothing but processes: `fork` and `vfork`. The fields of `clone3` lie in memory,
#: where no filter sees them; without it programs take `clone`.
CLONE = {"x86_64": 56, "aarch64": 220}
FORKS: dict[str, tuple[int, ...]] = {"x86_64": (57, 58), "aarch64": ()}
CLONE3 = 435
CLONE_THREAD = 0x10000
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_STREAM, SOCK_DGRAM = 1, 2
#: The kind of a socket without the flags that stand beside it.
KIND_OF_SOCKET = 0xF
#: Sockets that report addresses and interfaces of the system; changing those requires a capability.
NETLINK_ROUTE = 0
EPERM, EACCES, ENOSYS = 1, 13, 38

LIMITS = {"memory": "RLIMIT_AS", "processes": "RLIMIT_NPROC", "file_size": "RLIMIT_FSIZE", "open_files": "RLIMIT_NOFILE"}
CANNOT_START = 5


def build_fence(closed: list[str], readable: list[str], writable: list[str], *, alone: bool = False, offline: bool = False) -> bool:
    """Gives up the rights for good, for this process and all it starts; answers whether the system can do that. Raises OSError when it fails."""
    if not sys.platform.startswith("linux") or os.uname().machine not in PROCESSORS:
        return False
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)
    if version < 1:
        return False
    handled = FIRST_RIGHTS | sum(right for since, right in LATER_RIGHTS.items() if version >= since)
    fields = [handled, *([0] if version >= 4 else []), *([SCOPES] if version >= 6 else [])]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _succeed(library.syscall(CREATE_RULESET, attributes, len(attributes), 0))
    shut = ["/dev", *(os.path.realpath(path) for path in closed)]
    for path in {*_around("/", shut), *_opened(readable, shut)}:
        _allow(library, ruleset, path, READING & handled)
    for path in _opened(writable, shut):
        _allow(library, ruleset, path, WRITING & handled)
    for path in (found for name in DEVICES if not alone or name in HARMLESS for found in _devices(name)):
        _allow(library, ruleset, path, (WRITING | IOCTL) & ~READ_DIR & handled)
    _drop_capabilities(library, _foreign(readable), _foreign(writable))
    _succeed(library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _succeed(library.syscall(RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)
    _filter_calls(library, can_truncate=version >= 3, alone=alone, offline=offline)
    return True


def _succeed(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _around(folder: str, closed: list[str]) -> Iterator[str]:
    """Everything but the closed folders: what lies beside them, and beside the folders they lie in."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        # The access to the target of a link depends on the target's own path.
        if entry.path in closed or entry.is_symlink():
            continue
        if any(path.startswith(f"{entry.path}/") for path in closed):
            yield from _around(entry.path, closed)
        else:
            yield entry.path


def _opened(folders: Iterable[str], closed: list[str]) -> Iterator[str]:
    """These folders without the closed ones in them, which a rule for what lies above would open."""
    for path in map(os.path.realpath, folders):
        if path in closed:
            continue
        if any(other.startswith(f"{path.rstrip('/')}/") for other in closed):
            yield from _around(path, closed)
        else:
            yield path


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    # A path that no longer exists needs no rule.
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            allowed = rights if stat.S_ISDIR(os.fstat(descriptor).st_mode) else rights & FILE_RIGHTS
            library.syscall(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", allowed, descriptor), 0)
        finally:
            os.close(descriptor)


def _devices(name: str) -> list[str]:
    """Paths of a device, or of those whose names begin so. One that does not exist gets no rule."""
    folder, _, last = f"/dev/{name}".rpartition("/")
    if not last.endswith("*"):
        return [f"{folder}/{last}"]
    with contextlib.suppress(OSError):
        return [f"{folder}/{each}" for each in os.listdir(folder) if each.startswith(last[:-1])]
    return []


def _parents(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:
        yield (path := parent)


def _foreign(folders: Iterable[str]) -> list[str]:
    """Those that another account owns, or a folder they lie in. Plugins can change modes of what the own account has, but no owners."""
    own = os.geteuid()
    found = {path: [path, *_parents(path)] for path in map(os.path.realpath, folders) if os.path.exists(path)}
    return [path for path, chain in found.items() if any(os.stat(each).st_uid != own for each in chain)]


def _drop_capabilities(library: ctypes.CDLL, readable: list[str], writable: list[str]) -> None:
    """Gives up all of them, with which root reads every packet of this machine and opens files past their owners.

    @NOTE Root that is to use folders of another account keeps the one capability it does that with. What it reaches by it ends at the fence.
    """
    head = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(24)
    _succeed(library.capget(head, sets))
    # The lower 32 of the effective, permitted and inheritable ones, then the upper.
    _, permitted, _, _, upper, _ = struct.unpack("=6I", sets.raw)

    def hold(effective: tuple[int, int], permitted: tuple[int, int]) -> None:
        _succeed(library.capset(head, struct.pack("=6I", effective[0], permitted[0], 0, effective[1], permitted[1], 0)))

    hold((0, 0), (permitted, upper))
    can = functools.partial(os.access, effective_ids=True)
    is_open = all(can(path, os.R_OK | os.X_OK) for path in readable) and all(can(path, os.R_OK | os.W_OK | os.X_OK) for path in writable)
    kept = 0 if is_open else permitted & 1 << CAP_DAC_OVERRIDE
    hold((permitted, upper), (permitted, upper))
    for capability in CAPABILITIES:
        # Those who may not even drop them have none, and no program gives them any from here on.
        if not kept >> capability & 1 and library.prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1:
            library.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    _succeed(library.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0))
    hold((kept, 0), (kept, 0))


LOAD, AND, EQUAL, AT_LEAST, END = 0x20, 0x54, 0x15, 0x35, 0x06
REFUSE, ALLOW = 0x00050000, 0x7FFF0000
#: One instruction of a filter: operation, instructions to skip if it is true and if it is false, value.
Instruction = tuple[int, int, int, int]


def _load_argument(place: int) -> Instruction:
    return (LOAD, 0, 0, 16 + 8 * place)


def _end(result: int) -> Instruction:
    return (END, 0, 0, result)


def _for_calls(numbers: Iterable[int], body: list[Instruction]) -> list[Instruction]:
    """Runs the body, which ends the filter, for these calls."""
    return [instruction for number in numbers for instruction in ((EQUAL, 0, len(body), number), *body)]


def _require(places: Iterable[tuple[int, int]], refusal: int) -> list[Instruction]:
    """Allows a call whose arguments at these places have these values."""
    tests = [each for place, value in places for each in (_load_argument(place), (EQUAL, 1, 0, value), _end(refusal))]
    return [*tests, _end(ALLOW)]


def _sockets(socket: int, pair: int, offline: bool) -> list[Instruction]:
    """A list of what is allowed, as the kernel knows some forty families: connections and datagrams of the internet, questions about this
    machine's addresses, and pairs of streams, which alone cannot be pointed at a socket with a name.
    """
    refused = _end(REFUSE | EACCES)
    kind = [_load_argument(1), (AND, 0, 0, KIND_OF_SOCKET)]
    internet = [*kind, (EQUAL, 2, 0, SOCK_STREAM), (EQUAL, 1, 0, SOCK_DGRAM), refused, _end(ALLOW)]
    routes = _require([(2, NETLINK_ROUTE)], REFUSE | EACCES)
    if offline:
        internet = [refused]
    made = [
        _load_argument(0),
        (EQUAL, 2 + len(routes), 0, AF_INET),
        (EQUAL, 1 + len(routes), 0, AF_INET6),
        (EQUAL, 0, len(routes) + len(internet), AF_NETLINK),
        *routes,
        *internet,
        refused,
    ]
    paired = [_load_argument(0), (EQUAL, 1, 0, AF_UNIX), refused, *kind, (EQUAL, 1, 0, SOCK_STREAM), refused, _end(ALLOW)]
    return [*_for_calls([socket], made), *_for_calls([pair], paired)]


def _alone(machine: str) -> list[Instruction]:
    """No sockets of any kind, and no process but threads of this one."""
    _, socket, pair, _ = PROCESSORS[machine]
    threads = [_load_argument(0), (AND, 0, 0, CLONE_THREAD), (EQUAL, 0, 1, CLONE_THREAD), _end(ALLOW), _end(REFUSE | EPERM)]
    return [
        *_for_calls([socket, pair], [_end(REFUSE | EACCES)]),
        *_for_calls([CLONE3], [_end(REFUSE | ENOSYS)]),
        *_for_calls(FORKS[machine], [_end(REFUSE | EPERM)]),
        *_for_calls([CLONE[machine]], threads),
    ]


def _filter_calls(library: ctypes.CDLL, can_truncate: bool, alone: bool, offline: bool) -> None:
    """Refuses what Landlock does not know: sockets that lead to programs of this machine, such as its keychain, keys in the kernel, and calls
    that change other processes. Before its third version Landlock does not know `truncate` either.
    """
    machine = os.uname().machine
    processor, socket, pair, truncate = PROCESSORS[machine]
    others = [
        instruction
        for numbers, arguments in CALLS_ON_OTHERS
        for instruction in _for_calls(numbers[machine], _require(enumerate(arguments), REFUSE | EPERM))
    ]
    program = [
        (LOAD, 0, 0, 4),
        (EQUAL, 1, 0, processor),
        _end(REFUSE | EPERM),
        (LOAD, 0, 0, 0),
        # Calls of the x32 form have numbers of their own.
        (AT_LEAST, 0, 1, 0x40000000),
        _end(REFUSE | ENOSYS),
        *_for_calls([IO_URING_SETUP], [_end(REFUSE | ENOSYS)]),
        *([] if can_truncate else _for_calls([truncate], [_end(REFUSE | EACCES)])),
        *_for_calls(KEY_CALLS[machine], [_end(REFUSE | EPERM)]),
        *others,
        *(_alone(machine) if alone else _sockets(socket, pair, offline)),
        _end(ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    _succeed(library.prctl(PR_SET_SECCOMP, 2, struct.pack("@HP", len(program), ctypes.addressof(buffer)), 0, 0))


def apply_limits(limits: dict[str, Any]) -> None:
    """
    Sets the limits the system has, for this process and all it starts; no core files in any case.

    @NOTE `processes` is how many more the account may have than it has now, as the system counts all of them: people run other programs
    under it. Root has no such limit.
    """
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, constant in LIMITS.items():
        value, number = limits.get(name), getattr(resource, constant, None)
        if value is None or number is None:
            continue
        if name == "processes":
            present = threads_of_account()
            if present is None:
                continue
            value += present
        _, hard = resource.getrlimit(number)
        most = int(value) if hard == resource.RLIM_INFINITY else min(int(value), hard)
        resource.setrlimit(number, (most, most))


def threads_of_account() -> int | None:
    """How many threads the account has, which is what the system's limit of processes counts; None where it does not tell."""
    count, own = 0, os.getuid()
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            found = os.stat(f"/proc/{process}/task")
            count += found.st_nlink - 2 if found.st_uid == own else 0
    return count or None


def _become_watched(watch: dict[str, Any]) -> None:
    # Behind the standard library, no name of which this folder may take the place of.
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    from connection_watch import become_watched

    sys.path.pop()
    become_watched(watch)


def main() -> None:
    description, program, *arguments = sys.argv[1:]
    wanted: dict[str, Any] = json.loads(description)
    try:
        # Away from a terminal, into which programs could type.
        with contextlib.suppress(PermissionError):
            os.setsid()
        if watch := wanted.get("watch"):
            _become_watched(watch)
        if nice := wanted.get("nice"):
            # Before it has threads, which keep the priority they begin with. Raising it again takes a capability.
            os.setpriority(os.PRIO_PROCESS, 0, nice)
        last = 2
        for descriptor in sorted(wanted.get("descriptors") or []):
            os.closerange(last + 1, descriptor)
            last = descriptor
        os.closerange(last + 1, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 1 << 16)
        apply_limits(wanted.get("limits") or {})
        if fence := wanted.get("fence"):
            own = [sys.base_prefix, os.path.dirname(os.path.dirname(os.path.abspath(__file__)))]
            ways = {"alone": fence.get("alone", False), "offline": fence.get("offline", False)}
            is_built = build_fence(fence["closed"], [*own, *fence["readable"]], fence["writable"], **ways)
            os.environ["PLUGIN_HOST_FENCED"] = str(int(is_built))
        os.execv(program, [program, *arguments])
    except OSError as error:
        print(f"The fence of plugins could not be built: {error}", file=sys.stderr)
        sys.exit(CANNOT_START)


if __name__ == "__main__":
    main()
