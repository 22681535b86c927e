"""A room: its parts, the requests that concern several of them, and how it is restored from its log.

Each verb gets ``now``, room time in milliseconds. What the room wants done is collected as effects, which ``take``
returns. A verb that is refused raises Refusal and changes nothing.

A long log loads fast, because old matches are not replayed. Of an old match only the seating and the host's rulings
last. Repeated answers are recognized until the match after the next begins, so the last two matches are replayed. The
rids of a seat continue from its last match, so the last match of each seat is replayed, too.
"""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence

from parlour_games.fair import Fair
from parlour_games.game import Job
from parlour_games.registry import AnyGame
from parlour_protocol.errors import Denied
from parlour_protocol.messages import Chat, Id, Kind, Manage, Ok
from parlour_server.rooms import records
from parlour_server.rooms.audience import NO_RATINGS, Person, Ratings
from parlour_server.rooms.core import RoomCore
from parlour_server.rooms.effects import RoomEffect
from parlour_server.rooms.match import Match, Randomness
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.readiness import Readiness
from parlour_server.rooms.records import ROOM_VERSION, Changed, Hosted, Owned, RoomOpened, Ruled
from parlour_server.rooms.seating import Handovers, Seating, SeatQueue
from parlour_server.rooms.state import State
from parlour_server.rooms.timers import Timers

_BEGUN = '"r":"begun"'


class Room:
    """One room."""

    def __init__(self, state: State, ratings: Ratings = NO_RATINGS) -> None:
        self.state = state
        self.code = state.config.code
        self.core = core = RoomCore(state, ratings)
        self.audience = core.audience
        self.playing = Playing(core)
        self.readiness = Readiness(core, self.playing)
        self.seating = Seating(core, self.playing, self.readiness)
        self.handovers = Handovers(core, self.readiness)
        self.queue = SeatQueue(core, self.seating)
        self.timers = Timers(core, self.playing, self.seating, self.readiness, self.queue)

    @property
    def match(self) -> Match | None:
        """The match under way."""
        return self.core.match

    def open(self) -> None:
        """Record that the room was opened: the first line of its log."""
        self.core.record(self.state.config)

    def resume(self, now: int, epoch: int) -> None:
        """Continue a loaded room: restart its clocks, and ask again for the computation that its game waits for.

        Everyone is absent from now on, or since the recorded time.
        """
        self.core.record(Owned(now, epoch))
        owned = (number for number, seat in self.state.seats.taken() if seat.who)
        self.audience.absent = {number: self.state.seats.away.get(number, now) for number in owned}
        if self.match and isinstance(self.match.pending, Job):
            self.playing.publish(now, [])

    def chat(self, now: int, person: Person, message: Chat) -> None:
        """Send a line of chat to everybody."""
        if person.who in self.state.muted:
            raise Denied("muted", "the host has muted you in this room", room=self.code)
        self.core.active_at = now
        self.core.send(person.who, Ok(re=message.id, room=self.code))
        self.core.emit(*self.audience.chat_line(person, message.text, now))

    def announce(self, now: int, name: str, text: str) -> None:
        """Send everybody a line of chat under the name of a contest. It does not keep the room from expiring."""
        self.core.emit(*self.audience.chat_line(Person("", name, "bot"), text, now))

    def manage(self, now: int, person: Person, message: Manage) -> None:
        """Kick, ban, mute or unmute a person, pass the host's role, or add time to a clock, for the host."""
        core, do = self.core, message.do
        core.require_host(person)
        who = self._named(message.name)
        if who == person.who and do in ("kick", "ban", "mute"):
            raise Denied("no_such_name", f"you cannot {do} yourself", room=self.code)
        if do == "host" and person.kind == "human" and self._kind(who) == "bot":
            told = f"{message.name} is a bot, and a person can make only a person the host"
            said = {"phrase": "host", "fields": {"name": message.name}}
            raise Denied("wrong_kind", told, room=self.code, hint="make a person the host, or `leave`", **said)
        if do in ("kick", "ban") and self.state.seats.deciding(who) is not None:
            core.require_uncounted(f"{do} its players")
        if do == "addtime" and core.match is not None and core.match.unrated != "alone":  # then nobody else is timed
            core.require_uncounted("add time")
        if do != "kick":
            core.require_allowance(now)
        core.send(person.who, Ok(re=message.id, room=self.code))
        if do == "host":
            core.record(Hosted(now, who))
        elif do != "kick":
            core.record(Ruled(now, do, who))
        if do == "addtime":
            self.playing.publish_added_time(now, who)
        if do in ("kick", "ban"):
            self.seating.leave(now, who, None, why="kicked" if do == "kick" else "banned")
        else:
            core.send_table(now)

    def configure(self, now: int, person: Person, changed: Changed, re: Id | None) -> None:
        """Change options, seats and clock for the next match, for the host. The people get ready again."""
        core, state = self.core, self.state
        core.require_host(person)
        core.require_state("configure")
        if state.config.dealt_by:
            fixed = "the rules of this room are fixed; create another room"
            raise Denied("wrong_state", fixed, room=self.code, why="fixed")
        beyond = [seat.name for number, seat in state.seats.taken() if number >= changed.seats]
        if beyond:
            stay = f"seats: {' and '.join(beyond)} would lose their seats; let them leave, or `kick` them first"
            said = {"phrase": "seated", "fields": {"names": ", ".join(beyond)}}
            raise Denied("bad_options", stay, room=self.code, **said)
        core.require_allowance(now)
        core.record(changed)
        self.audience.streams.resize(changed.seats)
        core.send(person.who, Ok(re=re, room=self.code))
        core.send_table(now)

    def take(self, now: int, *, only_moved: bool = False) -> list[RoomEffect]:
        """Return the effects since the last call; the last may be the next wake-up.

        ``only_moved``: nothing but a move has happened since then.
        """
        if only_moved and self.state.state == "pause" and self.audience.hurried:
            self.readiness.proceed(now)
            only_moved = False
        self.timers.arm(now, only_moved=only_moved)
        return self.core.drain()

    def _named(self, name: str) -> str:
        people = {person.name.lower(): who for who, person in self.audience.here.items()}
        people |= {seat.name.lower(): seat.who for _, seat in self.state.seats.taken() if seat.who}
        if name.lower() not in people:
            raise Denied("no_such_name", f"{name!a} is not in this room", room=self.code)
        return people[name.lower()]

    def _kind(self, who: str) -> Kind:
        """Return the kind of a person who is here or has a seat."""
        if who in self.audience.here:
            return self.audience.here[who].kind
        return next(seat.kind for _, seat in self.state.seats.taken() if seat.who == who)


