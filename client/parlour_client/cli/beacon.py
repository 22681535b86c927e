"""``parlour beacon``: feed a server with a public beacon, whose rounds matches can wait for."""

import asyncio
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Annotated, Any

import attrs
from cyclopts import Parameter

from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import OK, CannotConnect, Fault, Interrupted, Usage
from parlour_client.core.sanitize import clean
from parlour_protocol.messages import Plain

_USUAL = AdminParams()
WITHIN = 10.0
"""Seconds for a request to the network."""
MOST = 65_536
"""Bytes of its longest answer."""
SENT = 8
"""Rounds that are sent each time: the last ones once more, for a server that was restarted meanwhile."""
LATE = 0.3
"""Seconds to wait for a round after its time."""
PATIENCE, AGAIN = 120.0, 1.0
"""Seconds for which a round that does not come is asked for, and after which."""

Url = Annotated[str, Parameter(help="Where a network of drand answers, such as https://api.drand.sh/HASH.")]
Chain = Annotated[str | None, Parameter(help="The hash of the network, to compare with what the URL answers.")]


class BadBeacon(Fault):
    """The network does not answer, or not as a network of drand does."""


@attrs.frozen
class Network:
    """A network of drand: where it answers, its hash, and when its rounds are published."""

    url: str
    chain: str
    genesis: int
    period: int

    def due(self, number: int) -> float:
        """Return when a round is published, in seconds since 1970."""
        return self.genesis + (number - 1) * self.period


def fetch(
    url: Url,
    /,
    *,
    round_: Annotated[int | None, Parameter("--round", help="Which round. Default: the latest.")] = None,
    chain: Chain = None,
    admin: AdminParams = _USUAL,
) -> int:
    """Fetch one round of a drand network and give it to a server.

    Examples:
    parlour beacon fetch https://api.drand.sh/HASH --server parlour.example.org
    parlour beacon fetch https://api.drand.sh/HASH --round 123
    """

    async def run() -> None:
        network = await _network(url, chain)
        number, randomness = await _round(network, round_)
        await _give(admin, network, {number: randomness})
        _say(f"Gave round {number} of {network.chain}.")

    asyncio.run(run())
    return OK


def follow(url: Url, /, *, chain: Chain = None, admin: AdminParams = _USUAL) -> int:
    """Give each round of a drand network to a server as it is published, until you press Ctrl-C.

    Matches of rooms that were created with --beacon wait for these rounds.

    Examples:
    parlour beacon follow https://api.drand.sh/HASH --server parlour.example.org
    """
    asyncio.run(_follow(url, chain, admin))
    return OK


def give(
    number: Annotated[int, Parameter(name="ROUND", help="The number of the round.")],
    randomness: Annotated[str, Parameter(help="Its randomness, 64 hex digits.")],
    /,
    *,
    chain: Annotated[str, Parameter(help="The hash of the network, 64 hex digits.")],
    genesis: Annotated[int, Parameter(help="When its round 1 was published, in seconds since 1970.")],
    period: Annotated[int, Parameter(help="Seconds from one round to the next.")],
    admin: AdminParams = _USUAL,
) -> int:
    """Give a round to a server by hand. The network's /info names its hash, genesis and period.

    Examples:
    parlour beacon give 7 HEX --chain HASH --genesis 1692803367 --period 3
    """
    network = Network("", chain.lower(), genesis, period)
    asyncio.run(_give(admin, network, {number: randomness.lower()}))
    _say(f"Gave round {number} of {network.chain}.")
    return OK


async def _follow(url: str, chain: str | None, admin: AdminParams) -> None:
    network = await _network(url, chain)
    coming = _rounds(network)
    rounds = dict([await anext(coming)])
    told = False
    while True:
        try:
            async with admin.connected() as send:
                while True:
                    await send("beacon", args=_args(network, rounds))
                    if not told:
                        told = True
                        _say(f"Following {network.chain} from round {max(rounds)} on. Ctrl-C stops.")
                    rounds = dict([*rounds.items(), await anext(coming)][-SENT:])
        except (CannotConnect, Interrupted) as lost:  # the server may be restarted
            if not told:
                raise
            sys.stderr.write(f"{clean(str(lost))}\n")
            await asyncio.sleep(AGAIN)


async def _rounds(network: Network) -> AsyncIterator[tuple[int, str]]:
    """Yield rounds as they are published, the latest first and then none twice and none left out."""
    number, randomness = await _round(network, None)
    while True:
        yield number, randomness
        number += 1
        randomness = await _awaited(network, number)


async def _awaited(network: Network, number: int) -> str:
    """Return the randomness of the next round, once it is published. Raises BadBeacon if it does not come."""
    due = network.due(number)
    await asyncio.sleep(max(0.0, due + LATE - time.time()))
    while True:
        try:
            _, randomness = await _round(network, number)
        except BadBeacon:
            if time.time() > due + PATIENCE:
                raise
            await asyncio.sleep(AGAIN)
        else:
            return randomness


async def _network(url: str, chain: str | None) -> Network:
    """Return what a network says of itself. Raises BadBeacon, and Usage for another chain."""
    base = url.rstrip("/")
    if not base.startswith(("https://", "http://")):
        raise Usage(f"{url!a} is not an address like https://api.drand.sh/HASH")
    info = await asyncio.to_thread(_get, f"{base}/info")
    try:
        network = Network(base, str(info["hash"]).lower(), int(info["genesis_time"]), int(info["period"]))
    except (LookupError, TypeError, ValueError):
        raise BadBeacon(f"{base}/info is not that of a drand network") from None
    if chain is not None and chain.lower() != network.chain:
        raise Usage(f"{base} is the network {network.chain[:64]!a}, not {chain[:64]!a}")
    return network


async def _round(network: Network, number: int | None) -> tuple[int, str]:
    """Return a round, or the latest. Raises BadBeacon if its randomness is not the hash of its signature."""
    where = f"{network.url}/public/{'latest' if number is None else number}"
    found = await asyncio.to_thread(_get, where)
    try:
        got, randomness, signature = int(found["round"]), str(found["randomness"]), bytes.fromhex(found["signature"])
    except (LookupError, TypeError, ValueError):
        raise BadBeacon(f"{where} is no round of a drand network") from None
    if number is not None and got != number:
        raise BadBeacon(f"{where} is round {got}")
    if sha256(signature).hexdigest() != randomness:
        raise BadBeacon(f"{where}: the randomness is not the SHA-256 of the signature")
    return got, randomness


def _get(url: str) -> Plain:
    """Return the JSON object at ``url``. Raises BadBeacon."""
    try:
        with urllib.request.urlopen(url, timeout=WITHIN) as answer:
            found: Any = json.loads(answer.read(MOST))
    except (OSError, ValueError, urllib.error.URLError) as error:
        raise BadBeacon(f"{url}: {error}") from None
    if not isinstance(found, dict):
        raise BadBeacon(f"{url} is no JSON object")
    return found


async def _give(admin: AdminParams, network: Network, rounds: dict[int, str]) -> None:
    await admin.send("beacon", args=_args(network, rounds))


def _args(network: Network, rounds: dict[int, str]) -> Plain:
    return {
        "chain": network.chain,
        "genesis": network.genesis,
        "period": network.period,
        "rounds": {str(number): randomness for number, randomness in rounds.items()},
    }


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
