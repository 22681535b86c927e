"""Room creation: check what a client asks of a new room, or of one that is to change, and return the record of it.

Codes of rooms are drawn, and the taken ones kept in memory that does not grow with the number of rooms.

Describe games for clients that do not have their code: seats, options, words, and layout.

An option has its name, its help (``means``), its limits as far as known (``allowed``, or ``low`` and ``high``), and its
default (``usual``). ``then`` maps each of its values to the other defaults, seats included, that this value changes.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import attrs
from msgspec import to_builtins

from parlour_games.fair import Fair
from parlour_games.game import BadOptions
from parlour_games.options import Option, check, options_of
from parlour_games.registry import AnyGame, broken_games
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Clock, Configure, Create, Deal, Plain, Presets
from parlour_protocol.phrases import language_of, table
from parlour_protocol.wire import strict
from parlour_server.rooms.records import Changed, RoomOpened, deal_nonces

LETTERS = "CDFGHJKMNPQRTVWX34679"
"""The letters of room codes: no vowels, none that look or sound alike."""
LISTED, PRIVATE = 4, 8
"""The length of the codes of listed and of private rooms."""
TRIES = 64
"""Taken codes drawn in a row after which a new code gets one letter more."""

_DIGITS = {letter: digit for digit, letter in enumerate(LETTERS)}


def new_code(private: bool, used: Container[str], entropy: Callable[[int], bytes]) -> str:
    """Return a code that is not ``used``, one letter longer where nearly all of the usual length are."""
    length, tries = PRIVATE if private else LISTED, 0
    while True:
        # 252 is the largest multiple of the 21 letters in a byte: bytes above it would favour the first letters
        fair = [byte for byte in entropy(4 * length) if byte < 252]
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in fair[:length])
        if len(code) == length and code not in used:
            return code
        tries += 1
        length += tries % TRIES == 0


def is_code(text: str) -> bool:
    """Whether ``text`` can be a room's code."""
    return LISTED <= len(text) <= PRIVATE and set(text) <= set(LETTERS)


