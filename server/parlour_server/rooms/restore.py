"""Restore a room's state from its log without replaying old matches, so that a long log loads fast.

Of an old match only the seating and the host's rulings last. Repeated answers are recognized until the match after the
next begins, so the last two matches are replayed. The rids of a seat continue from its last match, so the last match of
each seat is replayed, too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from parlour_games.registry import AnyGame
from parlour_server.rooms import records
from parlour_server.rooms.records import ROOM_VERSION
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
        unknown = _unknown_version(lines, games)
        if unknown is None:
            for n, line in enumerate(lines):
                assert json.loads(line)["n"] == n
                records.parse(line)
    except Exception:  # a damaged line may hold anything
        return "its records are damaged, or from a newer version of parlour"
    return unknown


def _unknown_version(lines: Sequence[str], games: Mapping[str, AnyGame]) -> str | None:
    """Return in words what the room needs that this server does not know.

    The lines are not decoded as records, because those of newer versions may have other fields.
    """
    opened = json.loads(lines[0])
    begun = {n: line for n, line in enumerate(lines) if _BEGUN in line}
    replayed = [json.loads(begun[n]) for n in sorted(matches_to_replay(begun))]
    newest = max([opened["version"], *(each["room"] for each in replayed)])
    if newest > ROOM_VERSION:
        return f"it needs version {newest} of rooms; this server knows versions up to {ROOM_VERSION}"
    game = games.get(opened["game"])
    if game is None:
        return f"its game, {opened['game']}, cannot be used here"
    for rules in (each["rules"] for each in replayed):
        if game.under(rules) is None:
            return f"it needs version {rules} of the rules of {game.name}; here is version {game.rules_version}"
    return None
