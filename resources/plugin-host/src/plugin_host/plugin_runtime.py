"""Where the code of one plugin runs: an event loop in a thread of its own, and threads for its sync code.

A plugin that blocks its loop or uses up its threads keeps nobody waiting but itself.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .calls import Call, call_on
from .threads import CallThreads, Tasks

#: Seconds the tasks of a plugin that is unloaded have to end once they are cancelled.
TASKS_GRACE = 0.5
#: Seconds between two looks at whether a thread has ended.
LOOK = 0.01

TellFailure = Callable[[Tasks, dict[str, Any]], None]
TellExit = Callable[[BaseException], None]


def run_loop(loop: asyncio.AbstractEventLoop, tell_exit: TellExit, is_over: Callable[[], bool]) -> None:
    """Runs a loop in the present thread until it is over, however often code in it calls sys.exit."""
    while not is_over():
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt) as error:
            tell_exit(error)


class PluginRuntime:
    """The loop and the threads of one loaded source of a plugin. It ends once it is retired and its last call is over."""

    def __init__(self, plugin_id: str, most_threads: int, tell_failure: TellFailure, tell_exit: TellExit) -> None:
        self.plugin_id = plugin_id
        self.loop = asyncio.new_event_loop()
        self.tasks = Tasks(self.loop)
        self.threads = CallThreads(self.loop, most_threads)
        self._tell_exit = tell_exit
        self._open_calls = 0
        self._is_retired = False
        self._is_loading = False
        self._is_over = False
        self._lock = threading.Lock()
        self.loop.set_exception_handler(lambda _loop, context: tell_failure(self.tasks, context))
        self.loop.set_default_executor(ThreadPoolExecutor(most_threads, thread_name_prefix=f"plugin-{plugin_id}"))
        self._thread = threading.Thread(target=self._run, name=f"plugin-loop-{plugin_id}", daemon=True)
        # In an empty context: the thread outlives the call it is started for.
        contextvars.Context().run(self._thread.start)

    @property
    def thread_id(self) -> int:
        """The identity of the loop's thread."""
        return self._thread.ident or 0

    @property
    def is_busy(self) -> bool:
        """Whether there is anything that could block the loop; to load a plugin may take its time."""
        return not self._is_loading and (self._open_calls > 0 or len(self.tasks) > 0)

    @property
    def has_ended(self) -> bool:
        """Whether the thread of the loop is over."""
        return not self._thread.is_alive()

    def enter(self) -> bool:
        """A call begins; false when the plugin is being unloaded."""
        with self._lock:
            if self._is_retired:
                return False
            self._open_calls += 1
            return True

    def leave(self) -> None:
        """A call that entered is over."""
        with self._lock:
            self._open_calls -= 1
            is_last = self._is_retired and self._open_calls == 0
        if is_last:
            call_on(self.loop, self._wind_up)

    def retire(self) -> None:
        """Takes no further calls; ends when those that run are over. May be called again."""
        with self._lock:
            is_first, self._is_retired = not self._is_retired, True
            is_idle = self._open_calls == 0
        if is_first and is_idle:
            call_on(self.loop, self._wind_up)

    async def wait_ended(self, seconds: float) -> None:
        """Waits, on any loop, until the thread is over, at most this long: code that blocks cannot be ended from outside."""
        deadline = time.monotonic() + seconds
        while not self.has_ended and time.monotonic() < deadline:
            await asyncio.sleep(LOOK)

    async def run(self, work: Callable[[], Any]) -> Any:
        """Result of `work`, called on the plugin's loop, from whichever loop; something to await is awaited there."""
        if asyncio.get_running_loop() is self.loop:
            return await _awaited(work)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_awaited(work), self.loop))

    async def load(self, call: Call, work: Callable[[], Any]) -> Any:
        """Runs a module and makes its instance while the plugin's loop runs, as clients and tasks that are made at the start need it."""

        def guarded() -> tuple[Any, BaseException | None]:
            code = call.enter_thread()
            try:
                return work(), None
            except BaseException as error:
                # Also one that would end the loop.
                return None, error
            finally:
                call.leave_thread(code)

        self._is_loading = True
        try:
            result, error = await self.run(guarded)
        finally:
            self._is_loading = False
        if error is not None:
            raise error
        return result

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        run_loop(self.loop, self._tell_exit, lambda: self._is_over)
        self.threads.close()
        self.loop.close()

    def _wind_up(self) -> None:
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.create_task(self._stop_after(tasks))

    async def _stop_after(self, tasks: set[asyncio.Task[Any]]) -> None:
        if tasks:
            await asyncio.wait(tasks, timeout=TASKS_GRACE)
        self._is_over = True
        self.loop.stop()


async def _awaited(work: Callable[[], Any]) -> Any:
    result = work()
    return await result if inspect.isawaitable(result) else result


class Runtimes:
    """The runtimes of a worker: those of its plugins, and of replaced ones whose code has not ended."""

    def __init__(self, most_threads: int, tell_failure: TellFailure, tell_exit: TellExit) -> None:
        self._open = functools.partial(PluginRuntime, most_threads=most_threads, tell_failure=tell_failure, tell_exit=tell_exit)
        self._all: list[PluginRuntime] = []
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[PluginRuntime]:
        with self._lock:
            self._all = [runtime for runtime in self._all if not runtime.has_ended]
            return iter(list(self._all))

    def open(self, plugin_id: str) -> PluginRuntime:
        """A new one, with its thread started."""
        runtime = self._open(plugin_id)
        with self._lock:
            self._all.append(runtime)
        return runtime
