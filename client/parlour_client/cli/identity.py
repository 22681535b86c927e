"""``parlour identity``: manage the keys that reserve names."""

import asyncio
import os
import sys
from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli.params import Json, Server, confirm, login_name, secret
from parlour_client.core.errors import OK, Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import tell, tell_json
from parlour_client.core.queries import asked_in
from parlour_client.core.session import Session
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage import keys
from parlour_client.storage.credentials import held
from parlour_protocol.messages import Delete


def identity(
    name: Annotated[str | None, Parameter(help="The name to create a key for. Default: your login name.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter("--list", negative="", help="List the names with a key on this machine.")] = False,
    show: Annotated[str | None, Parameter(help="Print the key of this name, to copy it to another device.")] = None,
    add: Annotated[
        tuple[str, str] | None,
        Parameter(
            negative="",
            allow_leading_hyphen=True,
            help="NAME KEY: store a key from another device. KEY - reads it from standard input.",
        ),
    ] = None,
    forget: Annotated[str | None, Parameter(help="Remove the key of this name from this machine.")] = None,
    delete: Annotated[
        str | None, Parameter(help="Delete this name on the server: its seats, ratings and results.")
    ] = None,
    server: Server = DEFAULT_URL,
    yes: Annotated[bool, Parameter(negative="", help="Do not ask for confirmation.")] = False,
    as_json: Json = False,
) -> int:
    """Reserve a name: create a key for it, and store the key in a file that only you can read.

    parlour join, create and watch then send the key with the name, and servers refuse the name without it. The same key
    works on every server, and every server that you join learns it: use another name on a server you do not trust.

    Examples:
    parlour identity
    parlour identity maria
    parlour identity --list
    parlour identity --show maria | ssh other parlour identity --add maria -
    parlour identity --delete maria --server parlour.example.org
    """
    given = [what for what in (name, list_ or None, show, add, forget, delete) if what is not None]
    if len(given) > 1:
        raise Usage(say("fault.one_of"))
    if show is not None:
        sys.stdout.write(_key(show) + "\n")
    elif list_:
        _list(as_json)
    elif add is not None:
        keys.add(add[0], secret(say("line.identity.key_of", name=add[0])) if add[1] == "-" else add[1])
        _report(as_json, "added", add[0])
    elif forget is not None:
        _forget(forget, yes, as_json)
    elif delete is not None:
        _delete(delete, server, yes, as_json)
    else:
        mine = name or login_name()
        _report(as_json, "made" if keys.make(mine) else "kept", mine)
    return OK


def _key(name: str) -> str:
    key = keys.key_of(name)
    if key is None:
        raise keys.unknown(name)
    return key


def _list(as_json: bool) -> None:
    names = sorted(keys.kept(), key=str.lower)
    if as_json:
        tell_json({"file": str(keys.file()), "names": names})
    else:
        tell(names or [say("line.identity.none")])


def _forget(name: str, yes: bool, as_json: bool) -> None:
    _key(name)
    confirm(say("line.identity.forget", name=name), name, sure=yes)
    keys.forget(name)
    _report(as_json, "forgotten", name)


def _delete(name: str, server: str, yes: bool, as_json: bool) -> None:
    key = _key(name)
    confirm(say("line.identity.delete", name=name, server=server), name, sure=yes)
    with held(server, name) as mine:
        asyncio.run(asked_in(server, Session(name, entropy=os.urandom, key=key), Delete(key)))
        mine.keep(None)
    _report(as_json, "deleted", name, server=server)


def _report(as_json: bool, done: str, name: str, **more: str) -> None:
    """Print what is ``done`` to ``name``: as JSON, or in the words ``line.identity.DONE``."""
    if as_json:
        tell_json({"name": name, "done": done})
    else:
        tell([say(f"line.identity.{done}", name=name, path=keys.file(), **more)])
