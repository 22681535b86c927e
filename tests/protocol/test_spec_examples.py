"""The code in SPEC.md works as it stands: the smallest bots, the fairness code, the transcripts."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
import websockets.sync.client
from tests.games import plain_fair as fair
from tests.protocol import make_transcript, spec
from tests.support import node

from parlour_games.fair import commitment
from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS, JSON
from parlour_protocol.wire import client_message, plain
from parlour_server.local import Local, Peer

TEXT = CODECS[JSON]


class Table:
    """A server in process, with players who answer all turns."""

    def __init__(self) -> None:
        self.server = Local()
        self.peers: list[Peer] = []

    def go_on(self) -> None:
        """Let the players act if they can, or else let time pass."""
        if not any(peer.inbox for peer in self.peers):
            assert self.server.step(), "nobody has anything to do"
        for peer in self.peers:
            while peer.inbox:
                self.hear(peer, peer.inbox.popleft())

    def hear(self, peer: Peer, message: m.ServerMessage) -> None:
        if isinstance(message, m.Turn):
            peer.send(m.Act(message.room, message.rid, 0))


class Hosted(Table):
    """A server with a room whose host starts the match when someone has come."""

    def __init__(self) -> None:
        super().__init__()
        self.peers.append(self.server.connect("host", "human"))
        self.peers[0].send(m.Create("uno", options={"scoring": "single"}, seats=2))
        [self.room] = self.server.lobby.rooms.loaded

    def hear(self, peer: Peer, message: m.ServerMessage) -> None:
        match message:
            case m.SeatsChanged(table={"state": "waiting", "seats": [_, _]}):
                peer.send(m.Start(self.room))
        super().hear(peer, message)


class Opponent(Table):
    """A server where a bot opens a room, with an opponent who joins it."""

    def go_on(self) -> None:
        """Let the opponent join first."""
        if not self.peers:
            [room] = self.server.lobby.rooms.loaded
            self.peers.append(self.server.connect("opponent", "human"))
            self.peers[0].send(m.Join(room))
        super().go_on()


class StartingBots(Table):
    """A server where a bot opens a room and invites two others, which are only ready when it has waited."""

    def __init__(self) -> None:
        super().__init__()
        self._tickets = {name: self.server.lobby.bots.expect(name) for name in ("ada", "bert")}

    def sleep(self, seconds: float) -> None:
        self.server.wait(round(seconds * 1000))
        for name in (*self._tickets,):
            bot = self.server.open(name)
            bot.send(m.Hello(name, "bot", ticket=self._tickets.pop(name)))
            bot.send(m.OfferBot(["uno"], 1))
            self.peers.append(bot)


class Socket:
    """The part of a ``websockets.sync.client`` connection that the smallest bot uses."""

    def __init__(self, table: Table) -> None:
        self.received: list[m.Plain] = []
        self.sent: list[m.Plain] = []
        self._table = table
        self._peer = table.server.open("rando")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._peer.close()

    def send(self, text: str) -> None:
        self.sent.append(TEXT.decode(text))
        self._peer.send(client_message(self.sent[-1]))

    def __iter__(self) -> Iterator[str]:
        while True:
            while self._peer.inbox:
                self.received.append(plain(self._peer.inbox.popleft()))
                yield str(TEXT.encode(self.received[-1]))
            self._table.go_on()


def run(monkeypatch: pytest.MonkeyPatch, program: str, socket: Socket, *args: str) -> None:
    """Run a program of SPEC.md with ``socket`` for its connection."""
    monkeypatch.setattr(websockets.sync.client, "connect", lambda url: socket)
    monkeypatch.setattr(sys, "argv", ["bot.py", *args])
    exec(compile(program, "SPEC.md", "exec"), {})


def played_by_the_python_bot(monkeypatch: pytest.MonkeyPatch) -> tuple[str, Socket]:
    """Run the bot of SPEC.md; return the room's code and what it said and heard."""
    table = Hosted()
    socket = Socket(table)
    run(monkeypatch, spec.code("Quick start", "python"), socket, table.room)
    return table.room, socket


def test_the_python_bot_plays_a_match(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    room, socket = played_by_the_python_bot(monkeypatch)
    assert [message["t"] for message in socket.received if message["t"] in ("over", "left")] == ["over", "left"]
    assert socket.sent[:2] == [{"t": "hello", "name": "rando", "kind": "bot"}, {"t": "join", "room": room}]
    assert len(socket.sent) > 4
    assert capsys.readouterr().out == "", "the bot was refused something"


@pytest.mark.parametrize(("section", "table"), [("Quick start", Opponent), ("Client messages/invite", StartingBots)])
def test_the_python_bot_opens_a_room_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], section: str, table: type[Table]
) -> None:
    at = table()
    if isinstance(at, StartingBots):
        monkeypatch.setattr("time.sleep", at.sleep)
    joining = spec.code("Quick start", "python")
    welcome = re.search(r' +if message\["t"\] == "welcome":\n.*\n', joining)
    assert welcome
    socket = Socket(at)
    run(monkeypatch, "import time\n" + joining.replace(welcome[0], spec.codes(section, "python")[-1]), socket)
    assert [message["t"] for message in socket.received if message["t"] in ("over", "left")] == ["over", "left"]
    assert [message["t"] for message in socket.sent[:2]] == ["hello", "create"]
    room = next(message["room"] for message in socket.received if message["t"] == "joined")
    assert capsys.readouterr().out == ("" if table is not Opponent else f"python bot.py {room}\n")


