"""Whether the code that called wants something to await.

Plugins written before the host application's 0.9 call its model methods plainly, later ones await them; both have to work.
The instruction after the call tells it for `await f()`. What becomes of the value otherwise (`gather(f())`, `task = f()` that is
awaited further down) is read from the plugin's source.
"""

from __future__ import annotations

import ast
import dis
import functools
import itertools
import linecache
from types import CodeType, FrameType

#: Functions that take something to await, by their last name.
TAKERS = frozenset(
    {
        "gather", "wait_for", "create_task", "ensure_future", "shield", "as_completed",
        "run_until_complete", "run_coroutine_threadsafe", "asyncio.run", "asyncio.wait", "anyio.run",
    }
)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
_kept: dict[int, tuple[CodeType, dict[int, bool]]] = {}
_MOST_KEPT = 4096


def wants_awaitable(frame: FrameType) -> bool:
    """Whether the call that `frame` is at wants an awaitable rather than a value."""
    code, place = frame.f_code, frame.f_lasti
    kept = _kept.get(id(code))
    if kept is None or kept[0] is not code:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        kept = _kept[id(code)] = (code, {})
    if place not in kept[1]:
        kept[1][place] = place in _awaited_places(code) or _is_awaited_later(frame)
    return kept[1][place]


def _awaited_places(code: CodeType) -> set[int]:
    """Where calls stand whose value is awaited at once. A call's place may be that of its instruction or of the caches behind it."""
    steps = list(dis.get_instructions(code))
    pairs = (pair for pair in itertools.pairwise(steps) if pair[1].opname == "GET_AWAITABLE")
    return {place for step, after in pairs for place in range(step.offset, after.offset, 2)}


def is_unpacked(frame: FrameType) -> bool:
    """Whether the value of the call that `frame` is at is taken apart at once: `one, other = f()`."""
    after = (step.opname for step in dis.get_instructions(frame.f_code) if step.offset > frame.f_lasti and step.opname != "CACHE")
    return next(after, "") == "UNPACK_SEQUENCE"


def _is_awaited_later(frame: FrameType) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    if not name.startswith(("tool_", "function_")):
        return False
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    tree = _read(source)
    positions = list(frame.f_code.co_positions())
    _, end_line, _, end_column = positions[frame.f_lasti // 2]
    if tree is None or end_line is None or end_column is None:
        return False
    call = tree.calls.get((end_line, end_column))
    return call is not None and tree.is_awaited(call)


class Source:
    """The syntax tree of a plugin with what stands above each node."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.above: dict[ast.AST, ast.AST] = {}
        self.calls: dict[tuple[int, int], ast.Call] = {}
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self.above[child] = node
            if isinstance(node, ast.Call):
                self.calls[node.end_lineno or 0, node.end_col_offset or 0] = node

    def is_awaited(self, node: ast.AST) -> bool:
        """Whether the value of an expression is awaited, or handed to a function that does so."""
        above = self.above.get(node)
        while above is not None and not isinstance(above, ast.stmt):
            if isinstance(above, ast.Await):
                return True
            if isinstance(above, ast.Call):
                return node is not above.func and self._is_taken(above)
            if isinstance(above, ast.NamedExpr):
                return self._is_name_awaited(above, {above.target.id})
            if isinstance(above, ast.Lambda | ast.Attribute | ast.Subscript | ast.Compare | ast.BoolOp | ast.FormattedValue):
                return False
            node, above = above, self.above.get(above)
        if isinstance(above, ast.Assign | ast.AnnAssign):
            targets = above.targets if isinstance(above, ast.Assign) else [above.target]
            return self._is_name_awaited(above, {target.id for target in targets if isinstance(target, ast.Name)})
        return isinstance(above, ast.Return) and self._is_function_awaited(above)

    def _is_taken(self, call: ast.Call) -> bool:
        if _takes_awaitables(call):
            return True
        # tasks.append(f()), and later gather(*tasks)
        function = call.func
        is_append = isinstance(function, ast.Attribute) and function.attr == "append" and isinstance(function.value, ast.Name)
        return is_append and self._is_name_awaited(call, {function.value.id})  # type: ignore[attr-defined]

    def _is_name_awaited(self, place: ast.AST, names: set[str]) -> bool:
        while place in self.above and not isinstance(place, _FUNCTIONS):
            place = self.above[place]
        for node in ast.walk(place):
            if isinstance(node, ast.Await) and isinstance(node.value, ast.Name) and node.value.id in names:
                return True
            if isinstance(node, ast.Call) and _takes_awaitables(node):
                given = [item.value if isinstance(item, ast.Starred) else item for item in node.args]
                if any(isinstance(item, ast.Name) and item.id in names for item in given):
                    return True
        return False

    def _is_function_awaited(self, place: ast.AST) -> bool:
        while place in self.above and not isinstance(place, _FUNCTIONS):
            place = self.above[place]
        if not isinstance(place, ast.FunctionDef):
            return False
        awaited = (node.value.func for node in ast.walk(self.tree) if isinstance(node, ast.Await) and isinstance(node.value, ast.Call))
        return any(ast.unparse(function).rpartition(".")[2] == place.name for function in awaited)

    def is_guarded(self, line: int) -> bool:
        """Whether an import at this line stands in a `try` that takes failing imports."""
        tries = (node for node in ast.walk(self.tree) if isinstance(node, ast.Try))
        return any(_spans(node.body, line) and any(map(_takes_import_errors, node.handlers)) for node in tries)


def _takes_awaitables(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    return name in TAKERS or name.rpartition(".")[2] in TAKERS


def _spans(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)


def _takes_import_errors(handler: ast.ExceptHandler) -> bool:
    names = ast.unparse(handler.type) if handler.type else "Exception"
    return any(name in names for name in ("ImportError", "ModuleNotFoundError", "Exception"))


@functools.lru_cache(maxsize=64)
def _read(text: str) -> Source | None:
    try:
        return Source(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return None


def read_source(text: str) -> Source | None:
    """The tree of a plugin's source, or None when it cannot be read."""
    return _read(text)
