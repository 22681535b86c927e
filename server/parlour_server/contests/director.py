"""Holding contests: tables are opened when those who play at them are free, and results are taken in.

Entrants are bots that offer themselves for the game. One that has gone keeps its place: its tables wait for it while
others can be played. When none can, those who have been away for ``entrants.GONE`` forfeit the tables that are left,
and after PATIENCE those who are busy elsewhere, too: every contest ends.
"""

from typing import TYPE_CHECKING, Any

import attrs

from parlour_games.game import BadOptions
from parlour_games.plural import counted, share
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Admin, Clock, Create, Id, StandingsRows
from parlour_protocol.wire import strict
from parlour_server.contests import entrants
from parlour_server.contests.contest import CLOCK, BadPlan, Contest, Course, Entrant, Plan, Result
from parlour_server.contests.pairing import MOST_TABLES, Table
from parlour_server.directory import room_creation
from parlour_server.directory.identities import check_name
from parlour_server.persistence import MatchFinished, SaveContest, SavePairing
from parlour_server.rooms.audience import Person
from parlour_server.rooms.room import Room

if TYPE_CHECKING:
    from parlour_server.lobby.lobby import Lobby

PATIENCE = 600_000
"""Milliseconds that a contest in which nothing goes on waits for those who are away."""
TELL_EACH = 10_000
"""Milliseconds between two lines about a contest at a table that is watched."""
PAGE = 100
"""Rows of a page of standings."""
LEADERS = 5
"""How many of the standings are told at a table."""


@attrs.frozen(kw_only=True)
class Wanted:
    """What the operator may say of a contest, besides its name."""

    game: str = "uno"
    options: dict[str, Any] = attrs.field(factory=dict)
    format: str = "round-robin"
    players: int = 2
    games: int = 1
    rounds: int = 0
    clock: Clock = attrs.field(factory=lambda: CLOCK)
    drop: str = ""
    stop: bool = False
    resume: bool = False
    check: int = 0


def serve(lobby: "Lobby", message: Admin, now: int) -> None:
    """Begin, stop or resume the contest that the operator names, or drop a bot. Raises Denied or BadMessage."""
    name, wanted = message.name or "", strict(Wanted)(message.args or {})
    if wanted.drop:
        _drop(lobby, find(lobby, name), wanted.drop, now)
    elif wanted.stop:
        _stop(lobby, find(lobby, name))
    elif wanted.resume:
        _resume(lobby, find(lobby, name))
    else:
        _begin(lobby, name, wanted)
    arrange(lobby, now)


def _begin(lobby: "Lobby", name: str, wanted: Wanted) -> None:
    if name in lobby.contests:
        go_on = ", or resume it" if lobby.contests[name].stopped else ""
        raise Denied("bad_options", f"there has been a contest {name} already; choose another name{go_on}")
    check_name(name)
    plan = _plan(lobby, name, wanted)
    if wanted.check:
        return
    contest = lobby.contests[name] = Contest(plan)
    lobby.abroad.contests |= {name}
    lobby.want(contest.save())
    bots = [each.name for each in contest.plan.entrants]
    entrants.tell(lobby, "a contest begins", contest, game=wanted.game, tables=len(contest.tables), bots=bots)


def _stop(lobby: "Lobby", contest: Contest) -> None:
    contest.stopped = True
    lobby.want(contest.save())
    entrants.tell(lobby, "the contest is stopped", contest, tables=len(contest.tables), done=len(contest.results))


def _resume(lobby: "Lobby", contest: Contest) -> None:
    """Go on with a contest where it was stopped. Raises Denied."""
    _check_held(lobby, contest)
    if not contest.stopped:
        raise Denied("bad_options", f"the contest {contest.plan.name} has not been stopped; there is nothing to resume")
    contest.stopped, contest.course = False, Course()
    lobby.want(attrs.evolve(contest.save(), resumed=True))
    entrants.tell(lobby, "the contest goes on", contest, tables=len(contest.tables), done=len(contest.results))


def _check_held(lobby: "Lobby", contest: Contest) -> None:
    if not lobby.abroad.holds(contest.plan.name):
        raise Denied("not_here", f"another node of this server holds the contest {contest.plan.name}; ask that one")


def find(lobby: "Lobby", name: str) -> Contest:
    """Return the contest called so. Raises Denied."""
    if name not in lobby.contests:
        known = ", ".join(sorted(lobby.contests)[:20])
        there = f"there is {known}" if known else "none has begun here yet"
        raise Denied("no_contest", f"there is no contest {name[:32]!a}; {there}")
    return lobby.contests[name]


def standings(lobby: "Lobby", name: str, after: str | None, cross: bool, re: Id | None, now: int) -> StandingsRows:
    """Return a page of how everybody stands in a contest. Raises Denied."""
    contest = find(lobby, name)
    first = int(after) if after and after.isdecimal() and len(after) < 10 else 0
    rows, page = contest.standings(), PAGE
    if cross:
        rows, page = [{**row, "against": met} for row, met in zip(rows, contest.crossed(), strict=True)], PAGE // 2
    more = str(first + page) if len(rows) > first + page else None
    return StandingsRows(rows[first : first + page], more, re, contest.view(now))


