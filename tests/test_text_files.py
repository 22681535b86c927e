"""Text files are the same on every system: each call that opens one names its encoding and, to write, its line end."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("protocol", "games", "server", "client", "bots", "docs")
MODE = set("rwxabt+")


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
    found = [
        f"{file.relative_to(ROOT)}:{call.lineno} without {sorted(missing(call))}"
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
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
