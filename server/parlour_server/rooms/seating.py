"""Who sits in a room, who watches, who hosts, and who plays for the absent."""

from typing import Any

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Chat, Id, Left, Manage, Ok, Role
from parlour_server.rooms import readiness
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import Room
from parlour_server.rooms.effects import SeatOwned, StandInWanted
from parlour_server.rooms.records import Hosted, Ruled, Taken, Vacated
from parlour_server.rooms.state import MORE_TIME
from parlour_server.rooms.streams import Stream

KINDS = {"any": ("human", "bot"), "humans": ("human",), "bots": ("bot",)}


def join(room: Room, now: int, person: Person, role: Role, re: Id | None) -> None:
    """Let ``person`` in, as a player or to watch. Whoever is in already is told the room again."""
    if person.who in room.state.banned:
        raise Denied("banned", "the host has banned you from this room", room=room.code)
    watching = person.who in room.audience.here
    if room.state.seat_of(person.who) is not None or (watching and role == "spectator"):
        attach(room, now, person, None, re, why="sync")
        return
    if role == "player":
        sit(room, now, person, None, re, why="join")
    else:
        _watch(room, now, person, re)
    readiness.proceed(room, now)


def sit(room: Room, now: int, person: Person, wanted: int | None, re: Id | None, why: str | None) -> int:
    """Give ``person`` the wanted or the first free seat; return its number. ``why`` None: it is still on its way."""
    room.allow("sit")
    config = room.state.config
    if person.kind not in KINDS[config.kinds]:
        raise Denied("wrong_kind", f"this room is for {config.kinds} only", room=room.code)
    free = [number for number, seat in enumerate(room.state.seats) if seat is None]
    if not free or (wanted is not None and wanted not in free):
        taken = f"seat {wanted} is not free" if free else "all seats are taken"
        hint = {} if why == "join" else {"hint": "name a free seat, or free one: `manage` with `kick`"}
        raise Denied("room_full", f"{taken}; free: {', '.join(map(str, free)) or 'none'}", room=room.code, **hint)
    number = free[0] if wanted is None else wanted
    room.record(Taken(now, number, person.who, person.name, person.kind))
    room.ask(SeatOwned(person.who, True))
    if (room.state.host is None and config.contest is None) or (person.kind == "human" and _bot_hosts_kept_room(room)):
        room.record(Hosted(now, person.who))
    if why is None:
        room.audience.absent[number] = now
        room.audience.invited.add(person.who)
        room.tell_table(now)
        return number
    room.seen_commit[person.who] = now
    room.audience.drop(person.who)
    room.audience.here[person.who] = person
    room.tell_table(now)
    _listen(room, now, person, room.audience.streams.owners[number], why=why, re=re)
    return number


def attach(
    room: Room, now: int, person: Person, seen: tuple[int, int] | None, re: Id | None = None, why: str = "resume"
) -> None:
    """``person`` is connected (again), or asks to be told the room again (``why`` "sync"), which changes nothing.

    ``seen`` is the (epoch, seq) it has followed the room to.
    """
    since = seen[1] if seen and seen[0] == room.state.epoch else None
    number = room.state.seat_of(person.who)
    if number is None:
        stream = room.audience.streams.of(person.who)
        assert stream is not None
        room.ask(*room.audience.joined(person, now, why=why, re=re, since=since))
        return
    seat = room.state.seats[number]
    assert seat is not None
    changed = person.who not in room.audience.here
    room.audience.here[person.who] = person
    if room.state.config.contest is not None and len(room.audience.absent) == len(room.state.taken()):
        room.audience.absent = dict.fromkeys(room.audience.absent, now)  # all were cut off: all may come back
    room.audience.absent.pop(number, None)
    if seat.by == "standin" and room.match and why == "resume":
        room.hand_over(now, number, "owner", None)
        changed = True
    room.seen_commit.setdefault(person.who, now)
    if person.who in room.audience.invited:
        room.audience.invited.discard(person.who)
        why = "invited"
    _listen(room, now, person, room.audience.streams.owners[number], why=why, re=re, since=since)
    if changed:
        room.tell_table(now)
        readiness.proceed(room, now)


def detach(room: Room, now: int, who: str) -> None:
    """``who`` has lost its connection. A seat is kept for its owner; a stand-in is replaced at once."""
    if who not in room.audience.here:
        return
    room.audience.drop(who)
    for number, seat in room.state.taken():
        if seat.who == who:
            room.audience.absent[number] = now
        elif seat.standin == who:
            room.audience.streams.standins.pop(number, None)
            stand_in(room, now, number)
    if not room.audience.here:
        room.empty_since = now
    room.tell_table(now)
    readiness.proceed(room, now)


def leave(room: Room, now: int, who: str, re: Id | None, why: Any = "left") -> None:
    """``who`` goes for good: in a match a stand-in plays on, or the game goes on without the seat."""
    room.send(who, Left(room.code, why, re=re))
    standing_in = next((number for number, seat in room.state.taken() if seat.standin == who), None)
    number = room.state.seat_of(who)
    room.audience.drop(who)
    if not room.audience.here:
        room.empty_since = now
    if number is not None:
        vacate(room, now, number)
    elif standing_in is not None:
        room.audience.streams.standins.pop(standing_in, None)
        stand_in(room, now, standing_in)
    if room.state.state == "closed":
        return
    if room.state.host == who:
        pass_host(room, now)
    room.tell_table(now)
    readiness.proceed(room, now)


