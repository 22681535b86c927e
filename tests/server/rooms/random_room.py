"""A room of UNO with random clients: they join, leave, lose connections, act legally and not; time passes."""

import random
from itertools import count
from typing import Any

import attrs
from msgspec import structs
from tests.server.local_server import house_bot, load_again, new_server

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer
from parlour_server.rooms.room import Room

NAMES = ("anna", "bert", "cleo", "dora", "robo")
OPTIONS: tuple[dict[str, Any], ...] = (
    {"scoring": "single", "breath": 100},
    {"scoring": "single", "breath": 0, "call_penalty": 4},
    {"target": 60, "pause": 1_000},
    {"target": 60, "scoring": "elimination", "pause": 0},
)
CLOCKS: tuple[m.Clock | None, ...] = ({"bank": 0, "add": 2_000}, {"bank": 5_000, "add": 1_000}, None)


@attrs.define
class Client:
    """A client and what it has received. ``peer`` is None while it is not connected."""

    name: str
    kind: m.Kind
    peer: Peer | None = None
    token: str | None = None
    seen: m.Seen | None = None
    turns: list[tuple[int, list[m.Plain]]] = attrs.field(factory=list)
    """Every decision it was given, with its legal actions; the last ones may be open."""
    heard: list[m.ServerMessage] = attrs.field(factory=list)
    """Every message that it received."""

    def listen(self) -> None:
        """Read the inbox."""
        while self.peer is not None and self.peer.inbox:
            self._hear(self.peer.inbox.popleft())
        if self.peer is not None and self.peer.closed is not None:
            self.peer = None

    def _hear(self, message: m.ServerMessage) -> None:
        self.heard.append(message)
        if isinstance(message, m.Welcome):
            self.token = message.token
        if isinstance(message, m.Joined):
            self.seen = {"room": message.room, "epoch": message.epoch, "seq": message.seq}
        elif self.seen is not None:
            self.seen["seq"] = getattr(message, "seq", self.seen["seq"])
        if isinstance(message, m.Turn):
            self.turns.append((message.rid, message.legal or []))
        for offer in getattr(message, "may", None) or []:
            self.turns.append((offer["rid"], offer["legal"]))


def answered(message: m.ServerMessage) -> m.Id | None:
    """Return the id of the request that ``message`` answers."""
    ok: m.Answer | None = getattr(message, "ok", None)
    return ok.get("re") if ok else getattr(message, "re", None)


