"""The lobby: everything that this node decides. No I/O and no clock.

The lobby knows connections by number and time as the node's milliseconds. Each verb returns the effects that the node
has to carry out. Randomness (codes, tokens, the rooms' secrets) comes from ``entropy``, which the node injects.
"""

from collections.abc import Callable, Sequence

from parlour_games.fair import Fair
from parlour_games.game import Job
from parlour_games.registry import AnyGame
from parlour_protocol.errors import GOING_AWAY, INTERNAL, POLICY, NotNow, Refusal
from parlour_protocol.messages import Act, Admin, ClientMessage, Hello, Plain, Request, Webhook
from parlour_protocol.wire import ABILITIES, CLIENT_MESSAGES, client_message, id_of, request_type
from parlour_server import persistence
from parlour_server.contests.director import Director, Entrants
from parlour_server.contests.matchmaker import LADDER, Matchmaker
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.guests import Guests, NewNames
from parlour_server.directory.identities import Identities, Ratings
from parlour_server.directory.peers import Peers
from parlour_server.directory.rooms import News, RoomDirectory, RoomFault, is_listed, row
from parlour_server.directory.sessions import STRIKES, WRONG_CODE, ClientSession, Connections, Handlers, weight
from parlour_server.directory.webhook_targets import CallRules
from parlour_server.effects import Ask, Effect, EndRelays, Forward, LogFault, Outbox, place
from parlour_server.lobby.admin import AdminDesk
from parlour_server.lobby.daily import DailyBoards, DailyRequests
from parlour_server.lobby.handoff import Handoff
from parlour_server.lobby.hello import Reception
from parlour_server.lobby.room_requests import Cast, ContinueRequests, RoomRequests
from parlour_server.lobby.server_requests import ServerRequests, WebhookRequests
from parlour_server.lobby.sync import Sync
from parlour_server.persistence import (
    Append,
    DropIdentity,
    MatchFinished,
    SaveContest,
    SaveIdentity,
    SavePairing,
    SaveRoom,
    SaveSeat,
)
from parlour_server.rooms.decisions import OpenDecision
from parlour_server.rooms.effects import Compute, RoomClosed, StandInWanted
from parlour_server.rooms.match import Randomness
from parlour_server.rooms.room import Room
from parlour_server.settings import ServerSettings


