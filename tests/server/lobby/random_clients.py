"""Clients that send random messages, valid and broken, and the invariants that hold after each."""

import json
import random
from collections import Counter
from itertools import count
from typing import Any

import attrs
from tests.server.local_server import StrictLocal
from tests.server.rooms.fuzzing import bad_frame, encoded, junk
from tests.server.rooms.random_room import answered

from parlour_games.minesweeper.state import State as Mines
from parlour_games.uno.cards import CARDS, cards_in
from parlour_games.uno.state import State as Uno
from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS
from parlour_protocol.errors import CODES, BadFrame
from parlour_protocol.messages import Plain
from parlour_protocol.wire import id_of, plain
from parlour_server import effects, persistence
from parlour_server.contests.contest import FORMATS
from parlour_server.directory.sessions import STRIKES
from parlour_server.local import Peer
from parlour_server.rooms.room import Room

NAMES = ("anna", "bert", "cleo", "dora", "robo", "r2d2")
OPERATOR = "operator-" + "s" * 40
OPTIONS: dict[str, list[Plain]] = {
    "uno": [{"scoring": "single", "breath": 100}, {"preset": "chaos", "target": 60, "pause": 500}, {}],
    "minesweeper": [
        {"mode": "coop", "level": "beginner"},
        {"mode": "race", "level": "custom", "width": 6, "height": 6, "mines": 4},
        {"mode": "duel"},
    ],
}


@attrs.define(eq=False)
class Client:
    """One socket, with the secrets of its identity."""

    peer: Peer
    name: str
    token: str | None = None
    key: str | None = None