class UsedCodes:
    """The codes that cannot be given to a new room: one bit for each code of a listed room, 24 KB in all.

    Longer codes are only counted: a collision is improbable. The store refuses it, and the client asks again.
    """

    def __init__(self) -> None:
        self._bits = bytearray(-(-(len(LETTERS) ** LISTED) // 8))
        self._longer = 0

    def __len__(self) -> int:
        return int.from_bytes(self._bits).bit_count() + self._longer

    def __contains__(self, code: object) -> bool:
        number = _number(code)
        return number is not None and bool(self._bits[number // 8] >> number % 8 & 1)

    def add(self, code: str) -> None:
        """Mark the code of a new room as taken."""
        self.update([code])
        self._longer += len(code) > LISTED

    def update(self, codes: Iterable[str]) -> None:
        """Mark those of ``codes`` that listed rooms have as taken."""
        for number in map(_number, codes):
            if number is not None:
                self._bits[number // 8] |= 1 << number % 8

    def restore(self, codes: Iterable[str], count: int) -> None:
        """Mark ``codes`` as taken. ``count``: of how many rooms in all they are."""
        self.update(codes)
        self._longer = max(0, count - len(self))

    def difference_update(self, codes: Iterable[str]) -> None:
        """Mark ``codes`` as free: nothing is stored under them any more."""
        for code in codes:
            number = _number(code)
            if number is not None:
                self._bits[number // 8] &= ~(1 << number % 8)
            elif len(code) > LISTED and self._longer:
                self._longer -= 1


def _number(code: object) -> int | None:
    """Return the index of a listed room's code among all such codes, from 0; None for anything else."""
    if not isinstance(code, str) or len(code) != LISTED or not _DIGITS.keys() >= set(code):
        return None
    number = 0
    for letter in code:
        number = number * len(LETTERS) + _DIGITS[letter]
    return number


USUAL_SEATS = 4
_ASK_ADMIN = "the log of the server says why; ask its admin, or play another game"
MAX_BANK = MAX_ADD = 1_209_600_000
"""Two weeks: 25 days would be beyond the timers of browsers."""
_SECRET, _CONTEXT = re.compile(r"[0-9a-f]{64}"), re.compile(r"[A-Za-z0-9/._-]{1,64}")


def game_of(name: str | None, games: Mapping[str, AnyGame]) -> AnyGame:
    """Return the game of this name among ``games``, those of this server. Raises Denied ``no_game``."""
    name = name or ""
    if name in games:
        return games[name]
    if name in broken_games():
        raise Denied("no_game", f"the game {name} is installed here, but cannot be loaded", hint=_ASK_ADMIN)
    raise Denied("no_game", f"there is no game {name[:32]!a} here; choose from {', '.join(sorted(games))}")


def opened(
    create: Create,
    game: AnyGame,
    code: str,
    master: bytes,
    *,
    kept: bool = False,
    daily: str | None = None,
    seat_code: str | None = None,
) -> RoomOpened:
    """Return the first record of the room that ``create`` asks for. Raises Denied ``bad_options``."""
    options, deal = _options(create, game), _deal(create.deal)
    seats = _seats(create, game, options)
    if deal is not None:
        nonces = [bytes.fromhex(nonce) for nonce in deal_nonces(deal, seats)]
        options = game.with_fixed_deal(options, Fair(bytes.fromhex(deal["secret"]), deal["context"], nonces).deal(1))
    return RoomOpened(
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
        deal=deal,
        daily=daily,
        kept=kept,
        pace=create.pace,
        delay=create.delay,
        seat_code=seat_code,
        casual=not create.rated or None,
    )


def changed(configure: Configure | Presets, game: AnyGame, now: int) -> Changed:
    """Return the record of the change that ``configure`` asks for, or a preset saves. Raises Denied ``bad_options``."""
    options = _options(configure, game)
    return Changed(now, attrs.asdict(options), _seats(configure, game, options), _clock(configure.clock))


def _seats(asked: Create | Configure | Presets, game: AnyGame, options: Any) -> int:
    least, most = game.seats(options)
    seats = max(least, min(USUAL_SEATS, most)) if asked.seats is None else asked.seats
    if not least <= seats <= most:
        have = str(least) if least == most else f"{least} to {most}"
        reason = f"seats: a {game.name} room with these options has {have}, not {seats}"
        raise denied(BadOptions(reason, "seats", least=least, most=most, seats=seats))
    return seats


def _options(asked: Create | Configure | Presets, game: AnyGame) -> Any:
    try:
        check(game.Options, asked.options or {})
        return strict(game.Options)(asked.options or {})
    except (BadOptions, BadMessage) as error:
        raise denied(error) from None


def denied(error: Exception) -> Denied:
    """Return the refusal ``bad_options`` for ``error``, with the phrase of a BadOptions."""
    bad = BadOptions.of(error)
    return Denied("bad_options", str(bad), **({"phrase": bad.phrase, "fields": bad.fields} if bad.phrase else {}))


def _deal(deal: Deal | None) -> Deal | None:
    if deal is None:
        return None
    hexes = [deal["secret"], *filter(None, deal["nonces"])]
    if (drawn := deal.get("beacon")) is not None:
        hexes += [drawn["chain"], drawn.get("randomness", "")]
    if not (all(map(_SECRET.fullmatch, hexes)) and _CONTEXT.fullmatch(deal["context"])):
        raise Denied(
            "bad_options",
            "deal: secret, nonces, and chain and randomness of a beacon must be 64 lowercase hex digits; a nonce may"
            " be empty; context must be 1 to 64 of A–Z a–z 0–9 / . _ -",
        )
    return deal


def _clock(clock: Clock | None) -> Clock | None:
    if clock is None:
        return None
    bank, add, cap = clock["bank"], clock["add"], clock.get("cap", MAX_BANK)
    if not (0 <= bank <= cap <= MAX_BANK and 0 <= add <= MAX_ADD and min(bank + add, cap) > 0):
        limits = f"bank must be 0 to {MAX_BANK} ms and add 0 to {MAX_ADD} ms, not both 0"
        reason = f"clock: {limits}; cap, if any, must be bank or more"
        raise denied(BadOptions(reason, "clock", days=MAX_BANK // 86_400_000))
    return clock


def words(game: AnyGame, locale: str) -> dict[str, str]:
    """Return the phrases of ``game`` by key, in the language of ``locale``, else in the first one."""
    return _words(game, language_of(locale))


@cache
def _words(game: AnyGame, language: str) -> dict[str, str]:
    return table(game.phrases, language) if game.phrases else {}


def layout(game: AnyGame) -> Plain:
    """Return the layout of a view of ``game`` by field, as plain data."""
    found: Plain = to_builtins(dict(game.layout))
    return found


@cache
def form(game: AnyGame) -> Plain:
    """Return the ``seats`` (least, usual, most) and the ``options`` of ``game``."""
    usual = _usual(game, {})
    return {"seats": usual["seats"], "options": [_option(game, option, usual) for option in options_of(game)]}


def _option(game: AnyGame, option: Option, usual: Plain) -> Plain:
    field: Plain = {"name": option.name, "means": option.help, "usual": option.default}
    if option.choices:
        return {**field, "allowed": option.choices, "then": dict(_consequences(game, option, usual))}
    limits = {"low": option.low, "high": option.high}
    return {**field, **{name: limit for name, limit in limits.items() if limit is not None}}


def _consequences(game: AnyGame, option: Option, usual: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield each value of ``option`` that is valid alone, with the other defaults that it changes."""
    for value in option.choices:
        try:
            then = _usual(game, {option.name: value})
        except (TypeError, ValueError):  # BadOptions, or what a foreign validator raises
            continue
        others = {name: then[name] for name in then if name != option.name and then[name] != usual[name]}
        if others:
            yield str(value), others


def _usual(game: AnyGame, chosen: Plain) -> Plain:
    options = game.Options(**chosen)
    least, most = game.seats(options)
    return {**attrs.asdict(options), "seats": (least, max(least, min(USUAL_SEATS, most)), most)}