def vacate(room: Room, now: int, number: int) -> None:
    """Free seat ``number`` of its owner."""
    seat = room.state.seats[number]
    assert seat is not None
    assert seat.who is not None
    match = room.match
    room.ask(SeatOwned(seat.who, False))
    room.seen_commit.pop(seat.who, None)
    room.audience.absent.pop(number, None)
    events = room.record(Vacated(now, number))
    if match is None:
        return
    if not any(owner.who for _, owner in room.state.taken()):
        room.desert(now, "aborted")
        return
    room.publish(now, events)
    if room.match and room.state.config.standin:
        room.ask(StandInWanted(number))


def forget(room: Room, now: int, number: int) -> None:
    """Free seat ``number``, whose owner has been away for too long."""
    seat = room.state.seats[number]
    assert seat is not None
    who = seat.who
    vacate(room, now, number)
    if room.state.host == who:
        pass_host(room, now)
    room.tell_table(now)


def stand_in(room: Room, now: int, number: int, bot: Person | None = None) -> None:
    """Let a house bot, or for want of one the default action, play seat ``number``."""
    room.hand_over(now, number, "standin", bot.who if bot else None)
    if bot is None:
        room.ask(StandInWanted(number))
    else:
        stream = room.audience.streams.standins[number] = Stream(number, standin=True)
        _listen(room, now, bot, stream, why="standin", re=None)
    room.tell_table(now)


def wants_bot(room: Room, bot: str) -> int | None:
    """Return a seat for which the default action stands in, where the house bot ``bot`` could play."""
    if room.match is None or bot in room.audience.here:
        return None
    return next((number for number, seat in room.state.taken() if room.unattended(seat)), None)


def pass_host(room: Room, now: int) -> None:
    """Make the next seated person the host, else the next seated bot."""
    owners = [seat for _, seat in room.state.taken() if seat.who is not None and seat.who != room.state.host]
    owners.sort(key=lambda seat: (seat.kind != "human", seat.who not in room.audience.here))
    room.record(Hosted(now, owners[0].who if owners else None))


def chat(room: Room, now: int, person: Person, message: Chat) -> None:
    """``person`` says a line to everybody."""
    if person.who in room.state.muted:
        raise Denied("muted", "the host has muted you in this room", room=room.code)
    room.active_at = now
    room.send(person.who, Ok(re=message.id, room=room.code))
    room.ask(*room.audience.said(person, message.text))


def manage(room: Room, now: int, person: Person, message: Manage) -> None:
    """The host deals with somebody by name."""
    room.only_host(person)
    who = _named(room, message.name)
    if who == person.who and message.do in ("kick", "ban", "mute"):
        raise Denied("no_such_name", f"you cannot {message.do} yourself", room=room.code)
    room.send(person.who, Ok(re=message.id, room=room.code))
    if message.do == "host":
        room.record(Hosted(now, who))
    elif message.do != "kick":
        room.record(Ruled(now, message.do, who))
    if message.do == "addtime":
        tell_time(room, now, who)
    if message.do in ("kick", "ban"):
        leave(room, now, who, None, why="kicked" if message.do == "kick" else "banned")
    else:
        room.tell_table(now)


def tell_time(room: Room, now: int, who: str) -> None:
    """Show everybody the clock to which time was added."""
    number = room.state.seat_of(who)
    if number is not None and room.match is not None and room.match.clocks.add is not None:
        room.publish(now, [], [{"e": "addtime", "seat": number, "ms": MORE_TIME}])


def _named(room: Room, name: str) -> str:
    people = {person.name.lower(): who for who, person in room.audience.here.items()}
    people |= {seat.name.lower(): seat.who for _, seat in room.state.taken() if seat.who}
    if name.lower() not in people:
        raise Denied("no_such_name", f"{name!a} is not in this room", room=room.code)
    return people[name.lower()]


def _bot_hosts_kept_room(room: Room) -> bool:
    """Whether a bot has come to host a room that nobody opened: there people come before bots."""
    owners = {seat.who: seat for _, seat in room.state.taken()}
    return room.state.config.kept and room.state.host in owners and owners[room.state.host].kind == "bot"


def _watch(room: Room, now: int, person: Person, re: Id | None) -> None:
    if room.state.n == 1 and not room.state.config.kept:  # whoever opens a room and does not sit down
        room.record(Hosted(now, person.who))
    if not room.state.config.watch and person.who != room.state.host:
        raise Denied("no_watching", "this room has no spectators", room=room.code)
    _listen(room, now, person, room.audience.streams.watchers, why="join", re=re)
    room.tell_table(now)


def _listen(
    room: Room, now: int, person: Person, stream: Stream, *, why: Any, re: Id | None, since: int | None = None
) -> None:
    room.audience.listen(person, stream)
    room.empty_since = None
    room.ask(*room.audience.joined(person, now, why=why, re=re, since=since))
