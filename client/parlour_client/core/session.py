"""The client side of the protocol, without I/O: greet, follow rooms, resume them, and act exactly once.

A connection sends ``hello`` on each new socket, passes each message to send through ``outgoing`` and each received one
through ``is_news`` and ``receive``. ``reports`` collects what the application should know but no message says.

An act is kept until the server has answered it, and sent again after each ``joined``: the server carries out the first
act with a given rid (request id) and repeats the answer for all others.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Literal, TypeAlias

import attrs
from msgspec import structs

from parlour_client.core.fairness import Witness
from parlour_client.core.phrases import say
from parlour_protocol.messages import (
    Act,
    Answer,
    ClientMessage,
    Create,
    Daily,
    Error,
    FileLines,
    Hello,
    Id,
    Join,
    Joined,
    Kind,
    Leave,
    Left,
    Ok,
    Over,
    Ping,
    Ready,
    Redirect,
    RoomRequest,
    Said,
    SeatsChanged,
    Seen,
    ServerMessage,
    Turn,
    Update,
    Welcome,
    WhenLost,
)

Entropy: TypeAlias = Callable[[int], bytes]
"""n → n random bytes, like ``os.urandom``."""
Streamed: TypeAlias = Update | Turn | Over | SeatsChanged | Said
"""Messages of a room with a ``seq``."""

_NONCE_BYTES = 32
LATER = 10
"""The number of times an invitation is repeated while the server is still starting its bots."""
PASSING = ("busy", "drain", "hello_first", "internal", "rate_limited", "retry")
"""Codes of temporary refusals. ``hello_first`` is one because we do send hello: it arrived too late."""


class Gap(Exception):
    """A message of a room is missing, against the protocol: drop the socket and reconnect."""


@attrs.frozen
class SessionReport:
    """A finding of the session. ``room`` is the code of the room it concerns."""

    code: Literal["gap", "fairness", "unanswered", "seat_lost", "elsewhere"]
    text: str
    room: str | None = None


@attrs.define
class RoomLink:
    """The position in the message stream of one room."""

    room: str
    epoch: int = 0
    seq: int = 0
    seat: int | None = None
    fresh: bool = False
    """Whether ``joined`` was the last message. A ``turn`` or ``over`` with the same seq may follow it."""
    away: bool = False
    """Whether the socket has changed since the last message of the room."""
    witness: Witness = attrs.field(factory=Witness)

    def seen(self) -> Seen:
        """Return our position, and mark the room as continued on another socket."""
        self.away = True
        return Seen(room=self.room, epoch=self.epoch, seq=self.seq)


class Session:
    """One identity at one server, across any number of sockets."""

    def __init__(
        self,
        name: str,
        kind: Kind = "human",
        *,
        entropy: Entropy,
        token: str | None = None,
        key: str | None = None,
        ticket: str | None = None,
        can: tuple[str, ...] = ("nonce", "redirect"),
        only: Join | Create | Daily | None = None,
        on_token: Callable[[str | None], None] = lambda token: None,
    ) -> None:
        """``only``: the room to enter. Other rooms in which we hold a seat are reported and otherwise ignored.

        ``on_token`` is called with each new token before it is used, and with None when the token was refused.
        """
        self.name = name
        self.kind = kind
        self.token = token
        self.key = key
        self.can = can
        self.rooms: dict[str, RoomLink] = {}
        self.reports: list[SessionReport] = []
        self.left: list[Left] = []
        """``left`` messages that we missed: rooms in which our seat was gone when we reconnected."""
        self.greeted = False
        self._only = only
        self._aside: set[str] = set()
        """Rooms other than ``only`` in which we hold a seat."""
        self._on_token = on_token
        self._ticket = ticket
        self._entropy = entropy
        self._ids: Iterator[int] = count(1)
        self._acts: dict[tuple[str, int], Act] = {}
        self._asked: dict[Id, ClientMessage] = {}
        self._again: list[ClientMessage] = []
        self._entering_elsewhere: dict[str, Join] = {}
        """The pending ``join`` for each room that we were redirected to and have not entered yet."""
        self._repeated: Counter[Id] = Counter()
        """By the ``id`` of an invitation, how often it was repeated because it came too early."""
        self._returning: dict[Id, str] = {}
        """The rooms whose server we asked for again, by the ``id`` of the request."""

    def hello(self) -> Hello:
        """Return ``hello`` for a new socket. Unanswered requests of the old one are repeated later or reported."""
        self.greeted = False
        for re in self._returning:
            self._asked.pop(re, None)
        self._set_aside()
        self._again += [structs.replace(join, id=None) for join in self._entering_elsewhere.values()]
        self._entering_elsewhere.clear()
        self._returning.clear()
        return Hello(
            self.name,
            self.kind,
            token=self.token,
            key=self.key,
            ticket=None if self.token else self._ticket,
            rooms=[link.seen() for link in self.rooms.values()] or None,
            can=list(self.can),
            id="hello",
        )

    def outgoing(self, message: ClientMessage) -> ClientMessage | None:
        """Register ``message`` and return what to send: None for a second act with the same rid."""
        match message:
            case Act():
                if self.unanswered(message.room, message.rid):
                    return None
                self._acts[message.room, message.rid] = message
                return message
            case Hello() | Ping():
                return message
            case Ready():
                message = self._with_nonce(message)
        if message.id is None:
            message = structs.replace(message, id=next(self._ids))
        assert message.id is not None
        self._asked[message.id] = message
        return message

    def unanswered(self, room: str, rid: int) -> bool:
        """Return whether an act with this rid waits for its answer."""
        return (room, rid) in self._acts

    def waits_for(self, kind: type[ClientMessage]) -> bool:
        """Return whether a request of this kind waits for its answer."""
        return any(isinstance(message, kind) for message in self._asked.values())

    def is_news(self, message: ServerMessage) -> bool:
        """Return whether ``message`` is new: neither an old message of a room nor the answer to a repeated act."""
        if getattr(message, "room", None) in self._aside:
            return False
        match message:
            case Update() | Turn() | Over() | SeatsChanged() | Said():
                link = self.rooms.get(message.room)
                return link is not None and (message.seq > link.seq or _follows_joined(link, message))
            case Ok(room=str(room), rid=int(rid)):
                return self.unanswered(room, rid)
            case Error(code="stale" | "no_such_rid", room=str(room), rid=int(rid)):
                return self.unanswered(room, rid)
        return True

    def receive(self, message: ServerMessage) -> list[ClientMessage]:
        """Handle a message that is news and return the replies. Raises Gap."""
        re = (_inner_answer(message) or {}).get("re", getattr(message, "re", None))
        asked = None if re is None else self._asked.pop(re, None)
        match message:
            case Welcome():
                return self._welcomed(message)
            case Joined():
                return self._joined(message)
            case Update() | Turn() | Over() | SeatsChanged() | Said():
                self._follow(message, asked)
            case Ok():
                self._carried_out(asked, message.room, message.rid)
            case Error():
                return self._refused(message, asked)
            case FileLines(lines=[first, *_]):
                for link in self.rooms.values():
                    self._doubt(link, link.witness.compare(message.digest, first))
            case Redirect():
                self._returning.pop(message.re or "", None)
                if message.room not in self.rooms:
                    known = self._entering_elsewhere.get(message.room, Join(message.room, "spectator"))
                    self._entering_elsewhere[message.room] = asked if isinstance(asked, Join) else known
            case Left():
                if message.why in ("expired", "aborted") and message.room in self.rooms:
                    link = self.rooms[message.room]
                    self._doubt(link, link.witness.abandon())
                self._drop(message.room)
        return []

    def moved_to(self, room: str) -> None:
        """Note that ``room`` is the wanted one from now on."""
        self._only = Join(room)

    # --- greeting and resuming ---

    def _welcomed(self, message: Welcome) -> list[ClientMessage]:
        self.greeted = True
        self.name = message.name
        if message.token:
            self._keep(message.token)
        self._put_aside(message.rooms)
        held = set(message.rooms) - self._aside
        for link in [link for link in self.rooms.values() if link.seat is not None and link.room not in held]:
            self._lose_seat(link.room)
        watched = [Join(room, as_="spectator") for room in self.rooms.keys() - held]
        asked = [message for message in self._again if message.lost is WhenLost.ASK_AGAIN]
        self._again = [message for message in self._again if message not in asked]
        return self._sent([*watched, *asked, *self._entering(held)])

    def _keep(self, token: str | None) -> None:
        self.token = token
        self._on_token(token)

    def _put_aside(self, held: Sequence[str]) -> None:
        """Set aside the rooms that are not the wanted one; for a new room, all but the first one created for us.

        A ``create`` whose answer was lost may have succeeded: its repetition creates a second room.
        """
        others = set(held) - self._aside
        if isinstance(self._only, Join):
            others.discard(self._only.room.upper())
        elif self._only is None or any(isinstance(m, Join | Create | Daily) for m in self._again):
            return
        else:
            others -= self.rooms.keys()
        self._aside |= others
        for room in sorted(others):
            self.reports.append(SessionReport("elsewhere", say("report.elsewhere", room=room), room))

    def _entering(self, held: set[str]) -> list[ClientMessage]:
        """Return the unanswered requests to enter a room, without those that succeeded."""
        waiting = [m for m in self._again if isinstance(m, Join | Create | Daily)]
        self._again = [m for m in self._again if m not in waiting]
        new = held - self.rooms.keys()
        return [m for m in waiting if not (m.room.upper() in held if isinstance(m, Join) else new)]

    def _lose_seat(self, room: str) -> None:
        """Handle the loss of our seat in ``room``: we left and missed the answer, or it was taken away."""
        wanted = any(isinstance(m, Leave) and m.room == room for m in self._again)
        if not wanted:
            self.reports.append(SessionReport("seat_lost", say("fault.seat_lost", room=room), room))
        self.left.append(Left(room, "left" if wanted else "expired"))
        self._drop(room)

    def _set_aside(self, room: str | None = None) -> None:
        """Repeat or report each unanswered request of the lost socket, or of the side socket of ``room``."""
        for re, message in list(self._asked.items()):
            if room is not None and not (isinstance(message, RoomRequest) and message.room.upper() == room):
                continue
            del self._asked[re]
            if message.lost is WhenLost.ASK_AGAIN:
                self._again.append(message)
            elif isinstance(message, Ready):  # a new commitment needs a new nonce
                self._again.append(structs.replace(message, nonce=None, id=None))
            elif message.lost is WhenLost.REPEAT:
                if room is None or not isinstance(message, Join):  # a side socket is opened by a join of its own
                    self._again.append(structs.replace(message, id=None))
            else:
                text = say("report.unanswered", request=message.t)
                self.reports.append(SessionReport("unanswered", text, getattr(message, "room", None)))

    def _sent(self, messages: Sequence[ClientMessage]) -> list[ClientMessage]:
        return [out for message in messages if (out := self.outgoing(message))]

    # --- rooms on other servers ---

    def side_hello(self, redirect: Redirect) -> Hello:
        """Return ``hello`` for a new side socket, with the ticket of the redirect."""
        self._set_aside(redirect.room)
        link = self.rooms.get(redirect.room)
        seen = None if link is None else [link.seen()]
        return Hello(self.name, self.kind, ticket=redirect.ticket, rooms=seen, can=list(self.can), id="hello")

    def side_welcomed(self, room: str, welcome: Welcome) -> list[ClientMessage]:
        """Handle the ``welcome`` on a side socket: return what to send there to be in ``room``."""
        link = self.rooms.get(room)
        if room in welcome.rooms:
            return []
        if link is not None and link.seat is not None:
            self._lose_seat(room)
            return []
        return self._sent([self._entering_elsewhere.get(room, Join(room, "spectator"))])

    def stop_redirects(self) -> None:
        """Disable redirects: from the next greeting on, the server relays rooms of other servers."""
        self.can = tuple(ability for ability in self.can if ability != "redirect")

    def follows(self, room: str) -> bool:
        """Return whether we are in ``room`` or about to enter it."""
        return room in self.rooms or room in self._entering_elsewhere

    def rejoin(self, room: str) -> ClientMessage | None:
        """Return what to send on the main socket after the loss of a side socket, None if we left the room."""
        if not self.follows(room):
            return None
        join = Join(room, "spectator") if room in self.rooms else self._entering_elsewhere[room]
        out = self.outgoing(join)  # a seat that we hold stays ours, whatever the role in the request
        assert out is not None
        assert out.id is not None
        self._returning[out.id] = room
        return out

    def postponed(self, error: Error) -> ClientMessage | None:
        """Return the request to repeat after ``retry_after`` of ``error``: an invitation that comes too early."""
        if error.re is None or error.code != "no_bot" or error.retry_after is None:
            return None
        asked = self._asked.get(error.re)
        self._repeated[error.re] += 1
        return asked if self._repeated[error.re] <= LATER else None

    def rejoin_refused(self, error: Error) -> str | None:
        """Return the room that ``error`` refuses temporarily to rejoin; forget it if the refusal is final."""
        room = self._returning.pop(error.re, None) if error.re is not None else None
        if room is None or (error.code not in PASSING and room not in self.rooms):
            return None
        self._asked.pop(error.re or "", None)
        if error.code not in PASSING:
            self.left.append(Left(room, "expired"))
            self._drop(room)
        return room

    # --- a room's stream ---

    def _joined(self, message: Joined) -> list[ClientMessage]:
        self._returning.pop(message.re or "", None)
        self._entering_elsewhere.pop(message.room, None)
        new = message.room not in self.rooms
        link = self.rooms.setdefault(message.room, RoomLink(message.room))
        jumped = new or link.away or message.epoch != link.epoch
        link.epoch, link.seq, link.seat, link.fresh, link.away = message.epoch, message.seq, message.seat, True, False
        table = message.table
        self._doubt(link, link.witness.see(table["fair"], table["state"], link.seat, jumped=jumped))
        repeated = [m for m in self._again if isinstance(m, Ready | Leave) and m.room == link.room]
        self._again = [m for m in self._again if m not in repeated]
        return [*(act for act in self._acts.values() if act.room == link.room), *self._sent(repeated)]

    def _follow(self, message: Streamed, asked: ClientMessage | None) -> None:
        link = self.rooms[message.room]
        after_joined = _follows_joined(link, message)
        if message.seq > link.seq + 1:
            text = say("report.gap", number=link.seq + 1, room=link.room)
            self.reports.append(SessionReport("gap", text, link.room))
            raise Gap(text)
        link.seq, link.fresh = message.seq, False
        match message:
            case SeatsChanged():
                self._doubt(link, link.witness.see(message.table["fair"], message.table["state"], link.seat))
            case Over():
                wrong = link.witness.reveal(
                    message.reveal, message.digest, jumped=after_joined, context=message.context
                )
                self._doubt(link, wrong)
        if answer := _inner_answer(message):
            self._carried_out(asked, message.room, answer.get("rid"))

    def _drop(self, room: str) -> None:
        self.rooms.pop(room, None)
        self._entering_elsewhere.pop(room, None)
        self._acts = {key: act for key, act in self._acts.items() if act.room != room}
        self._again = [m for m in self._again if not (isinstance(m, Ready | Leave) and m.room == room)]

    # --- answers ---

    def _carried_out(self, asked: ClientMessage | None, room: str | None, rid: int | None) -> None:
        if room is not None and rid is not None:
            self._acts.pop((room, rid), None)
        if isinstance(asked, Ready) and asked.room in self.rooms:
            self.rooms[asked.room].witness.promise(asked.nonce)

    def _refused(self, message: Error, asked: ClientMessage | None) -> list[ClientMessage]:
        if isinstance(asked, Join):
            self._entering_elsewhere.pop(asked.room.upper(), None)
        if message.room is not None and message.rid is not None and message.code != "retry":
            self._acts.pop((message.room, message.rid), None)
        if self.greeted or not self.token:
            return []
        if message.code == "bad_token":
            self._keep(None)  # the server has forgotten the token: start a new identity, or prove the name with its key
            return [self.hello()]
        if message.code == "bad_key" and self.key:
            self.key = None  # the key belongs to another identity; that of the token may hold seats
            return [self.hello()]
        return []

    # --- fairness ---

    def _with_nonce(self, ready: Ready) -> Ready:
        link = self.rooms.get(ready.room)
        if not ready.ready or link is None or link.seat is None or not link.witness.takes_nonce:
            return ready
        link.witness.nonce = ready.nonce or link.witness.nonce or self._entropy(_NONCE_BYTES).hex()
        return structs.replace(ready, nonce=link.witness.nonce)

    def _doubt(self, link: RoomLink, problem: str | None) -> None:
        if problem:
            self.reports.append(SessionReport("fairness", problem, link.room))


def _inner_answer(message: ServerMessage) -> Answer | None:
    """Return the answer to a request that comes inside a message of a room."""
    return getattr(message, "ok", None)


def _follows_joined(link: RoomLink, message: Streamed) -> bool:
    return link.fresh and message.seq == link.seq and isinstance(message, Turn | Over)
