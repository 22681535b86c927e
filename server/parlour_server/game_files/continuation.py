"""Continuations: a match from a file goes on, in a room of its own, after any of its acts."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from parlour_server.game_files.reader import Line
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms import records

CODE = "MATCH"
"""The code of the room."""
_OF_THE_MATCH = (
    records.Acted, records.TimedOut, records.TimerFired, records.JobDone, records.Control, records.Handed,
    records.Vacated,
)  # fmt: skip
"""The records that change the state of a match or the numbers of its decisions."""


class NoSuchAct(LookupError):
    """The match cannot go on after this number of acts."""


def continued(file: Sequence[Line], acts: int, person: int) -> list[str]:
    """Return the log of a room in which the match of a file goes on after its first ``acts`` acts.

    A time-out is also an act. A person has seat number ``person``, bots have the others. There are no clocks, and the
    match does not count: the deal is chosen. Raises BadFile for a file that is wrong, NoSuchAct, and LookupError if
    no one can play that seat.
    """
    room, played = _before(file, acts)
    begun = file[0].record
    assert isinstance(begun, records.Begun), "the replayer has accepted the first line"
    if not 0 <= person < len(begun.players):
        raise LookupError(f"there is no seat {person}: they are 0 to {len(begun.players) - 1}")
    found = [*_seated(begun, person), *played, *_returned(begun, room)]
    if not begun.standin and room.seats[person].who is None:
        raise LookupError(f"{begun.players[person].name} has left the match before act {acts + 1}")
    return [records.line(record, n) for n, record in enumerate(found)]


def _before(file: Sequence[Line], acts: int) -> tuple[Replayer, list[records.Record]]:
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


def _returned(begun: records.Begun, room: Replayer) -> Iterator[records.Record]:
    """Yield the records that give all seats in the match to their players."""
    for number, seat in enumerate(room.seats):
        player = begun.players[number]
        if seat.who is None and begun.standin:
            yield records.Taken(room.at, number, player.who, player.name, player.kind)
        if seat.by != "owner":
            yield records.Control(room.at, number, "owner")


def _seated(begun: records.Begun, person: int) -> Iterator[records.Record]:
    """Yield the records of the room from its opening to the beginning of the match."""
    at = begun.at
    players = [
        structs.replace(player, kind="human" if seat == person else "bot") for seat, player in enumerate(begun.players)
    ]
    yield records.Opened(
        at=at,
        code=CODE,
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
        deal={"secret": begun.secret, "context": begun.context, "nonces": begun.nonces},
    )
    for seat, player in enumerate(players):
        yield records.Taken(at, seat, player.who, player.name, player.kind)
    yield records.Hosted(at, players[person].who)
    yield structs.replace(begun, players=players, clock=None, banks=[0] * len(players), deal="chosen")
