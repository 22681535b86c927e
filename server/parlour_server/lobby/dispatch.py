"""Where clients' messages come in: one function each, exactly one answer each."""

from collections.abc import Callable
from typing import Any

from parlour_protocol import messages as m
from parlour_protocol.errors import Denied, Refusal
from parlour_protocol.messages import Plain
from parlour_protocol.wire import client_message, id_of, plain
from parlour_server import effects
from parlour_server.contests import director
from parlour_server.directory import bot_pool, room_creation
from parlour_server.directory.bot_pool import BotOffer
from parlour_server.directory.identities import check_text
from parlour_server.directory.sessions import STRIKES, WRONG_CODE, Session, cost
from parlour_server.effects import Effect
from parlour_server.lobby import admin, handoff
from parlour_server.lobby.hello import hello
from parlour_server.lobby.lobby import CLOSED_BY_POLICY, Lobby
from parlour_server.rooms import deleting
from parlour_server.rooms.seating import KINDS

PAGE = 100
"""Rows of a page of the lobby."""
_OF_A_ROOM = frozenset(
    kind.t for kind in (m.Act, m.Leave, m.Ready, m.Start, m.Chat, m.Invite, m.Manage, m.Join)
)  # fmt: skip
"""The types of messages that a room answers."""


def receive(lobby: Lobby, conn: int, data: Plain, now: int) -> list[Effect]:
    """Answer the map that came in a frame."""
    session = lobby.sessions[conn]
    if not session.gone:
        _arrived(lobby, session)
        free = _is_free(lobby, session, data)
        relayed = _is_relayed(session, data) if session.relayed else False
        try:
            if relayed and data.get("t") == m.Act.t:  # the room's own node knows what it costs
                session.acted(now)
            elif not free:
                session.pay(cost(data.get("t")), now)
            if relayed:
                lobby.want(effects.Forward(conn, data["room"].upper(), data))
            else:
                _serve(lobby, session, client_message(data), now)
        except Refusal as refusal:
            if free:
                session.fine(1, now)
            _refuse(lobby, session, refusal, data, now)
    return lobby.take()


def refuse(lobby: Lobby, conn: int, refusal: Refusal, now: int, data: Plain) -> list[Effect]:
    """Answer a frame that the node cannot take in: one that is no map (``data`` empty), or not just now."""
    session = lobby.sessions[conn]
    if not session.gone:
        _arrived(lobby, session)
        _refuse(lobby, session, refusal, data, now)
    return lobby.take()


def keep_room(lobby: Lobby, game: str, seats: int, now: int) -> tuple[str, list[Effect]]:
    """Open a room of the server's own, whose first guest becomes the host; return its code."""
    code = room_creation.new_code(False, lobby.used, lobby.entropy)
    wanted = m.Create(game, seats=seats)
    lobby.open(room_creation.opened(wanted, lobby.games[game], code, lobby.entropy(32), kept=True), now)
    return code, lobby.take()


def _serve(lobby: Lobby, session: Session, message: m.ClientMessage, now: int) -> None:
    if isinstance(message, m.Hello):
        hello(lobby, session, message, now)
    else:
        lobby.identity(session)
        if session.side is not None and not _serves_side(session.side, message):
            raise Denied("not_here", f"this socket is for room {session.side} alone: ask on your main one")
        _SERVE[type(message)](lobby, session, message, now)


def _serves_side(side: str, message: m.ClientMessage) -> bool:
    return isinstance(message, m.Ping) or (message.t in _OF_A_ROOM and getattr(message, "room", "").upper() == side)


def _is_relayed(session: Session, data: Plain) -> bool:
    """Whether a message is for another node to answer, where its room lives."""
    kind, room = data.get("t"), data.get("room")
    return isinstance(kind, str) and kind in _OF_A_ROOM and isinstance(room, str) and room.upper() in session.relayed


def _arrived(lobby: Lobby, session: Session) -> None:
    """A frame after hello proves that the new token has arrived."""
    if session.who is not None and not session.settled:
        session.settled = True
        identity = lobby.identity(session)
        if lobby.identities.settle(identity):
            lobby.want(identity.saved())


