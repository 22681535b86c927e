"""Opening rooms: codes, what a room may be asked to be, and how many there may be."""

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any

import attrs

from parlour_games.game import BadOptions
from parlour_games.plural import counted
from parlour_games.registry import AnyGame
from parlour_protocol.errors import BadMessage, Denied, NotNow
from parlour_protocol.messages import Clock, Create
from parlour_protocol.wire import strict
from parlour_server.rooms.records import Opened

if TYPE_CHECKING:
    from parlour_server.directory.sessions import Session
    from parlour_server.lobby.lobby import Lobby

LETTERS = "CDFGHJKMNPQRTVWX34679"
"""The letters of room codes: no vowels, none that look or sound alike."""
LISTED, PRIVATE = 4, 8
"""How many letters the codes of listed and of private rooms have."""
TRIES = 64
"""So many codes that are taken say that it is time for longer ones."""
USUAL_SEATS = 4
MAX_BANK, MAX_ADD = 86_400_000, 3_600_000
ROOMS_PER_PERSON = 64
ROOMS = 10_000
FULL = 60_000
"""Milliseconds after which it is worth asking again where there are too many rooms."""


def no_game(lobby: "Lobby", name: str) -> Denied:
    """Return the refusal of a game that is not played here."""
    return Denied("no_game", f"there is no game {name[:32]!a} here; there is {', '.join(sorted(lobby.games))}")


def check_space(lobby: "Lobby", who: str) -> None:
    """Refuse to let ``who`` into one more room."""
    if len(lobby.rooms_of(who)) >= ROOMS_PER_PERSON:
        raise Denied("too_many_rooms", f"you are in {ROOMS_PER_PERSON} rooms")


def check_crowd(lobby: "Lobby", session: "Session") -> None:
    """Refuse one more room where the node is full, or has its fill of rooms from one address."""
    if len(lobby.rooms) + len(lobby.dormant) >= ROOMS:
        raise NotNow("busy", f"there are {ROOMS} rooms open", FULL)
    most = lobby.per_address
    if session.address is not None and most is not None and len(lobby.rooms) >= most:  # fewer need no counting
        opened = sum(live.opener == session.address for live in lobby.rooms.values())
        if opened >= most:
            told = counted(opened, "room was", "rooms were")
            raise NotNow("busy", f"{told} opened from your address and still open", FULL)


def new_code(private: bool, known: Container[str], entropy: Callable[[int], bytes]) -> str:
    """Return a code that no known room has: a letter longer where nearly all of the usual length are taken."""
    length, tries = PRIVATE if private else LISTED, 0
    while True:
        # 252 is the largest multiple of the 21 letters in a byte: bytes above it would favour the first letters
        fair = [byte for byte in entropy(4 * length) if byte < 252]
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in fair[:length])
        if len(code) == length and code not in known:
            return code
        tries += 1
        length += tries % TRIES == 0


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
    if clock is None:
        return None
    bank, add, cap = clock["bank"], clock["add"], clock.get("cap", MAX_BANK)
    if not (0 <= bank <= cap <= MAX_BANK and 0 <= add <= MAX_ADD and min(bank + add, cap) > 0):
        raise Denied(
            "bad_options",
            f"clock: bank is 0 to {MAX_BANK} ms and add 0 to {MAX_ADD} ms, not both 0; cap, if any, is bank or more",
        )
    return clock
