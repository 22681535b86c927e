"""``parlour admin``: what only the operator of a server may do."""

import asyncio
import json
import sys
from typing import Annotated, Literal, TypeAlias

import attrs
from cyclopts import Parameter

from parlour_client.cli.admin_params import AdminParams
from parlour_client.cli.app import app
from parlour_client.cli.params import Json
from parlour_client.cli.prompts import confirm
from parlour_client.core.errors import OK
from parlour_client.core.sanitize import clean, clean_all

_EXAMPLES = """Examples:
  parlour admin ban troll
  parlour admin delete maria --yes
  parlour admin close K7QD --server play.example.org --token-file play.admin
  PARLOUR_ADMIN=$TOKEN parlour admin drain --server ws://10.0.0.4:7777"""

_Deed: TypeAlias = Literal["ban", "unban", "mute", "unmute", "delete", "close", "drain"]
Name = Annotated[str, Parameter(name="NAME", help="Whom, in any letter case.")]
Room = Annotated[str, Parameter(name="ROOM", help="The room's code.")]


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class How(AdminParams):
    """On which server, with what right, and how it is told."""

    as_json: Json = False


_HERE = How()

admin = app(
    "parlour admin",
    "Keep order on a server, as its operator. On the server's own machine the token is found by itself.",
    _EXAMPLES,
)


@admin.command(help_epilogue="Examples:\n  parlour admin ban troll")
def ban(name: Name, /, how: How = _HERE) -> int:
    """Shut somebody out, and keep them out."""
    return _do(how, "ban", f"{name} is shut out.", name=name)


@admin.command(help_epilogue="Examples:\n  parlour admin unban troll")
def unban(name: Name, /, how: How = _HERE) -> int:
    """Let somebody in again."""
    return _do(how, "unban", f"{name} may come again.", name=name)


@admin.command(help_epilogue="Examples:\n  parlour admin mute parrot")
def mute(name: Name, /, how: How = _HERE) -> int:
    """Let nobody hear what somebody says."""
    return _do(how, "mute", f"{name} is muted.", name=name)


@admin.command(help_epilogue="Examples:\n  parlour admin unmute parrot")
def unmute(name: Name, /, how: How = _HERE) -> int:
    """Let somebody talk again."""
    return _do(how, "unmute", f"{name} may talk again.", name=name)


@admin.command(help_epilogue="Examples:\n  parlour admin delete maria\n  parlour admin delete maria --yes --json")
def delete(
    name: Name,
    /,
    how: How = _HERE,
    *,
    yes: Annotated[bool, Parameter(negative="", help="Do it without asking.")] = False,
) -> int:
    """Delete an identity: its seats, its ratings, its name in results. The name is free then."""
    confirm(f"Seats, ratings and results of {name} will be gone for good.", name, sure=yes)
    return _do(how, "delete", f"{name} is deleted.", name=name)


@admin.command(help_epilogue="Examples:\n  parlour admin close K7QD")
def close(room: Room, /, how: How = _HERE) -> int:
    """Close a room; a match under way there is aborted and counts for nobody, in a contest neither."""
    return _do(how, "close", f"Room {room.upper()} is closed.", room=room)


@admin.command(help_epilogue="Examples:\n  parlour admin drain")
def drain(how: How = _HERE) -> int:
    """Stop the server, politely: everybody is told, every seat is kept for when it starts again."""
    return _do(how, "drain", "The server stops.")


def _do(how: How, do: _Deed, done: str, *, name: str | None = None, room: str | None = None) -> int:
    asyncio.run(how.send(do, name, room))
    if how.as_json:
        about = {"name": name, "room": room}
        found = {"server": how.server, "do": do, **{key: value for key, value in about.items() if value is not None}}
        sys.stdout.write(json.dumps(clean_all(found)) + "\n")
    else:
        sys.stdout.write(clean(done) + "\n")
    return OK
