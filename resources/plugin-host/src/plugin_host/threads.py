"""Threads for sync plugin code, and the call's context carried into threads and tasks plugins start."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .calls import CURRENT_PLUGIN, Call, call_on
from .interrupting import Cancelled

Work = Callable[[], Any]
#: Seconds after which an unused thread ends.
IDLE_SECONDS = 30


class CallThreads:
    """Runs sync code of calls, each in a thread of its own while it runs; idle threads are used again. `loop` is what code in them
    finds as the current one."""

    def __init__(self, loop: asyncio.AbstractEventLoop, most: int) -> None:
        self._loop = loop
        self._most = most
        self._jobs: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        #: Threads without a job; less than 0 when jobs wait.
        self._free = 0
        self._count = 0
        self._lock = threading.Lock()

    @property
    def count(self) -> int:
        return self._count

    async def run(self, call: Call, work: Work) -> Any:
        """Runs `work` off the loop, within the present context, and answers what it returns."""
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()

        def settle(result: Any, error: BaseException | None) -> None:
            if future.done():
                return
            if isinstance(error, asyncio.CancelledError):
                future.cancel()
            elif isinstance(error, StopIteration):
                future.set_exception(RuntimeError("The plugin raised StopIteration."))
            elif error:
                future.set_exception(error)
            else:
                future.set_result(result)

        def job() -> None:
            result, error, code = None, None, None
            try:
                code = call.enter_thread()
                result = context.run(work)
                call.leave_thread(code)
            except BaseException as raised:
                if code:
                    call.leave_thread(code)
                error = raised
            call_on(loop, settle, result, error)

        self.start(job)
        return await future

    def start(self, job: Work) -> None:
        """Hands a job to an idle thread, or to a new one while there may be more; else it waits for one."""
        with self._lock:
            if self._free > 0 or self._count >= self._most:
                self._free -= 1
            else:
                self._add_thread()
        self._jobs.put(job)

    def _add_thread(self) -> None:
        thread = threading.Thread(target=self._work, name=f"plugin-call-{self._count + 1}", daemon=True)
        try:
            # In an empty context: the thread outlives the call it is started for.
            contextvars.Context().run(thread.start)
        except RuntimeError:
            # The system lets no further thread start; those that run take the job after their own.
            if self._count == 0:
                raise
            self._free -= 1
        else:
            self._count += 1

    def close(self) -> None:
        """Ends the threads, each after the job it has."""
        with self._lock:
            for _ in range(self._count):
                self._jobs.put(None)

    def _work(self) -> None:
        while True:
            # Plugins use get_event_loop().create_task in sync hooks; without a loop of the thread that would raise.
            asyncio.set_event_loop(self._loop)
            try:
                job = self._jobs.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                if self._may_leave():
                    return
                continue
            if job is None:
                return
            # The exception of a cancel may come when the call's code has just ended.
            with contextlib.suppress(Cancelled):
                job()
            with self._lock:
                self._free += 1

    def _may_leave(self) -> bool:
        with self._lock:
            if self._free <= 0:
                return False
            self._free -= 1
            self._count -= 1
            return True


def carry_context() -> None:
    """Makes plugin threads inherit the context of the code that starts them, and `create_task` work off the loop.

    @NOTE Sync hooks of community plugins were written to run on the loop's thread; here they run beside it.
    """
    start, submit, create_task = threading.Thread.start, ThreadPoolExecutor.submit, asyncio.create_task

    def start_with_context(thread: threading.Thread) -> None:
        if CURRENT_PLUGIN.get() is not None:
            context, run = contextvars.copy_context(), thread.run
            thread.run = lambda: context.run(run)  # type: ignore[method-assign]
        start(thread)

    def submit_with_context(executor: ThreadPoolExecutor, work: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
        if CURRENT_PLUGIN.get() is not None:
            return submit(executor, contextvars.copy_context().run, work, *given, **named)
        return submit(executor, work, *given, **named)

    def create_task_anywhere(coroutine: Coroutine[Any, Any, Any], **named: Any) -> asyncio.Task[Any]:
        plugin = CURRENT_PLUGIN.get()
        if asyncio._get_running_loop() is None and plugin is not None:
            loop = plugin.runtime.loop
            task = loop.create_task(coroutine, **named)
            call_on(loop, lambda: None)
            return task
        return create_task(coroutine, **named)

    threading.Thread.start = start_with_context  # type: ignore[method-assign, assignment]
    ThreadPoolExecutor.submit = submit_with_context  # type: ignore[method-assign, assignment]
    asyncio.create_task = asyncio.tasks.create_task = create_task_anywhere  # type: ignore[assignment]


class Tasks:
    """Keeps tasks alive until they end, asyncio itself holds them weakly; and remembers whose they are."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._owners: weakref.WeakKeyDictionary[asyncio.Future[Any], contextvars.Context] = weakref.WeakKeyDictionary()
        loop.set_task_factory(self._make)

    def __len__(self) -> int:
        return len(self._running)

    def context_of(self, task: asyncio.Future[Any] | None) -> contextvars.Context:
        """The context the task was made in; an empty one when it is not known."""
        return (task and self._owners.get(task)) or contextvars.Context()

    def _make(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **named: Any) -> asyncio.Task[Any]:
        given = named.get("context")
        context = named["context"] = contextvars.copy_context() if given is None else given
        task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **named)
        self._running.add(task)
        self._owners[task] = context
        task.add_done_callback(self._running.discard)
        return task
