"""Continuations: a match from a file goes on, in a room of its own, after any of its acts."""

from collections.abc import Iterator, Sequence

from msgspec import convert, structs

from parlour_protocol.messages import Plain
from parlour_server.game_files.reader import BadFile, FileLine
from parlour_server.game_files.replay import finished
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms import records
from parlour_server.rooms.records import StartingSeat

_OF_THE_MATCH = (
    records.Acted, records.TimedOut, records.TimerFired, records.JobDone, records.Control, records.Handed,
    records.Vacated,
)  # fmt: skip
"""The records that change the state of a match or the numbers of its decisions."""


class NoSuchAct(LookupError):
    """The match cannot go on after this number of acts."""


def continuation(lines: Sequence[str], act: int, seat: int, code: str, players: list[Plain]) -> Plain:
    """Return the ``log`` of the room ``code`` in which a finished match goes on before act number ``act``, from 1.

    ``lines``: of the log of the room that played it. ``players``: who plays its seats from now on, the person ``seat``.
    ``{"refused": …}`` says why it cannot go on.
    """
    try:
        file = finished(records.game_file(lines))
        return {"log": continued(file, act - 1, seat, convert(players, list[StartingSeat]), code)}
    except (BadFile, LookupError) as error:
        return {"refused": str(error)}


def continued(
    file: Sequence[FileLine], acts: int, person: int, players: Sequence[StartingSeat], code: str
) -> list[str]:
    """Return the log of the room ``code`` in which the match of a file goes on after its first ``acts`` acts.

    A time-out is also an act. The ``players`` play from the start to the end; that of seat ``person`` is the host.
    There are no clocks, and the match does not count: the deal is chosen. Raises BadFile for a file that is wrong,
    NoSuchAct, and LookupError if no one can play that seat.
    """
    begun = file[0].record
    if not isinstance(begun, records.Begun):
        raise BadFile(1, f"a match file begins with begun, not with {begun.r}")
    if not 0 <= person < len(begun.players):
        raise LookupError(f"there is no seat {person}; seats are 0 to {len(begun.players) - 1}")
    room, played = _before(file, acts)
    if not begun.standin and room.seats[person].who is None:
        raise LookupError(f"{begun.players[person].name} has left the match before act {acts + 1}")
    found = [
        *_seated(begun, person, players, code),
        *(_recast(record, players) for record in played),
        *_returned(room, players, standin=begun.standin),
    ]
    return [records.line(record, n) for n, record in enumerate(found)]


def _recast(record: records.Record, players: Sequence[StartingSeat]) -> records.Record:
    """Return ``record`` with the new players: no one else owns a seat or stands in."""
    match record:
        case records.Control():
            return structs.replace(record, who=None)
        case records.Handed():
            player = players[record.seat]
            return structs.replace(record, who=player.who, name=player.name, kind=player.kind)
    return record


def _before(file: Sequence[FileLine], acts: int) -> tuple[Replayer, list[records.Record]]:
    """Return the room before the act that follows the first ``acts``, and its records. Raises BadFile, NoSuchAct."""
    room, count = Replayer(file[0]), 0
    kept: list[records.Record] = []
    for line in file:
        act = isinstance(line.record, records.Acted | records.TimedOut)
        if act and count == acts:
            return room, kept
        count += act
        room.follow(line)
        if isinstance(line.record, _OF_THE_MATCH):
            kept.append(line.record)
    raise NoSuchAct(f"the match has acts 1 to {count}, but no act {acts + 1}")


def _returned(room: Replayer, players: Sequence[StartingSeat], *, standin: bool) -> Iterator[records.Record]:
    """Yield the records that give all seats in the match to their players."""
    for number, seat in enumerate(room.seats):
        if seat.who is None and standin:
            player = players[number]
            yield records.Taken(room.at, number, player.who, player.name, player.kind)
        if seat.by != "owner":
            yield records.Control(room.at, number, "owner")


def _seated(begun: records.Begun, person: int, players: Sequence[StartingSeat], code: str) -> Iterator[records.Record]:
    """Yield the records of the room from its opening to the beginning of the match."""
    at = begun.at
    yield records.RoomOpened(
        at=at,
        code=code,
        game=begun.game,
        options=begun.options,
        seats=len(players),
        private=True,
        kinds="any",
        watch=False,
        hints=True,
        standin=begun.standin,
        start="host",
        master=begun.secret,
        deal=records.deal_of(begun),
    )
    for seat, player in enumerate(players):
        yield records.Taken(at, seat, player.who, player.name, player.kind)
    yield records.Hosted(at, players[person].who)
    yield structs.replace(begun, players=[*players], clock=None, banks=[0] * len(players), deal="chosen")
