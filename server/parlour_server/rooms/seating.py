"""Who sits in a room, who watches, who hosts, and who plays for the absent; how seats change hands.

Spectators at a full table queue for seats, and players hand over their own: both have agreed then. What a seat has seen
of a match stays with it: who has had another seat in the match does not get this one before the end.
"""

from secrets import compare_digest
from typing import Any

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Handover, Id, Left, Ok, Role
from parlour_protocol.messages import Queue as Wait
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import SeatOwned, StandInWanted
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.records import Absent, Handed, Hosted, Taken, Vacated
from parlour_server.rooms.seats import TakenSeat
from parlour_server.rooms.streams import ViewStream

LONGEST = 16
"""The number of spectators who may wait for a seat."""
REQUESTS = 16
"""The number of spectators who may ask for a seat at the same time."""
KINDS = {"any": ("human", "bot"), "humans": ("human",), "bots": ("bot",)}


class Seating:
    """The seats of a room and the people in them."""

    def __init__(self, core: RoomCore, playing: Playing, readiness: Readiness) -> None:
        self._core = core
        self._playing = playing
        self._state = core.state
        self._audience = core.audience
        self._readiness = readiness

    def require_not_banned(self, person: Person) -> None:
        """Refuse those whom the host has banned."""
        if person.who in self._state.banned:
            raise Denied("banned", "the host has banned you from this room", room=self._core.code)

    def require_kind(self, person: Person) -> None:
        """Refuse people in a room for bots, and bots in one for people."""
        kinds = self._state.config.kinds
        if person.kind not in KINDS[kinds]:
            raise Denied("wrong_kind", f"this room is for {kinds} only", room=self._core.code)

    def require_code(self, given: str | None) -> None:
        """Refuse those without the code for the seats, if the room has one."""
        code = self._state.config.seat_code
        if code is not None and not compare_digest(code.encode(), (given or "").upper().encode()):
            wrong = "this is not the code for its seats" if given else "a seat in this room needs a second code"
            raise Denied("seat_code", wrong, room=self._core.code)

    # --- coming ------------------------------------------------------------------------------------------

    def join(
        self,
        now: int,
        person: Person,
        role: Role,
        re: Id | None,
        style: str | None = None,
        seat_code: str | None = None,
    ) -> None:
        """Let ``person`` in, as a player or to watch. A person who is in already gets the room again.

        ``style``: how a bot plays. ``seat_code``: the code for the seats that the person gave.
        """
        self.require_not_banned(person)
        watching = person.who in self._audience.here
        if self._state.seats.of(person.who) is not None or (watching and role == "spectator"):
            self.attach(now, person, None, re, why="sync")
            return
        if role == "player":
            self.require_code(seat_code)
            self.sit(now, person, None, re, why="join", style=style)
        else:
            self._watch(now, person, re)
        self._readiness.proceed(now)

    def sit(
        self, now: int, person: Person, wanted: int | None, re: Id | None, why: str | None, style: str | None = None
    ) -> int:
        """Give ``person`` the wanted or the first free seat and return its number.

        ``why`` is the reason in ``joined``; None: the person has still to connect to this node. ``style``: how a bot is
        to play.
        """
        core, state = self._core, self._state
        core.require_state("sit")
        config = state.config
        self.require_kind(person)
        people = [seat for _, seat in state.seats.taken() if seat.kind == "human"]
        if people and config.dealt_by and person.kind == "human":
            alone = "a person has chosen the deal of this room, so only bots can join"
            raise Denied("wrong_kind", alone, room=core.code, hint="watch, or `create` a room without `deal`")
        free = [number for number, seat in enumerate(state.seats) if seat is None]
        if not free or (wanted is not None and wanted not in free):
            taken = f"seat {wanted} is not free" if free else "all seats are taken"
            hint = {} if why == "join" else {"hint": "name a free seat, or free one: `manage` with `kick`"}
            raise Denied("room_full", f"{taken}; free: {', '.join(map(str, free)) or 'none'}", room=core.code, **hint)
        core.require_allowance(now)
        number = free[0] if wanted is None else wanted
        core.record(Taken(now, number, person.who, person.name, person.kind, style))
        core.emit(SeatOwned(person.who, True))
        if (state.host is None and config.contest is None) or (person.kind == "human" and self._bot_hosts_kept_room()):
            core.record(Hosted(now, person.who))
        if why is None:
            self._audience.absent[number] = now
            self._audience.invited.add(person.who)
            core.send_table(now)
            return number
        self._readiness.show_commit(person.who, now)
        self._audience.drop(person.who, now)
        self._audience.here[person.who] = person
        core.send_table(now)
        self._listen(now, person, self._audience.streams.owners[number], why=why, re=re)
        return number

    def attach(
        self, now: int, person: Person, seen: tuple[int, int] | None, re: Id | None = None, why: str = "resume"
    ) -> None:
        """Connect ``person`` again, or just send it the room again (``why`` "sync").

        ``seen`` is the (epoch, seq) up to which it has followed the room.
        """
        state, audience = self._state, self._audience
        since = seen[1] if seen and seen[0] == state.epoch else None
        number = state.seats.of(person.who)
        if number is None:
            stream = audience.streams.of(person.who)
            assert stream is not None
            self._core.emit(*audience.joined(person, now, why=why, re=re, since=since))
            return
        seat = state.seats.at(number)
        changed = person.who not in audience.here
        audience.here[person.who] = person
        if state.config.contest is not None and len(audience.absent) == len(state.seats.taken()):
            # Everybody was cut off, so it was the network: all get the whole time again to come back.
            audience.absent = dict.fromkeys(audience.absent, now)
        audience.absent.pop(number, None)
        if number in state.seats.away:
            self._core.record(Absent(now, number))
        if seat.by == "standin" and self._core.match and why == "resume":
            self._core.hand_over(now, number, "owner", None)
            changed = True
        self._readiness.show_commit(person.who, now)
        if person.who in audience.invited:
            audience.invited.discard(person.who)
            why = "invited"
        self._listen(now, person, audience.streams.owners[number], why=why, re=re, since=since)
        if changed:
            self._core.send_table(now)
            self._readiness.proceed(now)

    # --- going ---------------------------------------------------------------------------------------------

    def detach(self, now: int, who: str) -> None:
        """Note that ``who`` has lost its connection. Its seat is kept; if it stands in, somebody else does from now."""
        if who not in self._audience.here:
            return
        self._audience.drop(who, now)
        for number, seat in self._state.seats.taken():
            if seat.who == who:
                self._audience.absent[number] = now
            elif seat.standin == who:
                self._audience.streams.standins.pop(number, None)
                self.stand_in(now, number)
        self._core.send_table(now)
        self._readiness.proceed(now)

    def leave(self, now: int, who: str, re: Id | None, why: Any = "left") -> None:
        """Let ``who`` go for good: in a match a stand-in plays on, or the game goes on without the seat."""
        core, state = self._core, self._state
        core.send(who, Left(core.code, why, re=re))
        standing_in = next((number for number, seat in state.seats.taken() if seat.standin == who), None)
        number = state.seats.of(who)
        self._audience.drop(who, now)
        if number is not None:
            self.vacate(now, number)
        elif standing_in is not None:
            self._audience.streams.standins.pop(standing_in, None)
            self.stand_in(now, standing_in)
        if state.state == "closed":
            return
        if state.host == who:
            self._pass_host(now)
        core.send_table(now)
        self._readiness.proceed(now)

    @property
    def deserted(self) -> bool:
        """Whether house bots are left, and no one else who is here, owns a seat or is the host."""
        bots = self._audience.house_bots()
        others = {*self._audience.here, *self._state.seats.owners(), self._state.host}
        return bool(bots) and others <= {*bots, None}

    def dismiss_house_bots(self, now: int) -> None:
        """Let the house bots go."""
        for who in self._audience.house_bots():
            self.leave(now, who, None)

    def vacate(self, now: int, number: int) -> None:
        """Free seat ``number`` of its owner."""
        core = self._core
        seat = self._state.seats.at(number)
        assert seat.who is not None
        match = core.match
        core.emit(SeatOwned(seat.who, False))
        self._readiness.forget(seat.who)
        self._audience.absent.pop(number, None)
        events = core.record(Vacated(now, number))
        if match is None:
            return
        if not self._state.seats.owners():
            self._playing.abandon(now, "aborted")
            return
        self._playing.publish(now, events)
        if core.match and self._state.config.standin:
            core.emit(StandInWanted(number))

    def evict(self, now: int, number: int) -> None:
        """Free seat ``number``, whose owner has been away for too long."""
        who = self._state.seats.at(number).who
        self.vacate(now, number)
        if self._state.host == who:
            self._pass_host(now)
        self._core.send_table(now)

    # --- stand-ins -------------------------------------------------------------------------------------------

    def stand_in(self, now: int, number: int, bot: Person | None = None) -> None:
        """Let a house bot, or for want of one the default action, play seat ``number``."""
        self._core.hand_over(now, number, "standin", bot.who if bot else None)
        if bot is None:
            self._core.emit(StandInWanted(number))
        else:
            stream = self._audience.streams.standins[number] = ViewStream(number, standin=True)
            self._listen(now, bot, stream, why="standin", re=None)
        self._core.send_table(now)

    def unattended(self, seat: TakenSeat) -> bool:
        """Return whether the default action plays ``seat`` because no stand-in is connected."""
        return seat.by == "standin" and seat.standin not in self._audience.here

    def wants_bot(self, bot: str) -> int | None:
        """Return a seat that the default action plays and that the house bot ``bot`` could take over."""
        if self._core.match is None or bot in self._audience.here:
            return None
        return next((number for number, seat in self._state.seats.taken() if self.unattended(seat)), None)

    # --- details ---------------------------------------------------------------------------------------------

    def _pass_host(self, now: int) -> None:
        """Make the next seated person the host, else the next seated bot."""
        seats, host = self._state.seats.taken(), self._state.host
        owners = [seat for _, seat in seats if seat.who not in (None, host)]
        owners.sort(key=lambda seat: (seat.kind != "human", seat.who not in self._audience.here))
        self._core.record(Hosted(now, owners[0].who if owners else None))

    def _bot_hosts_kept_room(self) -> bool:
        """Return whether a bot hosts a room that the server keeps: there, a person takes its place."""
        hosts = [seat for _, seat in self._state.seats.taken() if seat.who == self._state.host is not None]
        return self._state.config.kept and any(seat.kind == "bot" for seat in hosts)

    def _watch(self, now: int, person: Person, re: Id | None) -> None:
        if self._state.n == 1 and not self._state.config.kept:  # the opener, who does not want a seat
            self._core.record(Hosted(now, person.who))
        if not self._state.config.watch and person.who != self._state.host:
            raise Denied("no_watching", "this room does not allow spectators", room=self._core.code)
        self._listen(now, person, self._audience.streams.watchers, why="join", re=re)
        self._core.send_table(now)

    def _listen(
        self, now: int, person: Person, stream: ViewStream, *, why: Any, re: Id | None, since: int | None = None
    ) -> None:
        self._audience.listen(person, stream)
        self._core.emit(*self._audience.joined(person, now, why=why, re=re, since=since))


