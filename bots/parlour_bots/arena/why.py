"""``parlour contest why``: the decisions that cost a bot most in the matches of a contest that it lost."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_bots.arena.losses import GAMES, LostGame, losses
from parlour_bots.tools import review
from parlour_client.cli.params import Json
from parlour_client.core.errors import OK, Fault, Usage, writing
from parlour_client.core.printing import folded_for
from parlour_protocol.installation import module_command

_MATCHES = ("parlour_client.cli.main", "matches")
_SHOWN = 12
"""Digits of a digest in the name of a file."""


def why(
    name: Annotated[str, Parameter(name="NAME", help="The contest.")],
    bot: Annotated[str, Parameter(name="BOT", help="The bot's name, in any letter case.")],
    /,
    *,
    folder: Annotated[Path, Parameter(help="The folder that keeps the match files.")] = Path("lost"),
    store: Annotated[str, Parameter(help="The store of the server. Default: that of parlour serve.")] = "",
    as_json: Json = False,
) -> int:
    """Name the decisions that cost a bot most in the matches of a contest that it lost.

    Run it on the machine of the server, also while that is running. The strongest house bot of the game judges.

    Examples:
    parlour contest why friday anna
    parlour contest why friday anna --folder friday-anna --json
    """
    where = ["--store", store] if store else []
    matches: list[dict[str, Any]] = json.loads(_said("--contest", name, "--limit", "0", "--json", *where))
    seats = [(match, _lost_seat(match, bot)) for match in reversed(matches)]
    lost = [
        LostGame(number, folder / f"{match['game']}-{match['digest'][:_SHOWN]}.jsonl", seat)
        for number, (match, seat) in enumerate(seats, start=1)
        if seat is not None
    ]
    if not lost:
        raise Usage(f"{bot} has lost no match of a contest {name} in this store. See: parlour contest results {name}")
    game = matches[0]["game"]
    if game not in review.JUDGES:
        raise Usage(f"no bot judges decisions of {game}, only of {', '.join(review.JUDGES)}")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for each in lost[:GAMES]:
        if not each.file.exists():
            _said("export", matches[-each.game]["digest"], "--to", str(each.file), *where)
    found = losses(game, bot, lost, 0, sys.stderr)
    data = json.dumps({"contest": name, **found.plain()})
    text = data if as_json else folded_for(sys.stdout, "\n".join(found.lines()))
    sys.stdout.write(f"{text}\n")
    return OK


def _lost_seat(match: dict[str, Any], bot: str) -> int | None:
    """Return the seat in which the bot lost a match; None if it did not play, or had a part of the win."""
    mine = [player for player in match["players"] if player["name"].casefold() == bot.casefold()]
    return mine[0]["seat"] if mine and match["rated"] and mine[0]["rank"] > 1 else None


def _said(*words: str) -> str:
    """Return what a verb of ``parlour matches`` prints. Raises Fault."""
    done = subprocess.run(module_command(*_MATCHES, *words), capture_output=True, check=False, text=True)
    if done.returncode != OK:
        raise Fault(done.stderr.strip().rpartition("\n")[2].removeprefix("parlour: "))
    return done.stdout
