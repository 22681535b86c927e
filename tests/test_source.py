"""What the source avoids: what some Python, installation or system does not run, has or reads alike."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("protocol", "games", "server", "client", "bots")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
FOREIGN = re.compile(r"\b(?:pip3? install|python3? -m)\b|\b(?:docs|deploy|benchmarks|tests)/|\.md\b")
"""Commands that are right in some installations only, and files that an installed parlour lacks."""
KNOWN = ("docs/write-a-game.md", "deploy/Dockerfile", "SPEC.md")
"""Files of which people are told the address, or what ``parlour protocol`` prints."""
MODE = set("rwxabt+")
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
    assert {str(path.relative_to(ROOT)): found for path in SOURCES if (found := clashes(path.read_text("utf-8")))} == {}


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


def missing(call: ast.Call) -> set[str]:
    """Return the arguments that a call should have."""
    given = {each.arg for each in call.keywords}
    match call.func:
        case ast.Attribute(attr="write_text"):
            return {"encoding", "newline"} - given
        case ast.Attribute(ast.Call(ast.Name("distribution")), "read_text"):  # of a package, always UTF-8
            return set()
        case ast.Attribute(attr="read_text"):
            return {"encoding"} - given
        case ast.Name("open") | ast.Attribute(ast.Name("io"), "open") | ast.Attribute(ast.Name("os"), "fdopen"):
            mode = mode_of(call, 1) or "r"
        case ast.Attribute(owner, "open") if ast.unparse(owner) != "os":
            mode = mode_of(call, 0) or ("r" if "encoding" in given else "b")  # open() also opens rooms
        case _:
            return set()
    if "b" in mode:
        return set()
    return ({"encoding"} if set(mode) <= {"r", "t"} else {"encoding", "newline"}) - given


def mode_of(call: ast.Call, place: int) -> str:
    match [each.value for each in call.keywords if each.arg == "mode"] + call.args[place : place + 1]:
        case [ast.Constant(str(mode))] if set(mode) <= MODE:
            return mode
    return ""


def test_text_files_name_their_encoding_and_line_ends() -> None:
    """So they are the same on every system."""
    found = [
        f"{file.relative_to(ROOT)}:{call.lineno} without {sorted(missing(call))}"
        for file in [*SOURCES, *(ROOT / "docs").rglob("*.py")]
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and missing(call)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('path.write_text("x", encoding="utf-8")', {"newline"}),
        ('path.open("a+")', {"encoding", "newline"}),
        ("open(path)", {"encoding"}),
        ('open(path, mode="wb")', set()),
        ("os.open(path, flags)", set()),
        ("room.open()", set()),
    ],
)
def test_what_is_missing(code: str, expected: set[str]) -> None:
    [call] = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    assert missing(call) == expected
