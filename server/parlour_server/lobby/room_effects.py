"""What a room's effects mean for its node: rooms know people and room time, a node connections and its own time."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from parlour_protocol.messages import Joined, Left
from parlour_server import effects, persistence
from parlour_server.contests import director
from parlour_server.directory.bot_pool import free_bot
from parlour_server.directory.identities import DELETED
from parlour_server.rooms.effects import Compute, RoomClosed, SeatOwned, Send, StandInWanted, WakeAt

if TYPE_CHECKING:
    from parlour_server.lobby.lobby import Live, Lobby


def follow(lobby: "Lobby", live: "Live", at: int) -> None:
    """Take the effects of a room, and have done what follows from them. ``at``: the room's time."""
    room = live.room
    seats = []
    for effect in room.take(at):
        if type(effect) is StandInWanted:
            seats.append(effect.seat)
        else:
            _FOLLOW[type(effect)](lobby, live, at, effect)
    if room.state.config.contest is not None and room.state.state == "finished":
        room.close(at, "expired")  # its players have other tables to go to
        follow(lobby, live, at)
        director.arrange(lobby, at + live.base)
    for seat in seats:  # what follows from a bot's coming is made behind all this, and has to leave behind it
        _send_bot(lobby, live, at, seat)


def _pass_on(lobby: "Lobby", live: "Live", at: int, effect: persistence.Append | Compute) -> None:
    lobby.want(effect)


def _send(lobby: "Lobby", live: "Live", at: int, effect: Send) -> None:
    message, code = effect.message, live.room.code
    if type(message) is Joined:
        lobby.rooms_of(effect.to[0]).add(code)
    elif type(message) is Left:
        lobby.inside.get(effect.to[0], set()).discard(code)
    conns = lobby.conns(effect.to, code)
    if conns:
        lobby.want(effects.Post(conns, message))


def _wake_at(lobby: "Lobby", live: "Live", at: int, effect: WakeAt) -> None:
    lobby.want(effects.Wake(live.room.code, None if effect.at is None else effect.at + live.base))


def _send_bot(lobby: "Lobby", live: "Live", at: int, number: int) -> None:
    """Let a house bot stand in at seat ``number``, if it is still wanted and one is free."""
    room = live.room
    seat = room.state.seats[number]
    if room.match is None or seat is None or not room.unattended(seat):
        return
    bot = free_bot(lobby, room, house=True)
    if bot is not None:
        room.stand_in(at, number, bot)
        follow(lobby, live, at)


def _member(lobby: "Lobby", live: "Live", at: int, effect: SeatOwned) -> None:
    lobby.seat(effect.who, live.room.code, effect.seated)
    lobby.want(persistence.SaveSeat(live.room.code, effect.who, effect.seated))


def _finished(lobby: "Lobby", live: "Live", at: int, effect: persistence.MatchFinished) -> None:
    gone = {row.who for row in effect.rows if row.who not in lobby.identities}
    if gone and not lobby.abroad.shared:  # of several nodes only their store knows who was deleted
        rows = tuple(attrs.evolve(row, who="", name=DELETED) if row.who in gone else row for row in effect.rows)
        effect = attrs.evolve(effect, rows=rows)
    lobby.want(persistence.SaveMatch(live.room.code, effect))
    if live.room.state.config.contest is not None:
        director.finished(lobby, live.room, effect)


def _shut(lobby: "Lobby", live: "Live", at: int, effect: RoomClosed) -> None:
    code = live.room.code
    lobby.rooms.pop(code, None)
    if live.room.state.config.contest is not None:
        director.shut(lobby, live.room)
    lobby.want(persistence.SaveRoom(code, live.room.state.epoch, False))
    lobby.want(effects.Wake(code, None))


_FOLLOW: dict[type, Callable[["Lobby", "Live", int, Any], None]] = {
    persistence.Append: _pass_on,
    Send: _send,
    WakeAt: _wake_at,
    Compute: _pass_on,
    SeatOwned: _member,
    persistence.MatchFinished: _finished,
    RoomClosed: _shut,
}
