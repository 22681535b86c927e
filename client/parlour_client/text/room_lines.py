"""Rooms as lines of text: players, changes, and results of matches."""

from collections.abc import Iterator

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean, duration
from parlour_client.core.room import JoinedRoom, kind_of
from parlour_client.text.base import lines_for
from parlour_client.text.shapes import game_name, phrase
from parlour_protocol.messages import Clock, Over, RoomRow, SeatRequest, SeatRow, Table


def present(room: JoinedRoom, me: str) -> list[str]:
    """Return the lines shown to ``me`` on entering a room."""
    table = room.table
    told = say("line.room", room=room.code, game=game_name(room.game), state=table["state"], seat=room.seat, name=me)
    terms = [] if room.private else map(_sentence, terms_of(table, table.get("size", 2)))
    return [told, people(room), *filter(None, [what_counts(room), " ".join(terms)])]


def what_counts(room: JoinedRoom, *, short: bool = False) -> str:
    """Return what counts in a room whose deal was chosen or is that of the day, "" for other rooms."""
    attempt = room.attempt
    which = None if attempt is None else "first" if attempt.first else "later"
    fields = {"deal": room.table["fair"].get("deal"), "attempt": which, "result": attempt and attempt.result}
    return say("line.room.deal.short" if short else "line.room.deal", fields)


def in_brief(room: JoinedRoom) -> str:
    """Return game, score and round of a match, or its mode, as far as it has them."""
    view, mine, game = room.view or {}, room.seat, game_name(room.game)
    match view:
        case {"scores": [_, _, *_] as scores, "round": int(number)} if mine is not None and mine < len(scores):
            others = [score for seat, score in enumerate(scores) if seat != mine]
            return say("tui.start.kept.match", game=game, mine=scores[mine], best=max(others), n=number)
        case {"mode": str()}:
            return ", ".join([game, *[*lines_for(room.game).in_short(room.game, room.table["options"])][:1]])
    return game


def terms_of(room: RoomRow | Table, seats: int) -> list[str]:
    """Return whether stand-ins play in a room with this number of ``seats``, and why a match there would not be rated.

    Servers older than these fields send neither. For a chosen deal there are other words.
    """
    why, found = room.get("unrated"), list[str]()
    if "standin" in room and seats > 1:
        found.append(say("room.standins", standin=room["standin"]))
    if why not in (None, "chosen", "daily") and seats > 1:
        found.append(say("room.unrated", why=why))
    return found


def offered(row: RoomRow) -> list[str]:
    """Return who plays in a room and how, before one enters it."""
    names = ", ".join(player["name"] for player in row.get("players", [])) or None
    lines = [say("line.offer", row, game=game_name(row["game"]), names=names)]
    rules = rules_of(row)
    lines += [say("line.offer.rules", rules=", ".join(rules))] if rules else []
    if "clock" in row:
        lines.append(say("line.offer.clock", times(row["clock"])))
    lines += map(_sentence, terms_of(row, row["seats"]))
    if not has_room(row):
        lines.append(say("line.offer.closed", row))
    return lines


def has_room(row: RoomRow) -> bool:
    """Return whether a seat can be taken in a listed room now."""
    return row.get("state", "waiting") in ("waiting", "finished") and row.get("taken", 0) < row.get("seats", 1)


def rules_of(row: RoomRow) -> list[str]:
    """Return the rules of a listed room, a few words each: in the server's words if it does not send the options."""
    options = row.get("options")
    if options is None:
        return [*map(clean, row.get("rules", []))]
    return [*lines_for(row["game"]).in_short(row["game"], options)]


def played(row: RoomRow) -> list[str]:
    """Return who plays in a listed room and how: people and bots, then the rules and the clock."""
    bots = sum(player["kind"] == "bot" for player in row.get("players", []))
    numbers = {"people": row.get("people", 0), "bots": bots}
    inside = [say(f"line.offer.{kind}", n=n) for kind, n in numbers.items() if n]
    return [*([", ".join(inside)] if inside else []), *rules_and_clock(row)]


def rules_and_clock(row: RoomRow) -> list[str]:
    """Return how a listed room plays, and on which terms. Without options the clock is among the server's words."""
    clock = [say("room.clock", times(row["clock"]))] if "options" in row and "clock" in row else []
    return [*rules_of(row), *clock, *terms_of(row, row.get("seats", 2))]


def written(table: Table) -> str:
    """Return the rules of a room as NAME=VALUE, as they are typed to change them."""
    words = {**table["options"], **({"seats": table["size"]} if "size" in table else {})}
    if "clock" in table:
        words["clock"] = _typed(table["clock"])
    shown = {name: ("no", "yes")[value] if isinstance(value, bool) else value for name, value in words.items()}
    return " ".join(f"{name}={value}" for name, value in shown.items())


def times(clock: Clock | None) -> dict[str, str]:
    """Return the times of a clock for a phrase: nothing if there is no clock, ``turn`` if all turns have the same."""
    if clock is None:
        return {}
    bank, add = duration(clock["bank"]), duration(clock["add"])
    return {"bank": bank, "add": add} | ({"turn": bank} if _for_each_turn(clock) else {})


def _for_each_turn(clock: Clock) -> bool:
    return clock["bank"] == clock["add"] == clock.get("cap")


def _typed(clock: Clock | None) -> str:
    if clock is None:
        return "none"
    bank, add = (f"{clock['bank'] / 1000:.10g}", f"{clock['add'] / 1000:.10g}")
    return f"{bank}/turn" if _for_each_turn(clock) else f"{bank}+{add}"


def how_to(row: RoomRow) -> list[str]:
    """Return how a room's game is played, in sentences."""
    return [*lines_for(row["game"]).how_to(row["game"], row.get("options", {}))]


