"""The director: opens the rooms of contests as their entrants become free, and takes in the results.

Entrants are available bots. One that has gone keeps its place: its pairings wait while others can be played. When none
can, entrants that have been away for ``timers.GONE`` forfeit the remaining pairings, and after ``PATIENCE`` so do those
that are busy elsewhere. So every contest ends.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import attrs
from msgspec.structs import replace

from parlour_games.game import BadOptions
from parlour_games.plural import counted, share
from parlour_games.registry import AnyGame
from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import Create, Id, StandingsRows
from parlour_protocol.wire import strict
from parlour_server.contests import contest as contests
from parlour_server.contests.contest import SEEDED, BadPlan, Contest, ContestState, Entrant, Plan, Terms
from parlour_server.contests.pairing import MOST_PAIRINGS, Pairing, PairingResult
from parlour_server.directory import room_creation
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.identities import Identities, Ratings, check_name
from parlour_server.directory.peers import Peers
from parlour_server.directory.room_creation import new_code
from parlour_server.directory.rooms import RoomDirectory
from parlour_server.directory.sessions import Connections
from parlour_server.effects import Outbox
from parlour_server.persistence import MatchFinished, SaveContest, SavePairing
from parlour_server.rooms.audience import Person
from parlour_server.rooms.records import RoomOpened
from parlour_server.rooms.room import Room
from parlour_server.rooms.timers import GONE

PATIENCE = 600_000
"""Milliseconds for which a contest without a match under way waits for absent entrants."""
REPORT_EACH = 10_000
"""Milliseconds between two reports to those who watch a contest's room."""
PAGE = 100
"""Rows of a page of standings."""
LEADERS = 5
"""The number of standings that a report names."""


@attrs.frozen(kw_only=True)
class ContestRequest(Terms):
    """A request of an admin about a contest, without its name."""

    drop: str = ""
    stop: bool = False
    resume: bool = False
    check: int = 0


@attrs.define(eq=False)
class Entrants:
    """The entrants of the contests. An entrant is a number, its index in the plan."""

    _outbox: Outbox
    _identities: Identities
    _bots: BotPool

    def places(self, contest: Contest) -> dict[int, int]:
        """Return in how many more rooms each available entrant can play."""
        found = {}
        for entrant, each in enumerate(contest.plan.entrants):
            places = self._bots.places(each.who, contest.plan.game)
            if places is not None:
                found[entrant] = places
        return found

    def out(self, contest: Contest) -> set[int]:
        """Return the entrants who no longer play: those that an admin has dropped or banned."""
        known = self._identities
        banned = {
            entrant
            for entrant, each in enumerate(contest.plan.entrants)
            if each.who in known and known.get(each.who).banned
        }
        return contest.dropped | banned

    def note_presence(self, contest: Contest, there: dict[int, int], now: int) -> None:
        """Note and log which entrants have gone and which have come back. ``there``: those available now."""
        away = contest.course.away
        if there and len(away) == len(contest.plan.entrants):  # all were cut off: all have the time to come back
            away.update(dict.fromkeys(away, now))
        for entrant, each in enumerate(contest.plan.entrants):
            if entrant in there and entrant in away:
                del away[entrant]
                self._outbox.log("a bot of the contest is back", contest=contest.plan.name, bot=each.name)
            elif entrant not in there and entrant not in away:
                away[entrant] = now
                self._outbox.log("a bot of the contest has gone", contest=contest.plan.name, bot=each.name)


def gone(contest: Contest, now: int) -> set[int]:
    """Return the entrants who have been away for too long. If all are away, the network is at fault: return none."""
    away = contest.course.away
    if len(away) == len(contest.plan.entrants):
        return set()
    return {entrant for entrant, since in away.items() if now - since > GONE}


