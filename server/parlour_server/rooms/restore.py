"""Restore a room's state from its log without replaying old matches, so that a long log loads fast.

Of an old match only the seating and the host's rulings last. Repeated answers are recognized until the match after the
next begins, so the last two matches are replayed. The rids of a seat continue from its last match, so the last match of
each seat is replayed, too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from parlour_games.registry import AnyGame
from parlour_server.rooms import records
from parlour_server.rooms.records import ROOM_VERSION, Begun, Opened, Record
from parlour_server.rooms.state import State

_BEGUN = '"r":"begun"'


def fold_log(state: State, lines: Sequence[str]) -> Iterator[None]:
    """Fold all ``lines`` of a room into a new state; stop at each line, so that the caller can do something else."""
    begun: dict[int, str] = {}
    for n, line in enumerate(lines):
        if _BEGUN in line:
            begun[n] = line
        yield
    wanted, replayed = matches_to_replay(begun), True
    for n, line in enumerate(lines):
        if _BEGUN in line:
            replayed = n in wanted
        if replayed:
            state.fold(records.parse(line), line)
        elif f'"n":{n},"r":"act"' in line:
            # Nearly all lines are acts, and nothing of them lasts: they are not even parsed. Keys are sorted in a line,
            # so that "n" stands right before "r"; player text cannot forge this, because its quotes are escaped.
            state.n += 1
        else:
            state.fold_lasting(records.parse(line))
        yield


def matches_to_replay(begun: Mapping[int, str]) -> set[int]:
    """Return the numbers of those ``begun`` lines, by number, whose matches have to be replayed."""
    wanted, seats = {*list(begun)[-2:]}, 0
    for number in reversed(list(begun)):
        players = len(json.loads(begun[number])["rids"])
        if players > seats:
            wanted.add(number)
            seats = players
    return wanted


def beyond(lines: Sequence[str], games: Mapping[str, AnyGame]) -> str | None:
    """Return why a room cannot be replayed by this server, in words; None if it can, unless its game fails."""
    try:
        opened = records.parse(lines[0])
        assert isinstance(opened, Opened)
        if opened.game not in games:
            return f"its game, {opened.game}, cannot be used here"
        found = [_numbered(n, line) for n, line in enumerate(lines)]
    except Exception:  # a damaged line may hold anything
        return "its records are damaged, or from a newer version of parlour"
    rules = games[opened.game].rules_version
    begun = [record for record in found if isinstance(record, Begun)]
    if any(record.rules > rules or record.room > ROOM_VERSION for record in begun):
        return "it was played by newer rules"
    return None


def _numbered(n: int, line: str) -> Record:
    assert json.loads(line)["n"] == n
    return records.parse(line)