class SeatQueue:
    """Spectators in the order in which they get the seats that become free. It is not stored."""

    def __init__(self, core: RoomCore, seating: Seating) -> None:
        self._core = core
        self._audience = core.audience
        self._seating = seating

    def wait(self, now: int, person: Person, message: Wait) -> None:
        """Wait for a seat, or stop waiting."""
        queue = self._audience.queue
        if not message.wait:
            queue.pop(person.who, None)
        elif person.who not in queue:
            self._require_fit(person)
            self._seating.require_code(message.seat_code)
            queue[person.who] = person
        self._core.send(person.who, Ok(re=message.id, room=self._core.code))
        self._core.send_table(now)

    @property
    def moves(self) -> bool:
        """Whether a seat is free for the first who waits."""
        state = self._core.state
        free = self._core.match is None and None in state.seats
        return bool(self._audience.queue) and free

    def move(self, now: int) -> None:
        """Seat the first who waits."""
        who = next(iter(self._audience.queue))
        person = self._audience.queue.pop(who)
        try:
            self._seating.sit(now, person, None, None, "invited")
        except Denied:  # such as after too many changes of seats
            self._core.send_table(now)

    def _require_fit(self, person: Person) -> None:
        """Refuse those who cannot get a seat, or need not wait for one."""
        core, state = self._core, self._core.state
        if person.who not in self._audience.streams.watchers.people:
            raise Denied(
                "wrong_state", "you have a seat here; only spectators wait for one", room=core.code, why="seated"
            )
        if state.config.contest is not None or state.config.dealt_by:
            fixed = "seats do not change in contests and in rooms with a chosen deal"
            raise Denied("wrong_state", fixed, room=core.code, why="fixed")
        self._seating.require_kind(person)
        if core.match is None and None in state.seats:
            raise Denied("wrong_state", "a seat is free", room=core.code, why="free", hint="`join` as a player")
        if len(self._audience.queue) >= LONGEST:
            raise Denied(
                "too_much", f"{LONGEST} spectators are waiting for a seat, the most for a room", room=core.code
            )


