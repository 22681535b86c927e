"""``parlour review``: judge the decisions of a finished match."""

import json as encoding
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_bots.cli.bot import Json
from parlour_bots.tools import review as reviewing
from parlour_bots.tools.progress import ReviewProgress
from parlour_client.core.errors import OK
from parlour_client.text.uno.review import lines


def review(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file.")],
    /,
    *,
    viewer: Annotated[str | None, Parameter("--as", help="A seat or a name. Default: every person.")] = None,
    worlds: Annotated[int, Parameter(help="Worlds per decision: more are more exact, and slower.")] = reviewing.WORLDS,
    seed: Annotated[int, Parameter(help="The seed of the worlds.")] = 0,
    json: Json = False,
) -> int:
    """Review the decisions of a match of UNO: what the bot search would have done, and what the difference cost.

    A cost is a share of the chance to win the match, judged by what the player could see. Each round also shows
    luck: by how much the chance changed through cards and other players.

    Examples:
    parlour review uno-8f31c2a90b17.jsonl
    parlour review uno-8f31c2a90b17.jsonl --as anna --worlds 2000
    parlour review uno-8f31c2a90b17.jsonl --json | jq '.players[0].rounds'
    """
    replays = reviewing.replays(file, viewer)
    with ReviewProgress(sum(len(reviewing.decisions(each)) for each in replays), sys.stderr) as progress:
        found = [reviewing.review(each, worlds, seed, progress.step).plain() for each in replays]
    whole = {"game": reviewing.GAME, "worlds": worlds, "seed": seed, "players": found}
    text = encoding.dumps(whole) if json else "\n".join(lines(found))
    sys.stdout.write(f"{text}\n")
    return OK
