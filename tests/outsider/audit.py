"""Compares what clients noted with the match files: nothing lost, doubled, forgotten or unknown."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from tests.outsider.client import Player
from tests.outsider.ledger import RoomNotes
from tests.outsider.verifier import Verdict, verify


@dataclass
class Figures:
    """What a run has found. All but the first three have to be zero."""

    acknowledged: int = 0
    views: int = 0
    files: int = 0
    lost: int = 0
    """Acknowledged acts that no file has."""
    doubled: int = 0
    """Decisions that a file has answered twice."""
    unknown: int = 0
    """Acts in a file that their client never sent."""
    forgotten: int = 0
    """Views that the rules do not show at that point of the files."""
    faults: list[str] = field(default_factory=list)
    """Contradictions that the clients noticed themselves."""
    uncovered: list[str] = field(default_factory=list, repr=False)
    """What the verifier left out, once for each file."""

    def clean(self) -> bool:
        """Whether nothing was found."""
        return not (self.lost or self.doubled or self.unknown or self.forgotten or self.faults)

    def __str__(self) -> str:
        return ", ".join(f"{field.name} {getattr(self, field.name) or 0}" for field in fields(self) if field.repr)


def audit(players: Iterable[Player], files: Mapping[str, str]) -> Figures:
    """Compare the notes of players with the files of their tables, by digest."""
    figures = Figures()
    tables: dict[int, list[Player]] = defaultdict(list)
    for player in players:
        tables[id(player.table)].append(player)
    for ours in tables.values():
        digests = ours[0].table.digests
        matches = verify([(files[digests[context]], digests[context]) for context in sorted(digests, key=_number)])
        figures.files += len(matches)
        figures.uncovered += [what for match in matches for what in match.uncovered]
        for player in ours:
            figures.faults += player.ledger.faults
            _audit_acts(player.notes, matches, figures)
            _audit_views(player.notes, matches, figures, player.name)
    return figures


def _audit_acts(notes: RoomNotes, matches: Iterable[Verdict], figures: Figures) -> None:
    recorded = [(act["rid"], act["act"]) for match in matches for act in match.acts if act["seat"] == notes.seat]
    times = Counter(rid for rid, _ in recorded)
    by_rid = dict(recorded)
    figures.acknowledged += len(notes.acknowledged)
    figures.lost += sum(by_rid.get(rid) != act for rid, act in notes.acknowledged.items())
    figures.doubled += sum(number - 1 for number in times.values())
    figures.unknown += sum(act not in notes.sent[rid] for rid, act in recorded)


def _audit_views(notes: RoomNotes, matches: Iterable[Verdict], figures: Figures, name: str) -> None:
    assert notes.seat is not None
    sights = [sight for match in matches for sight in match.sights[notes.seat]]
    figures.views += len(notes.shown)
    place = 0
    for shown in notes.shown:
        found = next((later for later in range(place, len(sights)) if shown.agrees(sights[later])), None)
        if found is None:
            figures.forgotten += 1
            figures.faults.append(f"{name} was shown {shown}")
            return
        place = found


def _number(context: str) -> int:
    return int(context.split("/")[1])
