"""``parlour continue``: play on from any act of a saved match."""

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_bots.errors import Mistake
from parlour_bots.hosting.continued import continued_room
from parlour_bots.hosting.practice import visit
from parlour_client.cli.frontend import on_a_screen


def continue_(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file.")],
    /,
    *,
    act: Annotated[int, Parameter(help="The number of the act that is to be decided again.")] = 1,
    viewer: Annotated[
        str | None, Parameter("--as", help="Your seat: its number or its player's name. Default: the first person's.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="A bot for the other seats: an installed one, FILE.py, easy, normal or hard. Repeatable."
            " Default: a mix.",
        ),
    ] = None,
    pace: Annotated[
        float | None,
        Parameter(help="Seconds a bot takes per card or click, on average. Default: as in parlour play."),
    ] = None,
    once: Annotated[bool, Parameter(negative="", help="Leave after the match.")] = False,
    plain: Annotated[bool, Parameter(negative="", help="Use line mode, the default without a terminal.")] = False,
) -> int:
    """Play on from any act of a finished match, against bots and without a clock. It does not count.

    The cards or mines are those of the match. parlour replay and parlour review show the numbers of its acts.

    Examples:
    parlour continue uno-8f31c2a90b17.jsonl --act 17
    parlour continue uno-8f31c2a90b17.jsonl --act 17 --as anna --bot hard
    """
    lines = plain or not on_a_screen()
    mistakes: list[Mistake] = []
    room = continued_room(file, act, viewer, bot or (), mistakes=mistakes, lines=lines, once=once, pace=pace)
    return asyncio.run(visit(room, mistakes, lines=lines))
