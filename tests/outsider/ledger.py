"""What one client was shown and told, in order: the evidence that an audit compares with the match files."""

from collections import defaultdict
from dataclasses import dataclass, field

from tests.outsider import sight
from tests.outsider.sight import Map, Sight


@dataclass
class RoomNotes:
    """One seat of one room."""

    seat: int | None = None
    epoch: int = 0
    seq: int = 0
    table: Map = field(default_factory=dict)
    shown: list[Sight] = field(default_factory=list)
    """Every view with the questions beside it, in the order of arrival."""
    sent: dict[int, list[Map]] = field(default_factory=lambda: defaultdict(list))
    """rid → every action that was sent under it."""
    acknowledged: dict[int, Map] = field(default_factory=dict)
    """rid → the action that the server says it has recorded."""
    commits: dict[str, str] = field(default_factory=dict)
    """context → the C that was shown before the match began."""
    over: dict[str, Map] = field(default_factory=dict)
    """context → the message ``over``."""
    ended: tuple[int, int] = 0, 0
    """How many views and acknowledged acts there were when the last match ended."""

    def leave(self) -> None:
        """Drop the notes of a match that is not over: those who leave it do not learn the digest of its file."""
        if self.table["state"] != "playing":
            return
        views, acts = self.ended
        del self.shown[views:]
        for rid in list(self.acknowledged)[acts:]:
            del self.acknowledged[rid]


class Ledger:
    """The notes of one client on all its rooms. ``faults`` lists what contradicts the protocol or earlier messages."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rooms: dict[str, RoomNotes] = defaultdict(RoomNotes)
        self.faults: list[str] = []

    def seen(self) -> list[Map]:
        """Return how far the rooms have been followed, for ``hello``."""
        return [{"room": code, "epoch": room.epoch, "seq": room.seq} for code, room in self.rooms.items() if room.epoch]

    def note(self, message: Map) -> None:
        """Note a message of the server."""
        if message["t"] == "ok" and "rid" in message:
            self._acknowledged(message["room"], message)
        if message["t"] == "left":
            self.rooms[message["room"]].leave()
        if "seq" not in message:
            return
        room = self.rooms[message["room"]]
        self._follow(room, message)
        if "table" in message:
            self._table(room, message["table"])
        if message.get("view") is not None:
            room.shown.append(sight.shown(message))
        if "rid" in message.get("ok", {}):
            self._acknowledged(message["room"], message["ok"])
        if message["t"] == "over":
            self._over(room, message)

    def _follow(self, room: RoomNotes, message: Map) -> None:
        if message["t"] == "joined":
            if message["epoch"] < room.epoch:
                self.faults.append(f"epoch {room.epoch} became {message['epoch']} in {message['room']}")
            if message["epoch"] == room.epoch and message["seq"] < room.seq:
                self.faults.append(f"seq {room.seq} became {message['seq']} in {message['room']}")
            room.epoch, room.seat, room.seq = message["epoch"], message["seat"], message["seq"]
            self._after_joined = message["room"]
            return
        repeats = (
            message["t"] in ("turn", "over") and message["seq"] == room.seq and self._after_joined == message["room"]
        )
        if message["seq"] != room.seq + 1 and not repeats:
            self.faults.append(f"seq {message['seq']} of {message['t']} follows {room.seq} in {message['room']}")
        self._after_joined, room.seq = "", message["seq"]

    _after_joined = ""
    """The room whose ``joined`` was the last message of a room; the next one may repeat its ``seq``."""

    def _table(self, room: RoomNotes, table: Map) -> None:
        room.table = table
        fair = table["fair"]
        if room.commits.setdefault(fair["context"], fair["commit"]) != fair["commit"]:
            self.faults.append(f"the commitment of {fair['context']} has changed")

    def _acknowledged(self, code: str, ok: Map) -> None:
        room, rid, act = self.rooms[code], ok["rid"], ok["act"]
        if room.acknowledged.setdefault(rid, act) != act:
            self.faults.append(f"rid {rid} in {code} was {room.acknowledged[rid]}, and is now {act}")
        if act not in room.sent[rid]:
            self.faults.append(f"rid {rid} in {code} was sent as {room.sent[rid]}, and recorded as {act}")

    def _over(self, room: RoomNotes, message: Map) -> None:
        context = message["context"]
        room.ended = len(room.shown), len(room.acknowledged)
        known = room.over.setdefault(context, message)
        if any(known[name] != message[name] for name in ("result", "reveal", "digest")):
            self.faults.append(f"{context} ended in two ways")
        if room.commits.get(context, message["commit"]) != message["commit"]:
            self.faults.append(f"{context} ended under another commitment")
