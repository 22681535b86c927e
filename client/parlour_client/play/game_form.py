"""Games as forms: their options, what chosen ones result in, and how many may play; and the draft of a room.

A form comes from a game that is installed here, or from the description of a server.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from parlour_client.core import queries
from parlour_client.core.connection import Connection
from parlour_client.core.errors import Refused, Usage
from parlour_client.core.options import checked, clock_or_none, rules_in
from parlour_client.core.phrases import not_playable, phrases
from parlour_client.core.printing import clean_all
from parlour_client.core.room import JoinedRoom
from parlour_client.text.shapes import learn_layout
from parlour_games.game import BadOptions
from parlour_games.options import Option, options_of
from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import DEFAULT_CLOCK, Clock, Configure, Describe, Described, Plain, PresetRow
from parlour_protocol.wire import ABILITIES

_MOST_SEATS = 1_000
_LIMITS = ("low", "high")


@attrs.frozen
class Rules:
    """All options in force, and how many may play by them."""

    options: Mapping[str, Any]
    least: int
    most: int


@attrs.frozen
class InstalledGame:
    """The form of a game that is installed here."""

    _game: AnyGame

    @property
    def options(self) -> Sequence[Option]:
        """The options."""
        return options_of(self._game)

    def rules(self, chosen: Plain) -> Rules:
        """Return the rules that ``chosen`` options result in. Raises BadOptions."""
        options = checked(self._game, chosen)
        return Rules(attrs.asdict(options), *self._game.seats(options))


@attrs.frozen
class DescribedGame:
    """The form of a game that only a server has."""

    options: Sequence[Option]
    _seats: tuple[int, int]
    _then: Mapping[str, Mapping[str, Plain]]
    """By option and value, the other defaults that it changes."""

    @classmethod
    def of(cls, described: Described) -> "DescribedGame":
        """Return the form of a description. Options that do not make sense are left out."""
        fields = [field for field in clean_all(described.options) if _makes_sense(field)]
        options = [
            Option(each["name"], each["means"], each["usual"], tuple(each.get("allowed", ())), *map(each.get, _LIMITS))
            for each in fields
        ]
        then = {field["name"]: field.get("then", {}) for field in fields}
        return cls(options, _seats(described.seats) or (1, 1), then)

    def rules(self, chosen: Plain) -> Rules:
        """Return the rules that ``chosen`` options result in. Raises BadOptions."""
        known = {option.name: option for option in self.options}
        for name, value in chosen.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOptions(f"{name} is not an option: choose from {names}", "unknown", name=name, choices=names)
            _check(known[name], value)
        usual: Plain = {option.name: option.default for option in self.options}
        for name, value in chosen.items():
            usual |= self._then[name].get(str(value), {})
        seats = _seats(usual.pop("seats", None)) or self._seats
        return Rules({**usual, **chosen}, *seats)


GameForm: TypeAlias = InstalledGame | DescribedGame
"""The form of a game."""
CLOCKS: dict[str, Clock | None] = {
    "usual": DEFAULT_CLOCK,
    "quick": {"bank": 20_000, "add": 5_000},
    "slow": {"bank": 300_000, "add": 60_000},
    "day": {"bank": 86_400_000, "add": 86_400_000, "cap": 86_400_000},
    "none": None,
}
"""The clocks on offer, by name."""
OWN_CLOCK = "own"
"""The name of a clock that is not on offer."""


class RoomDraft:
    """The game, the settings and the options of a room as far as they are chosen, and what is wrong with them."""

    def __init__(self, forms: Mapping[str, GameForm], game: str) -> None:
        """``forms``: by the name of the game."""
        self.forms = dict(forms)
        self.settings: Plain = {}
        """By their names in ``create``, without seats. A clock has its name."""
        self.own_clock: Clock | None = DEFAULT_CLOCK
        """The clock beside those on offer: of the room, or of a preset."""
        self.troubles: dict[str, str] = {}
        """Why values are invalid, by setting or option; "" for what concerns none."""
        self.begin(game)

    def begin(self, game: str) -> None:
        """Choose another game."""
        self.game = game
        self.seats: int | None = None
        self.chosen: Plain = {}
        """The options that are set here."""
        self.file = ""
        """The path of a file with options, if one is named."""
        self.filed: Plain = {}
        """The options of the file."""

    @property
    def form(self) -> GameForm:
        """The form of the game."""
        return self.forms[self.game]

    @property
    def options(self) -> Plain:
        """The options: those of the file, overridden by those set here."""
        return {**self.filed, **self.chosen}

    @property
    def clock(self) -> Clock | None:
        """The chosen clock."""
        name = self.settings.get("clock", "usual")
        return self.own_clock if name == OWN_CLOCK else CLOCKS[name]

    @clock.setter
    def clock(self, clock: Clock | None) -> None:
        self.own_clock = clock
        self.settings["clock"] = next((name for name, each in CLOCKS.items() if each == clock), OWN_CLOCK)

    def use(self, preset: PresetRow) -> None:
        """Choose the rules of a preset."""
        self.file, self.filed = "", {}
        self.chosen = fewest(self.form, preset["options"])
        self.seats, self.clock = preset["seats"], preset["clock"]

    def choose(self, name: str, value: Any) -> None:
        """Set an option of the game, unless it has that value anyway."""
        rest = {other: given for other, given in self.chosen.items() if other != name}
        try:
            same = self.form.rules({**self.filed, **rest}).options[name] == value
        except BadOptions:
            same = False
        self.chosen = rest if same else {**rest, name: value}

    def read_file(self) -> None:
        """Read the file of options, if one is named."""
        self.filed = {}
        if self.file.strip():
            try:
                self.filed = rules_in(Path(self.file.strip()).expanduser())
            except Usage as wrong:
                self.troubles["file"] = str(wrong)

    def rules(self) -> Rules:
        """Return the rules in force. Invalid options are left out and reported."""
        options = self.options
        for _ in range(len(options) + 1):
            try:
                return self.form.rules(options)
            except BadOptions as error:
                blamed = self.blame(str(error), not_playable(error, self.game))
                options = {name: value for name, value in options.items() if name != blamed} if blamed else {}
        return self.form.rules({})

    def blame(self, words: str, shown: str | None = None) -> str | None:
        """Report a refusal as the trouble of what its ``words`` name, as ``shown``. Returns it if it is an option."""
        told, options = re.findall(r"\w+", words), self.options
        known = [*(option.name for option in self.form.options), "seats", "clock", "kinds"]
        named = [name for name in (*options, *known) if name in told]
        blamed = next((name for name in named if name in options), next(iter(named), None))
        field = blamed if blamed in known else "file" if blamed in self.filed else ""
        self.troubles.setdefault(field or "", shown or words)
        return blamed


def fewest(form: GameForm, options: Plain) -> Plain:
    """Return the fewest options, in the order of the form, that result in ``options``."""
    chosen: Plain = {}
    try:
        for option in form.options:
            value = options.get(option.name, option.default)
            if form.rules(chosen).options[option.name] != value:
                chosen[option.name] = value
        same = all(value == options.get(name, value) for name, value in form.rules(chosen).options.items())
    except BadOptions:  # some options only make sense together
        same = False
    return chosen if same else options


def reconfigured(room: JoinedRoom, words: Plain) -> Configure:
    """Return what changes the options, ``seats`` and ``clock`` (BANK+ADD or none) of a room as named. Raises Usage."""
    table = room.table
    options, seats, clock = table["options"], table.get("size"), table.get("clock", DEFAULT_CLOCK)
    if room.game in games():
        options = fewest(InstalledGame(games()[room.game]), options)
    rest = dict(words)
    seats = rest.pop("seats", seats)
    if "clock" in rest:
        clock = clock_or_none(str(rest.pop("clock")))
    return Configure(room.code, {**options, **rest}, seats, clock)


async def form_of(server: str, game: str) -> GameForm:
    """Return the form of a game: as it is installed here, or else as ``server`` describes it. Raises Fault."""
    if game in games():
        return InstalledGame(games()[game])
    async with queries.visiting(server) as connection:
        return DescribedGame.of(await described(connection, game))


async def forms(server: str) -> dict[str, GameForm]:
    """Return the forms of the games of ``server`` by name, and learn the words of those not installed. Raises Fault."""
    found: dict[str, GameForm] = {}
    async with queries.visiting(server) as connection:
        for name in connection.can:
            if name in games():
                found[name] = InstalledGame(games()[name])
            elif "describe" in connection.can and name not in ABILITIES:
                try:
                    found[name] = DescribedGame.of(await described(connection, name))
                except Refused:
                    continue  # an ability of a later version
    return found


async def described(connection: Connection, game: str) -> Described:
    """Return the server's description of a game, and learn its words and layout. Raises Refused, Interrupted."""
    found = await queries.ask(connection, Describe(game, phrases.language))
    learn(found)
    return found


