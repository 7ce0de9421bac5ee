import enum
import unittest
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional

from pydantic import BaseModel, Field

from plugin_host.errors import HostError
from plugin_host.specs import tool_methods, tool_spec, tool_specs
from tests.harness import ROOT  # noqa: F401


class Item(BaseModel):
    """A thing."""

    name: str = Field(description="Its name")
    parent: Optional["Item"] = None
    title: str | None = None


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


def of(method: Callable[..., Any], name: str) -> tuple[Any, bool]:
    parameters = tool_spec(method)["parameters"]
    return parameters["properties"][name], name in parameters.get("required", [])


class Vectors(unittest.TestCase):
    """One test per row of the table in the contract."""

    def check(self, method: Callable[..., Any], name: str, expected: dict[str, Any], required: bool) -> None:
        self.assertEqual(of(method, name), (expected, required))

    def test_described_text(self) -> None:
        def method(city: str) -> None:
            """Does.
            :param city: The city name
            """

        self.check(method, "city", {"description": "The city name", "type": "string"}, True)

    def test_integer_with_default(self) -> None:
        def method(days: int = 3) -> None: ...

        self.check(method, "days", {"default": 3, "type": "integer"}, False)

    def test_optional_with_and_without_default(self) -> None:
        def method(b: str | None, a: str | None = None, c: "str | None" = None) -> None: ...

        self.check(method, "a", {"type": "string"}, False)
        self.check(method, "b", {"type": "string"}, True)
        self.check(method, "c", {"type": "string"}, False)

    def test_literal(self) -> None:
        def method(lit: Literal["a", "b"] = "a") -> None: ...

        self.check(method, "lit", {"default": "a", "enum": ["a", "b"], "type": "string"}, False)

    def test_list_of_text(self) -> None:
        def method(tags: list[str] = []) -> None: ...  # noqa: B006

        self.check(method, "tags", {"default": [], "items": {"type": "string"}, "type": "array"}, False)

    def test_union(self) -> None:
        def method(v: int | str, w: int | str | None = None) -> None: ...

        both = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        self.check(method, "v", both, True)
        self.check(method, "w", both, False)

    def test_no_hint_and_any(self) -> None:
        def method(x, data: Any) -> None: ...  # type: ignore[no-untyped-def]

        self.check(method, "x", {"type": "string"}, True)
        self.check(method, "data", {"type": "string"}, True)

    def test_model_is_inlined(self) -> None:
        def method(item: Item, other: Item) -> None:
            """:param other: Another one"""

        properties = {
            "name": {"description": "Its name", "type": "string"},
            "parent": {"type": "object"},
            "title": {"type": "string"},
        }
        expected = {"description": "A thing.", "properties": properties, "required": ["name"], "type": "object"}
        self.check(method, "item", expected, True)
        self.check(method, "other", {**expected, "description": "Another one"}, True)

    def test_enum(self) -> None:
        def method(color: Color = Color.RED) -> None: ...

        self.check(method, "color", {"enum": ["red", "blue"], "type": "string", "default": "red"}, False)

    def test_mapping(self) -> None:
        def method(opts: dict[str, int] = {}) -> None: ...  # noqa: B006

        self.check(method, "opts", {"additionalProperties": {"type": "integer"}, "default": {}, "type": "object"}, False)

    def test_field(self) -> None:
        def method(r: int = Field(..., ge=1), s: str = Field("x", description="Own")) -> None: ...

        self.check(method, "r", {"minimum": 1, "type": "integer"}, True)
        self.check(method, "s", {"default": "x", "description": "Own", "type": "string"}, False)

    def test_open_arguments(self) -> None:
        def method(*args, **kwargs) -> None: ...  # type: ignore[no-untyped-def]

        self.check(method, "args", {"type": "string"}, True)
        self.check(method, "kwargs", {"type": "string"}, True)

    def test_injected_names_vanish_and_annotated_metadata_is_ignored(self) -> None:
        def method(a: Annotated[int, Field(description="no")], __user__: dict = {}, __event_emitter__: Any = None) -> None: ...  # noqa: B006

        expected = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
        self.assertEqual(tool_spec(method)["parameters"], expected)

    def test_types_without_a_schema_are_text(self) -> None:
        def method(work: Callable[[], None], items: list) -> None: ...  # type: ignore[type-arg]

        self.check(method, "work", {"type": "string"}, True)
        self.check(method, "items", {"items": {"type": "string"}, "type": "array"}, True)

    def test_no_parameters(self) -> None:
        def method() -> None: ...

        self.assertEqual(tool_spec(method)["parameters"], {"type": "object", "properties": {}})


class Descriptions(unittest.TestCase):
    def test_stored_and_sent(self) -> None:
        def method(a: str, b: str) -> str:
            """
            First line.
              Second line.

            Args:
                a: stays here
            :param a: text of a
                that goes on
            :param str b: typed
            :return: a result
            """
            return a

        spec = tool_spec(method)
        self.assertEqual(spec["description"], "First line.\nSecond line.\n\nArgs:\na: stays here")
        indented = "First line.\n              Second line.\n\n            Args:\n                a: stays here"
        # Python 3.13 takes the common indent out of docstrings itself.
        self.assertEqual(
            [line.strip() for line in spec["request_description"].split("\n")], [line.strip() for line in indented.split("\n")]
        )
        self.assertEqual(of(method, "a")[0]["description"], "text of a")

    def test_without_docstring_the_model_gets_the_name(self) -> None:
        def method() -> None: ...

        self.assertEqual((tool_spec(method)["description"], tool_spec(method)["request_description"]), ("", "method"))

    def test_the_description_ends_at_param_anywhere(self) -> None:
        def method() -> None:
            """Use :param x as you like."""

        self.assertEqual(tool_spec(method)["request_description"], "Use")
        self.assertEqual(tool_spec(method)["description"], "Use :param x as you like.")


class Exposed(unittest.TestCase):
    def test_functions_of_their_own_name_alphabetically(self) -> None:
        class Base:
            def inherited(self) -> None: ...

        class Tools(Base):
            class Valves(BaseModel): ...

            def __init__(self) -> None:
                self.shortcut = lambda: 1
                self.helper = print

            def zebra(self) -> None: ...

            @staticmethod
            def apple() -> None: ...

            @classmethod
            def made(cls) -> None: ...

            def _hidden(self) -> None: ...

            @property
            def costly(self) -> Any:
                raise RuntimeError("must not be read")

        self.assertEqual(list(tool_methods(Tools())), ["apple", "inherited", "made", "zebra"])

    def test_errors(self) -> None:
        class Unknown:
            def method(self, a: "Missing") -> None: ...  # type: ignore[name-defined]  # noqa: F821

        with self.assertRaises(NameError):
            tool_specs(Unknown())

        class Reserved:
            def method(self, model_config: str) -> None: ...

        with self.assertRaisesRegex(Exception, "model_config"):
            tool_specs(Reserved())

        class Underscore:
            def method(self, _x: str) -> None: ...

        with self.assertRaises(HostError):
            tool_specs(Underscore())
