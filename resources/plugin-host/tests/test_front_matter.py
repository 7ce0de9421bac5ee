import unittest

from plugin_host.front_matter import read_front_matter, read_requirements
from tests.harness import ROOT  # noqa: F401


class FrontMatter(unittest.TestCase):
    def test_reads_keys_as_written_and_values_stripped(self) -> None:
        text = '"""\ntitle:  My tool  \nAuthor_URL: https://a.b/c: d\nrequirements: a, b==1.0\n"""\n'
        expected = {"title": "My tool", "Author_URL": "https://a.b/c: d", "requirements": "a, b==1.0"}
        self.assertEqual(read_front_matter(text), expected)

    def test_only_bare_double_quotes_on_the_first_line_open_it(self) -> None:
        for opening in ("'''", '"""title: x', '# comment\n"""', '\n"""', 'r"""'):
            self.assertEqual(read_front_matter(f'{opening}\ntitle: x\n"""'), {}, opening)
        self.assertEqual(read_front_matter('  """  \ntitle: x\n"""'), {"title": "x"})
        self.assertEqual(read_front_matter(""), {})

    def test_it_is_no_yaml(self) -> None:
        text = '"""\ndescription: >\n  long text\nNote: this: counts\ntitle: a\ntitle: b\nhas-dash: no\nlast: one """ title: c\n'
        self.assertEqual(read_front_matter(text), {"description": ">", "Note": "this: counts", "title": "b"})

    def test_an_unclosed_one_is_read_to_the_end(self) -> None:
        self.assertEqual(read_front_matter('"""\ntitle: x\nversion:\n'), {"title": "x", "version": ""})

    def test_requirements_without_the_standard_library(self) -> None:
        self.assertEqual(read_requirements({"requirements": "typing, requests>=2, asyncio,, bs4 "}), ["requests>=2", "bs4"])
        self.assertEqual(read_requirements({}), [])
