"""Broken frames: each gets one answer and changes nothing."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.local_server import OpenRoom, playing
from tests.server.rooms.fuzzing import bad_frame
from tests.server.rooms.random_room import answered

from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS, Codec, Frame
from parlour_protocol.errors import CODES, BadFrame
from parlour_protocol.messages import Plain
from parlour_protocol.wire import id_of
from parlour_server import effects, persistence
from parlour_server.directory.sessions import STRIKES
from parlour_server.local import Peer

FRAMES = 110_000
BATCHES = 40
SHORT = 2
"""The number of batches in `make test`: one in each encoding."""
BETWEEN = 250
"""Milliseconds between frames, so that not all are refused for their rate."""


class Attack:
    """A room in which people play, and sockets that send what they should not."""

    def __init__(self, rng: random.Random, codec: Codec) -> None:
        self.rng, self.codec = rng, codec
        self.codes: Counter[str] = Counter()
        self.begin()

    def begin(self) -> None:
        """Open a new room."""
        self.at: OpenRoom = playing("uno", 3, options={"pause": 0}, clock=None, standin=False)
        self.watcher = self.at.enter("walt", role="spectator")
        self.stranger = self.at.server.open("zoe")

    def good(self, conn: Peer) -> Plain:
        """Return a message that makes sense, of any type."""
        code, rng = self.at.code, self.rng
        seat = self.at.peers.index(conn) if conn in self.at.peers else 0
        decisions = self.at.match.book.of(seat) if self.at.room.match else []
        rid = rng.choice(decisions).rid if decisions else rng.randint(1, 3)
        act: Any = rng.choice((0, 1, {"do": "draw"}, {"do": "play", "card": rng.randrange(108), "colour": "red"}))
        messages: list[Plain] = [
            {
                "t": "hello",
                "name": "zoe",
                "kind": "bot",
                "can": ["nonce"],
                "rooms": [{"room": code, "epoch": 1, "seq": 4}],
            },
            {"t": "list", "game": "uno"},
            {"t": "join", "room": code, "as": "spectator"},
            {"t": "ping"},
            {"t": "create", "game": "uno", "options": {"breath": 100}, "seats": 2, "clock": {"bank": 1, "add": 1}},
            {"t": "ready", "room": code, "nonce": "ab" * 32},
            {"t": "start", "room": code},
            {"t": "chat", "room": code, "text": "hi"},
            {"t": "offer", "games": ["uno"], "max": 1},
            {"t": "invite", "room": code, "bot": "robo", "seat": 1},
            {"t": "manage", "room": code, "do": "addtime", "name": "bert"},
            {"t": "standings", "game": "uno"},
            {"t": "file", "digest": "00" * 32, "after": 1},
            {"t": "admin", "token": "no", "do": "drain", "args": {"a": 1}},
        ]
        acts = [{"t": "act", "room": code, "rid": rid, "act": act, "why": "because"}] * 8
        return {**rng.choice(messages + acts), "id": rng.randrange(10**6)}

    def send(self, conn: Peer, frame: Frame) -> tuple[list[effects.Effect], Plain]:
        """Let a frame come in as from a socket; return what the server wants, and the map that was in the frame."""
        server = self.at.server
        try:
            data = self.codec.decode(frame)
        except BadFrame as refusal:
            return server.lobby.refuse(conn.conn, refusal, server.now, {}), {}
        return server.lobby.receive(conn.conn, data, server.now), data

    def one(self) -> None:
        """Send one frame and see what comes of it."""
        asked = [decision.seat for decision in self.at.match.book.obligations()] if self.at.room.match else []
        conn = self.rng.choice([*self.at, self.watcher, self.stranger, *(self.at[seat] for seat in asked * 3)])
        frame = bad_frame(self.rng, self.codec, self.good(conn))
        before = self.remembered()
        wanted, data = self.send(conn, frame)
        told = [effect.message for effect in wanted if isinstance(effect, effects.Post) and conn.conn in effect.to]
        errors = [message for message in told if isinstance(message, m.Error)]
        if errors:
            self.check_refusal(wanted, told, errors[0])
            assert self.remembered() == before
        else:
            self.check_answer(wanted, told, conn, id_of(data))
        self.at.server.carry_out(wanted)
        self.go_on(conn)

    def remembered(self) -> tuple[Any, ...]:
        """Return what a refusal must not change."""
        server, code = self.at.server, self.at.code
        live = server.lobby.rooms.loaded.get(code)
        if live is None:
            return (len(server.lobby.rooms.loaded),)
        state, match = live.room.state, live.room.state.match
        assert match is not None
        hands = (*match.state.hands, match.state.phase, match.state.turn, match.state.question, len(match.state.deck))
        return (
            len(server.lobby.rooms.loaded),
            state.n,
            state.at,
            state.host,
            hands,
            match.chain,
            *match.book.next_rid,
            len(match.book.past),
        )

    def check_refusal(self, wanted: list[effects.Effect], told: list[m.ServerMessage], error: m.Error) -> None:
        self.codes[error.code] += 1
        assert error.code in CODES
        assert error.hint  # of its own, or what goes with the code
        assert error.msg
        assert len(error.msg) < 500
        kinds = {type(effect) for effect in wanted}
        struck_out = error.strikes is not None and error.strikes[0] >= STRIKES
        assert kinds <= {effects.Post, persistence.SaveIdentity} | ({effects.Disconnect} if struck_out else set())
        assert [message.t for message in told] == (["error", "bye"] if struck_out else ["error"])
        assert struck_out == any(isinstance(effect, effects.Disconnect) for effect in wanted)

    def check_answer(
        self, wanted: list[effects.Effect], told: list[m.ServerMessage], conn: Peer, id: m.Id | None
    ) -> None:
        self.codes["ok"] += 1
        assert not any(isinstance(effect, effects.LogFault | effects.Disconnect) for effect in wanted)
        fetched = [effect for effect in wanted if isinstance(effect, effects.Ask)]
        if id is not None:
            answers = [message for message in told if answered(message) == id]
            assert len(answers) + sum(effect.message.id == id for effect in fetched) == 1
        assert told or fetched

    def go_on(self, conn: Peer) -> None:
        """Bring everything back into a state in which much can happen."""
        server = self.at.server
        for peer in [*self.at, self.watcher, self.stranger]:
            peer.inbox.clear()
        if (
            conn.closed is not None
            or self.at.code not in server.lobby.rooms.loaded
            or len(server.lobby.rooms.loaded) > 20
        ):
            self.begin()
        elif (
            self.stranger.conn in server.lobby.connections.sessions
            and server.lobby.connections.sessions[self.stranger.conn].who
        ):
            self.stranger.close()
            self.stranger = server.open("zoe")
        server.now += BETWEEN


@pytest.mark.parametrize(
    "batch", [*range(SHORT), *(pytest.param(n, marks=pytest.mark.torture) for n in range(SHORT, BATCHES))]
)
def test_whatever_comes_in_gets_one_answer_and_does_no_harm(batch: int, seed: int) -> None:
    rng = random.Random(f"{seed}/{batch}")
    codecs = [*CODECS.values()]
    attack = Attack(rng, codecs[batch % len(codecs)])
    for number in range(FRAMES // BATCHES):
        try:
            attack.one()
        except BaseException as error:
            error.add_note(f"PARLOUR_SEED={seed}, batch {batch}, frame {number}")
            raise
    assert {"bad_frame", "bad_message", "illegal_action", "unknown_type", "hello_first", "ok"} <= set(attack.codes)
    assert attack.codes["ok"] < FRAMES // BATCHES / 2
