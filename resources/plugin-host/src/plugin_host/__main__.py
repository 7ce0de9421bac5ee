"""Starts a worker; PROTOCOL.md says with what."""

from __future__ import annotations

import time

started = time.monotonic()

import faulthandler  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import sys  # noqa: E402


def main() -> None:
    from .channel import Channel
    from .environment import own_environment, share_memory
    from .errors import explain_refusals
    from .frames import BrokenFrame, Message

    channel = Channel(int(os.environ.pop("PLUGIN_HOST_IN", "3")), int(os.environ.pop("PLUGIN_HOST_OUT", "4")))
    fenced = os.environ.pop("PLUGIN_HOST_FENCED", None)
    if fenced == "1":
        explain_refusals()
    faulthandler.enable(sys.stderr)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    own_environment()
    share_memory()
    # Code that keeps computing in a thread hands over sooner than after the usual 5 ms.
    sys.setswitchinterval(0.001)
    try:
        hello: Message | None = channel.read_one()
    except BrokenFrame:
        hello = {}
    if hello is None:
        return
    channel.start()
    from .worker import Worker, greet

    greet(channel, hello)
    worker = Worker(channel, hello)
    channel.send({"t": "ready", "ms": round((time.monotonic() - started) * 1000), **({} if fenced is None else {"fenced": fenced == "1"})})
    worker.run()


main()
