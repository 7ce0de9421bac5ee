"""What plugin code reaches of the gateway's folder and processes once it is fenced in."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.harness import LAUNCHER, ROOT, Failure, Worker

THIEF = """
import os, resource, shutil, signal, subprocess, sys, tempfile

def attempt(work):
    try:
        return str(work())
    except Exception as error:
        return type(error).__name__

class Tools:
    def steal(self, data: str, process: int):
        link = os.path.join(os.getcwd(), "link")
        os.symlink(data, link)
        database = os.path.join(data, "gateway.db")
        copy = [sys.executable, "-S", "-c", f"print(open({database!r}).read())"]
        return {
            "read": attempt(lambda: open(database).read()),
            "through a link": attempt(lambda: open(os.path.join(link, "gateway.db")).read()),
            "through proc": attempt(lambda: open(f"/proc/{process}/cwd/gateway.db").read()),
            "list": attempt(lambda: os.listdir(data)),
            "write": attempt(lambda: open(os.path.join(data, "new"), "w")),
            "move away": attempt(lambda: os.rename(database, "mine")),
            "link": attempt(lambda: os.link(database, "mine")),
            "remove": attempt(lambda: os.remove(database)),
            "child": subprocess.run(copy, capture_output=True, text=True).stdout,
            "another worker": attempt(lambda: open(os.path.join(data, "workers", "other", "file")).read()),
            "environment": attempt(lambda: open(f"/proc/{process}/environ").read()),
            "memory": attempt(lambda: open(f"/proc/{process}/mem", "rb")),
            "kill": attempt(lambda: os.kill(process, signal.SIGKILL)),
            "time": attempt(lambda: resource.prlimit(process, resource.RLIMIT_CPU, (1, 1))),
            "cores": attempt(lambda: os.sched_setaffinity(process, {0})),
            "class": attempt(lambda: os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))),
            "rank": attempt(lambda: os.setpriority(os.PRIO_PROCESS, process, 19)),
            "rank of all": attempt(lambda: os.setpriority(os.PRIO_USER, 0, 19)),
        }

    def leave(self, folders: list):
        return [attempt(lambda folder=folder: open(os.path.join(folder, "new"), "w").close()) for folder in folders]

    def share(self):
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import shared_memory

        forked = multiprocessing.get_context("fork")
        with forked.Lock(), ProcessPoolExecutor(1, forked) as pool:
            length = pool.submit(len, "word").result()
        memory = shared_memory.SharedMemory(create=True, size=100)
        memory.close()
        memory.unlink()
        return [length, attempt(lambda: os.listdir("/dev/shm"))]

    def rights(self):
        sets = lambda text: [line.split()[1] for line in text.splitlines() if line.startswith("Cap")]
        child = subprocess.run(["cat", "/proc/self/status"], capture_output=True, text=True).stdout
        return [sets(open("/proc/self/status").read()), sets(child)]

    def sockets(self, place: str):
        import ctypes, socket
        pairs, kinds = {}, {"stream": socket.SOCK_STREAM, "datagram": socket.SOCK_DGRAM, "packets": socket.SOCK_SEQPACKET}
        for name, kind in kinds.items():
            pairs[name] = attempt(lambda: [end.close() for end in socket.socketpair(socket.AF_UNIX, kind | socket.SOCK_NONBLOCK)])
        made = {}
        for family in range(64):
            for kind in (*range(1, 7), socket.SOCK_PACKET if hasattr(socket, "SOCK_PACKET") else 10):
                for protocol in range(0, 24):
                    said = attempt(lambda: socket.socket(family, kind, protocol).close())
                    if said != "PermissionError":
                        made.setdefault(family, set()).add((kind, protocol) if family == socket.AF_NETLINK else kind)
        one, other = socket.socketpair()
        outside = [attempt(lambda: one.connect(place)), attempt(lambda: one.sendto(b"x", place))]
        keys = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}[os.uname().machine]
        library = ctypes.CDLL(None, use_errno=True)
        kept = []
        for number in keys:
            # The keyring of the session, by which `keyctl` answers everybody.
            ctypes.set_errno(0)
            library.syscall(number, 0, -3, 0, 0, 0)
            kept.append(ctypes.get_errno())
        return {"pairs": pairs, "outside": outside, "made": {family: sorted(kinds) for family, kinds in made.items()}, "keys": kept}

    def network(self):
        import asyncio, socket

        async def speak():
            served = asyncio.Event()

            async def serve(reader, writer):
                writer.write(await reader.read(9))
                writer.close()
                served.set()

            server = await asyncio.start_server(serve, "localhost", 0)
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
            writer.write(b"hello")
            said = await reader.read(9)
            writer.close()
            await served.wait()
            server.close()
            return said.decode()

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            one.bind(("127.0.0.1", 0))
            other.sendto(b"datagram", one.getsockname())
            datagram = one.recv(9).decode()
        new_loop = asyncio.new_event_loop()
        said = new_loop.run_until_complete(speak())
        new_loop.close()
        return [said, datagram, any(name == "lo" for _, name in socket.if_nameindex())]

    def save(self, path: str):
        open(path, "w")

    def live(self, data: str):
        import json, sqlite3
        with open("notes.txt", "w") as file:
            file.write("mine")
        os.rename("notes.txt", "kept.txt")
        shared = os.path.join(data, "environments", "package")
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy("kept.txt", folder)
        ran = subprocess.run([sys.executable, "-c", "import email, pydantic; print('child')"], capture_output=True, text=True)
        child = subprocess.Popen(["sleep", "60"])
        child.terminate()
        own = open("/proc/self/status").read() != ""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.sched_setaffinity(0, os.sched_getaffinity(0))
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
        return [open("kept.txt").read(), open(shared).read(), ran.stdout.strip(), child.wait(), own]