@attrs.define(eq=False)
class Director:
    """All contests of this server, and the progress of those that this node runs."""

    _games: dict[str, AnyGame]
    _entropy: Callable[[int], bytes]
    _outbox: Outbox
    _identities: Identities
    _connections: Connections
    _rooms: RoomDirectory
    _bots: BotPool
    _ratings: Ratings
    _peers: Peers
    _entrants: Entrants
    contests: dict[str, Contest] = attrs.field(factory=dict, init=False)

    # --- what is stored ----------------------------------------------------------------------------------------

    def restore(self, stored: Iterable[SaveContest], pairings: Iterable[SavePairing]) -> None:
        """Load contests from the store, and their pairings in order."""
        self.contests |= {each.name: contests.read(each) for each in stored}
        for change in pairings:
            self.contests[change.contest].follow(change)

    def contest_changed(self, change: SaveContest) -> None:
        """Load a contest that another node has stored."""
        known = self.contests.get(change.name)
        if known is None:
            self.contests[change.name] = contests.read(change)
        else:
            known.stopped = change.stopped

    def pairing_changed(self, change: SavePairing) -> None:
        """Load a pairing that another node has stored."""
        if change.contest in self.contests:
            self.contests[change.contest].follow(change)

    def undo(self, lost: SaveContest | SavePairing) -> None:
        """Take back what could not be stored."""
        if isinstance(lost, SavePairing):
            self.contests[lost.contest].undo(lost)
        elif lost.stopped or lost.resumed:
            self.contests[lost.name].stopped = lost.resumed
        else:
            del self.contests[lost.name]

    def rename(self, who: str, name: str) -> None:
        """Show an identity under another name in all contests."""
        for contest in self.contests.values():
            contest.rename(who, name)

    def awaits(self, who: str) -> bool:
        """Whether a contest still waits for ``who``."""
        return any(contest.awaits(who) for contest in self.contests.values())

    # --- what an admin may do ----------------------------------------------------------------------------------

    def request(self, name: str, args: dict[str, Any], now: int) -> None:
        """Begin, stop or resume contest ``name``, or drop a bot from it. Raises Denied or BadMessage."""
        request = strict(ContestRequest)(args)
        if request.drop:
            self._drop(self.find(name), request.drop, now)
        elif request.stop:
            self._stop(self.find(name))
        elif request.resume:
            self._resume(self.find(name))
        else:
            self._begin(name, request)

    def _begin(self, name: str, request: ContestRequest) -> None:
        if name in self.contests:
            hint = ", or resume it" if self.contests[name].stopped else ""
            raise Denied("bad_options", f"a contest {name} exists already; choose another name{hint}")
        check_name(name)
        plan = self._plan(name, request)
        if request.check:
            return
        contest = self.contests[name] = Contest(plan)
        self._peers.contests |= {name}
        self._outbox.want(contest.save())
        bots = [each.name for each in contest.plan.entrants]
        self._log("a contest begins", contest, game=request.game, tables=len(contest.pairings), bots=bots)

    def _stop(self, contest: Contest) -> None:
        contest.stopped = True
        self._outbox.want(contest.save())
        self._log("the contest is stopped", contest, tables=len(contest.pairings), done=len(contest.results))

    def _resume(self, contest: Contest) -> None:
        self._check_held(contest)
        if not contest.stopped:
            name = contest.plan.name
            raise Denied("bad_options", f"the contest {name} is not stopped; only a stopped contest can be resumed")
        contest.stopped, contest.course = False, ContestState()
        self._outbox.want(replace(contest.save(), resumed=True))
        self._log("the contest is resumed", contest, tables=len(contest.pairings), done=len(contest.results))

    def _drop(self, contest: Contest, name: str, now: int) -> None:
        """Drop a bot from a contest: it forfeits its pairings, also those under way."""
        self._check_held(contest)
        entrant = contest.entrant(name)
        if entrant is None:
            raise Denied("no_such_name", f"{name[:20]!a} does not take part in the contest {contest.plan.name}")
        contest.dropped.add(entrant)
        self._log("a bot is dropped from the contest", contest, bot=contest.plan.entrants[entrant].name)
        self.forfeit(contest.plan.entrants[entrant].who, now, contest.plan.name)

    def _check_held(self, contest: Contest) -> None:
        if not self._peers.holds(contest.plan.name):
            name = contest.plan.name
            raise Denied(
                "not_here", f"another node of this server runs the contest {name}; send the request to that node"
            )

    def _plan(self, name: str, request: ContestRequest) -> Plan:
        game = room_creation.game_of(request.game, self._games)
        terms = {field.name: getattr(request, field.name) for field in attrs.fields(Terms)}
        plan = Plan(name=name, entrants=tuple(self._available(request)), **terms)
        try:
            plan.check()
            least, most = game.seats(strict(game.Options)(plan.options))
            if not least <= plan.players <= most:
                seats = counted(most, "seat") if least == most else f"{least} to {most} seats"
                raise BadPlan(f"players: {plan.game} with these options has {seats}, not {plan.players}")
        except (BadPlan, BadOptions, BadMessage) as error:
            raise room_creation.denied(error) from None
        return plan

    def _available(self, request: ContestRequest) -> list[Entrant]:
        """Return the bots that would take part now; for a check as many nameless ones as it asks for."""
        if request.check:
            return [Entrant("", "")] * max(2, min(request.check, MOST_PAIRINGS))
        offers = self._bots.available.items()
        offered = [self._identities.get(who) for who, offer in offers if request.game in offer.games]
        bots = [Entrant(identity.who, identity.name) for identity in offered if not identity.house]
        bots += [Entrant(bot.who, bot.name) for bot in self._bots.remote.values() if request.game in bot.games]
        bots.sort(key=lambda each: each.name)
        if request.format in SEEDED:
            bots.sort(key=lambda each: self._ratings.of(each.who, request.game) or 0, reverse=True)
        return bots

    # --- what everybody may see --------------------------------------------------------------------------------

    def find(self, name: str) -> Contest:
        """Return the contest of this name. Raises Denied."""
        if name not in self.contests:
            known = ", ".join(sorted(self.contests)[:20])
            there = f"choose from {known}" if known else "none has begun here yet"
            raise Denied("no_contest", f"there is no contest {name[:32]!a}; {there}")
        return self.contests[name]

    def standings(self, name: str, after: str | None, cross: bool, re: Id | None, now: int) -> StandingsRows:
        """Return a page of a contest's standings; ``cross``: with the results against each opponent. Raises Denied."""
        contest = self.find(name)
        first = int(after) if after and after.isdecimal() and len(after) < 10 else 0
        rows, page = contest.standings(), PAGE
        if cross:
            rows, page = [{**row, "against": met} for row, met in zip(rows, contest.crossed(), strict=True)], PAGE // 2
        more = str(first + page) if len(rows) > first + page else None
        return StandingsRows(rows[first : first + page], more, contest.view(now), re=re)

    # --- how they go on ----------------------------------------------------------------------------------------

    def arrange(self, now: int) -> None:
        """Open and forfeit pairings in all contests that this node holds, unless the server is stopping."""
        if self._connections.draining:
            return
        for contest in self.contests.values():
            if not contest.over and self._peers.holds(contest.plan.name):
                self._advance(contest, now)
            self._log_end(contest)
            self._report(contest, now)

    def forfeit(self, who: str, now: int, contest: str | None = None) -> None:
        """Let ``who`` forfeit the matches of a contest, or of all, in which it sits here."""
        for code in sorted(self._rooms.seats_of(who) & self._rooms.loaded.keys()):
            room = self._rooms.loaded[code].room
            name, number = room.state.config.contest, room.state.config.pairing
            if name is None or contest not in (None, name):
                continue
            begun, seat = room.match is not None, room.state.seats.of(who)
            self._rooms.update(code, now, lambda room, at: room.seating.leave(at, who, None, "forfeited"))
            if not begun and seat is not None:
                if (held := self.contests.get(name)) is not None:  # not a room of a ladder
                    self._forfeit_pairing(held, number, {held.pairings[number][seat]}, code)
                self._rooms.update(code, now, lambda room, at: room.playing.close(at, "expired"))

    def finished(self, room: Room, effect: MatchFinished) -> None:
        """Take in the result of a contest's match. One that was aborted is void; one that expired is lost by all."""
        contest, number, match = self._of(room.state.config), room.state.config.pairing, room.state.match
        assert match is not None
        assert match.ended is not None
        seats = range(len(effect.rows))
        expired = match.ended.why == "expired"
        result = PairingResult(
            ranks=tuple(row.rank for row in effect.rows) if effect.rated else (),
            scores=tuple(row.score for row in effect.rows) if effect.rated else (),
            forfeits=tuple(seat for seat in seats if expired or room.state.seats[seat] is None),
            faults=tuple(match.lapses) if any(match.lapses) else (),
            dropped=tuple(seat for seat in seats if contest.pairings[number][seat] in contest.dropped),
        )
        self._take_in(contest, contest.ended(number, room.code, result))
        if result.forfeits or result.void:
            names = [effect.rows[seat].name for seat in result.forfeits]
            event = "a match of the contest was forfeited" if names else "a match of the contest is void"
            self._log(event, contest, table=number, room=room.code, by=names, time_outs=list(result.faults))
        _report_standings(contest, room, match.ended.at)

    def closed(self, room: RoomOpened, absent: Collection[int]) -> None:
        """Take in that a contest's room is closed. Without a result, the ``absent`` seats forfeit the pairing."""
        contest, number = self._of(room), room.pairing
        if number not in contest.results:
            missing = {entrant for seat, entrant in enumerate(contest.pairings[number]) if seat in absent}
            self._forfeit_pairing(contest, number, missing, room.code)

    def _advance(self, contest: Contest, now: int) -> None:
        """Open the rooms of pairings whose entrants are free, and forfeit pairings of entrants who are out."""
        contest.course.mark(now, len(contest.results))
        free = self._entrants.places(contest)
        self._entrants.note_presence(contest, free, now)
        out = self._entrants.out(contest)
        for number, pairing in list(contest.due()):
            if out.intersection(pairing):
                if not (contest.course.away.keys() - out).intersection(pairing):
                    self._forfeit_pairing(contest, number, out)
            elif all(free.get(entrant, 0) > 0 for entrant in pairing):
                for entrant in pairing:
                    free[entrant] -= 1
                self._open(contest, number, pairing, now)
        self._forfeit_stalled(contest, free, now)

    def _forfeit_stalled(self, contest: Contest, free: dict[int, int], now: int) -> None:
        """When no pairing can be played, let the entrants that are waited for forfeit theirs."""
        course, rooms = contest.course, self._rooms
        for number, code in list(contest.rooms.items()):
            if not self._peers.shared and code not in rooms.loaded and code not in rooms.dormant:
                self._take_in(contest, contest.ended(number, code, PairingResult()))  # it can no longer be loaded
        if contest.rooms:
            course.idle_since = None
            return
        if course.idle_since is None:
            course.idle_since = now
        too_long, away = now - course.idle_since > PATIENCE, gone(contest, now)
        nobody = len(course.away) == len(contest.plan.entrants)
        for number, pairing in list(contest.due()):
            missing = away.intersection(pairing)
            if too_long and not missing:
                missing = {entrant for entrant in pairing if free.get(entrant, 0) <= 0 and not nobody}
            if missing or too_long:
                out = self._entrants.out(contest).intersection(pairing)
                self._forfeit_pairing(contest, number, missing | out)

    def _forfeit_pairing(self, contest: Contest, number: int, missing: set[int], room: str = "") -> None:
        """Let the entrants ``missing`` lose a pairing; without any it is void."""
        self._take_in(contest, contest.forfeited(number, room, missing))
        names = [contest.plan.entrants[entrant].name for entrant in contest.pairings[number] if entrant in missing]
        self._log("a table of the contest is not played", contest, table=number, forfeited_by=names)

    def _take_in(self, contest: Contest, change: SavePairing) -> None:
        contest.follow(change)
        self._outbox.want(change)

    def _open(self, contest: Contest, number: int, pairing: Pairing, now: int) -> None:
        plan, rooms = contest.plan, self._rooms
        code = new_code(False, rooms.used, self._entropy)
        create = Create(
            plan.game,
            plan.options,
            seats=len(pairing),
            kinds="bots",
            standin=False,
            start="full",
            clock=plan.room_clock,
        )
        record = room_creation.opened(create, self._games[plan.game], code, self._entropy(32))
        rooms.open(replace(record, contest=plan.name, pairing=number), now)
        self._take_in(contest, contest.begun(number, code))

        def seat_all(room: Room, at: int) -> None:
            for entrant in pairing:
                self._seat(room, at, plan.entrants[entrant])
            _report_standings(contest, room, at)
            room.readiness.proceed(at)

        rooms.update(code, now, seat_all)

    def _seat(self, room: Room, at: int, entrant: Entrant) -> None:
        """Give an entrant its seat, and call it if it is at another node."""
        if entrant.who in self._bots.available:
            style = self._bots.usual_style(entrant.who)
            room.seating.sit(at, self._bots.person(entrant.who), None, None, "invited", style)
        else:
            self._bots.remote[entrant.who].free -= 1
            self._peers.calls.add((room.code, entrant.who))
            room.seating.sit(at, Person(entrant.who, entrant.name, "bot"), None, None, None)

    def _of(self, room: RoomOpened) -> Contest:
        name = room.contest
        assert name is not None, "the room belongs to a contest"
        return self.contests[name]

    # --- reports -----------------------------------------------------------------------------------------------

    def _log(self, event: str, contest: Contest, **about: object) -> None:
        self._outbox.log(event, contest=contest.plan.name, **about)

    def _log_end(self, contest: Contest) -> None:
        course = contest.course
        if contest.over and course.marks and not (contest.stopped or course.over):
            course.over = True
            first = contest.standings()[0]
            self._log("the contest is over", contest, tables=len(contest.pairings), first=first["name"])

    def _report(self, contest: Contest, now: int) -> None:
        """Report the standings to spectators of the contest's rooms from time to time."""
        course = contest.course
        if now - course.reported_at < REPORT_EACH or course.reported == len(contest.results):
            return
        course.reported_at, course.reported = now, len(contest.results)
        for code in list(contest.rooms.values()):
            loaded = self._rooms.loaded.get(code)
            if loaded is not None and loaded.room.audience.streams.watchers.people:
                self._rooms.update(code, now, lambda room, at: _report_standings(contest, room, at))


def _report_standings(contest: Contest, room: Room, now: int) -> None:
    """Post the standings in a room's chat, for spectators."""
    rows = contest.standings()[:LEADERS]
    leaders = ", ".join(f"{row['name']} {row['wins']}/{row['games']}" for row in rows)
    text = f"{share(len(contest.results), len(contest.pairings), 'table')} done. Won/played: {leaders}"
    room.announce(now, contest.plan.name, text)
