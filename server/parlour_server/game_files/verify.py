"""Verify a match file: its hashes, its deals, every act and the result. Needs no server."""

from collections.abc import Iterable

import attrs

from parlour_server.game_files.reader import BadFile, FileLine, read
from parlour_server.game_files.replayer import Replayer
from parlour_server.rooms.records import Begun


@attrs.frozen
class Verdict:
    """The result of a check. ``line`` counts from 1 and is the first that is wrong; ``wrong`` is the reason.

    ``proved`` lists in sentences what is certain now, ``doubts`` what is not. Both are empty for a file that is wrong.
    ``digest`` is that of a file that is right, or is that of another match.
    """

    ok: bool
    line: int | None = None
    wrong: str | None = None
    proved: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    digest: str | None = None


def verify(lines: Iterable[str], digest: str | None = None) -> Verdict:
    """Check a match file against itself, and against the ``digest`` that its players were given, if it is known.

    Derives the deals again from S, does every record again by the rules, and compares the lines that this writes, the
    result among them, with the file's. Raises nothing for the content of a file, only what reading ``lines`` raises.
    """
    try:
        first, last = _check(lines)
    except BadFile as bad:
        return Verdict(False, bad.line, bad.reason)
    if digest is not None and last.h != digest:
        wrong = f"this is another match, or one forged as a whole: its digest is {last.h}, not {digest}"
        return Verdict(False, last.number, wrong, digest=last.h)
    return Verdict(True, proved=_proved(first, last, digest), doubts=_doubts(first, digest), digest=last.h)


def _check(lines: Iterable[str]) -> tuple[FileLine, FileLine]:
    """Return the first and the last line of a valid file. Raises BadFile."""
    room: Replayer | None = None
    first: FileLine | None = None
    last: FileLine | None = None
    for last in read(lines):
        if room is None:
            first, room = last, Replayer(last, recompute=True)
        room.follow(last)
    if room is None or first is None or last is None:
        raise BadFile(1, "the file is empty")
    if not room.over:
        raise BadFile(last.number + 1, "the file ends before the match does; its last line must be over")
    return first, last


def _proved(first: FileLine, last: FileLine, digest: str | None) -> tuple[str, ...]:
    begun = first.record
    assert isinstance(begun, Begun)
    proved: tuple[str, ...] = (
        "The hash of each line follows from the lines up to it.",
        f"The secret S fits its commitment {begun.commit}.",
        f"Every deal follows from S, the context {begun.context} and the nonces.",
        f"All {last.number} records follow from each other by {begun.game} rules {begun.rules}: every act was legal.",
        "The final state, the ranks and the scores are what the records lead to.",
    )
    if begun.beacon is not None:
        round_ = f"round {begun.beacon.round} of the beacon {begun.beacon.chain}"
        proved = (*proved, f"The last nonce is {begun.nonces[-1]}, for {round_}.")
    known = "The digest is the one that was given: nothing was changed since the match was over."
    return proved if digest is None else (*proved, known)


def _doubts(first: FileLine, digest: str | None) -> tuple[str, ...]:
    assert isinstance(first.record, Begun)
    if first.record.beacon is not None:
        named = first.record.beacon
        where = f"https://api.drand.sh/{named.chain}/public/{named.round}"
        asked = f"Whether the last nonce is the randomness of that round, its network says, for one of drand: {where}"
        early = "Whether the round was named before it was published, only those who were there can say."
        return (asked, early, *_unseen(digest))
    if first.record.deal:
        whose = "The deal was that of the day" if first.record.deal == "daily" else "The player chose the deal"
        known = f"{whose}: whether it was known before the match, no file can say, and the match counts for no rating."
        return (known, *_unseen(digest))
    return _unseen(digest)


def _unseen(digest: str | None) -> tuple[str, ...]:
    seen = "Whether C was shown before the match, only those who were there can say."
    alone = "Without the digest the file is only consistent: one that was forged as a whole would be, too."
    return (seen,) if digest is not None else (alone, seen)