class Handovers:
    """The requests of spectators for seats, and their outcomes."""

    def __init__(self, core: RoomCore, readiness: Readiness) -> None:
        self._core = core
        self._state = core.state
        self._audience = core.audience
        self._readiness = readiness

    def handover(self, now: int, person: Person, message: Handover) -> None:
        """Ask for a seat, give one's own to a person who has asked, or take back and decline requests."""
        if message.to is not None:
            self._give(now, person, message)
            return
        if message.seat is not None:
            self._ask(person, message.seat)
        else:
            requests = self._audience.requests
            for who in [who for who, (_, owner) in requests.items() if person.who in (who, owner)]:
                del requests[who]
        self._core.send(person.who, Ok(re=message.id, room=self._core.code))
        self._core.send_table(now)

    def _ask(self, person: Person, number: int) -> None:
        state, audience = self._state, self._audience
        if person.who not in audience.streams.watchers.people:
            seated = "you have a seat here; only spectators ask for one"
            raise Denied("wrong_state", seated, room=self._core.code, why="seated")
        self._require_fit(person, number)
        seat = state.seats[number] if 0 <= number < len(state.seats) else None
        if seat is None or seat.who is None:
            raise Denied("no_such_name", f"seat {number} has no owner to ask", room=self._core.code)
        if len(audience.requests) >= REQUESTS and person.who not in audience.requests:
            raise Denied(
                "too_much", f"{REQUESTS} spectators have asked for seats, the most for a room", room=self._core.code
            )
        audience.requests[person.who] = person, seat.who

    def _give(self, now: int, owner: Person, message: Handover) -> None:
        core, audience = self._core, self._audience
        number = core.require_seat(self._state.seats.of(owner.who))
        if core.match is None:
            core.require_state("sit")
        heir = self._asked(owner, message.to or "")
        self._require_fit(heir, number)
        core.require_uncounted("give your seat")
        core.require_allowance(now)
        core.give_seat(Handed(now, number, heir.who, heir.name, heir.kind))
        core.emit(SeatOwned(owner.who, False), SeatOwned(heir.who, True))
        self._readiness.forget(owner.who)
        self._readiness.show_commit(heir.who, now)
        audience.absent.pop(number, None)
        audience.requests = {who: asked for who, asked in audience.requests.items() if asked[1] != owner.who}
        audience.streams.renew(number)
        audience.listen(heir, audience.streams.owners[number])
        audience.listen(owner, audience.streams.watchers)
        core.send(owner.who, Ok(re=message.id, room=core.code))
        core.emit(*audience.joined(heir, now, why="sync", re=None), *audience.joined(owner, now, why="sync", re=None))
        core.send_table(now)
        self._readiness.proceed(now)

    def _asked(self, owner: Person, name: str) -> Person:
        """Return the spectator of this name who has asked ``owner`` for its seat."""
        for person, asked in self._audience.requests.values():
            if asked == owner.who and person.name.lower() == name.lower():
                return person
        hint = "spectators ask with `handover`; `requests` of `table` lists who has asked"
        raise Denied("no_such_name", f"{name!a} has not asked for your seat", room=self._core.code, hint=hint)

    def _require_fit(self, person: Person, number: int) -> None:
        """Refuse a handover of seat ``number`` to ``person`` that the rules of the room forbid."""
        state, config, match = self._state, self._state.config, self._core.match
        if config.contest is not None or state.config.dealt_by:
            fixed = "seats do not change hands in contests and in rooms with a chosen deal"
            raise Denied("wrong_state", fixed, room=config.code, why="fixed")
        if not config.watch:
            raise Denied(
                "no_watching", "this room has no spectators, so you cannot give your seat away", room=config.code
            )
        if person.kind not in KINDS[config.kinds]:
            raise Denied("wrong_kind", f"this room is for {config.kinds} only", room=config.code)
        if match is None:
            return
        if len(match.begun.players) == 1:
            alone = "a match with one player keeps its player"
            raise Denied("wrong_state", alone, room=config.code, why="fixed", hint="wait for the end of the match")
        if state.saw.get(person.who, number) != number:
            seen = f"{person.name} has seen what seat {state.saw[person.who]} sees in this match"
            raise Denied("wrong_state", seen, room=config.code, why="seen", hint="wait for the end of the match")
