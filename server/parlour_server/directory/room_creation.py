"""Room creation: check what a client asks of a new room, and return the room's first record."""

from collections.abc import Iterable
from typing import Any

import attrs

from parlour_games.game import BadOptions
from parlour_games.registry import AnyGame, broken_games
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Clock, Create
from parlour_protocol.wire import strict
from parlour_server.rooms.records import Opened

USUAL_SEATS = 4
_ASK_ADMIN = "the log of the server says why; ask its admin, or play another game"
MAX_BANK, MAX_ADD = 86_400_000, 3_600_000


def no_game(name: str, games: Iterable[str]) -> Denied:
    """Return the refusal of a game that is not among ``games``, those of this server."""
    if name in broken_games():
        return Denied("no_game", f"the game {name} is installed here, but cannot be used", hint=_ASK_ADMIN)
    return Denied("no_game", f"there is no game {name[:32]!a} here; there is {', '.join(sorted(games))}")


def opened(create: Create, game: AnyGame, code: str, master: bytes, *, kept: bool = False) -> Opened:
    """Return the first record of the room that ``create`` asks for. Raises Denied ``bad_options``."""
    options = _options(create, game)
    least, most = game.seats(options)
    seats = max(least, min(USUAL_SEATS, most)) if create.seats is None else create.seats
    if not least <= seats <= most:
        have = str(least) if least == most else f"{least} to {most}"
        raise Denied("bad_options", f"seats: a {create.game} room with these options has {have}, not {seats}")
    return Opened(
        at=0,
        code=code,
        game=create.game,
        options=attrs.asdict(options),
        seats=seats,
        private=create.private,
        kinds=create.kinds,
        watch=create.watch,
        hints=create.hints,
        standin=create.standin,
        start=create.start,
        master=master.hex(),
        clock=_clock(create.clock),
        kept=kept,
        pace=create.pace,
    )


def _options(create: Create, game: AnyGame) -> Any:
    try:
        return strict(game.Options)(create.options or {})
    except (BadOptions, BadMessage) as error:
        raise Denied("bad_options", str(error)) from None


def _clock(clock: Clock | None) -> Clock | None:
    if clock is None:
        return None
    bank, add, cap = clock["bank"], clock["add"], clock.get("cap", MAX_BANK)
    if not (0 <= bank <= cap <= MAX_BANK and 0 <= add <= MAX_ADD and min(bank + add, cap) > 0):
        raise Denied(
            "bad_options",
            f"clock: bank is 0 to {MAX_BANK} ms and add 0 to {MAX_ADD} ms, not both 0; cap, if any, is bank or more",
        )
    return clock
