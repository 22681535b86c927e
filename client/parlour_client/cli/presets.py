"""``parlour rules`` and ``parlour presets``: the options of the games, and those that people save for each other."""

import asyncio
import json
import shlex
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_client.cli.params import GAMES, LOGIN, RULES, Json, Login, Server
from parlour_client.core import queries
from parlour_client.core.errors import OK, Usage
from parlour_client.core.options import clock_or_none, options_of, rules_of
from parlour_client.core.phrases import say
from parlour_client.core.printing import tell, tell_json
from parlour_client.core.url import DEFAULT_URL
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
    found = asyncio.run(queries.asked(server, Presets(game=game))).presets
    if as_json:
        tell_json({"server": server, "presets": found})
    else:
        tell([_line(row) for row in found] or [say("line.presets.none", server=server)])
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
    me: Login = LOGIN,
) -> int:
    """Save rules under a name, for all who play on the server. Your name needs a key: parlour identity

    Examples:
    parlour presets save "our friday" --option target=200 --option jump_in=true
    parlour presets save sprint --game minesweeper --rules race.toml --seats 2
    """
    options = {**(rules_of(rules, game) if rules else {}), **options_of(option or (), game)}
    ticking = DEFAULT_CLOCK if clock is None else clock_or_none(clock)
    me.ask(Presets("save", game, preset, options, seats, ticking))
    tell([say("line.preset.saved", name=preset, game=game, quoted=shlex.quote(preset))])
    return OK


def remove(
    preset: Annotated[str, Parameter(help="The name of the preset.")], /, *, game: Game = "uno", me: Login = LOGIN
) -> int:
    """Remove a preset that you have saved.

    Examples:
    parlour presets remove "our friday"
    """
    asyncio.run(queries.preset(me.server, game, preset))
    me.ask(Presets("remove", game, preset))
    tell([say("line.preset.removed", name=preset)])
    return OK


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
        tell_json({name: [_plain(option) for option in options] for name, options in found.items()})
    else:
        tell(line for name, options in found.items() for line in [*option_lines(name, options), ""])
    return OK


def _plain(option: Option) -> dict[str, Any]:
    names = ("name", "help", "default", "choices", "low", "high", "unit")
    return {name: getattr(option, name) for name in names}
