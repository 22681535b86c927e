"""``parlour beacon``: refused, because servers no longer take rounds of a public beacon."""

from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli.admin import AdminParams
from parlour_client.core.errors import Usage

_USUAL = AdminParams()

Url = Annotated[str, Parameter(help="Where a network of drand answers.")]
Chain = Annotated[str | None, Parameter(help="The hash of the network.")]


def follow(url: Url, /, *, chain: Chain = None, admin: AdminParams = _USUAL) -> int:
    """Refused: servers no longer take rounds of a public beacon.

    Examples:
    parlour verify FILE
    """
    raise _gone()


def fetch(
    url: Url,
    /,
    *,
    round_: Annotated[int | None, Parameter("--round", help="Which round.")] = None,
    chain: Chain = None,
    admin: AdminParams = _USUAL,
) -> int:
    """Refused: servers no longer take rounds of a public beacon.

    Examples:
    parlour verify FILE
    """
    raise _gone()


def give(
    number: Annotated[int, Parameter(name="ROUND", help="The number of the round.")],
    randomness: Annotated[str, Parameter(help="Its randomness, 64 hex digits.")],
    /,
    *,
    chain: Annotated[str, Parameter(help="The hash of the network.")],
    genesis: Annotated[int, Parameter(help="When its round 1 was published, in seconds since 1970.")],
    period: Annotated[int, Parameter(help="Seconds from one round to the next.")],
    admin: AdminParams = _USUAL,
) -> int:
    """Refused: servers no longer take rounds of a public beacon.

    Examples:
    parlour verify FILE
    """
    raise _gone()


def _gone() -> Usage:
    return Usage(
        "servers no longer take rounds of a public beacon: deals follow from the server's secret and the nonces of the"
        " players; stop this command where it runs as a service"
    )
