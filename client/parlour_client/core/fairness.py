"""What one client can say about the fairness of a room's matches, from what it was shown.

The server shows a commitment C to its secret S before a match; a client may add a nonce of its own; S is
revealed when the match is over. A ``Witness`` keeps what was shown and tells when it does not fit. What happened
while nobody looked (another socket, a restarted server) it takes as told: there the game file has to speak.
"""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from parlour_games.fair import commitment
from parlour_protocol.messages import FairView, RoomState

_UNDER_WAY: tuple[RoomState, ...] = ("playing", "pause")
_RIGGED = "the revealed secret does not fit the commitment shown before: this match may have been rigged"


@attrs.define
class Witness:
    """The memory of one room's commitments and of one's own nonce. Methods return what is wrong, or None."""

    commits: list[str] = attrs.field(factory=list)
    """The different C that were shown, oldest first."""
    state: RoomState = "waiting"
    nonce: str | None = None
    """Our nonce under the last C, hex."""
    promised: bool = False
    """Whether the server has acknowledged the nonce in time for the match to come."""
    kept: bool | None = None
    """Whether the last S that was revealed fits a C shown before; None: we were not there to see it."""
    _bound: dict[str, str] = attrs.field(factory=dict)
    """The C that was shown first for each context."""
    _opened: set[str] = attrs.field(factory=set)
    """The C whose S was revealed: whoever saw it knows every card under them."""
    _frozen: FairView | None = None
    """C and nonces of the last match that we saw under way."""
    _matches: dict[str, FairView] = attrs.field(factory=dict)
    """By digest what the matches that we saw under way were bound to."""
    _context: str = ""
    """What was shown with the last C."""
    _seat: int | None = None
    _nonces: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def takes_nonce(self) -> bool:
        """Whether a nonce given now would count for a match to come whose C we have seen."""
        return bool(self.commits) and self.commits[-1] not in self._opened and self.state not in _UNDER_WAY

    def see(self, fair: FairView, state: RoomState, seat: int | None, *, jumped: bool = False) -> str | None:
        """Take in a table as shown to ``seat``. ``jumped``: tables may have been missed before it."""
        self.state, self._seat, self._nonces = state, seat, fair["nonces"]
        self._bound.setdefault(fair["context"], fair["commit"])
        self.promised = self.promised and seat is not None
        renewed = self._renew(fair, jumped) if self.commits[-1:] != [fair["commit"]] else self._same(fair)
        frozen = self._freeze(fair) if state in _UNDER_WAY else None
        return renewed or frozen or self._missing_nonce()

    def promise(self, nonce: str | None) -> None:
        """The server has accepted ``nonce``: each table under this C must show it, unless its match had begun."""
        self.promised = nonce is not None and nonce == self.nonce and self.state not in _UNDER_WAY

    def reveal(self, secret: str, digest: str, *, jumped: bool, context: str | None = None) -> str | None:
        """Take in the S and the digest of the match that is over, which had ``context``.

        ``jumped``: it follows a ``joined``, which shows a later C.
        """
        try:
            commit = commitment(bytes.fromhex(secret))
        except ValueError:
            commit = ""
        if self._frozen and self._frozen["commit"] == commit:
            self._matches[digest] = self._frozen
        self._opened.add(commit)
        if jumped:
            self.kept = self._fits_unseen(commit, context)
            return _RIGGED if self.kept is False else None
        self.kept = self.commits[-1:] == [commit]
        if not self.kept:
            self._opened.update(self.commits[-1:])
            return _RIGGED
        return self._missing_nonce()

    def abandon(self) -> str | None:
        """The server has closed the room: a match under way must have been revealed before."""
        if self.state not in _UNDER_WAY or self.commits[-1] in self._opened:
            return None
        return "the match was ended, but its secret was not revealed"

    def compare(self, digest: str, line: str) -> str | None:
        """Compare a line of the game file ``digest``, if it is its ``begun``, with what was shown in that match."""
        shown = self._matches.get(digest)
        try:
            begun: Any = json.loads(line)
            if shown is None or begun["r"] != "begun":
                return None
            nonces = {str(seat): nonce for seat, nonce in enumerate(begun["nonces"]) if nonce}
            if {"commit": begun["commit"], "context": begun["context"], "nonces": nonces} == shown:
                return None
        except (ValueError, LookupError, TypeError, RecursionError):
            return None  # no line of a game file: that is found when the file is verified
        return "the game file has another commitment, context or nonces than the table showed during the match"

    def _fits_unseen(self, commit: str, context: str | None) -> bool | None:
        """Whether an S, made into C, is that of a match whose end we missed; None: we never saw its C."""
        if context in self._bound:
            return self._bound[context] == commit
        return commit in self.commits or None

    def _same(self, fair: FairView) -> str | None:
        """Find that what belongs to the last C has been changed: it chooses among as many deals."""
        if fair["context"] == self._context:
            return None
        self._context = fair["context"]
        return "the context was changed under the same commitment: the match may have been chosen"

    def _renew(self, fair: FairView, jumped: bool) -> str | None:
        """Go on to another C."""
        replaced = bool(self.commits) and self.commits[-1] not in self._opened
        promised = self.promised
        self.commits.append(fair["commit"])
        self._context = fair["context"]
        self.nonce, self.promised = None, False
        if replaced and not jumped:
            return "the commitment was changed before its secret was revealed: the match may have been chosen"
        if replaced and promised:
            return "a match that our nonce was for went by unseen: only its game file can tell whether it was counted"
        return None

    def _freeze(self, fair: FairView) -> str | None:
        """Hold on to what the match under way is bound to."""
        before, self._frozen = self._frozen, fair
        if fair["commit"] in self._opened:
            return "the match is bound to a secret that has been revealed: its cards are known"
        if before and before["commit"] == fair["commit"] and before["nonces"] != fair["nonces"]:
            return "the nonces were changed in the middle of the match"
        return None

    def _missing_nonce(self) -> str | None:
        if not self.promised or self._nonces.get(str(self._seat)) == self.nonce:
            return None
        self.promised = False
        return "our nonce was accepted, but the table does not show it"