def _is_free(lobby: Lobby, session: Session, data: Plain) -> bool:
    """Whether this is an act under an open rid, which is taken in whatever the bucket holds."""
    room, rid = data.get("room"), data.get("rid")
    if data.get("t") != m.Act.t or not isinstance(room, str) or type(rid) is not int or session.who is None:
        return False
    live = lobby.rooms.get(room.upper())
    return live is not None and live.room.awaits(session.who, rid)


def _refuse(lobby: Lobby, session: Session, refusal: Refusal, data: Plain, now: int) -> None:
    error = dict(_echo(data), **refusal.extra)
    strikes = session.strike(now) if refusal.strikes else None
    lobby.post(session.conn, refusal.message(**{**error, "strikes": strikes}))
    if refusal.code == "no_room":
        session.fine(WRONG_CODE, now)
    if strikes and strikes[0] >= STRIKES:
        _struck(lobby, session, now)
        lobby.hang(session, "strikes", f"{STRIKES} breaches of the protocol", CLOSED_BY_POLICY)


def _struck(lobby: Lobby, session: Session, now: int) -> None:
    """Somebody is cut off for too many breaches: that costs the matches of contests in which it sits."""
    if session.who is not None and any(contest.awaits(session.who) for contest in lobby.contests.values()):
        name = lobby.identity(session).name
        lobby.want(effects.LogEvent("somebody is cut off", {"name": name, "breaches": STRIKES}))
        if session.side is None:
            lobby.offers.pop(session.who, None)
        director.throw_out(lobby, session.who, now)


def _echo(data: Plain) -> Plain:
    """Return what of a refused message goes back with the error, as far as it is what it should be."""
    room, rid = id_of({"id": data.get("room")}), id_of({"id": data.get("rid")})
    return {
        "re": id_of(data),
        "room": room if isinstance(room, str) else None,
        "rid": rid if isinstance(rid, int) else None,
    }


# --- the lobby -------------------------------------------------------------------------------------------


def _list(lobby: Lobby, session: Session, message: m.List, now: int) -> None:
    after = (message.after or "").upper()
    rows = {code: row for code, row in lobby.abroad.rows.items() if message.game in (None, row["game"])}
    here = {code: live for code, live in lobby.rooms.items() if handoff.listed(live, message.game)}
    found = sorted(code for code in rows.keys() | here.keys() if code > after)
    more = found[PAGE - 1] if len(found) > PAGE else None
    page = [handoff.row(here[code]) if code in here else rows[code] for code in found[:PAGE]]
    bots = bot_pool.rows(lobby, message.game)[:PAGE]
    lobby.post(session.conn, m.Rooms(page, bots, more, message.id))


def _create(lobby: Lobby, session: Session, message: m.Create, now: int) -> None:
    game = lobby.games.get(message.game)
    if game is None:
        raise room_creation.no_game(lobby, message.game)
    person = lobby.person(session)
    room_creation.check_space(lobby, person.who)
    room_creation.check_crowd(lobby, session)
    if message.as_ == "player" and person.kind not in KINDS[message.kinds]:
        raise Denied("wrong_kind", f"a room for {message.kinds} only; create it as a spectator")
    code = room_creation.new_code(message.private, lobby.used, lobby.entropy)
    record = room_creation.opened(message, game, code, lobby.entropy(32))
    lobby.open(record, now, session.address)
    with lobby.enter(code, now) as (room, at):
        room.join(at, person, message.as_, message.id)


def _join(lobby: Lobby, session: Session, message: m.Join, now: int) -> None:
    person = lobby.person(session)
    code = message.room.upper()
    if code not in lobby.rooms_of(person.who):
        room_creation.check_space(lobby, person.who)
    if handoff.is_elsewhere(lobby, code):
        handoff.send(lobby, session, code, plain(message))
        return
    with lobby.enter(code, now) as (room, at):
        room.join(at, person, message.as_, message.id)