class RandomRoom:
    """One room of UNO and its clients, driven by a seed."""

    def __init__(self, seed: int, game: Uno | None = None) -> None:
        self.rng = random.Random(seed)
        self._ids = count(1)
        self.answers: list[tuple[m.ClientMessage, m.ServerMessage]] = []
        """Every request with its answer."""
        self.server: Local = new_server(seed, uno=game)
        self.people = [Client(name, "bot" if name == "robo" else "human") for name in NAMES]
        self.everyone = [*self.people, Client("hal", "bot", house_bot(self.server))]
        """All clients, including the house bot."""
        for who in self.people:
            self.connect(who)
        create = m.Create(
            "uno",
            options=self.rng.choice(OPTIONS),
            seats=self.rng.randint(2, 5),
            clock=self.rng.choice(CLOCKS),
            standin=self.rng.random() < 0.7,
            start=self.rng.choice(("host", "full")),
        )
        self.say(self.people[0], create)
        assert self.people[0].seen is not None
        self.code = self.people[0].seen["room"]
        for who in self.people[1:4]:
            self.say(who, m.Join(self.code, self.rng.choice(("player", "player", "player", "spectator"))))

    @property
    def room(self) -> Room | None:
        """The room, if it is open and loaded."""
        live = self.server.lobby.rooms.loaded.get(self.code)
        return live.room if live else None

    def lines(self) -> list[str]:
        """Return the lines of the room's log."""
        return self.server.log[self.code]

    def say(self, who: Client, message: m.ClientMessage) -> None:
        """Send a message of ``who``, if it is connected, and check that it gets exactly one answer."""
        if who.peer is not None:
            asked = structs.replace(message, id=next(self._ids))
            before = len(who.heard)
            who.peer.send(asked)
            who.listen()
            answers = [reply for reply in who.heard[before:] if answered(reply) == asked.id]
            assert len(answers) == 1, (asked, answers)
            self.answers.append((asked, answers[0]))
        self.listen()

    def listen(self) -> None:
        """Let all clients read their inboxes."""
        for who in self.everyone:
            who.listen()

    def connect(self, who: Client) -> None:
        """Connect ``who`` on a new socket, which may be lost before the welcome."""
        who.peer = self.server.open(who.name)
        if self.rng.random() < 0.1 and who.token:
            self._send_blindly(who)
            return
        seen = [who.seen] if who.seen and self.rng.random() < 0.8 else None
        can = ["nonce"] if self.rng.random() < 0.3 else None
        self.say(who, m.Hello(who.name, who.kind, token=who.token, rooms=seen, can=can))
        self.say(who, m.Ping())
        if not any(isinstance(message, m.Welcome) for message in who.heard[-40:]):
            who.token = None

    def _send_blindly(self, who: Client) -> None:
        """Say hello on a socket that closes before the welcome arrives."""
        assert who.peer is not None
        hello = plain(m.Hello(who.name, who.kind, token=who.token))
        self.server.carry_out(self.server.lobby.receive(who.peer.conn, hello, self.server.now))
        who.peer.inbox.clear()
        who.peer.close()
        who.peer = None
        self.listen()

    # --- what may happen ---------------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one random thing."""
        who = self.rng.choice(self.people)
        kinds = ("act",) * 60 + ("wrong", "repeat", "wait", "wait", "moment", "moment", "lose", "back", "back") + _RARE
        getattr(self, f"_{self.rng.choice(kinds)}")(who)
        self.listen()

    def _act(self, _: Client) -> None:
        """Answer one open decision, mostly with one of the first legal actions."""
        room = self.room
        match = room.match if room else None
        if room is None or match is None:
            self.rng.choice((self._ready, self._ready, self._configure))(self.rng.choice(self.people))
            return
        for decision in self.rng.sample([*match.book.open.values()], len(match.book.open)):
            player = room.state.seats[decision.seat].player  # type: ignore[union-attr]
            for who in self.everyone:
                if who.peer is not None and self.server.lobby.connections.sessions[who.peer.conn].who == player:
                    last = len(decision.legal(match.game, match.state)) - 1
                    act = min(self.rng.choice((0, 0, 0, 1, 1, self.rng.randint(0, last))), last)
                    self.say(who, m.Act(self.code, decision.rid, act))
                    return
        self._moment(self.people[0])

    def _wrong(self, who: Client) -> None:
        act = self.rng.choice(({"do": "play", "card": 5}, 77, {"do": "fly"}, {"do": "accept"}, -1))
        rid = self.rng.choice(who.turns)[0] if who.turns else 1
        self.say(who, m.Act(self.code, rid + self.rng.choice((0, 0, 0, 1)), act))
        self.server.wait(5_000)  # time for the strike to expire

    def _repeat(self, who: Client) -> None:
        if who.turns:
            rid, legal = self.rng.choice(who.turns[-4:])
            self.say(who, m.Act(self.code, rid, self.rng.choice(legal) if legal else 0))

    def _wait(self, _: Client) -> None:
        self.server.wait(self.rng.choice((100, 1_000, 3_000, 31_000)))

    def _moment(self, _: Client) -> None:
        self.server.wait(self.rng.randrange(800))

    def _lose(self, who: Client) -> None:
        if who.peer is not None:
            who.peer.close()
            who.peer = None

    def _back(self, who: Client) -> None:
        if who.peer is None or self.rng.random() < 0.1:
            self.connect(who)

    def _join(self, who: Client) -> None:
        self.say(who, m.Join(self.code, self.rng.choice(("player", "player", "spectator"))))

    def _leave(self, who: Client) -> None:
        if self.rng.random() < 0.3:
            self.say(who, m.Leave(self.code))

    def _ready(self, who: Client) -> None:
        nonce = self.rng.randbytes(32).hex() if self.rng.random() < 0.5 else None
        self.say(who, m.Ready(self.code, self.rng.random() < 0.9, nonce))

    def _start(self, _: Client) -> None:
        self.say(self.people[0], m.Start(self.code))

    def _chat(self, who: Client) -> None:
        self.say(who, m.Chat(self.code, self.rng.choice(("hello", "oops", "good luck"))))

    def _manage(self, who: Client) -> None:
        do: Any = self.rng.choice(("mute", "unmute", "addtime", "host", "kick", "ban"))
        self.say(self.rng.choice(self.people[:2]), m.Manage(self.code, do, who.name))

    def _configure(self, _: Client) -> None:
        options = self.rng.choice((*OPTIONS, {"target": 0}))
        seats = self.rng.choice((None, 2, 3, 5, 99))
        self.say(self.rng.choice(self.people[:2]), m.Configure(self.code, options, seats, self.rng.choice(CLOCKS)))

    def _hand(self, who: Client) -> None:
        """Ask for a seat, mostly as a spectator, and often get it."""
        self.say(who, m.Join(self.code, "spectator"))
        seat = self.rng.choice((0, 1, 1, 2, 7, None))
        self.say(who, m.Handover(self.code, seat))
        for owner in self.rng.sample(self.people, 3):
            self.say(owner, m.Handover(self.code, to=who.name))

    def _resign(self, who: Client) -> None:
        if who.turns and self.rng.random() < 0.3:
            self.say(who, m.Act(self.code, who.turns[-1][0], {"do": "resign"}))

    def _restart(self, _: Client) -> None:
        """Load the room again from its log, as another node does after a failure."""
        if self.room is None:
            return
        epoch = self.room.state.epoch + 1
        for who in self.everyone:
            self._lose(who)
        load_again(self.server, self.code, epoch)
        for who in self.people:
            self._back(who)
        self.everyone[-1].heard.append(m.Left(self.code, "replaced"))
        self.everyone[-1].peer = house_bot(self.server)


_RARE = (
    "join", "join", "leave", "ready", "ready", "start", "start", "chat", "manage", "manage", "resign", "restart",
    "configure", "hand", "hand",
)  # fmt: skip
