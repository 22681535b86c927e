"""Opening rooms: codes, and what a room may be asked to be."""

from collections.abc import Callable, Container
from typing import Any

import attrs

from parlour_games.game import BadOptions
from parlour_games.registry import AnyGame
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Clock, Create
from parlour_protocol.wire import strict
from parlour_server.rooms.records import Opened

LETTERS = "CDFGHJKMNPQRTVWX34679"
"""The letters of room codes: no vowels, none that look or sound alike."""
LISTED, PRIVATE = 4, 8
"""How many letters the codes of listed and of private rooms have."""
USUAL_SEATS = 4
MAX_BANK, MAX_ADD = 86_400_000, 3_600_000


def new_code(private: bool, known: Container[str], entropy: Callable[[int], bytes]) -> str:
    """Return a code that no known room has."""
    length = PRIVATE if private else LISTED
    while True:
        # 252 is the largest multiple of the 21 letters in a byte: bytes above it would favour the first letters
        fair = [byte for byte in entropy(4 * length) if byte < 252]
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in fair[:length])
        if len(code) == length and code not in known:
            return code


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
    )


def _options(create: Create, game: AnyGame) -> Any:
    try:
        return strict(game.Options)(create.options or {})
    except (BadOptions, BadMessage) as error:
        raise Denied("bad_options", str(error)) from None


def _clock(clock: Clock | None) -> Clock | None:
    if clock and not (0 <= clock["bank"] <= MAX_BANK and 0 <= clock["add"] <= MAX_ADD and sum(clock.values()) > 0):  # type: ignore[arg-type]
        raise Denied("bad_options", f"clock: bank is 0 to {MAX_BANK} ms and add 0 to {MAX_ADD} ms, not both 0")
    return clock
