"""``parlour replay``: show a match from its file."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli import frontend
from parlour_client.cli.params import Plain
from parlour_client.core.errors import OK
from parlour_client.core.sanitize import clean
from parlour_client.plain.replay import position, story
from parlour_client.replays.reader import read

_LONGEST = 2_000


def replay(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The game file; - is standard input.")],
    /,
    *,
    viewer: Annotated[str | None, Parameter("--as", help="A seat or a name. Default: a spectator.")] = None,
    at: Annotated[int | None, Parameter(help="Print only the position after this many acts.")] = None,
    plain: Plain = False,
) -> int:
    """Replay a match from its file, with the notes that bots left. A terminal shows it on the game screen.

    Examples:
    parlour replay uno-8f31c2a90b17.jsonl
    parlour replay uno-8f31c2a90b17.jsonl --plain | less
    parlour replay uno-8f31c2a90b17.jsonl --as anna
    parlour replay uno-8f31c2a90b17.jsonl --as 0 --at 20
    """
    if at is None and not plain and frontend.on_a_screen():
        from parlour_client.tui.app import replay as show  # line mode does without the screens

        return asyncio.run(show(file, viewer, frontend.continuing))
    found = read(file, viewer)
    lines = story(found) if at is None else position(found, at)
    sys.stdout.writelines(f"{clean(line, _LONGEST)}\n" for line in lines)
    return OK