def arrange(lobby: "Lobby", now: int) -> None:
    """Let all contests that are held here go on, unless the server stops."""
    if lobby.draining:
        return
    for contest in lobby.contests.values():
        if not contest.over and lobby.abroad.holds(contest.plan.name):
            _go_on(lobby, contest, now)
        _tell_end(lobby, contest)
        _tell_watchers(lobby, contest, now)


def _go_on(lobby: "Lobby", contest: Contest, now: int) -> None:
    """Open the tables whose players are free; let those whose players do not come be forfeited."""
    contest.course.mark(now, len(contest.results))
    free = entrants.places(lobby, contest)
    entrants.notice(lobby, contest, free, now)
    out = entrants.out(lobby, contest)
    for number, table in list(contest.due()):
        if out.intersection(table):
            if not (contest.course.away.keys() - out).intersection(table):
                _forfeit(lobby, contest, number, out)
        elif all(free.get(entrant, 0) > 0 for entrant in table):
            for entrant in table:
                free[entrant] -= 1
            _open(lobby, contest, number, table, now)
    _lose_patience(lobby, contest, free, now)


def _lose_patience(lobby: "Lobby", contest: Contest, free: dict[int, int], now: int) -> None:
    """When nothing can be played any more, let the tables that still wait be forfeited by whom they wait for."""
    course = contest.course
    for number, code in list(contest.rooms.items()):
        if not lobby.abroad.shared and code not in lobby.rooms and code not in lobby.dormant:
            _take_in(lobby, contest, contest.ended(number, code, Result()))  # it cannot be loaded any more
    if contest.rooms:
        course.idle_since = None
        return
    if course.idle_since is None:
        course.idle_since = now
    too_long, gone = now - course.idle_since > PATIENCE, entrants.gone(contest, now)
    nobody = len(course.away) == len(contest.plan.entrants)
    for number, table in list(contest.due()):
        missing = gone.intersection(table)
        if too_long and not missing:
            missing = {entrant for entrant in table if free.get(entrant, 0) <= 0 and not nobody}
        if missing or too_long:
            _forfeit(lobby, contest, number, missing | entrants.out(lobby, contest).intersection(table))


def _forfeit(lobby: "Lobby", contest: Contest, number: int, missing: set[int], room: str = "") -> None:
    """Let a table be lost by those ``missing``; be void if it is nobody's fault."""
    _take_in(lobby, contest, contest.forfeited(number, room, missing))
    names = [contest.plan.entrants[entrant].name for entrant in contest.tables[number] if entrant in missing]
    entrants.tell(lobby, "a table of the contest is not played", contest, table=number, forfeited_by=names)


def _take_in(lobby: "Lobby", contest: Contest, change: SavePairing) -> None:
    contest.follow(change)
    lobby.want(change)


def _tell_end(lobby: "Lobby", contest: Contest) -> None:
    course = contest.course
    if contest.over and course.marks and not (contest.stopped or course.over):
        course.over = True
        first = contest.standings()[0]
        entrants.tell(lobby, "the contest is over", contest, tables=len(contest.tables), first=first["name"])


def _drop(lobby: "Lobby", contest: Contest, name: str, now: int) -> None:
    """Let a bot play no more: it forfeits its tables, those under way too. Raises Denied."""
    _check_held(lobby, contest)
    entrant = contest.entrant(name)
    if entrant is None:
        raise Denied("no_such_name", f"{name[:20]!a} takes no part in the contest {contest.plan.name}")
    contest.dropped.add(entrant)
    entrants.tell(lobby, "a bot is dropped from the contest", contest, bot=contest.plan.entrants[entrant].name)
    throw_out(lobby, contest.plan.entrants[entrant].who, now, contest.plan.name)


def throw_out(lobby: "Lobby", who: str, now: int, contest: str | None = None) -> None:
    """Let ``who`` forfeit the matches of a contest, or of all, in which it sits here."""
    for code in sorted(lobby.seats.get(who, set()) & lobby.rooms.keys()):
        name = lobby.rooms[code].room.state.config.contest
        if name is not None and contest in (None, name):
            with lobby.enter(code, now) as (room, at):
                room.leave(at, who, None, why="forfeited")


def undo(lobby: "Lobby", lost: SaveContest) -> None:
    """A contest could not be stored: it has not begun, or not been stopped, or does not go on."""
    if lost.stopped or lost.resumed:
        lobby.contests[lost.name].stopped = lost.resumed
    else:
        del lobby.contests[lost.name]


