"""The decisions of a finished match: what each act answered, as learning agents need it."""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from parlour_protocol.messages import Plain
from parlour_server.game_files.reader import BadFile
from parlour_server.game_files.replay import finished
from parlour_server.game_files.replayer import Replayer
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import Acted, Begun, MatchOver


@attrs.frozen
class Answered:
    """An act, and what its seat knew when it was made. Other seats' secrets are not in it."""

    digest: str
    """That of the match."""
    game: str
    rules: int
    options: Plain
    seats: int
    n: int
    """Counts the acts of the match from 1."""
    at: int
    """Room time in milliseconds."""
    seat: int
    by: str
    """``owner`` or ``standin``."""
    kind: str
    """Of who plays the seat: ``human`` or ``bot``."""
    must: bool
    """Whether the decision was required."""
    view: Plain
    legal: list[Plain]
    act: Plain
    rank: int
    """The seat's at the end of the match."""
    score: int
    why: str
    """Why the match ended."""

    def plain(self) -> Plain:
        """Return it as plain data."""
        return attrs.asdict(self, recurse=False)


def answered(lines: Iterable[str], digest: str) -> Iterator[Answered]:
    """Yield the acts of players in a match file, in order, after verifying all of it.

    Defaults for players whose time was up are left out. Raises BadFile for a file that does not verify.
    """
    kept = list(lines)
    verdict = verify(kept, digest)
    if not verdict.ok:
        raise BadFile(verdict.line or 1, verdict.wrong or "the file does not verify")
    file = finished(kept)
    first, last = file[0].record, file[-1].record
    assert isinstance(first, Begun)
    assert isinstance(last, MatchOver)
    room = Replayer(file[0])
    acts = 0
    for line in file:
        record: Any = line.record
        if isinstance(record, Acted):
            acts += 1
            asked = room.asked(record)
            yield Answered(
                digest=digest,
                game=first.game,
                rules=first.rules,
                options=first.options,
                seats=len(first.players),
                n=acts,
                at=record.at,
                seat=record.seat,
                by=asked.by,
                kind=asked.kind,
                must=asked.must,
                view=asked.view,
                legal=asked.legal,
                act=record.act,
                rank=last.ranks[record.seat],
                score=last.scores[record.seat],
                why=last.why,
            )
        room.follow(line)
