"""Bots that may be invited: those that offer themselves here, and what is known of those that do so at other nodes."""

from typing import TYPE_CHECKING

import attrs

from parlour_protocol.messages import BotRow
from parlour_server.rooms.audience import Person
from parlour_server.rooms.room import Room

if TYPE_CHECKING:
    from parlour_server.lobby.lobby import Lobby


@attrs.define
class BotOffer:
    """A bot's consent to be invited."""

    games: tuple[str, ...]
    limit: int


@attrs.define
class Distant:
    """A bot that offers itself at another node. ``free``: for how many more rooms."""

    who: str
    name: str
    games: list[str]
    free: int
    ratings: dict[str, int] = attrs.field(factory=dict)


def busy(lobby: "Lobby", who: str) -> int:
    """Return in how many rooms ``who`` is, at whatever node."""
    return len(lobby.rooms_of(who) | lobby.seats.get(who, set()))


def free_bot(lobby: "Lobby", room: Room, *, name: str | None = None, house: bool = False) -> Person | None:
    """Return a bot that offers itself here and may be seated in ``room``: the least busy, or the one named."""
    candidates = []
    for who, offer in lobby.offers.items():
        identity, rooms = lobby.identities.get(who), busy(lobby, who)
        wanted = name is None or identity.name.lower() == name.lower()
        fits = room.state.config.game in offer.games and rooms < offer.limit and who not in room.audience.here
        if wanted and fits and room.state.seat_of(who) is None and (identity.house or not house):
            candidates.append((rooms, identity.name, who))
    if not candidates:
        return None
    return lobby.person(lobby.sessions[lobby.main[min(candidates)[2]]])


def distant_bot(lobby: "Lobby", room: Room, name: str | None) -> Person | None:
    """Return a bot that offers itself at another node and may be seated in ``room``, and count it as busier."""
    for bot in sorted(lobby.abroad.bots.values(), key=lambda bot: (-bot.free, bot.name)):
        wanted = name is None or bot.name.lower() == name.lower()
        fits = room.state.config.game in bot.games and bot.free > 0 and room.state.seat_of(bot.who) is None
        if wanted and fits:
            bot.free -= 1
            return Person(bot.who, bot.name, "bot")
    return None


def why_none(lobby: "Lobby", room: Room, name: str | None) -> str:
    """Return why no bot, or not the one named, can be seated in ``room``: no more than ``list`` tells."""
    game = room.state.config.game
    if name is None:
        return f"no bot that plays {game} is free"
    row = next((row for row in rows(lobby, None) if row["name"].lower() == name.lower()), None)
    if row is None:
        return f"no bot {name[:20]!a} has offered itself"
    if game not in row["games"]:
        return f"{row['name']} plays {', '.join(row['games']) or 'nothing'}, not {game}"
    return f"{row['name']} is in this room" if row["free"] else f"{row['name']} is in as many rooms as it wants to be"


def rows(lobby: "Lobby", game: str | None) -> list[BotRow]:
    """Return the rows of the lobby, by name; ``game``: whose ratings to show."""
    found = [_row(lobby, who, offer, game) for who, offer in lobby.offers.items()]
    for bot in lobby.abroad.bots.values():
        row: BotRow = {"name": bot.name, "games": bot.games, "free": bot.free}
        rating = bot.ratings.get(game or bot.games[0]) if bot.games else None
        found.append(row if rating is None else {**row, "rating": rating})
    return sorted(found, key=lambda row: row["name"])


def published(lobby: "Lobby") -> list[Distant]:
    """Return what other nodes are told of the bots here; those of the house serve their own node."""
    found = []
    for who, offer in lobby.offers.items():
        identity = lobby.identities.get(who)
        if not identity.house:
            free = max(0, offer.limit - busy(lobby, who))
            ratings = {game: lobby.ratings[who, game] for game in offer.games if (who, game) in lobby.ratings}
            found.append(Distant(who, identity.name, list(offer.games), free, ratings))
    return found


def _row(lobby: "Lobby", who: str, offer: BotOffer, game: str | None) -> BotRow:
    identity = lobby.identities.get(who)
    row: BotRow = {"name": identity.name, "games": list(offer.games), "free": max(0, offer.limit - busy(lobby, who))}
    if identity.house:
        row["house"] = True
    rating = lobby.ratings.get((who, game or offer.games[0])) if offer.games else None
    return row if rating is None else {**row, "rating": rating}