def people(room: JoinedRoom) -> str:
    """Return the line that lists the players."""
    players = ", ".join(_person(room, row) for row in room.table["seats"]) or say("line.room.nobody")
    return say("line.room.players", players=players, watchers=room.table["watchers"])


def changes(room: JoinedRoom, before: Table) -> Iterator[str]:
    """Yield a line for each notable change of the table."""
    after = room.table
    was = {row["name"]: row for row in before["seats"]}
    now = {row["name"]: row for row in after["seats"]}
    given = {row["name"]: old["name"] for old, row in _given(before, after)}
    yield from (say("room.left", name=name) for name in was if name not in now and name not in given.values())
    for name, row in now.items():
        if name in given:
            yield say("room.handed", name=name, before=given[name])
        elif name not in was:
            yield say("room.sat", name=name, kind=kind_of(row))
        elif row["seat"] != room.seat:
            yield from _changed(was[name], row)
        elif row["by"] != was[name]["by"]:
            yield say("line.room.stood_in", by=row["by"])
    if after["host"] != before["host"] and after["host"] and before["host"]:
        yield say("room.host", name=after["host"])
    for request in _requests(before, after):
        if request["seat"] != room.seat:
            yield say("room.asks", name=request["name"], owner=room.name(request["seat"]))
    yield from (say("room.waits", name=name) for name in after.get("queue", []) if name not in before.get("queue", []))
    rules = [*_new_rules(room, before)]
    if rules and after["host"]:
        yield say("room.changed", name=after["host"], rules=", ".join(rules))
    shared = not room.private and after.get("size", 2) > 1
    if shared and not room.under_way and after.get("unrated") != before.get("unrated"):
        yield say("line.room.unrated", what=say("room.unrated", why=after.get("unrated")), playing=False)
    if after["state"] != before["state"] and after["state"] in ("pause", "closed"):
        yield say(f"line.room.{after['state']}")


def asking(room: JoinedRoom, before: Table) -> Iterator[str]:
    """Yield the names of the spectators who have asked for our seat since ``before``."""
    yield from (request["name"] for request in _requests(before, room.table) if request["seat"] == room.seat)


def _requests(before: Table, after: Table) -> Iterator[SeatRequest]:
    yield from (request for request in after.get("requests", []) if request not in before.get("requests", []))


def _given(before: Table, after: Table) -> Iterator[tuple[SeatRow, SeatRow]]:
    """Yield the old and new row of each seat that its owner has given away: one goes and one comes with one change."""
    was = {row["seat"]: row for row in before["seats"]}
    names, old_names = ({row["name"] for row in table["seats"]} for table in (after, before))
    for row in after["seats"]:
        old = was.get(row["seat"])
        if old is not None and row["name"] not in old_names and old["name"] not in names:
            yield old, row


def _new_rules(room: JoinedRoom, before: Table) -> Iterator[str]:
    """Yield the rules, the seats and the clock, each if the host has changed it."""
    after = room.table
    if after["options"] != before["options"]:
        rules = [*lines_for(room.game).in_short(room.game, after["options"])]
        yield from rules or [say("room.usual_rules")]
    if (size := after.get("size")) is not None and size != before.get("size"):
        yield say("room.seats", n=size)
    if "clock" in after and after["clock"] != before.get("clock", after["clock"]):
        yield say("room.clock", times(after["clock"]))


def result(room: JoinedRoom, over: Over) -> list[str]:
    """Return the standings of a finished match, best first, and its digest. A player alone has no place."""
    ranks, scores = over.result["ranks"], over.result["scores"]
    order = sorted(ranks, key=lambda seat: (ranks[seat], int(seat)))
    lines = [say("line.room.over", why=reason(room, over))]
    for seat in order:
        place = f"{ranks[seat]}. " if len(ranks) > 1 else ""
        own = f" ({say('you')})" if int(seat) == room.seat else ""
        lines.append(f"{place}{room.name(int(seat))}{own}  {scores.get(seat, 0)}")
    return [*lines, *unrated(room, over), say("line.room.digest", digest=over.digest)]


def unrated(room: JoinedRoom, over: Over) -> list[str]:
    """Return why a finished match was not rated, as a line; nothing if it was, or where ratings do not matter."""
    why = None if room.private else over.result.get("unrated")
    return [say("room.unrated", why=why)] if why is not None and len(over.result["ranks"]) > 1 else []


def reason(room: JoinedRoom, over: Over) -> str:
    """Return why a match is over, in the words of its game if it has some."""
    why = over.result["why"]
    found = phrase(room.game, f"value.{why}")
    return say("room.result.why", why=why) if found is None else found


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _person(room: JoinedRoom, row: SeatRow) -> str:
    said: list[str] = [say("you") if row["seat"] == room.seat else kind_of(row)]
    if row["name"] == room.table["host"]:
        said.append(say("tui.host"))
    if row["by"] == "standin":
        said.append(say("line.room.standin"))
    elif not row["here"]:
        said.append(say("line.room.not_here"))
    if row["ready"] and not room.under_way:
        said.append(say("line.room.ready"))
    return f"{row['name']} ({', '.join(said)})"


def _changed(was: SeatRow, row: SeatRow) -> Iterator[str]:
    name = row["name"]
    if row["by"] != was["by"]:
        yield say(f"room.{row['by']}", name=name)
    elif was["here"] and not row["here"]:
        left = row.get("left")
        yield say("line.room.lost", name=name, ms=left // 1000 * 1000 if left else None)
    elif row["here"] and not was["here"]:
        yield say("room.back", name=name)
    if row["ready"] and not was["ready"] and row["kind"] == "human":
        yield say("room.ready", name=name)
