"""What can be asked of the arena, and what it needs for any game."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, TextIO

import attrs
from cyclopts import Parameter

from parlour_bots.arena.engine.noise import limit_output
from parlour_bots.loading.loader import installed
from parlour_client.core.errors import Usage


def _switch(text: str) -> Parameter:
    return Parameter(help=text, negative="")


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class ArenaOptions:
    """What is played, and options."""

    games: Annotated[
        int | None, Parameter(help="ArenaOptions many games of each line-up, boards, or boards a run. Default: 100.")
    ] = None
    seed: Annotated[int | None, Parameter(help="Play the very deals or boards that had this seed.")] = None
    jobs: Annotated[
        int | None, Parameter(help="ArenaOptions many processes play. Default: one for each core; Minesweeper 1.")
    ] = None
    out: Annotated[
        Path | None, Parameter(help="Write each game to this file, a line each. UNO: go on where it ends.")
    ] = None
    plot: Annotated[Path | None, Parameter(help="Draw the result into this file, SVG or PNG.")] = None
    json: Annotated[bool, _switch("Print the result as one JSON object.")] = False

    players: Annotated[int | None, Parameter(help="UNO: how many seats a table has, 2 to 10. Default: 2.")] = None
    match: Annotated[int | None, Parameter(help="UNO: play matches to so many points instead of rounds.")] = None
    rules: Annotated[str | None, Parameter(help="UNO: the preset of rules. Default: official.")] = None
    think: Annotated[
        int | None, Parameter(help="UNO: milliseconds of thought for bots that take a parameter think.")
    ] = None
    budget: Annotated[
        int | None, Parameter(help="UNO: milliseconds that others' bots have for an answer. Default: 1000.")
    ] = None

    boards: Annotated[
        Path | None, Parameter(help="Minesweeper: play the boards of this file, one JSON object a line.")
    ] = None
    level: Annotated[
        Literal["beginner", "intermediate", "expert"] | None,
        Parameter(help="Minesweeper: fresh boards of this level. Default: expert."),
    ] = None
    size: Annotated[
        str | None, Parameter(help="Minesweeper: fresh boards of this size instead, WIDTHxHEIGHT/MINES.")
    ] = None
    first: Annotated[
        Literal["any", "safe", "opening", "radius"] | None,
        Parameter(
            help="Minesweeper: what the first click of fresh boards promises. Default: opening; with --table radius."
        ),
    ] = None
    start: Annotated[
        str | None,
        Parameter(
            help="Minesweeper: the cell that is opened for all: corner, centre, random or X,Y. Default: 3,3 with "
            "--first opening, as in published figures; else corner."
        ),
    ] = None
    table: Annotated[bool, _switch("Minesweeper: play what the articles on solving it played, all levels.")] = False
    runs: Annotated[int | None, Parameter(help="Minesweeper: how many runs a level with --table. Default: 5.")] = None


EVERYWHERE = ("games", "seed", "jobs", "out", "plot", "json")
"""Options for any game."""


def refuse_others(options: ArenaOptions, game: str, own: Sequence[str]) -> None:
    """Raise Usage for an option that ``game`` has no use for, and for a number that is none of something."""
    for field in attrs.fields(ArenaOptions):
        value = getattr(options, field.name)
        if value != field.default and field.name not in (*EVERYWHERE, *own):
            raise Usage(f"--{field.name} is not for {game}")
        if type(value) is int and value < 1 and field.name != "seed":
            raise Usage(f"--{field.name} must be at least 1, not {value}")


def distinct(names: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Return what the bots are called: by name, namesakes by their file or as they were asked for, else numbered."""
    called = list(names)
    for longer in ([re.split(r"[/\\]", bot)[-1] for bot in bots], bots):
        called = [name if called.count(name) == 1 else other for name, other in zip(called, longer, strict=True)]
    return [name if called.count(name) == 1 else f"{name}#{number}" for number, name in enumerate(called, start=1)]


def check_game(bot: str, game: str) -> None:
    """Raise Usage for an installed bot of another game."""
    if bot.partition("(")[0] in installed() and not bot.startswith(f"{game}."):
        raise Usage(f"{bot} does not play {game}. See: parlour bot list")


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """Open a file to be written anew. Raises Usage."""
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error}") from None
    with file:
        yield file


@contextmanager
def contained_bots() -> Iterator[None]:
    """While bots are at work, do not show them our command line, nor let them print among our results."""
    arguments = sys.argv
    sys.argv = arguments[:1]
    try:
        with limit_output(sys.stderr):
            yield
    finally:
        sys.argv = arguments
