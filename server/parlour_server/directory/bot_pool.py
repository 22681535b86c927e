"""The bot pool: bots that wait to be invited, at this node and at others."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import attrs

from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import BotRow
from parlour_server.directory.identities import Identities, Ratings
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import Connections
from parlour_server.rooms.audience import Person
from parlour_server.rooms.room import Room

STARTING = 1_000
"""Milliseconds after which a client may ask again for a house bot that is still starting."""
BUSY = 10_000
"""Milliseconds after which a client may ask again for a bot that is in as many rooms as it wants."""

LONGEST_STYLE = 20
"""Characters."""
_NAMED = 8
"""The number of free bots that a refusal names."""


@attrs.frozen
class Availability:
    """What a connected bot can be invited to: ``games``, in at most ``limit`` rooms at a time.

    ``styles``: the ways in which it can play, its usual one first.
    """

    games: tuple[str, ...]
    limit: int
    styles: tuple[str, ...] = ()


@attrs.define
class RemoteBot:
    """A bot that is available at another node, in ``free`` more rooms."""

    who: str
    name: str
    games: list[str]
    free: int
    ratings: dict[str, int] = attrs.field(factory=dict)


@attrs.define(eq=False)
class BotPool:
    """The bots that can be invited."""

    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _ratings: Ratings
    available: dict[str, Availability] = attrs.field(factory=dict, init=False)
    remote: dict[str, RemoteBot] = attrs.field(factory=dict, init=False)
    _expected: set[str] = attrs.field(factory=set, init=False)
    """The names of the house bots that are being started."""

    def expect(self, name: str) -> str:
        """Return a ticket for the house bot of this name, which is being started."""
        self._expected.add(name)
        return self._identities.ticket(name)

    def offer(self, who: str, games: tuple[str, ...], limit: int, styles: tuple[str, ...] = ()) -> None:
        """Make a connected bot available in up to ``limit`` rooms; 0 withdraws it."""
        self._expected.discard(self._identities.get(who).name)
        if limit:
            self.available[who] = Availability(games, limit, styles)
        else:
            self.withdraw(who)

    def withdraw(self, who: str) -> None:
        """Make a bot unavailable."""
        self.available.pop(who, None)

    def places(self, who: str, game: str) -> int | None:
        """Return in how many more rooms a bot can play ``game``, at any node; None if it is not available for it."""
        offer, remote = self.available.get(who), self.remote.get(who)
        if offer is not None and game in offer.games:
            return offer.limit - self._rooms.busy(who)
        return remote.free if remote is not None and game in remote.games else None

    def free(
        self, room: Room, *, name: str | None = None, style: str | None = None, house: bool = False
    ) -> Person | None:
        """Return an available bot of this node that can sit in ``room``: the one named, or one that can play ``style``.

        Among several, those come first whose usual style is rarest in the room, then the least busy.
        """
        candidates = []
        there = Counter(seat.style for _, seat in room.state.seats.taken())
        for who, offer in self.available.items():
            identity, rooms = self._identities.get(who), self._rooms.busy(who)
            wanted = name is None or identity.name.lower() == name.lower()
            fits = room.state.config.game in offer.games and rooms < offer.limit and who not in room.audience.here
            able = style is None or style in offer.styles
            if wanted and fits and able and room.state.seats.of(who) is None and (identity.house or not house):
                alike = there[self.usual_style(who)] if offer.styles else 0
                candidates.append((alike, rooms, identity.name, who))
        return self.person(min(candidates)[-1]) if candidates else None

    def house_team(self, game: str, styles: Sequence[str | None]) -> list[Person]:
        """Return a free house bot for each of ``styles`` (None: any), the least busy ones. Raises Denied ``no_bot``."""
        team: list[Person] = []
        for style in styles:
            able = [
                (self._rooms.busy(who), self._identities.get(who).name, who)
                for who, offer in self.available.items()
                if game in offer.games and style in (None, *offer.styles) and self._identities.get(who).house
            ]
            free = [row for row in able if row[0] < self.available[row[2]].limit and self.person(row[2]) not in team]
            if not free:
                play = f"that play {game}" if style is None else f"that play in the style {style}"
                raise self._no_team(play, len(able) >= styles.count(style))
            team.append(self.person(min(free)[-1]))
        return team

    def usual_style(self, who: str) -> str | None:
        """Return the first style of an available bot of this node; None if it has none."""
        offer = self.available.get(who)
        return offer.styles[0] if offer is not None and offer.styles else None

    def person(self, who: str) -> Person:
        """Return an available bot of this node as rooms know it."""
        return self._connections.person(self._connections.sessions[self._connections.main[who]])

    def call_remote(self, room: Room, name: str | None) -> Person | None:
        """Return an available bot of another node that can sit in ``room``, and count it as busier."""
        for bot in sorted(self.remote.values(), key=lambda bot: (-bot.free, bot.name)):
            wanted = name is None or bot.name.lower() == name.lower()
            fits = room.state.config.game in bot.games and bot.free > 0 and room.state.seats.of(bot.who) is None
            if wanted and fits:
                bot.free -= 1
                return Person(bot.who, bot.name, "bot")
        return None

    def _no_team(self, able: str, busy: bool) -> Denied:
        """Return the refusal because too few house bots are ``able``; ``busy``: enough could if they were free."""
        if self._expected:
            return Denied("no_bot", "the bots of this server are still starting", **_again(STARTING))
        if busy:
            return Denied("no_bot", f"too many of the bots {able} are busy", **_again(BUSY))
        hint = "`list` shows the bots of this server and their styles"
        return Denied("no_bot", f"this server has too few bots of its own {able}", hint=hint)

    def none(self, room: Room, name: str | None, style: str | None = None) -> Denied:
        """Return the refusal because no bot, or not the one named, can sit in ``room`` and play ``style``."""
        if self._expected if name is None else name.lower() in self._expected:
            told = "the bots of this server are still starting"
            return Denied("no_bot", told, room=room.code, **_again(STARTING))
        rows = [row for row in self.rows(None) if room.state.config.game in row["games"]]
        inside = {seat.name for _, seat in room.state.seats.taken()}
        able = [row for row in rows if style is None or style in row.get("styles", ())]
        free = [row["name"] for row in able if row["free"] and row["name"] not in inside]
        if name is not None:
            rows = [row for row in rows if row["name"].lower() == name.lower()]
            able = [row for row in able if row in rows]
        outside = [row for row in able if row["name"] not in inside]
        later = BUSY if outside and not any(row["free"] for row in outside) else None
        if style is None or not rows:
            told = self._why_none(room, name)
        elif able and name is None:
            told = f"no bot that plays in the style {style[:LONGEST_STYLE]!a} is free"
        else:
            told = self._why_none(room, name) if able else _why_no_style(rows, name, style)
        return Denied("no_bot", told, room=room.code, **_again(later), why=", ".join(free[:_NAMED]) or None)

    def _why_none(self, room: Room, name: str | None) -> str:
        """Return why no bot can sit in ``room``. It reveals no more than ``list`` does."""
        game = room.state.config.game
        if name is None:
            return f"no bot that plays {game} is free"
        row = next((row for row in self.rows(None) if row["name"].lower() == name.lower()), None)
        if row is None:
            return f"no bot {name[:20]!a} is available"
        if game not in row["games"]:
            return f"{row['name']} plays {', '.join(row['games']) or 'nothing'}, not {game}"
        return f"{row['name']} is in this room" if row["free"] else f"{row['name']} is in as many rooms as it accepts"

    def rows(self, game: str | None) -> list[BotRow]:
        """Return the rows of all available bots, by name; ``game``: whose ratings to show."""
        found = [self._row(who, offer, game) for who, offer in self.available.items()]
        for bot in self.remote.values():
            row: BotRow = {"name": bot.name, "games": bot.games, "free": bot.free}
            rating = bot.ratings.get(game or bot.games[0]) if bot.games else None
            found.append(row if rating is None else {**row, "rating": rating})
        return sorted(found, key=lambda row: row["name"])

    def published(self) -> list[RemoteBot]:
        """Return what other nodes learn of the bots here. House bots serve their own node."""
        found = []
        for who, offer in self.available.items():
            identity = self._identities.get(who)
            if not identity.house:
                free = max(0, offer.limit - self._rooms.busy(who))
                ratings = {game: rating for game in offer.games if (rating := self._ratings.of(who, game)) is not None}
                found.append(RemoteBot(who, identity.name, list(offer.games), free, ratings))
        return found

    def _row(self, who: str, offer: Availability, game: str | None) -> BotRow:
        identity = self._identities.get(who)
        free = max(0, offer.limit - self._rooms.busy(who))
        row: BotRow = {"name": identity.name, "games": list(offer.games), "free": free}
        if identity.house:
            row["house"] = True
        if offer.styles:
            row["styles"] = list(offer.styles)
        rating = self._ratings.of(who, game or offer.games[0]) if offer.games else None
        return row if rating is None else {**row, "rating": rating}


def check_style(style: str, field: str) -> None:
    """Refuse an invalid name of a style. ``field``: where it was sent."""
    if not 0 < len(style) <= LONGEST_STYLE or not style.isascii() or not style.isprintable() or " " in style:
        allowed = f"1 to {LONGEST_STYLE} printable ASCII characters without spaces"
        raise BadMessage(f"{field} must be {allowed}, not {style[:40]!a}")


def _again(later: int | None) -> dict[str, Any]:
    """Return the fields that say in how many milliseconds to ask again, if that helps."""
    return {} if later is None else {"retry_after": later, "hint": f"try again in {later} ms"}


def _why_no_style(rows: list[BotRow], name: str | None, style: str) -> str:
    """Return why none of these bots, which are those called ``name`` if there is one, plays in ``style``."""
    known = dict.fromkeys(each for row in rows for each in row.get("styles", ()))
    who = "no bot plays" if name is None else f"{rows[0]['name']} does not play"
    if known:
        return f"{who} in the style {style[:LONGEST_STYLE]!a}, only in {', '.join(known)}"
    return f"{rows[0]['name'] if name else 'a bot here'} has no styles: invite it without one"