"""


#: Sockets of the internet by every family and kind, one that asks for names, a pair, and a child that tries the same.
OFFLINE = """
import os, socket, subprocess, sys
def attempt(work):
    try:
        work()
    except OSError as error:
        return error.errno
kinds = [(family, kind) for family in (socket.AF_INET, socket.AF_INET6) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
found = [attempt(lambda family=family, kind=kind: socket.socket(family, kind)) for family, kind in kinds]
found.append(attempt(lambda: socket.create_connection(("127.0.0.1", 1))))
found.append(attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW)))
found.append(attempt(socket.socketpair))
child = "import socket\\ntry:\\n    socket.socket()\\nexcept PermissionError:\\n    pass\\nelse:\\n    raise SystemExit(1)"
found.append(subprocess.run([sys.executable, "-I", "-c", child]).returncode)
print(found)
"""

ALONE = """
import os, socket, threading

def attempt(work):
    try:
        return type(work()).__name__
    except OSError as error:
        return error.errno

def thread():
    started = threading.Thread(target=int)
    started.start()
    started.join()

print([attempt(thread), attempt(os.fork), attempt(socket.socket), attempt(socket.socketpair), attempt(lambda: open("/dev/shm/x", "w"))])
"""


@unittest.skipUnless(sys.platform.startswith("linux"), "Landlock is of Linux")
class Fence(unittest.TestCase):
    folder: Path
    worker: Worker
    victim: "subprocess.Popen[bytes]"

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="plugin-fence-", dir="/var/tmp"))
        for name in ("gateway.db", "environments/package", "workers/other/file", "shared/closed/file", "shared/beside/file"):
            (cls.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.folder / name).write_text(f"secret of {name}")
        environment = {**os.environ, "GATEWAY_SECRET": "hush"}
        cls.victim = subprocess.Popen(["sleep", "600"], cwd=cls.folder, env=environment)
        closed = [str(cls.folder), str(cls.folder / "shared" / "closed")]
        opened = {"readable": [str(cls.folder / "environments"), str(cls.folder)], "writable": [str(cls.folder / "shared")]}
        cls.worker = Worker(fence={"closed": closed, **opened})
        cls.fenced = bool(cls.worker.wait_for("ready")["fenced"])
        cls.worker.load("thief", THIEF)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.worker.close()
        cls.victim.kill()
        cls.victim.wait()
        shutil.rmtree(cls.folder)

    def setUp(self) -> None:
        if not self.fenced:
            self.skipTest("this system has no Landlock")

    def call(self, name: str, **arguments: Any) -> Any:
        return self.worker.call("tool", "thief", name=name, arguments=arguments)["raw"]

    def test_the_gateways_folder_and_processes_are_out_of_reach(self) -> None:
        found = self.call("steal", data=str(self.folder), process=self.victim.pid)
        self.assertEqual({name: said for name, said in found.items() if said not in ("PermissionError", "OSError")}, {"child": ""})
        self.assertEqual((self.folder / "gateway.db").read_text(), "secret of gateway.db")
        self.assertIsNone(self.victim.poll())

    def test_what_is_the_workers_own_works_as_before(self) -> None:
        self.assertEqual(
            self.call("live", data=str(self.folder)), ["mine", "secret of environments/package", "child", -signal.SIGTERM, True]
        )

    def test_nothing_but_the_writable_folders_can_be_written(self) -> None:
        own = [str(self.folder / name) for name in ("environments", "workers/other", "shared/closed", "shared")]
        places = [*own, tempfile.gettempdir(), sys.prefix, str(Path.home()), os.getcwd()]
        self.assertEqual(self.call("leave", folders=places), ["PermissionError"] * len(places))
        # Beside what is closed in a folder, and not in the folder itself, which would open it.
        inside = self.folder / "shared" / "beside"
        self.assertEqual(self.call("leave", folders=[str(inside)]), ["None"])

    def test_locks_and_pools_of_processes_work_and_what_others_share_is_not_listed(self) -> None:
        self.assertEqual(self.call("share"), [4, "PermissionError"])

    def test_no_capability_is_left_and_none_comes_back_in_a_program(self) -> None:
        for sets in self.call("rights"):
            # Inheritable, permitted, effective, bounding, ambient. Whoever is not root may not narrow the bounding set, which gives nothing.
            self.assertEqual({*sets[:3], sets[4], *(sets[3:4] if os.geteuid() == 0 else [])}, {"0" * 16})

    @unittest.skipIf(sys.platform != "linux" or os.geteuid() != 0, "only root gives files away")
    def test_root_reaches_folders_of_other_accounts_that_plugins_are_to_use_and_keeps_one_capability_for_it(self) -> None:
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            os.chown(name, 12345, 12345)
            os.chmod(name, 0o700)
            other = Worker(fence={"closed": [str(self.folder)], "writable": [name]})
            try:
                other.wait_for("ready")
                other.load("thief", THIEF)
                said = other.call("tool", "thief", name="leave", arguments={"folders": [name]})["raw"]
                rights = other.call("tool", "thief", name="rights", arguments={})["raw"]
            finally:
                other.close()
        self.assertEqual(said, ["None"])
        self.assertEqual([{*sets[:4]} for sets in rights], [{"0" * 16, "0" * 15 + "2"}] * 2)

    def test_sockets_are_those_of_the_internet_and_pairs_that_cannot_be_pointed_elsewhere(self) -> None:
        place = str(self.folder / "keychain")
        with socket.socket(socket.AF_UNIX) as keychain:
            keychain.bind(place)
            keychain.listen()
            found = self.call("sockets", place=place)
        # The end of a pair is connected for good.
        self.assertEqual(found["outside"], ["OSError", "OSError"])
        self.assertEqual(found["pairs"], {"stream": "[None, None]", "datagram": "PermissionError", "packets": "PermissionError"})
        stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
        internet = {str(int(family)): [stream, datagram] for family in (socket.AF_INET, socket.AF_INET6)}
        # Questions about addresses of this machine, which `socket.if_nameindex` asks.
        routes = {str(int(socket.AF_NETLINK)): {0}}
        made = {family: {protocol for _, protocol in kinds} if family in routes else kinds for family, kinds in found["made"].items()}
        self.assertEqual(made, internet | routes)
        self.assertEqual(found["keys"], [errno.EPERM] * 3)

    def test_what_programs_need_of_the_network_works_as_before(self) -> None:
        self.assertEqual(self.call("network"), ["hello", "datagram", True])

    def test_what_is_refused_is_explained_with_the_setting_that_changes_it(self) -> None:
        with self.assertRaisesRegex(Failure, "Permission denied.*their own folder only.*PLUGIN_WRITABLE_FOLDERS"):
            self.call("save", path=os.path.join(tempfile.gettempdir(), "new"))

    def test_a_program_does_not_run_where_the_fence_cannot_be_built(self) -> None:
        # A number of descriptors no system has makes the launcher fail before it has given up anything.
        wanted = '{"fence": {"closed": [], "readable": [], "writable": []}, "limits": {"open_files": 1}}'
        words = [LAUNCHER, "-I", "-S", "-B", str(ROOT / "src" / "plugin_host" / "fence.py"), wanted, "/bin/echo", "ran"]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((ran.returncode, ran.stdout), (5, ""))
        self.assertIn("The fence of plugins could not be built", ran.stderr)

    def test_the_launcher_loads_no_module_it_can_do_without(self) -> None:
        code = "import sys; sys.path.append(sys.argv[1]); import fence, connection_watch; print(*sys.modules)"
        command = [LAUNCHER, "-I", "-S", "-B", "-c", code, str(ROOT / "src" / "plugin_host")]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        self.assertIn("connection_watch", loaded)
        self.assertEqual({"typing", "pathlib", "glob", "platform", "subprocess"} & set(loaded), set())

    def test_a_program_of_lower_priority_cannot_raise_it_again(self) -> None:
        wanted = '{"fence": {"closed": [], "readable": [], "writable": []}, "nice": 10}'
        asked = "import os\nprint(os.getpriority(os.PRIO_PROCESS, 0))\nos.setpriority(os.PRIO_PROCESS, 0, 0)"
        words = [LAUNCHER, "-I", "-S", "-B", str(ROOT / "src" / "plugin_host" / "fence.py"), wanted, LAUNCHER, "-I", "-S", "-B", "-c", asked]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(ran.stdout.strip(), "10")
        self.assertIn("PermissionError", ran.stderr)

    def test_the_gateway_still_ends_the_worker(self) -> None:
        other = Worker(fence={"closed": [str(self.folder)]})
        other.wait_for("ready")
        other.send({"t": "shutdown"})
        self.assertEqual(other.process.wait(5), 0)
        other.close()

    def test_a_program_that_is_alone_has_threads_and_neither_sockets_nor_processes(self) -> None:
        wanted = '{"fence": {"closed": [], "readable": [], "writable": [], "alone": true}}'
        words = [LAUNCHER, "-I", "-S", "-B", str(ROOT / "src" / "plugin_host" / "fence.py"), wanted, LAUNCHER, "-I", "-S", "-B", "-c", ALONE]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((ran.stdout.strip(), ran.stderr), (str(["NoneType", errno.EPERM, errno.EACCES, errno.EACCES, errno.EACCES]), ""))

    def test_a_program_that_is_offline_has_pairs_of_streams_and_processes_but_no_socket_of_the_internet(self) -> None:
        wanted = '{"fence": {"closed": [], "readable": [], "writable": [], "offline": true}}'
        words = [LAUNCHER, "-I", "-S", "-B", str(ROOT / "src" / "plugin_host" / "fence.py"), wanted, LAUNCHER, "-I", "-S", "-B", "-c", OFFLINE]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((ran.stdout.strip(), ran.stderr), (str([errno.EACCES] * 6 + [None, 0]), ""))
