"""Making a stored room from its log, without playing old matches again: however long it has been open, it loads fast.

What lasts of a match is who sat where and what was ruled. Its answers are known until the match after the next begins,
so the last two are played; and the numbers of a seat's decisions go on where they were, so the last match that each
seat has taken part in is played, too.
"""

import json
from collections.abc import Sequence

from parlour_server.rooms import records
from parlour_server.rooms.state import State

_BEGUN = '"r":"begun"'


def recall(state: State, lines: Sequence[str]) -> None:
    """Fold all ``lines`` of a room into a new state."""
    wanted, playing = to_play(lines), True
    for n, line in enumerate(lines):
        if _BEGUN in line:
            playing = n in wanted
        if playing:
            state.fold(records.parse(line), line)
        elif f'"n":{n},"r":"act"' in line:  # nearly all of them: not even read
            state.n += 1
        else:
            state.pass_over(records.parse(line))


def to_play(lines: Sequence[str]) -> set[int]:
    """Return the numbers of the ``begun`` lines of those matches that have to be played again."""
    begun = [number for number, line in enumerate(lines) if _BEGUN in line]
    wanted, seats = {*begun[-2:]}, 0
    for number in reversed(begun):
        taking_part = len(json.loads(lines[number])["rids"])
        if taking_part > seats:
            wanted.add(number)
            seats = taking_part
    return wanted
