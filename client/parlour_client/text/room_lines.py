"""Rooms as lines of text: players, changes, and results of matches."""

from collections.abc import Iterator

from parlour_client.core.room import JoinedRoom, kind_of
from parlour_protocol.messages import Over, RoomState, SeatRow, Table

_STATES: dict[RoomState, str] = {
    "waiting": "waiting for players",
    "playing": "a match is being played",
    "pause": "a pause between rounds",
    "finished": "the match is over",
    "closed": "closed",
}

_DEALS = {
    "chosen": "Practice: the deal of this room was chosen, so its matches count for nothing.",
    "daily": "The board of the day: your first attempt counts.",
}
FAIR = "Fair: the secret behind the deals fits the commitment shown before the match."

_OWN_SEAT = {
    "standin": "A stand-in plays for you: ready takes your seat back.",
    "owner": "You play again.",
}


def present(room: JoinedRoom, me: str) -> list[str]:
    """Return the lines shown to ``me`` on entering a room."""
    table = room.table
    seat = "You are watching." if room.seat is None else f"You are {me}, at seat {room.seat}."
    lines = [f"Room {room.code}: {room.game}, {_STATES[table['state']]}. {seat}", people(room)]
    return [*lines, *filter(None, [_DEALS.get(table["fair"].get("deal", ""))])]


def people(room: JoinedRoom) -> str:
    """Return the line that lists the players."""
    table = room.table
    rows = ", ".join(_person(room, row) for row in table["seats"]) or "nobody"
    watchers = f" Watching: {table['watchers']}." if table["watchers"] else ""
    return f"Players: {rows}.{watchers}"


def changes(room: JoinedRoom, before: Table) -> Iterator[str]:
    """Yield a line for each notable change of the table."""
    after = room.table
    was = {row["name"]: row for row in before["seats"]}
    now = {row["name"]: row for row in after["seats"]}
    yield from (f"{name} has left." for name in was if name not in now)
    for name, row in now.items():
        if name not in was:
            yield f"{name} ({kind_of(row)}) sits down at seat {row['seat']}."
        elif row["seat"] != room.seat:
            yield from _changed(was[name], row)
        elif row["by"] != was[name]["by"]:
            yield _OWN_SEAT[row["by"]]
    if after["host"] != before["host"] and after["host"] and before["host"]:
        yield f"{after['host']} is the host now."
    if after["state"] != before["state"]:
        yield from _moved_on(after["state"])


def result(room: JoinedRoom, over: Over) -> list[str]:
    """Return the standings of a finished match, best first, and its digest."""
    ranks, scores = over.result["ranks"], over.result["scores"]
    order = sorted(ranks, key=lambda seat: (ranks[seat], int(seat)))
    lines = [f"{ranks[seat]}. {room.name(int(seat))}{_own(room, int(seat))}  {scores.get(seat, 0)}" for seat in order]
    why = over.result["why"]
    return [f"The match is over ({why}). Standings:", *lines, f"Digest of the record: {over.digest}"]


def _own(room: JoinedRoom, seat: int) -> str:
    return " (you)" if seat == room.seat else ""


def _person(room: JoinedRoom, row: SeatRow) -> str:
    said: list[str] = ["you" if row["seat"] == room.seat else kind_of(row)]
    if row["name"] == room.table["host"]:
        said.append("host")
    if row["by"] == "standin":
        said.append("a stand-in plays")
    elif not row["here"]:
        said.append("not here")
    if row["ready"] and not room.under_way:
        said.append("ready")
    return f"{row['name']} ({', '.join(said)})"


def _changed(was: SeatRow, row: SeatRow) -> Iterator[str]:
    name = row["name"]
    if row["by"] != was["by"]:
        yield f"A stand-in plays for {name}." if row["by"] == "standin" else f"{name} plays again."
    elif was["here"] and not row["here"]:
        held = f"; the seat is held {row['left'] // 1000} s" if row.get("left") else ""
        yield f"{name} has lost the connection{held}."
    elif row["here"] and not was["here"]:
        yield f"{name} is back."
    if row["ready"] and not was["ready"] and row["kind"] == "human":
        yield f"{name} is ready."


def _moved_on(state: RoomState) -> Iterator[str]:
    if state == "pause":
        yield "A short pause; ready ends it early."
    elif state == "closed":
        yield "The room is closed."