def learn(found: Described) -> None:
    """Learn the words and the layout of a game from its description."""
    phrases.learn(found.game, found.words)
    learn_layout(found.game, found.layout)


def _makes_sense(field: Plain) -> bool:
    numbers = (field.get("low", 0), field.get("high", 0))
    return (
        isinstance(field.get("name"), str)
        and isinstance(field.get("means"), str)
        and isinstance(field.get("usual"), (str, int))
        and isinstance(field.get("allowed", []), list)
        and all(isinstance(then, dict) for then in field.get("then", {}).values())
        and all(isinstance(number, int) for number in numbers)
    )


def _seats(described: Any) -> tuple[int, int] | None:
    """Return the minimum and maximum of seats in a description, if it makes sense."""
    match described:
        case [int(least), int(), int(most)] if 0 < least <= most < _MOST_SEATS:
            return least, most
    return None


def _check(option: Option, value: Any) -> None:
    """Raise BadOptions if ``value`` is outside of the limits of ``option``."""
    if option.choices:
        if value not in option.choices:
            allowed = ", ".join(str(choice).lower() for choice in option.choices)
            said = {"name": option.name, "choices": allowed, "value": repr(value)}
            raise BadOptions("{name} must be one of {choices}, not {value}".format(**said), "one_of", **said)
    elif type(value) is not type(option.default):
        raise BadOptions(f"{option.name} must be like {option.default!r}, not {value!r}")
    elif isinstance(value, int):
        low, high = option.low, option.high
        if (low is not None and value < low) or (high is not None and value > high):
            limits: Plain = {"name": option.name, "low": low, "high": high, "value": value}
            reason = "{name} must be a whole number from {low} to {high}, not {value}".format(**limits)
            raise BadOptions(reason, "whole", **limits)