def restoring(
    lines: Sequence[str], game: AnyGame, randomness: Randomness = Fair, ratings: Ratings = NO_RATINGS
) -> Generator[None, None, Room]:
    """Return the room that the lines of a log amount to, after as many steps as that takes.

    No one is connected; timers and jobs are still due.
    """
    opened = records.parse(lines[0])
    assert isinstance(opened, RoomOpened)
    state = State(opened, game, randomness)
    yield from fold_log(state, lines)
    return Room(state, ratings)


def finished(steps: Generator[None, None, Room]) -> Room:
    """Take all steps of ``restoring``, and return the room."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            room: Room = end.value
            return room


def replay(lines: Sequence[str], game: AnyGame) -> Room:
    """Return the room that the lines of a log amount to."""
    return finished(restoring(lines, game))


def fold_log(state: State, lines: Sequence[str]) -> Iterator[None]:
    """Fold all ``lines`` of a room into a new state; stop at each line, so that the caller can do something else."""
    begun: dict[int, str] = {}
    for n, line in enumerate(lines):
        if _BEGUN in line:
            begun[n] = line
        yield
    wanted, replayed = matches_to_replay(begun), True
    for n, line in enumerate(lines):
        if _BEGUN in line:
            replayed = n in wanted
        if replayed:
            state.fold(records.parse(line), line)
        elif f'"n":{n},"r":"act"' in line:
            # Nearly all lines are acts, and nothing of them lasts: they are not even parsed. Keys are sorted in a line,
            # so that "n" stands right before "r"; player text cannot forge this, because its quotes are escaped.
            state.n += 1
        else:
            state.fold_lasting(records.parse(line))
        yield


def matches_to_replay(begun: Mapping[int, str]) -> set[int]:
    """Return the numbers of those ``begun`` lines, by number, whose matches have to be replayed."""
    wanted, seats = {*list(begun)[-2:]}, 0
    for number in reversed(list(begun)):
        players = len(json.loads(begun[number])["rids"])
        if players > seats:
            wanted.add(number)
            seats = players
    return wanted


def beyond(lines: Sequence[str], games: Mapping[str, AnyGame]) -> str | None:
    """Return why a room cannot be replayed by this server, in words; None if it can, unless its game fails."""
    try:
        unknown = _unknown_version(lines, games)
        if unknown is None:
            for n, line in enumerate(lines):
                assert json.loads(line)["n"] == n
                records.parse(line)
    except Exception:  # a damaged line may hold anything
        return "its records are damaged, or from a newer version of parlour"
    return unknown


def _unknown_version(lines: Sequence[str], games: Mapping[str, AnyGame]) -> str | None:
    """Return in words what the room needs that this server does not know.

    The lines are not decoded as records, because those of newer versions may have other fields.
    """
    opened = json.loads(lines[0])
    begun = {n: line for n, line in enumerate(lines) if _BEGUN in line}
    replayed = [json.loads(begun[n]) for n in sorted(matches_to_replay(begun))]
    newest = max([opened["version"], *(each["room"] for each in replayed)])
    if newest > ROOM_VERSION:
        return f"it needs version {newest} of rooms; this server knows versions up to {ROOM_VERSION}"
    game = games.get(opened["game"])
    if game is None:
        return f"its game, {opened['game']}, cannot be used here"
    for rules in (each["rules"] for each in replayed):
        if game.under(rules) is None:
            return f"it needs version {rules} of the rules of {game.name}; here is version {game.rules_version}"
    return None
