"""``parlour server``: moderate a server; and ``parlour beacon``, which is refused."""

import asyncio
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import attrs
from cyclopts import Parameter

from parlour_client.cli.params import Json, Server, confirm
from parlour_client.core.errors import OK, Refused, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import tell, tell_json
from parlour_client.core.queries import asked
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage import credentials
from parlour_protocol.messages import Admin

_Action: TypeAlias = Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain"]
Name = Annotated[str, Parameter(name="NAME", help="The player's name, in any letter case.")]
Room = Annotated[str, Parameter(name="ROOM", help="The room's code.")]
Token = Annotated[
    str | None, Parameter(help=f"The admin token. Default: {credentials.ADMIN_VARIABLE} in the environment.")
]
TokenFile = Annotated[
    Path | None, Parameter(help="The file that holds it. Default, for a server on this machine: beside its store.")
]


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class AdminParams:
    """The server and the token."""

    server: Server = DEFAULT_URL
    token: Token = attrs.field(default=None, repr=False)
    token_file: TokenFile = None

    async def send(self, do: Any, name: str | None = None, room: str | None = None, args: Any = None) -> None:
        """Send an admin request. Raises Fault; if the token is wrong, the text says where it came from."""
        found = credentials.find_admin_token(self.server, self.token, self.token_file)
        try:
            await asked(self.server, Admin(found.token, do, name, room, args))
        except Refused as refused:
            if refused.code != "not_admin":
                raise
            raise Refused(
                refused.code,
                f"{refused}. The token came from {found.source}; the right one is in the .admin file beside the "
                "server's store, which the server names in its log when it starts. Give it by --token-file FILE",
            ) from None


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class How(AdminParams):
    """The server, the token, and the form of the output."""

    as_json: Json = False


_HERE = How()


def ban(name: Name, /, how: How = _HERE) -> int:
    """Ban a player from the server.

    Examples:
    parlour server ban troll
    PARLOUR_ADMIN=$TOKEN parlour server ban troll --server ws://10.0.0.4:7777
    """
    return _do(how, "ban", name=name)


def unban(name: Name, /, how: How = _HERE) -> int:
    """Lift the ban of a player.

    Examples:
    parlour server unban troll
    """
    return _do(how, "unban", name=name)


def mute(name: Name, /, how: How = _HERE) -> int:
    """Mute a player server-wide.

    Examples:
    parlour server mute parrot
    """
    return _do(how, "mute", name=name)


def unmute(name: Name, /, how: How = _HERE) -> int:
    """Lift the mute of a player.

    Examples:
    parlour server unmute parrot
    """
    return _do(how, "unmute", name=name)


def delete(
    name: Name,
    /,
    how: How = _HERE,
    *,
    yes: Annotated[bool, Parameter(negative="", help="Do not ask for confirmation.")] = False,
) -> int:
    """Delete an identity: its seats, its ratings, and its name in results. The name becomes free.

    Examples:
    parlour server delete maria
    parlour server delete maria --yes --json
    """
    confirm(say("line.identity.delete", name=name, server=None), name, sure=yes)
    return _do(how, "delete", name=name)


def close(room: Room, /, how: How = _HERE) -> int:
    """Close a room. A match in progress is aborted and does not count, even in a contest.

    Examples:
    parlour server close K7QD
    parlour server close K7QD --server play.example.org --token-file play.admin
    """
    return _do(how, "close", room=room)


def drain(how: How = _HERE) -> int:
    """Shut the server down gracefully. Players are notified and keep their seats for the next start.

    Examples:
    parlour server drain
    """
    return _do(how, "drain")


def _do(how: How, do: _Action, *, name: str | None = None, room: str | None = None) -> int:
    asyncio.run(how.send(do, name, room))
    if how.as_json:
        about = {"name": name, "room": room}
        tell_json({"server": how.server, "do": do, **{key: each for key, each in about.items() if each is not None}})
    else:
        tell([say("line.admin.done", do=do, name=name, room=room and room.upper())])
    return OK


_USUAL = AdminParams()

Url = Annotated[str, Parameter(help="Where a network of drand answers.")]
Chain = Annotated[str | None, Parameter(help="The hash of the network.")]


def follow(url: Url, /, *, chain: Chain = None, admin: AdminParams = _USUAL) -> int:
    """Refused: servers no longer use rounds of a public beacon.

    Examples:
    parlour verify FILE
    """
    raise _gone()


def fetch(
    url: Url,
    /,
    *,
    round_: Annotated[int | None, Parameter("--round", help="The number of the round.")] = None,
    chain: Chain = None,
    admin: AdminParams = _USUAL,
) -> int:
    """Refused: servers no longer use rounds of a public beacon.

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
    """Refused: servers no longer use rounds of a public beacon.

    Examples:
    parlour verify FILE
    """
    raise _gone()


def _gone() -> Usage:
    return Usage(
        "servers no longer take rounds of a public beacon: deals follow from the server's secret and the nonces of the"
        " players; stop this command where it runs as a service"
    )
