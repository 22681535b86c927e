"""What one client can say about the fairness of a room's matches, from what it was shown.

The server shows a commitment C to its secret S before a match; a client may add a nonce of its own; S is
revealed when the match is over. A ``Witness`` keeps what was shown and tells when it does not fit.
"""

import attrs

from parlour_games.stream import commitment
from parlour_protocol.messages import FairView, RoomState

_UNDER_WAY: tuple[RoomState, ...] = ("playing", "pause")


@attrs.define
class Witness:
    """The memory of one room's commitments and of one's own nonce. Methods return what is wrong, or None."""

    commits: list[str] = attrs.field(factory=list)
    """The different C that were shown, oldest first."""
    state: RoomState = "waiting"
    nonce: str | None = None
    """Our nonce under the last C, hex."""
    promised: bool = False
    """Whether the server has acknowledged the nonce."""
    kept: bool | None = None
    """Whether the last S that was revealed fits a C shown before; None: we were not there to see it."""
    _spent: bool = False
    _seat: int | None = None
    _nonces: dict[str, str] = attrs.field(factory=dict)

    @property
    def takes_nonce(self) -> bool:
        """Whether a nonce given now would count for a match to come whose C we have seen."""
        return bool(self.commits) and not self._spent and self.state not in _UNDER_WAY

    def see(self, fair: FairView, state: RoomState, seat: int | None, *, jumped: bool = False) -> str | None:
        """Take in a table as shown to ``seat``. ``jumped``: tables may have been missed before it."""
        before, self.state = self.state, state
        self._seat, self._nonces = seat, fair["nonces"]
        if self.commits[-1:] == [fair["commit"]]:
            return self._missing_nonce()
        changed = bool(self.commits) and not jumped and before in _UNDER_WAY and state in _UNDER_WAY
        self.commits.append(fair["commit"])
        self.nonce, self.promised, self._spent = None, False, False
        return "the commitment was changed in the middle of the match" if changed else None

    def promise(self, nonce: str | None) -> None:
        """The server has accepted ``nonce``: from now on each table under this C must show it."""
        self.promised = nonce is not None and nonce == self.nonce

    def reveal(self, secret: str, *, jumped: bool) -> str | None:
        """Take in the S of the match that is over. ``jumped``: it follows a ``joined``, which shows a later C."""
        try:
            commit = commitment(bytes.fromhex(secret))
        except ValueError:
            commit = ""
        if jumped:
            self.kept = commit in self.commits or None
            return None
        self._spent, self.kept = True, self.commits[-1:] == [commit]
        if not self.kept:
            return "the revealed secret does not fit the commitment shown before: this match may have been rigged"
        return self._missing_nonce()

    def _missing_nonce(self) -> str | None:
        if not self.promised or self._nonces.get(str(self._seat)) == self.nonce:
            return None
        self.promised = False
        return "our nonce was accepted, but the table does not show it"
