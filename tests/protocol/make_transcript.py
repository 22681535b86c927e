"""Writes the transcript in SPEC.md: a whole match between two bots, played in the server's own rooms.

``python -m tests.protocol.make_transcript`` makes it anew. Ann calls UNO and catches; Bob forgets to call.
"""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import attrs

import parlour_protocol
from parlour_games.uno.cards import NAMES
from parlour_protocol.messages import Act, ClientMessage, Create, Hello, Join, Offer, Plain, Ready, Start, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer

SPEC = Path(next(iter(parlour_protocol.__path__))) / "SPEC.md"
BEGIN, END = "<!-- transcript: seed {} -->\n", "<!-- end of transcript -->\n"
WANTED = ('"e":"caught"', '"uno":true', '"colour":"', '"e":"skip"', '"do":"challenge"', '"why":"turn"', '"do":"pass"}}')
"""What the match has to show, and in how many characters."""
SHORT = 22_000
NONCE = bytes(range(32)).hex()
LONG = ("view", "table")
"""Fields that are shown once for each type of message."""


@attrs.define
class Recorder:
    """Plays the match and keeps what is said."""

    server: Local
    peers: dict[str, Peer] = attrs.field(factory=dict)
    turns: dict[str, Turn] = attrs.field(factory=dict)
    offers: dict[str, list[Offer]] = attrs.field(factory=dict)
    frames: list[tuple[str, Plain]] = attrs.field(factory=list)
    """Each whole, behind ← or →."""
    lines: list[str] = attrs.field(factory=list)
    over: bool = False
    _shown: set[str] = attrs.field(factory=set)

    def remark(self, text: str) -> None:
        self.lines.append(f"\n# {text}")

    def say(self, name: str, message: ClientMessage) -> None:
        peer = self.peers.get(name) or self.peers.setdefault(name, self.server.open(name))
        self._write(name, "←", plain(message))
        peer.send(message)
        self.listen()

    def listen(self) -> None:
        for name, peer in self.peers.items():
            while peer.inbox:
                message = peer.inbox.popleft()
                self._write(name, "→", plain(message))
                self._note(name, message)

    def wait(self) -> None:
        before = self.server.now
        assert self.server.step(), "nobody has a turn and no timer runs"
        self.remark(f"{self.server.now - before} ms later the breath is over, and the catch counts")
        self.listen()

    def _note(self, name: str, message: Any) -> None:
        if isinstance(message, Turn | Update):
            self.turns.pop(name, None)
            self.offers[name] = message.may
        if isinstance(message, Turn):
            self.turns[name] = message
        self.over |= message.t == "over"

    def _write(self, name: str, side: str, frame: Plain) -> None:
        self.frames.append((side, frame))
        if frame["t"] in self._shown:
            frame = {field: "…" if field in LONG else value for field, value in frame.items()}
        self._shown.add(frame["t"])
        text = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).replace('"…"', "{…}")
        self.lines.append(f"{name} {side} {text}")


def words(action: Plain) -> str:
    """Return what an action does, in words."""
    if action["do"] == "play":
        colour = f", {action['colour']} from now on" if "colour" in action else ""
        return f"lays {NAMES[action['card']]}{colour}{', and calls UNO' if action.get('uno') else ''}"
    return {"pass": "passes", "uno": "calls UNO", "catch": "catches"}.get(action["do"], f"{action['do']}s")


def choose(name: str, legal: list[Plain]) -> int:
    """Return what a bot answers: the first action, but Bob forgets to call UNO."""
    return next((at for at, action in enumerate(legal) if name == "ann" or not action.get("uno")), 0)


def play(room: str, record: Recorder) -> None:
    """Let the two answer until the match is over. Ann takes every offer; Bob takes none."""
    while not record.over:
        if record.offers.get("ann"):
            offer = record.offers["ann"][0]
            record.remark(f"Ann sees that Bob has not called: she {words(offer['legal'][0])} him, and only she is told")
            record.say("ann", Act(room, offer["rid"], 0))
        elif record.turns:
            name, turn = next(iter(record.turns.items()))
            at = choose(name, turn.legal or [])
            record.remark(f"{name.capitalize()} {words((turn.legal or [])[at])}")
            record.say(name, Act(room, turn.rid, at))
            if record.offers.get("ann"):
                record.remark("Nobody has a turn: a breath")
        else:
            record.wait()


def record_match(seed: int) -> Recorder:
    """Return the record of the match that ``seed`` makes."""
    record = Recorder(Local(seed))
    record.remark("Ann greets, and opens a room for one round of UNO between two")
    record.say("ann", Hello("ann", "bot", can=["nonce"]))
    record.say("ann", Create("uno", options={"scoring": "single"}, seats=2, id="new"))
    room = record.server.lobby.rooms.copy().popitem()[0]
    record.remark("Bob greets, and joins")
    record.say("bob", Hello("bob", "bot"))
    record.say("bob", Join(room))
    record.remark("Ann has seen the commitment. She adds a nonce, and starts")
    record.say("ann", Ready(room, nonce=NONCE, id=2))
    record.say("ann", Start(room, id=3))
    refused(room, record)
    play(room, record)
    return record


def refused(room: str, record: Recorder) -> None:
    """Let whoever is asked first try something illegal."""
    name, turn = next(iter(record.turns.items()))
    card = next(card for card in range(108) if card not in turn.view["hand"])
    record.remark(f"{name.capitalize()} tries a card that is not in the hand")
    record.say(name, Act(room, turn.rid, {"do": "play", "card": card}, id="oops"))


def transcript(seed: int) -> str:
    """Return what stands between the markers of SPEC.md."""
    return "\n```text" + "\n".join(record_match(seed).lines) + "\n```\n\n"


def telling() -> int:
    """Return the first seed whose match is short and shows everything wanted."""
    return next(seed for seed in count() if _tells(transcript(seed)))


def _tells(text: str) -> bool:
    return len(text) < SHORT and all(wanted in text for wanted in WANTED)


def main() -> None:
    """Write it into SPEC.md."""
    seed = telling()
    head, tail = re.split(r"(?s)<!-- transcript.*<!-- end of transcript -->\n", SPEC.read_text(encoding="utf-8"))
    SPEC.write_text(head + BEGIN.format(seed) + transcript(seed) + END + tail, encoding="utf-8")


if __name__ == "__main__":
    main()
