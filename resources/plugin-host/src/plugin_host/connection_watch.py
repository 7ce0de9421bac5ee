"""Lists the connections of a program and of all it starts, on Linux, without rights of its own.

The launcher (`fence.py`) forks: the child becomes the program, the parent watches it and ends as it ends. The kernel stops each
`connect`, and each `sendto` with an address, until the parent has read where it leads (seccomp user notification, Linux 5.6 and later),
so none is missed however short it is. The parent reports lines of JSON to a socket of the gateway: first `{key}`, then `{id, address,
port}` when a connection begins, `{id, sent, received}` when its bytes were read, `{id, is_over: true}` when it has ended, or once
`{is_watched: false}` when the system cannot do this.

@NOTE The address lies in memory the program can change between this reading and the kernel's own, so a program that wants to deceive can.
Addresses of sockets that are still there at the first count are compared with the kernel's. The list informs; what keeps programs from
the network is the fence.

Not listed: datagrams sent by `sendmsg`, and those of a connected socket but to port 53, as resolvers connect datagram sockets without
sending anything in order to sort addresses.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
import time

# See `fence.py`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: By processor: its name for filters, its calls `connect`, `sendto`, `seccomp`.
PROCESSORS = {"x86_64": (0xC000003E, 42, 44, 317), "aarch64": (0xC00000B7, 203, 206, 277)}
IO_URING_SETUP, PIDFD_GETFD = 425, 438
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
SET_MODE_FILTER, NEW_LISTENER, WAIT_KILLABLE = 1, 1 << 3, 1 << 5
RECEIVE, SEND, IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
NOTIFICATION_BYTES = 80
CONTINUE = 1
LOAD, EQUAL, END = 0x20, 0x15, 0x06
NOTIFY, REFUSE, ALLOW = 0x7FC00000, 0x00050000, 0x7FFF0000
ENOSYS = 38
#: Longest address of the internet: that of IPv6 with its port and scope.
ADDRESS_BYTES = 28
NAME_SERVER_PORT = 53

NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, DUMP, DONE, ERROR = 4, 20, 0x301, 3, 2
INET_DIAG_INFO = 2
DIAG_BYTES = 72
#: States of a connection that either end has closed.
FIN_WAIT2 = 5
ENDED_BY_OTHER = (8, 9, 11)
#: Offsets of the confirmed and received bytes in the kernel's report of a connection.
ACKNOWLEDGED, RECEIVED = 120, 128
#: Of a connection that has just begun the bytes are read after this time, then after twice of it, and so on up to the second.
FIRST_SECONDS, LAST_SECONDS = 0.005, 1.0
#: A connection the kernel does not list within this time has failed or is over.
APPEARS_WITHIN_SECONDS = 0.05


def become_watched(watch: dict[str, Any]) -> None:
    """Returns in a child whose connections are listed; this process stays behind, watches it and ends with its exit code."""
    if not sys.platform.startswith("linux") or os.uname().machine not in PROCESSORS:
        return
    library = ctypes.CDLL(None, use_errno=True)
    from_child, to_parent = os.pipe()
    from_parent, to_child = os.pipe()
    program = os.fork()
    if program != 0:
        os.close(to_parent)
        os.close(from_parent)
        _watch(library, program, from_child, to_child, watch)
    os.close(from_child)
    os.close(to_child)
    library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.read(from_parent, 1) == b"y":
        listener = _install(library)
        os.write(to_parent, struct.pack("=i", listener))
        os.read(from_parent, 1)
        if listener >= 0:
            os.close(listener)
    os.close(to_parent)
    os.close(from_parent)


def _install(library: ctypes.CDLL) -> int:
    """Installs the filter for this process and all it starts; answers the descriptor that reports calls, -1 when the system has none."""
    processor, connect, sendto, seccomp = PROCESSORS[os.uname().machine]
    address = 16 + 8 * 4
    program = [
        (LOAD, 0, 0, 4),
        (EQUAL, 1, 0, processor),
        (END, 0, 0, ALLOW),
        (LOAD, 0, 0, 0),
        # It connects sockets past any filter.
        (EQUAL, 0, 1, IO_URING_SETUP),
        (END, 0, 0, REFUSE | ENOSYS),
        (EQUAL, 0, 1, connect),
        (END, 0, 0, NOTIFY),
        (EQUAL, 0, 5, sendto),
        (LOAD, 0, 0, address),
        (EQUAL, 0, 2, 0),
        (LOAD, 0, 0, address + 4),
        (EQUAL, 1, 0, 0),
        (END, 0, 0, NOTIFY),
        (END, 0, 0, ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    described = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    # With the second flag, of Linux 5.19, signals do not start a call again that is being reported.
    for flags in (NEW_LISTENER | WAIT_KILLABLE, NEW_LISTENER):
        listener: int = library.syscall(seccomp, SET_MODE_FILTER, flags, described)
        if listener >= 0:
            return listener
    return -1


def _watch(library: ctypes.CDLL, program: int, from_child: int, to_child: int, watch: dict[str, Any]) -> None:
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, lambda number, _: _forward(program, number))
    # The pipes of the program must close when it does.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    kept = sorted((from_child, to_child))
    os.closerange(3, kept[0])
    os.closerange(kept[0] + 1, kept[1])
    os.closerange(kept[1] + 1, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 1 << 16)
    reports = Reports(watch)
    handle = os.pidfd_open(program)
    listener = -1
    # Reading its memory later takes the same right.
    if reports.is_open and _take(library, handle, _any_descriptor(program)) >= 0:
        os.write(to_child, b"y")
        answer = os.read(from_child, 4)
        number = struct.unpack("=i", answer)[0] if len(answer) == 4 else -1
        listener = _take(library, handle, number) if number >= 0 else -1
    if listener < 0:
        reports.send({"is_watched": False})
    os.write(to_child, b"n")
    os.close(to_child)
    os.close(from_child)
    _free_memory(library)
    _end_as(Connections(library, listener, reports, is_near_listed=bool(watch.get("near"))).follow(program, handle))


def _free_memory(library: ctypes.CDLL) -> None:
    """Gives back what compiling these files took. Only the C library of GNU has a call for it."""
    with contextlib.suppress(AttributeError):
        library.malloc_trim(0)


def _any_descriptor(program: int) -> int:
    return int(os.listdir(f"/proc/{program}/fd")[0])


def _forward(program: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(program, number)


def _take(library: ctypes.CDLL, handle: int, descriptor: int) -> int:
    """A descriptor of another process as one of this process, -1 when it may not be taken."""
    taken: int = library.syscall(PIDFD_GETFD, handle, descriptor, 0)
    return taken


def _end_as(status: int) -> None:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.pause()
    os._exit(os.waitstatus_to_exitcode(status))


class Reports:
    """The line to the gateway. A gateway that has gone is told nothing."""

    def __init__(self, watch: dict[str, Any]) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.is_open = True
        try:
            self._socket.connect(watch["socket"])
        except OSError:
            self.is_open = False
        self.send({"key": watch["key"]})

    def send(self, message: dict[str, Any]) -> None:
        if not self.is_open:
            return
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self.is_open = False


class Connection:
    def __init__(self, number: int, place: tuple[str, int]) -> None:
        self.number = number
        self.place = place
        self.began = time.monotonic()
        self.bytes = (0, 0)
        self.was_seen = False


class Connections:
    """Open connections of a program, by the socket number of the kernel."""

    def __init__(self, library: ctypes.CDLL, listener: int, reports: Reports, *, is_near_listed: bool) -> None:
        self._library = library
        self._listener = listener
        self._reports = reports
        self._is_near_listed = is_near_listed
        self._open: dict[int, Connection] = {}
        self._datagrams: set[tuple[int, tuple[str, int]]] = set()
        self._last = 0
        self._pause = FIRST_SECONDS
        self._due = 0.0

    def follow(self, program: int, handle: int) -> int:
        """Reports until the program ends; answers how it did."""
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if self._listener >= 0:
            poll.register(self._listener, select.POLLIN)
        while True:
            ready = dict(poll.poll(self._wait()))
            self._answer(ready.get(self._listener, 0))
            self._count_if_due()
            if handle in ready:
                break
        _, status = os.waitpid(program, 0)
        self._count()
        poll.unregister(handle)
        # Calls of processes it left running would be refused.
        if self._listener >= 0 and not dict(poll.poll(0)).get(self._listener, 0) & select.POLLHUP and os.fork() == 0:
            self._follow_rest(poll)
        return status

    def _follow_rest(self, poll: select.poll) -> None:
        events = 0
        while not events & select.POLLHUP:
            events = dict(poll.poll(self._wait())).get(self._listener, 0)
            self._answer(events)
            self._count_if_due()
        os._exit(0)

    def _wait(self) -> int | None:
        return max(1, int((self._due - time.monotonic()) * 1000)) if self._open else None

    def _answer(self, events: int) -> None:
        if not events & select.POLLIN:
            return
        buffer = bytearray(NOTIFICATION_BYTES)
        try:
            fcntl.ioctl(self._listener, RECEIVE, buffer)
        except OSError:
            # The caller was killed meanwhile.
            return
        number, thread, _, call, _, _, *arguments = struct.unpack("=QIIiIQ6Q", buffer)
        with contextlib.suppress(OSError, ValueError):
            self._note(thread, arguments, is_connect=call == PROCESSORS[os.uname().machine][1])
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._listener, SEND, struct.pack("=QqiI", number, 0, 0, CONTINUE))

    def _note(self, thread: int, arguments: list[int], *, is_connect: bool) -> None:
        pointer, length = (arguments[1], arguments[2]) if is_connect else (arguments[4], arguments[5])
        place = _read_place(thread, pointer, min(length & 0xFFFFFFFF, ADDRESS_BYTES))
        if place is None or (not self._is_near_listed and _is_near(place[0])):
            return
        kind, inode = self._examine(thread, arguments[0] & 0xFFFFFFFF)
        if kind == socket.SOCK_DGRAM:
            if not is_connect or place[1] == NAME_SERVER_PORT:
                self._note_datagram(inode, place)
            return
        # A second call asks whether the first has succeeded.
        if inode in self._open and self._open[inode].place == place:
            return
        connection = self._begin(place)
        if inode == 0:
            self._end(connection)
            return
        self._open[inode] = connection
        self._pause = FIRST_SECONDS
        self._due = time.monotonic() + self._pause

    def _note_datagram(self, inode: int, place: tuple[str, int]) -> None:
        if (inode, place) in self._datagrams:
            return
        if len(self._datagrams) > 10_000:
            self._datagrams.clear()
        self._datagrams.add((inode, place))
        self._end(self._begin(place))

    def _begin(self, place: tuple[str, int]) -> Connection:
        self._last += 1
        self._reports.send({"id": self._last, "address": place[0], "port": place[1]})
        return Connection(self._last, place)

    def _end(self, connection: Connection) -> None:
        self._reports.send({"id": connection.number, "is_over": True})

    def _examine(self, thread: int, descriptor: int) -> tuple[int, int]:
        """Kind and number of a socket of a thread; zeros when it may not be looked at."""
        with contextlib.suppress(OSError, StopIteration):
            with open(f"/proc/{thread}/status") as status:
                process = int(next(line for line in status if line.startswith("Tgid:")).split()[1])
            handle = os.pidfd_open(process)
            try:
                taken = _take(self._library, handle, descriptor)
            finally:
                os.close(handle)
            if taken >= 0:
                inode = os.fstat(taken).st_ino
                with socket.socket(fileno=taken) as found:
                    return found.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE), inode
        return 0, 0

    def _count_if_due(self) -> None:
        if self._open and time.monotonic() >= self._due:
            self._count()
            self._pause = min(2 * self._pause, LAST_SECONDS)
            self._due = time.monotonic() + self._pause

    def _count(self) -> None:
        if not self._open:
            return
        found: dict[int, tuple[tuple[str, int], tuple[int, int]]] = {}
        for family in (socket.AF_INET, socket.AF_INET6):
            with contextlib.suppress(OSError):
                found.update(list_connections(family))
        now = time.monotonic()
        for inode, connection in list(self._open.items()):
            if inode not in found:
                if connection.was_seen or now - connection.began > APPEARS_WITHIN_SECONDS:
                    self._end(self._open.pop(inode))
                continue
            place, counted = found[inode]
            if not connection.was_seen and place != connection.place:
                # The program has changed the address after it was read.
                connection.place = place
                self._reports.send({"id": connection.number, "address": place[0], "port": place[1]})
            connection.was_seen = True
            if counted != connection.bytes:
                connection.bytes = counted
                self._reports.send({"id": connection.number, "sent": counted[0], "received": counted[1]})


def _read_place(thread: int, pointer: int, length: int) -> tuple[str, int] | None:
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
        data = os.pread(memory.fileno(), length, pointer)
    if len(data) < 8:
        return None
    family = struct.unpack_from("=H", data)[0]
    port = struct.unpack_from("!H", data, 2)[0]
    if family == socket.AF_INET:
        return socket.inet_ntop(socket.AF_INET, data[4:8]), port
    return (_name(data[8:24]), port) if family == socket.AF_INET6 and len(data) >= 24 else None


def _name(address: bytes) -> str:
    """An address of IPv4 is named as such, also where a socket of IPv6 carries it."""
    if address[:12] == bytes(10) + b"\xff\xff":
        return socket.inet_ntop(socket.AF_INET, address[12:])
    return socket.inet_ntop(socket.AF_INET6, address)


def _is_near(address: str) -> bool:
    return address.startswith("127.") or address in ("::1", "0.0.0.0", "::")


def list_connections(family: int) -> dict[int, tuple[tuple[str, int], tuple[int, int]]]:
    """Every connection of TCP the kernel has: destination, and bytes sent and received, by the number of its socket."""
    found: dict[int, tuple[tuple[str, int], tuple[int, int]]] = {}
    request = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 1 << (INET_DIAG_INFO - 1), 0, 0xFFF) + bytes(48)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as asked:
        asked.send(struct.pack("=IHHII", 16 + len(request), SOCK_DIAG_BY_FAMILY, DUMP, 1, 0) + request)
        while True:
            data = asked.recv(1 << 17)
            place = 0
            while place + 16 <= len(data):
                length, kind = struct.unpack_from("=IH", data, place)
                if kind in (DONE, ERROR) or length < 16:
                    return found
                _read_connection(data[place + 16 : place + length], found)
                place += (length + 3) & ~3


def _read_connection(data: bytes, found: dict[int, tuple[tuple[str, int], tuple[int, int]]]) -> None:
    port = struct.unpack_from("!H", data, 6)[0]
    address = data[24:40]
    name = socket.inet_ntop(socket.AF_INET, address[:4]) if data[0] == socket.AF_INET else _name(address)
    inode = struct.unpack_from("=I", data, 68)[0]
    counted = (0, 0)
    place = DIAG_BYTES
    while place + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, place)
        if length < 4:
            break
        if kind == INET_DIAG_INFO and length >= 4 + RECEIVED + 8:
            acknowledged, received = struct.unpack_from("=QQ", data, place + 4 + ACKNOWLEDGED)
            # The kernel counts the beginning of a connection and its end as one byte each.
            marks = 2 if data[1] == FIN_WAIT2 else 1
            counted = (max(0, acknowledged - marks), max(0, received - (data[1] in ENDED_BY_OTHER)))
        place += (length + 3) & ~3
    if inode != 0:
        found[inode] = ((name, port), counted)
