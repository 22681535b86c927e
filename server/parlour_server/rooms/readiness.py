"""The start of a match and the end of a pause: who is ready, which nonces are still awaited, and the host's start."""

from parlour_games.plural import counted
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Id, Ok, Ready
from parlour_server.rooms import records
from parlour_server.rooms.audience import Person
from parlour_server.rooms.core import ALLOWED, RoomCore
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.records import Begun, Readied, Round, StartingSeat
from parlour_server.rooms.seats import TakenSeat

NONCE_WAIT = 2_000
"""Milliseconds that a client with nonces has to send one before it counts as ready without."""
MOMENT = 10_000
"""Milliseconds that a person can be away and still has to be ready: a browser may only be loading the page again."""


class Readiness:
    """Who is ready in a room, and what begins once enough are."""

    def __init__(self, core: RoomCore, playing: Playing) -> None:
        self._core = core
        self._playing = playing
        self._commit_seen: dict[str, int] = {}
        """When each seated identity was first shown the commitment to the next match's secret."""

    def show_commit(self, who: str, now: int) -> None:
        """Note that ``who`` has taken its seat or come back to it, and so sees the commitment."""
        self._commit_seen.setdefault(who, now)

    def forget(self, who: str) -> None:
        """Note that ``who`` has left its seat."""
        self._commit_seen.pop(who, None)

    def ready(self, now: int, person: Person, message: Ready) -> None:
        """Set whether ``person`` is ready: for a match, to end a pause, or to play its own seat again."""
        core = self._core
        state = core.state
        core.require_state("ready")
        number = core.require_seat(state.seats.of(person.who))
        seat = state.seats.at(number)
        nonce = message.nonce if state.state in ("waiting", "finished") and not state.config.dealt_by else None
        if nonce is not None:
            core.require_state("nonce")
        took_back = core.match is not None and seat.by == "standin"
        if seat.ready or not message.ready:  # one that becomes ready may always: it takes the room on
            core.require_allowance(now)
        if took_back:
            core.hand_over(now, number, "owner", None)
        elif state.state != "playing":
            core.record(Readied(now, number, message.ready, nonce))
        core.send(person.who, Ok(re=message.id, room=core.code))
        if took_back or state.state != "playing":
            core.send_table(now)
        if took_back:
            self._playing.publish(now, [])
        self.proceed(now)

    def hurry(self, now: int, person: Person, re: Id | None) -> None:
        """Wait for ``person`` neither in this match nor in its pauses."""
        core = self._core
        core.require_state("hurry")
        core.require_seat(core.state.seats.of(person.who))
        core.audience.hurried.add(person.who)
        core.send(person.who, Ok(re=re, room=core.code))
        core.send_table(now)
        self.proceed(now)

    def start(self, now: int, person: Person, re: Id | None) -> None:
        """Begin a match, or end a pause, because the host says so."""
        core = self._core
        core.require_host(person)
        core.require_state("start")
        if core.state.state == "pause":
            core.send(person.who, Ok(re=re, room=core.code))
            self._playing.fire_timer(now)
            return
        seated = len(core.state.seats.taken())
        need = core.state.min_players
        if seated < need:
            there = counted(seated, "is seated", "are seated")
            few = f"{core.state.config.game} needs {counted(need, 'player')} here, but only {there}"
            hint = "let others `join`, or `invite` bots; then `start`"
            raise Denied("wrong_state", few, room=core.code, why="few", hint=hint)
        core.send(person.who, Ok(re=re, room=core.code))
        self._begin(now)

    def proceed(self, now: int) -> None:
        """Begin a match, or end a pause, if the seated players are ready for it."""
        state = self._core.state.state
        if state == "pause" and self._agreed(now):
            self._playing.fire_timer(now)
        elif state in ALLOWED["sit"] and self._is_wanted(now):
            self._begin(now)

    def present(self, now: int) -> list[TakenSeat]:
        """Return the seats of people who are connected, or were so a moment ago."""
        here = self._core.audience.here
        return [seat for n, seat in self._people() if seat.who in here or now < self._gone_at(n)]

    def deadlines(self, now: int) -> list[int]:
        """Return until when nonces are still awaited, and people who were connected a moment ago."""
        if self._core.state.state == "playing":
            return []
        dues = [*self._nonces_due(), *(self._gone_at(number) for number, _ in self._people())]
        return [due for due in dues if due > now]

    def _people(self) -> list[tuple[int, TakenSeat]]:
        return [(number, seat) for number, seat in self._core.state.seats.taken() if seat.kind == "human"]

    def _gone_at(self, number: int) -> int:
        """Return when the absent owner of a seat is awaited no more; 0: the owner is not absent."""
        since = self._core.audience.absent.get(number)
        return 0 if since is None else since + MOMENT

    def _nonces_due(self) -> list[int]:
        state = self._core.state
        if state.state not in ALLOWED["nonce"]:
            return []
        waits = [self._nonce_due(seat) for _, seat in state.seats.taken() if not seat.ready]
        return [due for due in waits if due is not None]

    def _agreed(self, now: int) -> bool:
        people, audience = self.present(now), self._core.audience
        return bool(people) and all(
            (seat.ready or seat.who in audience.hurried) and seat.who in audience.here for seat in people
        )

    def _is_wanted(self, now: int) -> bool:
        if any(due > now for due in self._nonces_due()):
            return False
        state = self._core.state
        seated = len(state.seats.taken())
        if seated < state.min_players:
            return False
        if state.config.start == "full" and state.matches == 0 and not state.changed:
            return seated == state.config.seats
        return self._agreed(now)

    def _nonce_due(self, seat: TakenSeat) -> int | None:
        person = self._core.audience.here.get(seat.who or "")
        state = self._core.state
        if person is None or not person.nonces or state.config.dealt_by:
            return None
        since = self._commit_seen.get(person.who, state.at)
        if state.match and state.match.ended:  # the end of a match shows the commitment to the next one
            since = max(since, state.match.ended.at)
        return since + NONCE_WAIT

    def _begin(self, now: int) -> None:
        core = self._core
        state, config = core.state, core.state.config
        seated = state.seats.taken()
        number = state.matches + 1
        nonces = [seat.nonce or "" for _, seat in seated]
        if config.deal:
            nonces = records.deal_nonces(config.deal, len(seated))
        named = config.deal.get("beacon") if config.deal else None
        begun = Begun(
            at=now,
            match=number,
            game=config.game,
            rules=state.game.rules_version,
            room=records.ROOM_VERSION,
            context=state.context,
            secret=state.secret(number).hex(),
            commit=state.commit,
            nonces=nonces,
            options=config.options,
            players=[
                StartingSeat(seat.who or "", seat.name, seat.kind, seat.who in core.audience.house_bots())
                for _, seat in seated
            ],
            rids=self._next_rids(seated),
            banks=[config.clock["bank"] if config.clock else 0] * len(seated),
            clock=config.clock,
            standin=config.standin,
            deal=config.dealt_by,
            beacon=Round(named["chain"], named["round"]) if named else None,
            unrated=None if config.dealt_by else core.audience.unrated(),
        )
        events = self._playing.begin(begun)
        self._renumber(now, {old: new for new, (old, _) in enumerate(seated)})
        core.send_table(now)
        self._playing.publish(now, events)

    def _next_rids(self, seated: list[tuple[int, TakenSeat]]) -> list[int]:
        """Return each seat's next rid; after seats have moved, one above all, so that no identity gets a rid twice."""
        rids = self._core.state.rids
        moved = any(old != new for new, (old, _) in enumerate(seated))
        return [max(rids)] * len(seated) if moved else rids[: len(seated)]

    def _renumber(self, now: int, moves: dict[int, int]) -> None:
        """Close the gaps between seats before a match; send the whole room to those whose number changed."""
        if all(old == new for old, new in moves.items()):
            return
        audience = self._core.audience
        audience.rearrange(moves)
        for old, new in moves.items():
            for who in audience.streams.owners[new].people if old != new else ():
                self._core.emit(*audience.joined(audience.here[who], now, why="sync", re=None))
