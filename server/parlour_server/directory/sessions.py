"""A session: what the server knows of one connection, with its token bucket and its strikes."""

import attrs

from parlour_protocol.errors import NotNow
from parlour_protocol.messages import Hello, Plain

RATE = 40
"""Tokens a second. Messages say what they cost. An accepted act under an open rid is free."""
BURST = 80
WRONG_CODE = 9
"""Tokens that a wrong code of a room, or for its seats, costs in addition."""
STRIKES = 20
FORGIVEN_EACH = 10_000
"""Milliseconds after which a strike is forgiven."""
ACTS = 200
"""Acts under an open rid, or messages refused by the bucket, per second. A socket beyond that is read more slowly."""
LONG = 256
"""Characters of a note, or of lists of ``ITEM`` characters an item, for which an act counts once more."""
ITEM = 8


def weight(act: Plain) -> int:
    """Return how many acts an act counts for: a long one is several. It is not validated."""
    why, action = act.get("why"), act.get("act")
    length = len(why) if type(why) is str else 0
    if type(action) is dict:
        length += sum(ITEM * len(value) for value in action.values() if isinstance(value, list))
    return 1 + length // LONG


@attrs.define
class Session:
    """A connection. All times are the node's milliseconds."""

    conn: int
    opened: int
    address: str | None = None
    """The client's address, if it is known."""
    who: str | None = None
    greeting: bool = False
    """Whether it has said hello and the store is being asked who it is."""
    nonces: bool = False
    settled: bool = False
    """Whether a frame has arrived after hello, which voids the token before."""
    gone: bool = False
    can: list[str] = attrs.field(factory=list)
    """The abilities of the client."""
    side: str | None = None
    """The only room that a side socket serves; None on a main socket."""
    generation: str | None = None
    """The identity's hashed token when this session began. A different one means a newer main connection."""
    relayed: set[str] = attrs.field(factory=set)
    """The rooms of other nodes that are relayed to it."""
    _tokens: float = BURST
    _filled: int = 0
    _strikes: int = 0
    _forgiven: int = 0
    _acts: float = 0
    _acted: int = 0

    def greeted(self, who: str, hello: Hello) -> None:
        """Note that ``who`` has said hello."""
        self.who = who
        self.can = hello.can or []
        self.nonces = "nonce" in self.can

    @property
    def silent(self) -> bool:
        """Whether no hello has come on it."""
        return self.who is None and not self.greeting and not self.gone

    @property
    def redirects(self) -> bool:
        """Whether its client can follow a redirect."""
        return "redirect" in self.can

    def visits(self, who: str, room: str, generation: str | None, hello: Hello) -> None:
        """Note that ``who`` has said hello with a ticket for ``room``."""
        self.greeted(who, hello)
        self.side, self.generation, self.settled = room, generation, True

    def affords(self, cost: int, now: int) -> bool:
        """Whether the bucket holds ``cost`` tokens."""
        self._fill(now)
        return self._tokens >= cost

    def pay(self, cost: int, now: int) -> None:
        """Take ``cost`` tokens from the bucket. Raises NotNow if it holds fewer."""
        self._fill(now)
        if self._tokens < cost:
            wait = int((cost - self._tokens) * 1000 / RATE) + 1
            self.acted(now)
            raise NotNow("rate_limited", f"more than {RATE} messages a second", wait)
        self._tokens -= cost

    def fine(self, cost: int, now: int) -> None:
        """Take ``cost`` tokens, or as many as the bucket holds."""
        self._fill(now)
        self._tokens = max(0.0, self._tokens - cost)

    def strike(self, now: int) -> list[int]:
        """Count a breach of the protocol; return [strikes, the number that ends the connection]."""
        forgiven = (now - self._forgiven) // FORGIVEN_EACH
        self._strikes = max(0, self._strikes - forgiven)
        self._forgiven = now if self._strikes == 0 else self._forgiven + forgiven * FORGIVEN_EACH
        self._strikes += 1
        return [self._strikes, STRIKES]

    def acted(self, now: int, count: int = 1) -> None:
        """Count a message that the bucket cannot hold back: an act, or one that the bucket refused."""
        self._acts = max(0.0, self._acts - (now - self._acted) * ACTS / 1000) + count
        self._acted = now

    def rest(self) -> int:
        """Return for how many ms the socket should not be read."""
        return int((self._acts - ACTS) * 1000 / ACTS) if self._acts > ACTS else 0

    def _fill(self, now: int) -> None:
        self._tokens = min(float(BURST), self._tokens + (now - self._filled) * RATE / 1000)
        self._filled = now