class RandomClients:
    """Some clients of one server. ``nonsense``: the share of messages that are broken."""

    def __init__(self, rng: random.Random, nonsense: float = 0.2) -> None:
        self.rng, self.nonsense = rng, nonsense
        self.server = StrictLocal(rng.randrange(2**32))
        self.server.lobby.admin.token = OPERATOR
        self.clients: list[Client] = []
        self.secrets: dict[str, str] = {}
        """By token or key: the name of the client that may see it."""
        self.told: Counter[str] = Counter()
        self._ids = count(1)
        self._digests = ["00" * 32]

    def step(self) -> None:
        chance = self.rng.random()
        if len(self.clients) < 3 or (chance < 0.02 and len(self.clients) < 12):
            name = self.rng.choice(NAMES)
            self.clients.append(Client(self.server.open(name), name))
        elif chance < 0.03:
            self.rng.choice(self.clients).peer.close()
        elif chance < 0.2:
            self.server.wait(self.rng.choice((50, 800, 800, 3_000, 31_000)))
        else:
            self.say(self.rng.choice(self.clients))
        self._listen()
        self._check()

    def say(self, client: Client) -> None:
        """Let a client send a message, and check that it gets exactly one answer."""
        data = {**self._sense(client), "id": next(self._ids)}
        codec = self.rng.choice(list(CODECS.values()))
        broken = self.rng.random() < self.nonsense
        frame = bad_frame(self.rng, codec, data) if broken else encoded(codec, data)
        server, conn = self.server, client.peer.conn
        if conn not in server.lobby.connections.sessions or server.lobby.connections.sessions[conn].gone:
            return
        before = self._remembered()
        try:
            data = codec.decode(frame)
            wanted = server.lobby.receive(conn, data, server.now)
        except BadFrame as refusal:
            data, wanted = {}, server.lobby.refuse(conn, refusal, server.now, {})
        self._answered_once(conn, data, wanted, before)
        server.carry_out(wanted)

    def _sense(self, client: Client) -> Plain:
        session = self.server.lobby.connections.sessions.get(client.peer.conn)
        who = session.who if session else None
        if who is None:
            return self._hello(client)
        codes = [*self.server.lobby.rooms.inside[who]] or [*self.server.lobby.rooms.loaded, "ZZZZ"]
        code = self.rng.choice(codes)
        live = self.server.lobby.rooms.loaded.get(code)
        acts = self._acts(live.room, who) if live else []
        if acts and self.rng.random() < 0.6:
            return self.rng.choice(acts)
        return self.rng.choice(self._in_room(code) + self._in_lobby(client))

    def _hello(self, client: Client) -> Plain:
        known = [each for each in self.clients if each.name == client.name and each.token]
        token = self.rng.choice(known).token if known and self.rng.random() < 0.7 else None
        key = f"key-{client.name}-{'k' * 24}" if self.rng.random() < 0.3 else None
        client.key = key
        kind: m.Kind = "bot" if client.name.startswith("r") else "human"
        can = self.rng.choice((None, ["nonce"]))
        return plain(m.Hello(client.name, kind, token=token, key=key, can=can))

    def _in_room(self, code: str) -> list[Plain]:
        rng, name = self.rng, self.rng.choice(NAMES)
        nonce = rng.choice((None, rng.randbytes(32).hex()))
        do: Any = rng.choice(("mute", "unmute", "addtime", "host", "kick", "ban"))
        said: list[m.ClientMessage] = [
            m.Join(code, rng.choice(("player", "player", "spectator"))),
            m.Ready(code, rng.random() < 0.9, nonce),
            m.Ready(code),
            m.Start(code),
            m.Start(code),
            m.Chat(code, rng.choice(("hello", "\x1b[2J", "x" * 200))),
            m.Invite(code, rng.choice((None, "robo")), rng.choice((None, 0, 1, 7))),
            m.Manage(code, do, name),
            m.Configure(code, rng.choice((None, {"target": 60}, {"level": "expert"})), rng.choice((None, 1, 2, 3, 5))),
            m.Hurry(code),
            m.Handover(code, rng.choice((None, 0, 1, 7)), rng.choice((None, None, name))),
            m.Act(code, rng.randint(0, 4), rng.randint(-1, 9)),
        ]
        return [plain(each) for each in ([*said, m.Leave(code)] if rng.random() < 0.2 else said)]

    def _in_lobby(self, client: Client) -> list[Plain]:
        rng, game = self.rng, self.rng.choice(("uno", "minesweeper"))
        options = rng.choice(OPTIONS[game])
        clock: m.Clock | None = {"bank": 0, "add": 1_000} if rng.random() < 0.5 else None
        seats = 2 if options.get("mode") == "duel" else rng.randint(2, 3)
        entry: m.Role = rng.choice(("player", "spectator"))
        do: Any = rng.choice(("ban", "unban", "unban", "mute", "unmute", "delete", "close"))
        room = rng.choice([*self.server.lobby.rooms.loaded, None])
        rare: list[m.ClientMessage] = [
            m.Create(game, options, seats=seats, private=rng.random() < 0.3, clock=clock, start="full", as_=entry),
            m.Admin(rng.choice((OPERATOR, "guess")), do, rng.choice(NAMES), room),
            m.Delete(client.key or "nothing"),
            m.Standings(rng.choice((None, game)), rng.choice((None, "cup"))),
            m.Profile(rng.choice((None, *NAMES))),
            m.Describe(rng.choice(("uno", "chess")), rng.choice(("de", "../x"))),
            plan(rng, game),
        ]
        common: list[m.ClientMessage] = [
            m.Ping(),
            m.List(),
            m.OfferBot(["uno", "minesweeper"], rng.randint(0, 3)),
            m.File(rng.choice(self._digests), rng.choice((0, 3, -1))),
        ]
        return [plain(each) for each in (*common, rng.choice(rare))]

    def _acts(self, room: Room, who: str) -> list[Plain]:
        match = room.match
        if match is None:
            return []
        made = []
        for decision in match.book.open.values():
            seat = room.state.seats[decision.seat]
            if seat is not None and seat.player == who:
                act: Any = self.rng.randrange(30)
                if match.game.listed:
                    act = self.rng.randrange(len(decision.legal(match.game, match.state)) + 1)
                made.append(plain(m.Act(room.code, decision.rid, self.rng.choice((act, act, act, junk(self.rng))))))
        return made

    def _remembered(self) -> list[object]:
        """Return what a refusal must not change: of each room its log, its match and the open decisions."""
        found: list[object] = []
        for code, loaded in self.server.lobby.rooms.loaded.items():
            state, match = loaded.room.state, loaded.room.state.match
            found.append((code, state.n, state.at, state.host))
            if match is not None:
                found += [match.chain, [*match.book.open], match.game.canonical(match.state)]
        return found

    def _answered_once(self, conn: int, data: Plain, wanted: list[effects.Effect], before: list[object]) -> None:
        told = [each.message for each in wanted if isinstance(each, effects.Post) and conn in each.to]
        fetched = [each.message.id for each in wanted if isinstance(each, effects.Ask)]
        asked = id_of(data)
        if asked is not None:
            answers = [each for each in told if answered(each) == asked]
            assert len(answers) + fetched.count(asked) == 1, (data, answers)
        assert told or fetched, data
        for error in (each for each in told if isinstance(each, m.Error)):
            assert self._remembered() == before, data
            self._check_refusal(error, told, wanted)
        self.told.update(each.code if isinstance(each, m.Error) else each.t for each in told)

    def _check_refusal(self, error: m.Error, told: list[m.ServerMessage], wanted: list[effects.Effect]) -> None:
        assert error.code in CODES
        assert error.hint
        assert 0 < len(error.msg) < 500
        struck_out = error.strikes is not None and error.strikes[0] >= STRIKES
        allowed = {effects.Post, persistence.SaveIdentity, *([effects.Disconnect] if struck_out else [])}
        assert {type(effect) for effect in wanted} <= allowed, error
        assert [message.t for message in told] == (["error", "bye"] if struck_out else ["error"])

    def _listen(self) -> None:
        """Read all inboxes and check that they hold no secrets of others."""
        for client in self.clients:
            while client.peer.inbox:
                self._hear(client, client.peer.inbox.popleft())
        self.clients = [each for each in self.clients if each.peer.conn in self.server.lobby.connections.sessions]
        self._digests += [saved.match.digest for saved in self.server.matches[len(self._digests) - 1 :]]

    def _hear(self, client: Client, message: m.ServerMessage) -> None:
        if isinstance(message, m.Welcome) and message.token:
            client.token = message.token
            self.secrets[message.token] = message.name
        heard = json.dumps(plain(message))
        assert OPERATOR not in heard
        assert "key-" not in heard
        for token, name in [(token, name) for token, name in self.secrets.items() if token in heard]:
            assert isinstance(message, m.Welcome), (client.name, name)
            assert (token, name) == (message.token, message.name)
        for live in self.server.lobby.rooms.loaded.values():
            match = live.room.match
            if match is not None and not match.ended:
                assert match.begun.secret not in heard, "the secret of a match that is still played"

    def _check(self) -> None:
        lobby = self.server.lobby
        for who, conn in lobby.connections.main.items():
            assert lobby.connections.sessions[conn].who == who
        for who, codes in lobby.rooms.inside.items():
            assert who in lobby.connections.main or not codes
            assert all(
                who in lobby.rooms.loaded[code].room.audience.here for code in codes if code in lobby.rooms.loaded
            )
        for code, live in lobby.rooms.loaded.items():
            self._check_room(code, live.room)

    def _check_room(self, code: str, room: Room) -> None:
        for who in room.audience.here:
            assert code in self.server.lobby.rooms.inside[who], "somebody is there whom the lobby does not know to be"
        for number, seat in room.state.seats.taken():
            owns = seat.who is None or code in self.server.lobby.rooms.seats[seat.who]
            assert owns, f"the seat {number} is of nobody who could come back to it"
        if room.match is not None:
            conserved(room.match.state)


def plan(rng: random.Random, game: str) -> m.ClientMessage:
    """Return an admin request about a contest."""
    options = OPTIONS[game][0]
    begin: Plain = {"game": game, "options": options, "format": rng.choice(FORMATS[:4]), "rounds": 2}
    return m.Admin(OPERATOR, "contest", rng.choice(("cup", "cup-2")), None, rng.choice((begin, {"stop": True})))


def conserved(state: Any) -> None:
    """Assert that no card and no mine has been lost or made."""
    if isinstance(state, Uno):
        held = [card for hand in state.hands for card in cards_in(hand)]
        assert sorted(held + state.deck + state.pile) == list(range(CARDS))
        assert state.counts == [hand.bit_count() for hand in state.hands]
    else:
        assert isinstance(state, Mines)
        assert state.board is None or len(set(state.board.mines)) == state.shape.mines
