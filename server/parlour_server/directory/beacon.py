"""The public beacon that the operator feeds: randomness that nobody knows before its time, in numbered rounds.

A drand network publishes round r at ``genesis`` + (r - 1) * ``period`` seconds, under the hash of its parameters. The
operator passes rounds on. What is given is believed: see docs/fairness.md for how players check it.
"""

import re
from collections.abc import Callable

import attrs

from parlour_protocol.errors import BadMessage, Denied
from parlour_protocol.messages import BeaconRound, Plain

LEAD = 1.0
"""Seconds at least between the naming of a round and its publication."""
SILENT = 4, 60.0
"""Periods, and seconds, without a round after which the beacon counts as silent; the longer of both."""
KEPT = 1_000
"""Rounds that are remembered."""
TOGETHER = 16
"""Rounds in one request."""
_HEX, _NUMBER = re.compile("[0-9a-f]{64}"), re.compile("[1-9][0-9]{0,14}")


@attrs.frozen
class Network:
    """A drand network. ``genesis`` is when its round 1 was published, in seconds since 1970."""

    chain: str
    genesis: int
    period: int

    def time(self, number: int) -> int:
        """Return when a round is published."""
        return self.genesis + (number - 1) * self.period

    def first_after(self, time: float) -> int:
        """Return the first round that is published later than ``time``."""
        return max(1, int((time - self.genesis) // self.period) + 2)


@attrs.define(eq=False)
class Beacon:
    """The rounds that are known. ``wall``: milliseconds since 1970."""

    _wall: Callable[[], int]
    _network: Network | None = attrs.field(default=None, init=False)
    _known: dict[tuple[str, int], str] = attrs.field(factory=dict, init=False)
    """Randomness in hex, by chain and round, the oldest first."""

    def next(self) -> BeaconRound | None:
        """Return a round that is still to be published; None: the beacon is silent."""
        network, now = self._network, self._wall() / 1000
        if network is None:
            return None
        last = max(number for chain, number in self._known if chain == network.chain)
        periods, seconds = SILENT
        if now - network.time(last) > max(periods * network.period, seconds):
            return None
        return {"chain": network.chain, "round": network.first_after(now + LEAD)}

    def randomness(self, named: BeaconRound) -> str | None:
        """Return the randomness of a round in hex; None: it was not given."""
        return self._known.get((named["chain"], named["round"]))

    def give(self, args: Plain) -> None:
        """Take in rounds from the operator: ``chain``, ``genesis``, ``period``, ``rounds`` {number: randomness}.

        Raises BadMessage, and Denied ``bad_beacon`` for a round of the future or another value of a known one.
        """
        network, rounds = _network(args), _rounds(args)
        for number, randomness in rounds.items():
            if network.time(number) > self._wall() / 1000 + LEAD:
                raise Denied("bad_beacon", f"round {number} is not published yet")
            if self._known.get((network.chain, number), randomness) != randomness:
                raise Denied("bad_beacon", f"round {number} was given with other randomness before")
        self._network = network
        for number, randomness in rounds.items():
            self._known[network.chain, number] = randomness
        for oldest in list(self._known)[:-KEPT]:
            del self._known[oldest]


def _network(args: Plain) -> Network:
    chain, genesis, period = args.get("chain"), args.get("genesis"), args.get("period")
    if not isinstance(chain, str) or not _HEX.fullmatch(chain):
        raise BadMessage("args.chain must be the hash of the network, 64 lowercase hex digits")
    if type(genesis) is not int or type(period) is not int or genesis < 0 or period < 1:
        raise BadMessage("args.genesis and args.period must be seconds, as the network's info says")
    return Network(chain, genesis, period)


def _rounds(args: Plain) -> dict[int, str]:
    rounds = args.get("rounds")
    if not isinstance(rounds, dict) or not 1 <= len(rounds) <= TOGETHER:
        raise BadMessage(f"args.rounds must be a map of 1 to {TOGETHER} rounds")
    if not all(map(_NUMBER.fullmatch, rounds)) or not all(map(_is_randomness, rounds.values())):
        raise BadMessage("args.rounds must map numbers of rounds, from 1, to randomness of 64 lowercase hex digits")
    return {int(number): randomness for number, randomness in rounds.items()}


def _is_randomness(value: object) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None
