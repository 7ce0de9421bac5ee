"""What plugin code reaches of the gateway's folder and processes once it is fenced in."""

import os
import shutil
import signal
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

    def test_the_gateway_still_ends_the_worker(self) -> None:
        other = Worker(fence={"closed": [str(self.folder)]})
        other.wait_for("ready")
        other.send({"t": "shutdown"})
        self.assertEqual(other.process.wait(5), 0)
        other.close()