@pytest.mark.parametrize(("name", "room", "code"), [("rando", None, "name_taken"), ("other", "ZZZZ", "no_room")])
def test_the_python_bot_ends_when_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, room: str | None, code: str
) -> None:
    table = Hosted()
    table.server.connect(name)
    socket = Socket(table)
    run(monkeypatch, spec.code("Quick start", "python"), socket, room or table.room)
    assert [message["t"] for message in socket.received][-1] == "error"
    assert capsys.readouterr().out.startswith(code)


def test_the_python_bot_ends_when_it_has_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Hosted()
    table.go_on = lambda: table.peers[0].send(m.Manage(table.room, "kick", "rando"))  # type: ignore[method-assign]
    socket = Socket(table)
    run(monkeypatch, spec.code("Quick start", "python"), socket, table.room)
    assert (socket.received[-1]["t"], socket.received[-1]["why"]) == ("left", "kicked")


STUB = """
globalThis.WebSocket = class {
  constructor(url) {
    console.log(JSON.stringify({ url }));
    setImmediate(() => {
      this.onopen();
      for (const data of require("fs").readFileSync(0, "utf8").trim().split("\\n")) this.onmessage({ data });
    });
  }
  send(text) { console.log(text); }
  close() { console.log(JSON.stringify({ closed: true })); }
};
"""


def answers_of_javascript(executable: Path, folder: Path, room: str, frames: list[m.Plain]) -> list[str]:
    """Run the JavaScript bot of SPEC.md in a room that sends it these frames; return what it says."""
    script = folder / "bot.cjs"
    script.write_text(STUB + spec.code("Quick start", "javascript"), encoding="utf-8")
    return node.run(executable, script, room, given="\n".join(map(json.dumps, frames))).splitlines()


@pytest.mark.node
def test_the_javascript_bot_plays(monkeypatch: pytest.MonkeyPatch, node_executable: Path, tmp_path: Path) -> None:
    room, socket = played_by_the_python_bot(monkeypatch)
    said = answers_of_javascript(node_executable, tmp_path, room, socket.received)
    url, hello, join, *acts, leave, closed = map(json.loads, said)
    assert url == {"url": "ws://localhost:7777"}
    assert client_message(hello)
    assert join == {"t": "join", "room": room}
    assert leave == {"t": "leave", "room": room}
    assert closed == {"closed": True}
    turns = [frame for frame in socket.received if frame["t"] == "turn"]
    assert [act["rid"] for act in acts] == [turn["rid"] for turn in turns]
    assert all(0 <= act["act"] < len(turn["legal"]) for act, turn in zip(acts, turns, strict=True))


@pytest.mark.node
@pytest.mark.parametrize("last", [{"t": "error", "code": "no_room", "msg": "none"}, {"t": "bye", "code": "drain"}])
def test_the_javascript_bot_ends_when_it_is_refused(node_executable: Path, tmp_path: Path, last: m.Plain) -> None:
    lost = {"t": "error", "code": "stale", "msg": "late", "room": "K7QD", "rid": 3}
    said = answers_of_javascript(node_executable, tmp_path, "K7QD", [lost, last])
    assert said.count('{"closed":true}') == 1


SECRET, CONTEXT, NONCES = bytes(range(32)), "K7QD/1", [b"", b"\xff" * 32]


def numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.split(", ")]


def test_the_test_vectors() -> None:
    commit, first, second, words, starts, top, bottom = [value for _, value in spec.table("Fairness")]
    key = fair.deal_key(SECRET, CONTEXT, 1, NONCES)
    assert commit == fair.commitment(SECRET) == commitment(SECRET)
    assert first == key.hex()
    assert second == fair.deal_key(SECRET, CONTEXT, 2, NONCES).hex()
    stream = fair.words(key, "deck")
    assert numbers(words) == [next(stream) for _ in range(4)]
    bounds = (7, 100, 1000, 2**31 + 1)
    assert numbers(starts) == [fair.below(fair.words(key, "start"), n) for n in bounds]
    deck = fair.shuffled(fair.words(key, "deck"), list(range(108)))
    assert [numbers(top), numbers(bottom)] == [deck[:10], deck[-10:]]


def test_regenerated_transcripts_are_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    copy = tmp_path / "SPEC.md"
    copy.write_text(re.sub(r"seed \d+ -->\n.*?<!-- end", "seed 0 -->\n<!-- end", spec.text(), flags=re.DOTALL))
    monkeypatch.setattr(make_transcript, "SPEC", copy)
    make_transcript.main()
    assert copy.read_text() == spec.text(), "regenerate them: python -m tests.protocol.make_transcript"
