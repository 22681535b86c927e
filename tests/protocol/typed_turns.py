"""Writes the types of views, actions and events, as SPEC.md describes them, for the authors of bots.

Regenerate them after a change of these tables with
``python -m tests.protocol.typed_turns > bots/parlour_bots/typed.py``.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator

from tests.protocol import spec

from parlour_games.uno.cards import COLOURS
from parlour_games.uno.state import PHASES

HEAD = '''\
"""Turns with the types of a game, for type checkers: ``def play(turn: UnoTurn) -> UnoAction``.

At run time all of them are plain data. Generated from SPEC.md by tests/protocol/typed_turns.py: do not edit.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from parlour_bots.sdk import Turn
'''
OWN = {"hand"}
"""Fields of a view for its seat that are always there: a bot has a seat."""
LISTED = {"play": "card: int, colour?: str, uno?: bool, swap?: int"}
"""Actions as ``legal`` lists them, where their table has more."""
UNSENT = ("Minesweeper", "pass")
"""An action that only a time-out can cause."""
NAMED = {"UnoColour": COLOURS, "UnoPhase": PHASES}
NESTED = {("Minesweeper", "players"): "MinesweeperPlayer"}
ROOM = {"timeout": "seat: int", "addtime": "seat: int, ms: int"}


def module() -> str:
    parts = [HEAD, *(f"{name}: TypeAlias = Literal{list(values)!r}" for name, values in NAMED.items())]
    parts += _tagged("", "e", ROOM, "Event")
    for title, game in (("UNO", "Uno"), ("Minesweeper", "Minesweeper")):
        view, *others = spec.tables(f"{title}/View")
        parts += (_class(f"{game}Player", _of_view(game, each)) for each in others if _is_player(each))
        parts.append(_class(f"{game}View", _of_view(game, view)))
        written = {do: LISTED.get(do, fields) for do, fields, _ in spec.table(f"{title}/Actions")}
        actions = {do: fields for do, fields in written.items() if (game, do) != UNSENT}
        events = {tag: fields for tag, fields, _ in spec.table(f"{title}/Events")}
        parts += [*_tagged(game, "do", actions, "Action"), *_tagged(game, "e", events, "Event")]
        parts.append(f"{game}Action: TypeAlias = {' | '.join(_name(game, do, 'Action') for do in actions)}")
        told = [*(_name(game, tag, "Event") for tag in events), *(_name("", tag, "Event") for tag in ROOM)]
        parts.append(f"{game}Event: TypeAlias = {' | '.join(told)}")
        parts.append(f"{game}Turn: TypeAlias = Turn[{game}View, {game}Action, {game}Event]")
    return _formatted("\n".join(parts) + "\n")


def _formatted(source: str) -> str:
    command = (sys.executable, "-m", "ruff", "format", "--stdin-filename", "typed.py", "-")
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def _is_player(table: list[spec.Row]) -> bool:
    return table[0][0] == "state"


def _of_view(game: str, table: list[spec.Row]) -> Iterator[tuple[str, str]]:
    for name, kind, shown, _ in table:
        bare = name.rstrip("?")
        always = bare == name and (shown == "all" or bare in OWN)
        yield bare, _type(game, bare, kind, always)


def _tagged(game: str, tag: str, tables: dict[str, str], ending: str) -> Iterator[str]:
    for value, cell in tables.items():
        required, _ = spec.names(cell)
        fields = [(name, _type(game, name, kind, name in required)) for name, kind in spec.types(cell).items()]
        yield _class(_name(game, value, ending), [(tag, f'Literal["{value}"]'), *fields])


def _type(game: str, name: str, written: str, required: bool) -> str:
    kind = NESTED.get((game, name)) or _plain(written)
    if NESTED.get((game, name)):
        kind = f"list[{kind}]"
    elif game == "Uno" and name in ("colour", "phase"):
        kind = kind.replace("str", f"Uno{name.capitalize()}")
    return kind if required else f"NotRequired[{kind}]"


def _plain(written: str) -> str:
    """Return a type as SPEC.md writes it in Python."""
    written = written.split(" ≤ ")[0]
    if written.endswith(" or null"):
        return f"{_plain(written.removesuffix(' or null'))} | None"
    if written.startswith("["):
        inner = written[1:-1]
        if inner.startswith("["):
            return f"list[{_plain(inner)}]"
        return "list[str | int]" if "verb" in inner else "list[int]" if "," in inner else f"list[{_plain(inner)}]"
    return written


def _name(game: str, tag: str, ending: str) -> str:
    return f"{game}{tag.capitalize()}{ending}"


def _class(name: str, fields: Iterable[tuple[str, str]]) -> str:
    return f"class {name}(TypedDict):\n" + "".join(f"    {key}: {kind}\n" for key, kind in fields)


if __name__ == "__main__":
    sys.stdout.write(module())