def _offer(lobby: Lobby, session: Session, message: m.OfferBot, now: int) -> None:
    identity = lobby.identity(session)
    if identity.kind != "bot":
        raise Denied("wrong_kind", "only bots offer themselves; you said hello as a human", hint="`join` a room")
    unknown = [game for game in message.games if game not in lobby.games]
    if unknown:
        raise room_creation.no_game(lobby, unknown[0])
    if message.max:
        lobby.offers[identity.who] = BotOffer(tuple(message.games), message.max)
    else:
        lobby.offers.pop(identity.who, None)
    lobby.post(session.conn, m.Ok(re=message.id))
    if identity.house and message.max:
        _fill_in(lobby, session, now)
    director.arrange(lobby, now)


def _fill_in(lobby: Lobby, session: Session, now: int) -> None:
    """Let a house bot stand in where the default action does."""
    person = lobby.person(session)
    offer = lobby.offers[person.who]
    for code, live in list(lobby.rooms.items()):
        number = live.room.wants_bot(person.who)
        if number is None or live.room.state.config.game not in offer.games:
            continue
        if len(lobby.rooms_of(person.who)) >= offer.limit:
            return
        with lobby.enter(code, now) as (room, at):
            room.stand_in(at, number, person)


def _ping(lobby: Lobby, session: Session, message: m.Ping, now: int) -> None:
    lobby.post(session.conn, m.Pong(message.id))


def _standings(lobby: Lobby, session: Session, message: m.Standings, now: int) -> None:
    if message.contest is not None:
        page = director.standings(lobby, message.contest, message.after, message.cross, message.id, now)
        lobby.post(session.conn, page)
        return
    lobby.want(effects.FetchStandings(session.conn, message.id, message.game, message.after))


def _file(lobby: Lobby, session: Session, message: m.File, now: int) -> None:
    lobby.want(effects.FetchFile(session.conn, message.id, message.digest, max(0, message.after)))


# --- a room ------------------------------------------------------------------------------------------------


def _act(lobby: Lobby, session: Session, message: m.Act, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.act(at, lobby.person(session), message)
    session.acted(now)


def _leave(lobby: Lobby, session: Session, message: m.Leave, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.leave(at, lobby.identity(session).who, message.id)


def _ready(lobby: Lobby, session: Session, message: m.Ready, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.ready(at, lobby.person(session), message)


def _start(lobby: Lobby, session: Session, message: m.Start, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.start(at, lobby.person(session), message.id)


def _chat(lobby: Lobby, session: Session, message: m.Chat, now: int) -> None:
    check_text(message.text)
    if lobby.identity(session).muted:
        raise Denied("muted", "the operator has muted you on this server")
    with _inside(lobby, session, message.room, now) as (room, at):
        room.chat(at, lobby.person(session), message)


def _invite(lobby: Lobby, session: Session, message: m.Invite, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.require_host(lobby.person(session))
        here = bot_pool.free_bot(lobby, room, name=message.bot)
        bot = here or bot_pool.distant_bot(lobby, room, message.bot)
        if bot is None:
            raise Denied("no_bot", bot_pool.why_none(lobby, room, message.bot), room=room.code)
        number = room.sit(at, bot, message.seat, None, "invited" if here else None)
        if here is None:
            lobby.abroad.calls.add((room.code, bot.who))
        room.send(lobby.identity(session).who, m.Ok(re=message.id, room=room.code, seat=number))
        room.proceed(at)


def _manage(lobby: Lobby, session: Session, message: m.Manage, now: int) -> None:
    with _inside(lobby, session, message.room, now) as (room, at):
        room.manage(at, lobby.person(session), message)


def _inside(lobby: Lobby, session: Session, code: str, now: int) -> Any:
    """Enter a room that the client is in; whether others exist is not told."""
    code = code.upper()
    if code not in lobby.rooms_of(lobby.identity(session).who):
        raise Denied("not_here", f"you are not in room {code[:16]!a}")
    return lobby.enter(code, now)


_SERVE: dict[type, Callable[[Lobby, Session, Any, int], None]] = {
    m.List: _list,
    m.Create: _create,
    m.Join: _join,
    m.Act: _act,
    m.Leave: _leave,
    m.Ready: _ready,
    m.Start: _start,
    m.Chat: _chat,
    m.OfferBot: _offer,
    m.Invite: _invite,
    m.Manage: _manage,
    m.Standings: _standings,
    m.File: _file,
    m.Admin: admin.serve,
    m.Delete: deleting.serve,
    m.Ping: _ping,
}
