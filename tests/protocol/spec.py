"""SPEC.md as data: its tables, its code blocks, and how it writes the type of a field."""

import re
from collections import Counter
from importlib.resources import files
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

from msgspec import Meta

from parlour_protocol.messages import Id, Integer, Plain

Row = list[str]


def text() -> str:
    return files("parlour_protocol").joinpath("SPEC.md").read_text(encoding="utf-8")


def section(path: str) -> str:
    """Return the text under a heading, up to the next heading of its level or above; ``A/B`` is B within A."""
    found = text()
    for title in path.split("/"):
        found = _under(title, found)
    return found


def _under(title: str, whole: str) -> str:
    bare = re.sub(r"```.*?```", lambda match: " " * len(match[0]), whole, flags=re.DOTALL)
    head = re.search(rf"^(#+) {re.escape(title)}$", bare, re.MULTILINE)
    assert head, f"SPEC.md has no section {title!r}"
    end = re.compile(rf"^#{{1,{len(head[1])}}} ", re.MULTILINE).search(bare, head.end())
    return whole[head.end() : end.start() if end else None]


def titles(path: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", section(path), re.MULTILINE)


def tables(path: str) -> list[list[Row]]:
    """Return the tables of a section as rows, without the heads and without backticks."""
    blocks = re.findall(r"(?:^\|.*\n)+", section(path), re.MULTILINE)
    return [[_cells(line) for line in block.splitlines()[2:]] for block in blocks]


def table(path: str) -> list[Row]:
    return tables(path)[0]


def _cells(line: str) -> Row:
    return re.split(r"\s*\|\s*", line.strip()[1:-1].replace("`", "").strip())


def names(cell: str) -> tuple[set[str], set[str]]:
    """Return the required and the optional names in a cell like ``a: int, b?: str``."""
    found = {name.split(":")[0] for name in cell.split(", ") if name}
    return {name for name in found if not name.endswith("?")}, {name[:-1] for name in found if name.endswith("?")}


def types(cell: str) -> dict[str, str]:
    """Return the types in a cell like ``a: int, b?: str``, by name."""
    pairs = (name.split(": ", 1) for name in cell.split(", ") if name)
    return {name.rstrip("?"): kind for name, kind in pairs}


def fits(value: Any, written: str) -> bool:
    """Whether ``value`` has a type as SPEC.md writes it: ``int``, ``[str] or null``, ``[[x,y]] ≤ 256`` …"""
    written = written.split(" ≤ ")[0]
    if written.endswith(" or null"):
        return value is None or fits(value, written.removesuffix(" or null"))
    simple = {"int": int, "str": str, "bool": bool, "map": dict, "verb": str}
    if written in simple:
        return type(value) is simple[written]
    inner = written[1:-1].split(",") if "[" not in written[1:-1] else [written[1:-1]]
    if type(value) is not list or len(inner) > 1:
        return type(value) is list and len(value) == len(inner) and all(map(fits, value, [simpler(i) for i in inner]))
    return all(fits(item, inner[0]) for item in value)


def check_events(path: str, shown: dict[str, list[Plain]]) -> None:
    """Check that the events in a table are those that were shown: their kinds, fields, and types."""
    rows = table(path)
    assert {tag for tag, *_ in rows} == set(shown)
    for tag, cell, _ in rows:
        (always, sometimes), kinds = names(cell), types(cell)
        fields = [set(event) - {"e"} for event in shown[tag]]
        assert (set.intersection(*fields), set.union(*fields)) == (always, always | sometimes), tag
        for event in shown[tag]:
            assert all(fits(value, kinds[name]) for name, value in event.items() if name != "e"), event


def simpler(written: str) -> str:
    """Return the type of an item that is written as a name: all but verbs are integers."""
    return written if written == "verb" else "int"


SIDES = {"client": "Client messages", "server": "Server messages"}


def anchors() -> Counter[str]:
    """Return the anchors of all headings, as GitHub derives them, and how often each occurs."""
    bare = re.sub(r"```.*?```", "", text(), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", bare, re.MULTILINE)
    return Counter(re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads)


def fields(side: str, tag: str) -> list[Row]:
    """Return the rows (name, type, meaning) of a message, including those that it shares with another one."""
    path = f"{SIDES[side]}/{tag}"
    own = [row for each in tables(path)[:1] for row in each]
    like = re.search(r"All fields\s+of `(\w+)`(?: except `(\w+)`)?, plus:", section(path))
    return [row for row in fields(side, like[1]) if row[0] != like[2]] + own if like else own


def code(title: str, language: str) -> str:
    return codes(title, language)[0]


def codes(title: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", section(title), re.DOTALL | re.MULTILINE)


def words(hint: Any, meta: Meta | None = None) -> str:
    """Return how SPEC.md writes a type with its limits."""
    return (_type(hint) + " " + _limits(meta)).strip()


def _type(hint: Any) -> str:
    names: list[tuple[Any, str]] = [
        (Id, "id"),
        (Plain, "map"),
        (int, "int"),
        (Integer, "int"),
        (str, "str"),
        (bool, "bool"),
    ]
    found = next((name for kind, name in names if kind == hint), None)
    if found or is_typeddict(hint):
        return found or str(hint.__name__)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " / ".join(f'"{each}"' for each in args)
    if origin in (NotRequired, Annotated):
        return _type(args[0])
    if origin is list:
        return f"[{_type(args[0])}]"
    if origin is dict:
        return f"{{seat: {_type(args[1])}}}"
    assert origin in (Union, UnionType)
    if args[: len(get_args(Id))] == get_args(Id):
        return "id"
    return " or ".join("null" if each is NoneType else _type(each) for each in args)


def _limits(meta: Meta | None) -> str:
    if meta is None:
        return ""
    if meta.pattern is not None:
        return f"of {meta.max_length} hex digits"
    return f"{meta.ge}–{meta.le}" if meta.max_length is None else f"≤ {meta.max_length}"


def optional(hint: Any) -> Any:
    """Return the type of a field that may be absent, without the null of its default."""
    rest = [each for each in get_args(hint) if each is not NoneType]
    if get_origin(hint) not in (Union, UnionType) or len(rest) == len(get_args(hint)):
        return hint
    return Union[tuple(rest)]  # noqa: UP007 - made of a list
