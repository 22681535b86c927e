"""Record what clients and rooms send each other, and format it as in SPEC.md."""

import json
from collections.abc import Iterable
from typing import Any

import attrs

from parlour_protocol.messages import ClientMessage, Offer, Plain, Turn, Update
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer

LONG = {"view": "{…}", "table": "{…}", "limits": "{…}", "can": "[…]"}
"""Long fields of server messages, and what replaces them when they are left out."""


@attrs.define
class Step:
    """The frames sent and received after a remark: (who, ← or →, the whole frame)."""

    remark: str
    frames: list[tuple[str, str, Plain]] = attrs.field(factory=list)


@attrs.define
class Recorder:
    """Clients of one server: sends for them, records what they get, and knows what they are asked."""

    server: Local
    peers: dict[str, Peer] = attrs.field(factory=dict)
    turns: dict[str, Turn] = attrs.field(factory=dict)
    offers: dict[str, list[Offer]] = attrs.field(factory=dict)
    steps: list[Step] = attrs.field(factory=list)
    over: bool = False

    @property
    def room(self) -> str:
        [code] = self.server.lobby.rooms.loaded
        return code

    def frames(self) -> list[tuple[str, str, Plain]]:
        return [said for step in self.steps for said in step.frames]

    def remark(self, text: str) -> None:
        self.steps.append(Step(text))

    def say(self, name: str, message: ClientMessage) -> None:
        """Send ``message`` as ``name``, on a new connection if there is none."""
        peer = self.peers.get(name) or self.peers.setdefault(name, self.server.open(name))
        self.steps[-1].frames.append((name, "←", plain(message)))
        peer.send(message)
        self.listen()

    def cut(self, name: str) -> None:
        """Cut a connection. What the others receive because of it is not recorded."""
        self.peers.pop(name).close()
        for peer in self.peers.values():
            peer.inbox.clear()

    def listen(self) -> None:
        for name, peer in self.peers.items():
            while peer.inbox:
                message = peer.inbox.popleft()
                self.steps[-1].frames.append((name, "→", plain(message)))
                self._note(name, message)

    def _note(self, name: str, message: Any) -> None:
        if isinstance(message, Turn | Update):
            self.turns.pop(name, None)
            self.offers[name] = message.may
        if isinstance(message, Turn):
            self.turns[name] = message
        self.over |= message.t == "over"


def written(steps: Iterable[Step | None], shown: Iterable[str] = (), *, short: Iterable[str] = LONG) -> str:
    """Return the block of SPEC.md that shows ``steps``, None standing for some that are left out.

    The fields named in ``short`` are written out once for each type of message, and not at all for those in ``shown``.
    """
    known, lines = set(shown), [""]
    for step in steps:
        lines.append(f"\n# {step.remark}" if step else "\n# …")
        for name, side, frame in step.frames if step else ():
            tag = frame["t"]
            left_out = {each for each in short if frame.get(each)} if side == "→" and tag in known else set()
            known |= {tag} if side == "→" else set()
            lines.append(f"{name} {side} {_text(frame, left_out)}")
    return "\n```text" + "\n".join(lines).replace("\n\n", "\n", 1) + "\n```\n\n"


def _text(frame: Plain, left_out: set[str]) -> str:
    marked = {field: f"…{field}" if field in left_out else value for field, value in frame.items()}
    text = json.dumps(marked, ensure_ascii=False, separators=(",", ":"))
    for field in left_out:
        text = text.replace(f'"…{field}"', LONG[field])
    return text