class Lobby:
    """Builds the services of a node and is their public interface. Each service owns its state."""

    def __init__(
        self,
        games: dict[str, AnyGame],
        entropy: Callable[[int], bytes],
        settings: ServerSettings = ServerSettings(),
        *,
        server: str = "parlour",
        admin: str | None = None,
        randomness: Randomness = Fair,
        wall: Callable[[], int] = lambda: 0,
    ) -> None:
        """``admin``: the admin token. ``wall``: milliseconds since 1970, for daily boards.

        Raises BadSettings.
        """
        self.games = games
        self.settings = settings
        self.outbox = outbox = Outbox()
        self.peers = peers = Peers()
        self.identities = identities = Identities(entropy, settings)
        self.connections = conns = Connections(outbox, identities, settings)

        def may_exist(who: str) -> bool:
            return peers.shared or who in identities

        self.ratings = ratings = Ratings(games, may_exist)
        self.rooms = rooms = RoomDirectory(games, outbox, conns, ratings.table, randomness, settings, may_exist)
        self.bots = bots = BotPool(identities, conns, rooms, ratings)
        entrants = Entrants(outbox, identities, bots)
        self.director = director = Director(
            games, entropy, outbox, identities, conns, rooms, bots, ratings, peers, entrants
        )
        self.matchmaker = Matchmaker(games, entropy, identities, conns, rooms, bots, ratings, director.awaits, settings)
        self.guests = guests = Guests(outbox, identities, conns, rooms, ratings, peers, director.awaits, settings, wall)
        self.names = names = NewNames(settings)
        self._daily = daily = DailyBoards(games.values(), wall)
        self.handoff = handoff = Handoff(entropy, outbox, identities, conns, rooms, peers)
        self.sync = Sync(identities, conns, rooms, bots, ratings, peers, director, handoff)
        self.admin = AdminDesk(admin, outbox, identities, conns, guests, rooms, bots, director)
        self.webhooks = webhooks = CallRules.of(settings)
        withheld = Webhook.abilities if webhooks is None else ()
        abilities = [*(each for each in ABILITIES if each not in withheld), *sorted(games)]
        reception = Reception(server, abilities, outbox, identities, conns, guests, names, rooms, bots, handoff)
        self.reception = reception
        asked_of_server = ServerRequests(games, outbox, conns, rooms, bots, peers, director)
        self._room_requests = asked_of_rooms = RoomRequests(games, entropy, outbox, conns, rooms, bots, peers, handoff)
        asked_daily = DailyRequests(entropy, outbox, conns, rooms, bots, daily)
        self.continuing = ContinueRequests(games, entropy, outbox, conns, rooms, bots)
        self._handlers: Handlers = (
            dict.fromkeys({*CLIENT_MESSAGES.values()} - {Act}, asked_of_server.ask)
            | asked_daily.handlers
            | self.continuing.handlers
            | WebhookRequests(webhooks, outbox, conns).handlers
            | reception.handlers
            | self.admin.handlers
            | asked_of_server.handlers
            | asked_of_rooms.handlers
        )

    # --- what is stored ----------------------------------------------------------------------------------------

    def restore(self, index: persistence.Index, now: int) -> None:
        """Take in the index of a store. Guests have as long to come back as after losing a connection."""
        unplayed = dict(index.unplayed)
        self.identities.complete = index.complete
        self._daily.restore(index.daily)
        for identity in index.identities:
            self.identities.load(identity)
            idle = unplayed.get(identity.who)
            if idle is not None:
                self.identities.unplayed.add(identity.who)
            self.guests.left(identity.who, now, idle or 0)
        for code, who in index.seats:
            self.rooms.set_seat(who, code, True)
        self.rooms.expect(index.open_rooms)
        self.rooms.used.restore(index.codes, index.rooms)
        self.ratings.changed(index.ratings)
        self.director.restore(index.contests, index.tables)

    def undo(self, lost: Sequence[Effect]) -> tuple[set[str], set[int]]:
        """Take back what could not be stored.

        Returns the rooms that are to be loaded again, and the connections of those inside them.
        """
        conns: set[int] = set()
        codes = {effect.room for effect in lost if isinstance(effect, Append)}
        for code in codes:
            conns |= self.rooms.discard(code)
        for effect in reversed(lost):
            if isinstance(effect, SaveSeat):
                self.rooms.set_seat(effect.who, effect.room, not effect.seated)
            elif isinstance(effect, SaveIdentity | DropIdentity):
                self._restore_identity(effect.who)
            elif isinstance(effect, SaveRoom) and effect.open:
                self.rooms.dormant.discard(effect.room)  # it was about to be opened
            elif isinstance(effect, SavePairing | SaveContest):
                self.director.undo(effect)
        return codes & self.rooms.dormant, conns

    def _restore_identity(self, who: str) -> None:
        self.identities.restore(who)
        if who in self.identities:
            self.director.rename(who, self.identities.get(who).name)

    # --- connections -------------------------------------------------------------------------------------------

    def connect(self, conn: int, now: int, address: str | None = None) -> list[Effect]:
        """A socket has opened."""
        self.connections.open(conn, now, address)
        if not self.peers.shared:
            self.guests.expire(now)
        return self.take()

    def missing(self, conn: int, data: Plain) -> list[str]:
        """Return the rooms that have to be loaded (``adopt``) before ``data`` can be received."""
        rooms, identities = self.rooms, self.identities
        if not rooms.dormant:
            return []
        wanted: set[str] = set()
        if isinstance(room := data.get("room"), str):
            wanted.add(room.upper())
        secrets = [secret for secret in (data.get("token"), data.get("key")) if isinstance(secret, str)]
        people = [identities.by_secret(secret) for secret in secrets]
        if isinstance(ticket := data.get("ticket"), str):
            people.append(identities.by_ticket(ticket))
        if data.get("t") == Admin.t and isinstance(name := data.get("name"), str):
            people.append(identities.by_name(name))
        for identity in filter(None, people):
            wanted |= rooms.seats_of(identity.who)
        return sorted(wanted & rooms.dormant)

    def game_of(self, code: str) -> str | None:
        """Return the game of a listed room that shows one: a match is being played there, or was."""
        if code not in self.rooms.loaded:
            listed = self.peers.rows.get(code)
        else:
            room = self.rooms.loaded[code].room
            listed = row(room) if is_listed(room) else None
        return listed["game"] if listed and listed["state"] != "waiting" else None

    def receive(self, conn: int, data: Plain, now: int) -> list[Effect]:
        """Answer the message in a received frame: charge for it, find its handler, and say why it is refused."""
        session = self.connections.sessions[conn]
        if session.gone:
            return []
        if not session.settled:
            self._confirm_token(session)
        try:
            self._answer(session, data, now)
        except RoomFault as fault:
            told = NotNow("internal", "the server failed in this room; nothing was changed", 1_000)
            self._refuse(session, told, data, now)
            self.rooms.recover(fault, now)
        except Refusal as refusal:
            self._refuse(session, refusal, data, now)
        except Exception as error:  # outside of rooms, too, a game may raise anything: its options, for example
            self.outbox.want(LogFault("", type(error).__name__, place(error), "refused"))
            told = NotNow("internal", "the server could not process this request; nothing was changed", 1_000)
            self._refuse(session, told, data, now)
            if session.who is None:
                self.connections.hang_up(session, "internal", "the server failed; reconnect", INTERNAL, 1_000)
        return self.take()

    def refuse(self, conn: int, refusal: Refusal, now: int, data: Plain) -> list[Effect]:
        """Refuse a frame that the node cannot take in: one that is no map (``data`` empty), or not just now."""
        session = self.connections.sessions[conn]
        if session.gone:
            return []
        if not session.settled:
            self._confirm_token(session)
        self._refuse(session, refusal, data, now)
        return self.take()

    def disconnect(self, conn: int, now: int) -> list[Effect]:
        """A socket has closed."""
        session = self.connections.close(conn)
        who = session.who
        if session.relayed:
            self.outbox.want(EndRelays(conn))
        if session.side is not None and who is not None:
            self.handoff.leave_side(who, session.side, conn, now)
        elif who is not None and self.connections.main.get(who) == conn:
            self._leave_main(who, now)
        return self.take()

    def _leave_main(self, who: str, now: int) -> None:
        """Detach an identity whose main connection has closed from the rooms that it served."""
        del self.connections.main[who]
        self.bots.withdraw(who)
        inside = self.rooms.inside[who]
        for code in sorted(inside & self.rooms.loaded.keys()):
            if (who, code) not in self.connections.sides:
                inside.discard(code)
                self.rooms.update(code, now, lambda room, at: room.seating.detach(at, who))
        if not inside:
            del self.rooms.inside[who]
        self.guests.left(who, now)

    def sweep(self, now: int) -> list[Effect]:
        """Close the connections that have not said hello in time, and let contests and ladders go on."""
        self.connections.hang_up_silent(now)
        self.director.arrange(now)
        self.matchmaker.arrange(now)
        return self.take()

    def drain(self, retry_after: int) -> list[Effect]:
        """Tell all clients that the server stops, and close their connections."""
        self.connections.draining = True
        for session in self.connections.sessions.values():
            msg = "the server is stopping; your seat is kept"
            self.connections.hang_up(session, "drain", msg, GOING_AWAY, retry_after)
        return self.take()

    # --- answering a message -----------------------------------------------------------------------------------

    def _answer(self, session: ClientSession, data: Plain, now: int) -> None:
        """Charge for a message and carry it out, or forward it to the node of its room, which knows what acts cost."""
        kind = request_type(data)
        relayed = bool(session.relayed) and session.relays(kind, data)
        decision = self.rooms.asked(session.who, data) if kind is Act else None
        if decision is not None or (relayed and kind is Act):
            session.acted(now, weight(data))
        else:
            session.pay(kind.cost if kind else Request.cost, now)
        if relayed:
            self.outbox.want(Forward(session.conn, data["room"].upper(), data))
            return
        try:
            self._carry_out(session, client_message(data), decision, now)
        except Refusal:
            if decision is not None:
                session.fine(1, now)
            raise

    def _carry_out(
        self, session: ClientSession, message: ClientMessage, decision: OpenDecision | None, now: int
    ) -> None:
        if type(message) is not Hello:
            who = session.who or self.connections.identity(session).who  # raises
            if session.side is not None:
                session.require_side(message)
            if type(message) is Act:
                self.rooms.play(who, message, decision, now)
                return
        self._handlers[type(message)](session, message, now)

    def _confirm_token(self, session: ClientSession) -> None:
        """Void the token before the last hello: a frame after it proves that the new one has arrived."""
        if session.who is not None:
            session.settled = True
            identity = self.connections.identity(session)
            if self.identities.settle(identity):
                self.outbox.want(identity.saved())

    def _refuse(self, session: ClientSession, refusal: Refusal, data: Plain, now: int) -> None:
        error = dict(_echo(data), **refusal.extra)
        strikes = session.strike(now) if refusal.strikes else None
        self.outbox.post(session.conn, refusal.message(**{**error, "strikes": strikes}))
        if refusal.code in ("no_room", "seat_code"):
            session.fine(WRONG_CODE, now)
        if strikes and strikes[0] >= STRIKES:
            self._strike_out(session, now)

    def _strike_out(self, session: ClientSession, now: int) -> None:
        """Cut a client off after too many breaches. It forfeits the matches of contests in which it sits."""
        who = session.who
        if who is not None and self.director.awaits(who):
            name = self.connections.identity(session).name
            self.outbox.log("somebody is cut off", name=name, breaches=STRIKES)
            if session.side is None:
                self.bots.withdraw(who)
            self.director.forfeit(who, now)
        self.connections.hang_up(session, "strikes", f"{STRIKES} breaches of the protocol", POLICY)

    # --- rooms -------------------------------------------------------------------------------------------------

    def keep_room(self, game: str, seats: int, now: int) -> tuple[str, list[Effect]]:
        """Open a room of the server's own, whose first player becomes the host; return its code."""
        return self._room_requests.keep(game, seats, now), self.take()

    def open_continued(self, asked: Ask, cast: Cast, room: Room, log: Sequence[str], now: int) -> list[Effect]:
        """Open the room, restored from ``log``, in which a finished match goes on. Raises Denied, NotNow."""
        self.continuing.open(asked.conn, asked.message.id, cast, room, log, now)
        return self.take()

    def adopt(self, code: str, epoch: int, room: Room, now: int) -> list[Effect]:
        """Load a dormant room that has been restored (``RoomDirectory.restoring``) from its stored lines."""
        self.rooms.adopt(code, epoch, room, now)
        self.handoff.attach_owners(code, now)
        return self.take()

    def cannot_load(self, code: str, epoch: int, lines: Sequence[str], error: Exception) -> list[Effect]:
        """Give up loading a room whose stored lines raise ``error``; it is closed, or stays stored."""
        closed = self.rooms.cannot_load(code, epoch, lines, error)
        if closed is not None and closed.contest not in (None, LADDER):
            self.director.closed(closed, ())
        return self.take()

    def wake(self, code: str, now: int) -> list[Effect]:
        """Let a room do what is due."""
        return self._update(code, now, lambda room, at: room.timers.wake(at))

    def retire(self, code: str, now: int) -> list[Effect]:
        """Close a room of the server's own."""
        return self._update(code, now, lambda room, at: room.playing.close(at, "expired"))

    def settle(self, work: Compute, result: Plain, now: int) -> list[Effect]:
        """Give a room the result of its computation."""
        job = Job(work.name, work.args)
        return self._update(work.room, now, lambda room, at: room.playing.settle(at, job, result))

    def give_up(self, work: Compute, now: int) -> list[Effect]:
        """Abort the match of a room whose computation has failed, because it would fail again."""

        def abort(room: Room, at: int) -> None:
            if room.match is not None and room.match.pending == Job(work.name, work.args):
                room.playing.abort(at, "aborted")

        return self._update(work.room, now, abort)

    def _update(self, code: str, now: int, do: Callable[[Room, int], object]) -> list[Effect]:
        if code in self.rooms.loaded:
            self.rooms.update(code, now, do)
        return self.take()

    # --- what follows ------------------------------------------------------------------------------------------

    def take(self) -> list[Effect]:
        """Handle the news from rooms until there is none, then return the effects and forget them."""
        while self.rooms.news:
            self._handle(self.rooms.news.popleft())
        return self.outbox.take()

    def _handle(self, news: News) -> None:
        room, contest = news.room, news.room.state.config.contest
        if isinstance(news.what, MatchFinished):
            self.identities.unplayed.difference_update(row.who for row in news.what.rows)
        match news.what:
            case MatchFinished() as finished if contest is not None:
                if contest != LADDER:
                    self.director.finished(room, finished)
                if room.code in self.rooms.loaded:  # its players have other pairings to play
                    self.rooms.update(room.code, news.now, lambda room, at: room.playing.close(at, "expired"))
            case RoomClosed() if contest not in (None, LADDER):
                left = [number for number, seat in enumerate(room.state.seats) if seat is None]
                self.director.closed(room.state.config, [*room.audience.absent, *left])
                self.director.arrange(news.now)
            case StandInWanted(seat) if room.code in self.rooms.loaded:
                self._send_stand_in(room, seat, news.now)

    def _send_stand_in(self, room: Room, number: int, now: int) -> None:
        """Let a house bot stand in at seat ``number``, if that is still wanted and one is free."""
        seat = room.state.seats[number]
        if room.match is None or seat is None or not room.seating.unattended(seat):
            return
        bot = self.bots.free(room, house=True)
        if bot is not None:
            self.rooms.update(room.code, now, lambda room, at: room.seating.stand_in(at, number, bot))


def _echo(data: Plain) -> Plain:
    """Return the valid fields of a refused message that the error repeats."""
    room, rid = id_of({"id": data.get("room")}), id_of({"id": data.get("rid")})
    return {
        "re": id_of(data),
        "room": room if isinstance(room, str) else None,
        "rid": rid if isinstance(rid, int) else None,
    }
