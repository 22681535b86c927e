"""Holding contests: tables are opened when those who play at them are free, and results are taken in.

Entrants are bots that offer themselves for the game. One that has gone keeps its place: its tables wait for it, for
PATIENCE at most while nothing else can go on; then they are given up, and nobody gets anything for them.
"""

from typing import TYPE_CHECKING, Any

import attrs

from parlour_games.game import BadOptions
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Admin, Create
from parlour_protocol.wire import strict
from parlour_server.rooms import opening, seating
from parlour_server.rooms.audience import Person
from parlour_server.rooms.contest import BadPlan, Contest, Entrant, Plan
from parlour_server.rooms.effects import Finished, SaveContest
from parlour_server.rooms.identity import check_name
from parlour_server.rooms.offers import busy
from parlour_server.rooms.pairing import Table
from parlour_server.rooms.room import Room

if TYPE_CHECKING:
    from parlour_server.rooms.lobby import Lobby

PATIENCE = 600_000
"""Milliseconds that a contest in which nothing goes on waits for those who are away."""
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
    stop: bool = False


def serve(lobby: "Lobby", message: Admin, now: int) -> None:
    """Begin or stop the contest that the operator names. Raises Denied or BadMessage."""
    name, wanted = message.name or "", strict(Wanted)(message.args or {})
    if wanted.stop:
        contest = find(lobby, name)
        contest.stopped = True
    elif name in lobby.contests:
        raise Denied("bad_options", f"there has been a contest {name} already; choose another name")
    else:
        check_name(name)
        contest = lobby.contests[name] = Contest(_plan(lobby, name, wanted))
        lobby.abroad.contests |= {name}
    lobby.want(contest.save())
    arrange(lobby, now)


def find(lobby: "Lobby", name: str) -> Contest:
    """Return the contest called so. Raises Denied."""
    if name not in lobby.contests:
        known = ", ".join(sorted(lobby.contests)[:20]) or "none"
        raise Denied("no_contest", f"there is no contest {name[:32]!a}; there is {known}")
    return lobby.contests[name]


def arrange(lobby: "Lobby", now: int) -> None:
    """Open the tables whose players are free, unless the server stops; give up those that have waited too long."""
    if lobby.draining:
        return
    for contest in lobby.contests.values():
        if contest.over or not lobby.abroad.holds(contest.plan.name):
            continue
        for number, table in list(contest.due()):
            if all(_is_free(lobby, contest, entrant) for entrant in table):
                _open(lobby, contest, number, table, now)
        if contest.rooms:
            contest.idle_since = None
        elif contest.idle_since is None:
            contest.idle_since = now
        elif now - contest.idle_since > PATIENCE:
            for number, _ in list(contest.due()):
                lobby.want(_give_up(contest, number))


def undo(lobby: "Lobby", lost: SaveContest) -> None:
    """A contest could not be stored: it has not begun, or not been stopped."""
    if lost.stopped:
        lobby.contests[lost.name].stopped = False
    else:
        del lobby.contests[lost.name]


def finished(lobby: "Lobby", room: Room, effect: Finished) -> None:
    """The match of a contest's room has ended. One that was aborted counts for nobody."""
    contest, config = _of(lobby, room), room.state.config
    ranks = tuple(row.rank for row in effect.rows) if effect.rated else ()
    scores = tuple(row.score for row in effect.rows) if effect.rated else ()
    change = contest.ended(config.pairing, room.code, ranks, scores)
    contest.follow(change)
    lobby.want(change)
    _tell_standings(contest, room)


def shut(lobby: "Lobby", room: Room) -> None:
    """A contest's room is closed; if nothing came of it, its table is given up."""
    contest, number = _of(lobby, room), room.state.config.pairing
    if number not in contest.results:
        lobby.want(_give_up(contest, number, room.code))


def _of(lobby: "Lobby", room: Room) -> Contest:
    name = room.state.config.contest
    assert name is not None, "the room belongs to a contest"
    return lobby.contests[name]


def _give_up(contest: Contest, number: int, room: str = "") -> Any:
    change = contest.ended(number, room, (), ())
    contest.follow(change)
    return change


def _plan(lobby: "Lobby", name: str, wanted: Wanted) -> Plan:
    game = lobby.games.get(wanted.game)
    if game is None:
        known = ", ".join(sorted(lobby.games))
        raise Denied("no_game", f"there is no game {wanted.game[:32]!a} here; there is {known}")
    offered = [lobby.identities.get(who) for who, offer in lobby.offers.items() if wanted.game in offer.games]
    entrants = tuple(Entrant(identity.who, identity.name) for identity in offered if not identity.house)
    entrants += tuple(Entrant(bot.who, bot.name) for bot in lobby.abroad.bots.values() if wanted.game in bot.games)
    fields = attrs.asdict(wanted, filter=attrs.filters.exclude("stop"))
    plan = Plan(name=name, entrants=tuple(sorted(entrants, key=lambda each: each.name)), **fields)
    try:
        plan.check()
        least, most = game.seats(strict(game.Options)(plan.options))
        if not least <= plan.players <= most:
            raise BadPlan(f"players: {plan.game} with these options has {least} to {most} seats, not {plan.players}")
    except (BadPlan, BadOptions, BadMessage) as error:
        raise Denied("bad_options", str(error)) from None
    return plan


def _is_free(lobby: "Lobby", contest: Contest, entrant: int) -> bool:
    who = contest.plan.entrants[entrant].who
    offer, distant = lobby.offers.get(who), lobby.abroad.bots.get(who)
    if offer is None:
        return distant is not None and contest.plan.game in distant.games and distant.free > 0
    return contest.plan.game in offer.games and busy(lobby, who) < offer.limit


def _open(lobby: "Lobby", contest: Contest, number: int, table: Table, now: int) -> None:
    plan = contest.plan
    code = opening.new_code(False, lobby.used, lobby.entropy)
    create = Create(plan.game, plan.options, seats=len(table), kinds="bots", standin=False, start="full")
    record = opening.opened(create, lobby.games[plan.game], code, lobby.entropy(32))
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
        seating.sit(room, at, lobby.person(session), None, None, "invited")
    else:
        lobby.abroad.bots[entrant.who].free -= 1
        lobby.abroad.calls.add((room.code, entrant.who))
        seating.sit(room, at, Person(entrant.who, entrant.name, "bot"), None, None, None)


def _tell_standings(contest: Contest, room: Room) -> None:
    """Say at a table how the contest stands, for those who watch it."""
    rows = contest.standings()[:LEADERS]
    leaders = ", ".join(f"{row['name']} {row['wins']}/{row['games']}" for row in rows)
    told = f"{len(contest.results)} of {len(contest.tables)} tables are done. Won/played: {leaders}"
    room.ask(*room.audience.said(Person("", contest.plan.name, "bot"), told))
