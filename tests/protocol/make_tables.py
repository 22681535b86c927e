"""Update the tables in SPEC.md: ``python -m tests.protocol.make_tables``.

They are those of fields, options, limits, costs and errors. Names, types, defaults and numbers come from the code. What
they mean is written by hand and kept; what is new gets the words of its docstring or its help. A message or value
without a section gets one at the end of its chapter, with its docstring; a request also a row in the table of its
chapter. Errors and their hints come from ``CODES`` alone.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from inspect import cleandoc
from pathlib import Path
from typing import Any, get_type_hints, is_typeddict

from tests.protocol import spec

from parlour_games.options import Option, options_of
from parlour_games.registry import games
from parlour_protocol import messages
from parlour_protocol.converter import fields
from parlour_protocol.errors import CODES, BadFrame, BadMessage, Illegal, ProtocolViolation
from parlour_protocol.wire import CLIENT_MESSAGES, SERVER_MESSAGES
from parlour_server.lobby.hello import LIMITS

VALUES = {name: each for name, each in vars(messages).items() if is_typeddict(each)}
CHAPTERS: dict[str, dict[str, Any]] = {
    "Client messages": CLIENT_MESSAGES,
    "Server messages": SERVER_MESSAGES,
    "Value types": VALUES,
}
_OPTIONS = "| option | default | allowed | meaning |\n|---|---|---|---|\n"
_HEAD = "| field | type | meaning |\n|---|---|---|\n"
_LIMITS = "| name | value | of what |\n|---|---|---|\n"
_COSTS = "| message | tokens |\n|---|---|\n"
_ERRORS = "| code | strike | hint |\n|---|---|---|\n"
_ROWS = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_SAID_ONCE = ("id?", "re?")


def types(cls: Any) -> dict[str, str]:
    """Return the fields of a message or value as SPEC.md writes them, with their types."""
    if is_typeddict(cls):
        hints = get_type_hints(cls, include_extras=True)
        return {name + "?" * (name not in cls.__required_keys__): spec.words(hint) for name, hint in hints.items()}
    found = {}
    for field in fields(cls):
        hint = spec.optional(field.type) if field.default is None else field.type
        found[field.wire + "?" * (not field.required)] = spec.words(hint, field.meta)
    return {name: kind for name, kind in found.items() if name not in _SAID_ONCE}


def updated(text: str) -> str:
    """Return the text of SPEC.md with all tables as the code has them."""
    for chapter, known in CHAPTERS.items():
        head = text.index(f"\n## {chapter}\n")
        end = text.index("\n## ", head + 1)
        text = text[:head] + _chapter(text[head:end], known) + text[end:]
    for name, title in (("uno", "UNO"), ("minesweeper", "Minesweeper")):
        text = _table(text, title, _OPTIONS, partial(_options, options=options_of(games()[name])))
    costs = {tag: cls.cost for tag, cls in CLIENT_MESSAGES.items() if cls.cost != messages.Request.cost}
    text = _table(text, "Limits", _LIMITS, lambda rows: _numbers(rows, LIMITS))
    text = _table(text, "Limits", _COSTS, lambda rows: _numbers(rows, costs))
    return _table(text, "Errors", _ERRORS, lambda _: _errors())


def _table(text: str, chapter: str, head: str, rewrite: Callable[[str], str]) -> str:
    start = text.index(head, text.index(f"\n## {chapter}\n")) + len(head)
    end = text.index("\n\n", start) + 1
    return text[:start] + rewrite(text[start:end]) + text[end:]


def _numbers(written: str, known: dict[str, Any]) -> str:
    """Return rows whose numbers are those of ``known``. Rows that do not begin with a name alone are kept."""
    rows, new = "", dict(known)
    for line in written.splitlines(keepends=True):
        named = re.match(r"\| `(\w+)` \| \d+ \|", line)
        if named is None:
            rows += line
        elif named[1] in known:
            rows += f"| `{named[1]}` | {new.pop(named[1])} |{line[named.end() :]}"
    return "".join(f"| `{name}` | {number} |\n" for name, number in new.items()) + rows


def _errors() -> str:
    violations: list[ProtocolViolation] = [BadFrame(""), BadMessage(""), Illegal("")]
    strikes = {each.code for each in violations}
    return "".join(f"| `{code}` | {'yes ' if code in strikes else ''}| {hint} |\n" for code, hint in CODES.items())


def _options(written: str, options: list[Option]) -> str:
    meanings = {
        line.split("`")[1]: re.split(r" \|(?= |$)", line, maxsplit=3)[3].lstrip() for line in written.splitlines()
    }
    known = {option.name: option for option in options}
    rows = ""
    for name in [*(name for name in meanings if name in known), *(name for name in known if name not in meanings)]:
        option = known[name]
        allowed = ", ".join(f'`"{each}"`' for each in option.choices if isinstance(each, str))
        if option.low is not None:
            allowed = f"{option.low}–{option.high}".replace("-", "−")
        cells = f"`{name}`", f"`{json.dumps(option.default)}`", allowed, meanings.get(name) or f"{option.help} |"
        rows += f"| {' | '.join(cells)}\n".replace("|  |", "| |")
    return rows


def _chapter(text: str, known: dict[str, Any]) -> str:
    for name, cls in known.items():
        if known is CLIENT_MESSAGES and f"\n| `{name}` |" not in text:
            table = next(_ROWS.finditer(text))
            answer, [purpose, *_] = messages.answer_of(cls).t, cleandoc(cls.__doc__).splitlines()
            row = f"| `{name}` | {purpose[0].lower()}{purpose[1:].rstrip('.')} | `{answer}` |\n"
            text = text[: table.end()] + row + text[table.end() :]
        if f"\n### {name}\n" not in text:
            text += f"\n### {name}\n\n{cleandoc(cls.__doc__)}\n\n{_HEAD}"
        start = text.index(f"\n### {name}\n")
        end = text.find("\n### ", start + 1)
        end = len(text) if end < 0 else end
        text = text[:start] + _section(text[start:end], types(cls), known) + text[end:]
    return text


def _section(text: str, own: dict[str, str], known: dict[str, Any]) -> str:
    like = re.search(r"All fields\s+of `(\w+)`(?: except `(\w+)`)?, plus:", text)
    shared = types(known[like[1]]) if like else {}
    wanted = {name: kind for name, kind in own.items() if shared.get(name) != kind}
    said = dict(re.findall(r"``(\w+)``: (.*?)\.(?= |$)", re.sub(r"\s+", " ", text)))
    table = _ROWS.search(text)
    if table is None:
        return text if not wanted else f"{text.rstrip()}\n\n{_HEAD}{''.join(_rows(wanted, {}, said))}"
    written = {line.split("`")[1]: line for line in table[0].splitlines()[2:]}
    order = sorted(wanted, key=lambda name: list(written).index(name) if name in written else len(written))
    rows = "".join(_rows({name: wanted[name] for name in order}, written, said))
    return text[: table.start()] + "".join(table[0].splitlines(keepends=True)[:2]) + rows + text[table.end() :]


def _rows(wanted: dict[str, str], written: dict[str, str], said: dict[str, str]) -> Iterator[str]:
    for name, kind in wanted.items():
        meaning = written[name].split(" | ", 2)[2] if name in written else f"{said.get(name.rstrip('?'), '')} |"
        yield f"| `{name}` | `{kind}` | {meaning}\n"


def main() -> None:
    file = Path(str(files("parlour_protocol") / "SPEC.md"))
    file.write_text(updated(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
