"""``parlour rules``, also ``parlour help rules``: the options of each game and their values."""

import json
import sys
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_client.cli.params import GAMES, Json
from parlour_client.core.errors import OK, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, clean_all
from parlour_client.text.options import option_lines
from parlour_games.options import Option, options_of
from parlour_games.registry import games


def rules(
    game: Annotated[str | None, Parameter(help="Only this game. Default: all that are installed."), GAMES] = None,
    /,
    *,
    as_json: Json = False,
) -> int:
    """List the options of each game: what they mean, and their values. Give one by --option NAME=VALUE.

    Examples:
    parlour help rules
    parlour rules uno
    parlour rules --json | jq -r '.minesweeper[].name'
    """
    if game is not None and game not in games():
        raise Usage(say("fault.no_game", said=ascii(game[:40]), games=", ".join(games())))
    found = {name: options_of(each) for name, each in games().items() if game in (None, name)}
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
