"""Whether a game file is what it says: ``verify``. Anybody can run it; it asks no server."""

from collections.abc import Iterable

import attrs

from parlour_server.game_files.reader import BadFile, Line, read
from parlour_server.game_files.replayer import Retelling
from parlour_server.rooms.records import Begun


@attrs.frozen
class Verdict:
    """What became of a check. ``line`` counts from 1 and is the first that is wrong; ``wrong`` says why, in words.

    ``proved`` lists in sentences what is certain now, ``doubts`` what is not; both are empty for a file that is wrong.
    ``digest`` is that of the file.
    """

    ok: bool
    line: int | None = None
    wrong: str | None = None
    proved: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    digest: str | None = None


def verify(lines: Iterable[str], digest: str | None = None) -> Verdict:
    """Check a game file against itself, and against the ``digest`` that its players were given, if it is known.

    Every line is read with suspicion, the deals are derived again from S, every record is done again by the rules, and
    the room's own lines, the result among them, are compared with the file's. Never raises for what a file may hold;
    what reading ``lines`` itself raises (OSError) comes through.
    """
    try:
        first, last = _check(lines)
    except BadFile as bad:
        return Verdict(False, bad.line, bad.words)
    if digest is not None and last.h != digest:
        wrong = f"the digest of this file is {last.h}: it is not the record that {digest} was given for"
        return Verdict(False, last.number, wrong, digest=last.h)
    return Verdict(True, proved=_proved(first, last, digest), doubts=_doubts(digest), digest=last.h)


def _check(lines: Iterable[str]) -> tuple[Line, Line]:
    """Return the first and the last line of a file that is right. Raises BadFile."""
    room: Retelling | None = None
    first: Line | None = None
    last: Line | None = None
    for last in read(lines):
        if room is None:
            first, room = last, Retelling(last, recompute=True)
        room.follow(last)
    if room is None or first is None or last is None:
        raise BadFile(1, "the file is empty")
    if not room.over:
        raise BadFile(last.number + 1, "the file ends before the match: its last line is over")
    return first, last


def _proved(first: Line, last: Line, digest: str | None) -> tuple[str, ...]:
    begun = first.record
    assert isinstance(begun, Begun)
    proved = (
        "The hash of each line follows from the lines up to it.",
        f"The secret S fits its commitment {begun.commit}.",
        f"Every deal follows from S, the context {begun.context} and the nonces.",
        f"All {last.number} records follow from each other by {begun.game} rules {begun.rules}: every act was legal.",
        "The final state, the ranks and the scores are what the records lead to.",
    )
    known = "The digest is the one that was given: nothing was changed since the match was over."
    return proved if digest is None else (*proved, known)


def _doubts(digest: str | None) -> tuple[str, ...]:
    seen = "Whether C was shown before the match, only those who were there can say."
    alone = "Without the digest the file is only consistent: one that was made anew as a whole would be, too."
    return (seen,) if digest is not None else (alone, seen)
