"""Processes that plugins start: they have the worker's limits and end with it."""

import os
import signal
import subprocess
import sys
import time
import unittest

from tests.harness import ROOT, WorkerTest, worker

PARENT = """
import os, signal, subprocess, sys, time

class Tools:
    def child(self, code: str):
        ran = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True)
        return ran.stderr.strip().splitlines()[-1]

    def daemon(self):
        '''Leaves a process behind as daemons do: in a session of its own, without a parent, deaf to being asked to end.'''
        read, write = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                os.write(write, str(os.getpid()).encode())
                os.closerange(0, 64)
                time.sleep(60)
            os._exit(0)
        found = int(os.read(read, 20))
        time.sleep(0.1)
        return f"{found} {os.getsid(found) == found or os.getpgid(found) != os.getpgid(0)}"
"""
ONE_MORE_PROCESS = """
import os, resource, sys, time
from plugin_host.fence import apply_limits
if os.getuid() == 0:
    os.setuid(54321)
apply_limits({"processes": 5})
children = []
try:
    for _ in range(50):
        child = os.fork()
        if child == 0:
            time.sleep(60)
        children.append(child)
except BlockingIOError:
    pass
print(len(children))
for child in children:
    os.kill(child, 9)
"""


def is_running(identifier: int) -> bool:
    try:
        with open(f"/proc/{identifier}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1] != b"Z"
    except OSError:
        return False


@unittest.skipUnless(sys.platform.startswith("linux"), "looks into /proc")
class Processes(WorkerTest):
    def test_limits_hold_for_them(self) -> None:
        limits = {"memory": 2_000_000_000, "file_size": 1_000_000, "open_files": 128}
        with worker(limits=limits) as limited:
            limited.load("parent", PARENT)

            def child(code: str) -> str:
                return str(limited.call("tool", "parent", name="child", arguments={"code": code})["text"])

            self.assertEqual(child("bytearray(3_000_000_000)"), "MemoryError")
            self.assertIn("File too large", child("open('big', 'wb').write(b'x' * 2_000_000)"))
            self.assertIn("Too many open files", child("kept = [open('/dev/null') for _ in range(200)]"))

    def test_an_account_may_have_so_many_more_only(self) -> None:
        environment = {"PYTHONPATH": str(ROOT / "src"), "PATH": os.environ["PATH"]}
        started = [sys.executable, "-c", ONE_MORE_PROCESS]
        ran = subprocess.run(started, capture_output=True, text=True, env=environment, check=True)
        self.assertEqual(ran.stdout.strip(), "5")

    def test_daemons_end_with_the_worker(self) -> None:
        for ending in ("input", "shutdown"):
            with worker() as own:
                own.load("parent", PARENT)
                daemon, is_apart = own.call("tool", "parent", name="daemon")["text"].split()
                self.assertEqual((is_running(int(daemon)), is_apart), (True, "True"))
                if ending == "input":
                    os.close(own.write_to)
                else:
                    own.send({"t": "shutdown"})
                started = time.monotonic()
                own.process.wait(5)
                self.assertLess(time.monotonic() - started, 1.5)
                deadline = time.monotonic() + 2
                while is_running(int(daemon)) and time.monotonic() < deadline:
                    time.sleep(0.01)
                try:
                    self.assertFalse(is_running(int(daemon)), ending)
                finally:
                    if is_running(int(daemon)):
                        os.kill(int(daemon), signal.SIGKILL)
