"""What the source avoids: what a supported Python does not run, and hints that are wrong in some installations."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("protocol", "games", "server", "client", "bots")
FOREIGN = re.compile(r"\b(?:pip3? install|python3? -m)\b|\b(?:docs|deploy|benchmarks|tests)/|\.md\b")
"""Commands that are right in some installations only, and files that an installed parlour lacks."""
KNOWN = ("docs/write-a-game.md", "deploy/Dockerfile", "SPEC.md")
"""Files of which people are told the address, or what ``parlour protocol`` prints."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Names(ast.NodeVisitor):
    """The names in a function: variables of comprehensions, what it binds, and what is read outside such variables."""

    def __init__(self, function: ast.AST) -> None:
        self.variables: set[str] = set()
        self.bound: set[str] = set()
        self.read: set[str] = set()
        self._around: frozenset[str] = frozenset()
        self.generic_visit(function)

    def visit(self, node: ast.AST) -> None:
        match node:
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node)
                return
            case ast.Name(id=name, ctx=ast.Load()):
                self.read |= {name} - self._around
            case ast.Name(id=name):
                self.bound |= {name} - self._around
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self.bound.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self.bound.add(name)
        self.generic_visit(node)

    def _comprehension(self, node: Comprehension) -> None:
        self.visit(node.generators[0].iter)  # it is outside of the variables
        variables = {
            name.id for made in node.generators for name in ast.walk(made.target) if isinstance(name, ast.Name)
        }
        if not isinstance(node, ast.GeneratorExp):  # which stays a function of its own
            self.variables |= variables
        around, self._around = self._around, self._around | variables
        self.generic_visit(node)
        self._around = around


def clashes(source: str) -> set[str]:
    """Return the names that a function takes from outside while one of its comprehensions has a variable of that name.

    From Python 3.12 on comprehensions are part of their function. Another comprehension of the function finds that
    variable, which has no value, instead of the global (until 3.12.3, CPython 118513) or of the closure (CPython
    156664).
    """
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {name for names in map(Names, functions) for name in names.variables & names.read - names.bound}


def test_no_comprehension_hides_a_name_from_another_one() -> None:
    assert clashes("def f(): return [a for a in b], [a(c) for c in b]") == {"a"}
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert {str(path.relative_to(ROOT)): found for path in files if (found := clashes(path.read_text("utf-8")))} == {}


def sentences() -> Iterator[str]:
    """Yield what people may read: the help of all commands, phrases, and all strings of the source."""
    yield (ROOT / "docs" / "parlour.1").read_text("utf-8")
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "examples" not in path.parts):
        if path.suffix in (".json", ".js", ".mjs", ".html", ".sh"):
            yield re.sub(r"^\s*(?:/?\*|//|#).*", "", path.read_text("utf-8"), flags=re.MULTILINE)
        elif path.suffix == ".py":
            tree = ast.parse(path.read_text("utf-8"))
            notes = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in notes)
            yield from (node.value for node in strings if isinstance(node.value, str))


def test_actions_are_pinned_and_no_workflow_has_a_secret() -> None:
    for path in (ROOT / ".github" / "workflows").iterdir():
        text = path.read_text("utf-8")
        assert re.findall(r"uses: (?!\S+@[0-9a-f]{40}  # v)(.*)", text) == []
        assert "secrets" not in text


def test_no_hint_names_what_an_installation_may_lack() -> None:
    assert FOREIGN.search("see docs/play.md")
    assert [text for text in sentences() if FOREIGN.search(re.sub("|".join(KNOWN), "", text))] == []
