"""How a match begins and a pause ends: who is ready, what is still awaited, and the host's word."""

from parlour_games.plural import counted
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Id, Ok, Ready
from parlour_server.rooms import records
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import ALLOWED, Room
from parlour_server.rooms.records import Begun, Player, Readied
from parlour_server.rooms.state import Seat

NONCE_WAIT = 2_000
"""Milliseconds that a client with nonces has to send one before it counts as ready without."""


def ready(room: Room, now: int, person: Person, message: Ready) -> None:
    """``person`` is ready or not: for a match, to end a pause, or to play its own seat again."""
    room.allow("ready")
    number = room.own_seat(room.state.seat_of(person.who))
    seat = room.state.seats[number]
    assert seat is not None
    nonce = message.nonce if room.state.state in ("waiting", "finished") else None
    took_back = room.match is not None and seat.by == "standin"
    if took_back:
        room.hand_over(now, number, "owner", None)
    elif room.state.state != "playing":
        room.record(Readied(now, number, message.ready, nonce))
    room.send(person.who, Ok(re=message.id, room=room.code))
    if took_back or room.state.state != "playing":
        room.tell_table(now)
    if took_back:
        room.publish(now, [])
    proceed(room, now)


def start(room: Room, now: int, person: Person, re: Id | None) -> None:
    """The host begins a match, or ends a pause, now."""
    room.only_host(person)
    room.allow("start")
    if room.state.state == "pause":
        room.send(person.who, Ok(re=re, room=room.code))
        room.fire_timer(now)
        return
    seated = len(room.state.taken())
    need = room.state.least
    if seated < need:
        few = f"{room.state.config.game} needs {counted(need, 'player')} here, but {counted(seated, 'sits', 'sit')}"
        raise Denied("wrong_state", few, room=room.code, hint="let others `join`, or `invite` bots; then `start`")
    room.send(person.who, Ok(re=re, room=room.code))
    _begin(room, now)


def proceed(room: Room, now: int) -> None:
    """Begin a match, or end a pause, if those who sit want it."""
    people = present(room)
    if room.state.state == "pause" and people and all(seat.ready for seat in people):
        room.fire_timer(now)
    elif room.state.state in ALLOWED["sit"] and _wanted(room, now):
        _begin(room, now)


def present(room: Room) -> list[Seat]:
    """Return the seats of connected humans."""
    return [seat for _, seat in room.state.taken() if seat.kind == "human" and seat.who in room.audience.here]


def unsettled(room: Room, now: int) -> list[int]:
    """Return when the nonces that are still awaited will be awaited no more."""
    if room.state.state not in ALLOWED["sit"]:
        return []
    waits = [_nonce_due(room, seat) for _, seat in room.state.taken() if not seat.ready]
    return [due for due in waits if due is not None and due > now]


def _wanted(room: Room, now: int) -> bool:
    seats = [seat for _, seat in room.state.taken()]
    awaited = [seat for seat in seats if not seat.ready and (_nonce_due(room, seat) or 0) > now]
    if awaited or len(seats) < room.state.least:
        return False
    if room.state.config.start == "full" and room.state.matches == 0:
        return len(seats) == room.state.config.seats
    people = present(room)
    return bool(people) and all(seat.ready for seat in people)


def _nonce_due(room: Room, seat: Seat) -> int | None:
    person = room.audience.here.get(seat.who or "")
    if person is None or not person.nonces:
        return None
    return room.seen_commit.get(person.who, room.state.at) + NONCE_WAIT


def _begin(room: Room, now: int) -> None:
    state, config = room.state, room.state.config
    seated = state.taken()
    number = state.matches + 1
    begun = Begun(
        at=now,
        match=number,
        game=config.game,
        rules=state.game.rules_version,
        room=records.ROOM_VERSION,
        context=state.context,
        secret=state.secret(number).hex(),
        commit=state.commit,
        nonces=[seat.nonce or "" for _, seat in seated],
        options=config.options,
        players=[Player(seat.who or "", seat.name, seat.kind) for _, seat in seated],
        rids=_next_rids(room, seated),
        banks=[config.clock["bank"] if config.clock else 0] * len(seated),
        clock=config.clock,
        standin=config.standin,
    )
    events = room.record(begun)
    _renumber(room, now, {old: new for new, (old, _) in enumerate(seated)})
    room.tell_table(now)
    room.publish(now, events)


def _next_rids(room: Room, seated: list[tuple[int, Seat]]) -> list[int]:
    """Return each seat's next rid; when seats move, one that none has come to, as nobody may get a rid twice."""
    rids = room.state.rids
    moved = any(old != new for new, (old, _) in enumerate(seated))
    return [max(rids)] * len(seated) if moved else rids[: len(seated)]


def _renumber(room: Room, now: int, moves: dict[int, int]) -> None:
    """Seats close ranks before a match; whoever got another number is told the whole room."""
    if all(old == new for old, new in moves.items()):
        return
    room.audience.rearrange(moves)
    for old, new in moves.items():
        for who in room.audience.streams.owners[new].people if old != new else ():
            room.ask(*room.audience.joined(room.audience.here[who], now, why="sync", re=None))
