"""``parlour rules`` and ``parlour presets``: the options of the games, and those that people save for each other."""

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_client.cli.params import GAMES, RULES, Json, Key, Name, Server, login_name
from parlour_client.core import queries
from parlour_client.core.errors import OK, Usage
from parlour_client.core.options import clock_or_none, options_of, rules_of
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, clean_all
from parlour_client.core.url import DEFAULT_URL
from parlour_client.play.entry import changed_presets
from parlour_client.text.base import option_lines
from parlour_games.options import Option
from parlour_games.options import options_of as all_options_of
from parlour_games.registry import games
from parlour_protocol.messages import DEFAULT_CLOCK, PresetRow, Presets

Game = Annotated[str, Parameter(help="The game: uno, minesweeper or another game of the server.")]


def presets(
    *,
    server: Server = DEFAULT_URL,
    game: Annotated[str | None, Parameter(help="Only presets of this game."), GAMES] = None,
    as_json: Json = False,
) -> int:
    """List the presets of a server. Open a room with one: parlour create --preset NAME

    Examples:
    parlour presets --server parlour.example.org
    parlour presets --game uno --json
    """
    found = asyncio.run(queries.presets(server, game))
    if as_json:
        sys.stdout.write(json.dumps(clean_all({"server": server, "presets": found})) + "\n")
        return OK
    lines = [_line(row) for row in found] or [say("line.presets.none", server=server)]
    sys.stdout.writelines(f"{clean(line)}\n" for line in lines)
    return OK


def save(
    preset: Annotated[str, Parameter(help="The name of the preset.")],
    /,
    *,
    game: Game = "uno",
    option: Annotated[
        list[str] | None, Parameter(negative="", help="An option of the game, NAME=VALUE. Repeatable.")
    ] = None,
    rules: Annotated[Path | None, RULES] = None,
    seats: Annotated[int | None, Parameter(help="Number of seats. Default: 4, or what the game allows.")] = None,
    clock: Annotated[str | None, Parameter(help="BANK+ADD or TIME/turn, in seconds or with a unit, or none.")] = None,
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
) -> int:
    """Save rules under a name, for all who play on the server. Your name needs a key: parlour identity

    Examples:
    parlour presets save "our friday" --option target=200 --option jump_in=true
    parlour presets save sprint --game minesweeper --rules race.toml --seats 2
    """
    options = {**(rules_of(rules, game) if rules else {}), **options_of(option or (), game)}
    ticking = DEFAULT_CLOCK if clock is None else clock_or_none(clock)
    _change(server, name, key, Presets("save", game, preset, options, seats, ticking))
    said = say("line.preset.saved", name=preset, game=game, quoted=shlex.quote(preset))
    sys.stdout.write(f"{clean(said)}\n")
    return OK


def remove(
    preset: Annotated[str, Parameter(help="The name of the preset.")],
    /,
    *,
    game: Game = "uno",
    server: Server = DEFAULT_URL,
    name: Name = None,
    key: Key = None,
) -> int:
    """Remove a preset that you have saved.

    Examples:
    parlour presets remove "our friday"
    """
    asyncio.run(queries.preset(server, game, preset))
    _change(server, name, key, Presets("remove", game, preset))
    sys.stdout.write(f"{clean(say('line.preset.removed', name=preset))}\n")
    return OK


def _change(server: str, name: str | None, key: str | None, change: Presets) -> None:
    """Save or remove a preset under the player's name. Raises Fault."""
    asyncio.run(changed_presets(server, name or login_name(), key, change))


def _line(row: PresetRow) -> str:
    rules = ", ".join(f"{name}={json.dumps(value)}" for name, value in row["options"].items())
    return say("line.preset", name=row["name"], game=row["game"], seats=row["seats"], by=row["by"], rules=rules)


def rules(
    game: Annotated[str | None, Parameter(help="Only this game. Default: all that are installed."), GAMES] = None,
    /,
    *,
    as_json: Json = False,
) -> int:
    """List the options of each game: what they mean, and their values. Set one with --option NAME=VALUE.

    Examples:
    parlour help rules
    parlour rules uno
    parlour rules --json | jq -r '.minesweeper[].name'
    """
    if game is not None and game not in games():
        raise Usage(say("fault.no_game", said=ascii(game[:40]), games=", ".join(games())))
    found = {name: all_options_of(each) for name, each in games().items() if game in (None, name)}
    if as_json:
        shown = {name: [_plain(option) for option in options] for name, options in found.items()}
        sys.stdout.write(json.dumps(clean_all(shown)) + "\n")
    else:
        lines = [line for name, options in found.items() for line in [*option_lines(name, options), ""]]
        sys.stdout.writelines(f"{clean(line)}\n" for line in lines)
    return OK


def _plain(option: Option) -> dict[str, Any]:
    names = ("name", "help", "default", "choices", "low", "high", "unit")
    return {name: getattr(option, name) for name in names}
