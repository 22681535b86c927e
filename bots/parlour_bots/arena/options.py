"""The options of the arena, and helpers for all its games."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, TextIO

import attrs
from cyclopts import Parameter

from parlour_bots.arena.pool import limit_output
from parlour_bots.loading import installed
from parlour_bots.play.limits import Limits
from parlour_bots.tools.guards import Confined, GameOptions, Readable, announce, confinement, exits_raised
from parlour_client.cli.params import RULES
from parlour_client.core.errors import Usage, writing


def switch(text: str) -> Parameter:
    """Return the parameter of an option that takes no value."""
    return Parameter(help=text, negative="")


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class ArenaOptions:
    """The options of all games; each game accepts some of them."""

    games: Annotated[int | None, Parameter(help="Games per line-up, boards, or boards per run. Default: 100.")] = None
    seed: Annotated[int | None, Parameter(help="Repeat the deals or boards of this seed.")] = None
    jobs: Annotated[int | None, Parameter(help="Number of processes. Default: one per core; Minesweeper 1.")] = None
    out: Annotated[
        Path | None,
        Parameter(help="Write a line per game to this file, and continue where it ends; Minesweeper: overwrite it."),
    ] = None
    plot: Annotated[Path | None, Parameter(help="Write a chart to this file, SVG or PNG.")] = None
    json: Annotated[bool, switch("Print the result as one JSON object.")] = False
    confined: Confined = False
    readable: Readable = None

    players: Annotated[int | None, Parameter(help="Players per game. Default: as few as possible, 2 in UNO.")] = None
    option: GameOptions = None
    match: Annotated[int | None, Parameter(help="UNO: play matches to this many points instead of rounds.")] = None
    rules: Annotated[str | None, RULES] = None
    why: Annotated[
        Path | None,
        Parameter(help="Keep games that the first bot loses in this folder, and name the decisions that cost it most."),
    ] = None
    think: Annotated[int | None, Parameter(help="Milliseconds per decision for bots with a parameter think.")] = None
    budget: Annotated[int | None, Parameter(help="Milliseconds per answer of third-party bots. Default: 1000.")] = None

    boards: Annotated[
        Path | None, Parameter(help="Minesweeper: play the boards in this file, one JSON object per line.")
    ] = None
    level: Annotated[
        Literal["beginner", "intermediate", "expert"] | None,
        Parameter(help="Minesweeper: the level of generated boards. Default: expert."),
    ] = None
    size: Annotated[str | None, Parameter(help="Minesweeper: the size of generated boards, WIDTHxHEIGHT/MINES.")] = None
    first: Annotated[
        Literal["any", "safe", "opening", "radius"] | None,
        Parameter(help="Minesweeper: the guarantee of the first click. Default: opening; with --table radius."),
    ] = None
    start: Annotated[
        str | None,
        Parameter(
            help="Minesweeper: the first cell to open: corner, centre, random or X,Y. Default: 3,3 with "
            "--first opening, as in published figures; else corner."
        ),
    ] = None
    score: Annotated[
        Literal["won", "value"] | None,
        Parameter(
            help="Minesweeper: value also counts what perfect play would win from each endgame, which leaves out "
            "the luck of the last guesses. Default: won."
        ),
    ] = None
    table: Annotated[bool, switch("Minesweeper: play the benchmark of the published articles, all levels.")] = False
    runs: Annotated[int | None, Parameter(help="Minesweeper: runs per level with --table. Default: 5.")] = None

    def limits(self) -> Limits | None:
        """Return the limits of confined bots, after printing them; None without. Raises NotConfined."""
        if not self.confined:
            return None
        announce(limits := confinement(self.readable))
        return limits


EVERYWHERE = ("games", "seed", "jobs", "out", "plot", "json", "confined", "readable")
"""Options of all games."""


def refuse_others(options: ArenaOptions, game: str, own: Sequence[str]) -> None:
    """Raise Usage for options of another game, and for numbers below 1."""
    for field in attrs.fields(ArenaOptions):
        value = getattr(options, field.name)
        if value != field.default and field.name not in (*EVERYWHERE, *own):
            raise Usage(f"--{field.name} is not for {game}, which has {', '.join(f'--{name}' for name in own)}")
        if type(value) is int and value < 1 and field.name != "seed":
            raise Usage(f"--{field.name} must be at least 1, not {value}")


def distinct(names: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Return distinct names: a bot's name, or for namesakes its file, its argument, or its name and a number."""
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
    """Open a file for writing. Raises Usage."""
    with writing(path):
        file = path.open("w", encoding="utf-8", newline="\n")
    try:
        yield file
    finally:
        with writing(path):
            file.close()


@contextmanager
def contained_bots() -> Iterator[None]:
    """Hide the command line from the bots, keep their output out of the results, and let them end no process."""
    arguments = sys.argv
    sys.argv = arguments[:1]
    try:
        with limit_output(sys.stderr), exits_raised():
            yield
    finally:
        sys.argv = arguments