def finished(lobby: "Lobby", room: Room, effect: MatchFinished) -> None:
    """The match of a contest's room has ended. One that was aborted counts for nobody; one that slept in is lost."""
    contest, number, match = _of(lobby, room), room.state.config.pairing, room.state.match
    assert match is not None
    assert match.ended is not None
    seats = range(len(effect.rows))
    asleep = match.ended.why == "expired"
    result = Result(
        ranks=tuple(row.rank for row in effect.rows) if effect.rated else (),
        scores=tuple(row.score for row in effect.rows) if effect.rated else (),
        forfeits=tuple(seat for seat in seats if asleep or room.state.seats[seat] is None),
        faults=tuple(match.lapses) if any(match.lapses) else (),
        dropped=tuple(seat for seat in seats if contest.tables[number][seat] in contest.dropped),
    )
    _take_in(lobby, contest, contest.ended(number, room.code, result))
    if result.forfeits or result.void:
        names = [effect.rows[seat].name for seat in result.forfeits]
        entrants.tell(
            lobby, "a match of the contest was forfeited" if names else "a match of the contest is void", contest,
            table=number, room=room.code, by=names, time_outs=list(result.faults),
        )  # fmt: skip
    _tell_standings(contest, room)


def shut(lobby: "Lobby", room: Room) -> None:
    """A contest's room is closed; if nothing came of it, its table is lost by those who did not come."""
    contest, number = _of(lobby, room), room.state.config.pairing
    if number not in contest.results:
        table, absent = contest.tables[number], room.audience.absent
        _forfeit(lobby, contest, number, {entrant for seat, entrant in enumerate(table) if seat in absent}, room.code)


def _of(lobby: "Lobby", room: Room) -> Contest:
    name = room.state.config.contest
    assert name is not None, "the room belongs to a contest"
    return lobby.contests[name]


def _entrants(lobby: "Lobby", wanted: Wanted) -> list[Entrant]:
    """Return the bots that would take part now; for a check so many that nobody knows."""
    if wanted.check:
        return [Entrant("", "")] * max(2, min(wanted.check, MOST_TABLES))
    offered = [lobby.identities.get(who) for who, offer in lobby.offers.items() if wanted.game in offer.games]
    bots = [Entrant(identity.who, identity.name) for identity in offered if not identity.house]
    bots += [Entrant(bot.who, bot.name) for bot in lobby.abroad.bots.values() if wanted.game in bot.games]
    return sorted(bots, key=lambda each: each.name)


def _plan(lobby: "Lobby", name: str, wanted: Wanted) -> Plan:
    game = lobby.games.get(wanted.game)
    if game is None:
        raise room_creation.no_game(lobby, wanted.game)
    fields = attrs.asdict(wanted, filter=attrs.filters.exclude("stop", "resume", "drop", "check"))
    plan = Plan(name=name, entrants=tuple(_entrants(lobby, wanted)), **fields)
    try:
        plan.check()
        least, most = game.seats(strict(game.Options)(plan.options))
        if not least <= plan.players <= most:
            seats = counted(most, "seat") if least == most else f"{least} to {most} seats"
            raise BadPlan(f"players: {plan.game} with these options has {seats}, not {plan.players}")
    except (BadPlan, BadOptions, BadMessage) as error:
        raise Denied("bad_options", str(error)) from None
    return plan


def _open(lobby: "Lobby", contest: Contest, number: int, table: Table, now: int) -> None:
    plan = contest.plan
    code = room_creation.new_code(False, lobby.used, lobby.entropy)
    create = Create(
        plan.game, plan.options, seats=len(table), kinds="bots", standin=False, start="full", clock=plan.table_clock
    )
    record = room_creation.opened(create, lobby.games[plan.game], code, lobby.entropy(32))
    lobby.open(attrs.evolve(record, contest=plan.name, pairing=number), now)
    change = contest.begun(number, code)
    contest.follow(change)
    lobby.want(change)
    with lobby.enter(code, now) as (room, at):
        for entrant in table:
            _seat(lobby, room, at, plan.entrants[entrant])
        _tell_standings(contest, room)
        room.proceed(at)


def _seat(lobby: "Lobby", room: Room, at: int, entrant: Entrant) -> None:
    """Give an entrant its seat; one that is at another node is called."""
    if entrant.who in lobby.offers:
        session = lobby.sessions[lobby.main[entrant.who]]
        room.sit(at, lobby.person(session), None, None, "invited")
    else:
        lobby.abroad.bots[entrant.who].free -= 1
        lobby.abroad.calls.add((room.code, entrant.who))
        room.sit(at, Person(entrant.who, entrant.name, "bot"), None, None, None)


def _tell_watchers(lobby: "Lobby", contest: Contest, now: int) -> None:
    """Tell those who watch a table from time to time what happens at the others."""
    course = contest.course
    if now - course.told_at < TELL_EACH or course.told == len(contest.results):
        return
    course.told_at, course.told = now, len(contest.results)
    for code in list(contest.rooms.values()):
        if code in lobby.rooms and lobby.rooms[code].room.audience.streams.watchers.people:
            with lobby.enter(code, now) as (room, _):
                _tell_standings(contest, room)


def _tell_standings(contest: Contest, room: Room) -> None:
    """Say at a table how the contest stands, for those who watch it."""
    rows = contest.standings()[:LEADERS]
    leaders = ", ".join(f"{row['name']} {row['wins']}/{row['games']}" for row in rows)
    told = f"{share(len(contest.results), len(contest.tables), 'table')} done. Won/played: {leaders}"
    room.announce(contest.plan.name, told)
