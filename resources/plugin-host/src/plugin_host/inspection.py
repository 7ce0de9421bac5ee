"""Reads a plugin's source without running it: for the import preview and the compatibility report."""

from __future__ import annotations

import ast
from typing import Any

from .availability import availability
from .front_matter import read_front_matter, read_requirements
from .loading import CLASSES


def inspect_source(content: str, store: str) -> dict[str, Any]:
    """The protocol's value of `inspect`."""
    front_matter = read_front_matter(content)
    found: dict[str, Any] = {
        "front_matter": front_matter,
        "requirements": read_requirements(front_matter),
        "kind": None,
        "classes": [],
        "imports": [],
        "awaits": [],
        "syntax_error": None,
    }
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        found["syntax_error"] = {"line": line, "message": error.msg if isinstance(error, SyntaxError) else str(error)}
        return found
    found["classes"] = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    found["kind"] = next((kind for name, kind in CLASSES[store].items() if name in found["classes"]), None)
    _imports(tree, found["imports"], lazy=False, guarded=False)
    for item in found["imports"]:
        item.update(availability(item["module"], item["names"]))
        # Within a `try` names that are not there fail at once, so that the author's way out is taken.
        item["found"] = item["found"] and not (item["guarded"] and item["missing"])
    awaits = {ast.unparse(node.value.func) for node in ast.walk(tree) if isinstance(node, ast.Await) and isinstance(node.value, ast.Call)}
    found["awaits"] = sorted(name for name in awaits if len(name) < 100)
    return found


def _imports(node: ast.AST, found: list[dict[str, Any]], *, lazy: bool, guarded: bool) -> None:
    """Every import: `lazy` inside of functions, `guarded` in the body of a try."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                found.append({"module": alias.name, "names": [], "line": child.lineno, "lazy": lazy, "guarded": guarded})
        elif isinstance(child, ast.ImportFrom):
            module = "." * child.level + (child.module or "")
            names = [alias.name for alias in child.names]
            found.append({"module": module, "names": names, "line": child.lineno, "lazy": lazy, "guarded": guarded})
        elif isinstance(child, ast.Try):
            _imports(ast.Module(body=child.body, type_ignores=[]), found, lazy=lazy, guarded=True)
            rest: list[Any] = [*child.handlers, *child.orelse, *child.finalbody]
            _imports(ast.Module(body=rest, type_ignores=[]), found, lazy=lazy, guarded=guarded)
        else:
            inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            _imports(child, found, lazy=lazy or inside, guarded=guarded)
