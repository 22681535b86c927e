"""Being a server's operator: by the token from the command line, the environment, or this machine's usual file."""

import os
from pathlib import Path
from typing import Annotated, Any

import attrs
from cyclopts import Parameter
from platformdirs import user_data_path

from parlour_client.cli.rooms import Server
from parlour_client.core.connection import Connection
from parlour_client.core.errors import Refused, Usage
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import DEFAULT_URL, is_loopback, normalise_url
from parlour_protocol.messages import Admin, Ok

_VARIABLE = "PARLOUR_ADMIN"

Token = Annotated[str | None, Parameter(help=f"The operator's token. Default: {_VARIABLE} in the environment.")]
TokenFile = Annotated[
    Path | None, Parameter(help="The file that holds it. Default, for a server on this machine: beside its store.")
]


@attrs.frozen
class Found:
    """An operator's token, and where it comes from."""

    token: str = attrs.field(repr=False)
    source: str

    async def tell(
        self, connection: Connection, do: Any, name: str | None = None, room: str | None = None, args: Any = None
    ) -> None:
        """Let a server do something. Raises Refused, and says of a wrong token where it comes from; Interrupted."""
        try:
            await ask(connection, Admin(self.token, do, name, room, args), Ok)
        except Refused as refused:
            if refused.code != "not_admin":
                raise
            where = f"It came from {self.source}; the right one is in the .admin file beside the server's store"
            told = f"{refused}. {where}, which its log names where it says serving. Give it by --token-file FILE"
            raise Refused(refused.code, told) from None


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Operator:
    """On which server, with what right."""

    server: Server = DEFAULT_URL
    token: Token = attrs.field(default=None, repr=False)
    token_file: TokenFile = None

    async def tell(self, do: Any, name: str | None = None, room: str | None = None, args: Any = None) -> None:
        """Let the server do something. Raises Fault."""
        found = self.find()
        async with visiting(self.server) as connection:
            await found.tell(connection, do, name, room, args)

    def find(self) -> Found:
        """Return the token. Raises Usage."""
        return find(self.server, self.token, self.token_file)


def usual_file() -> Path:
    """Return where a server on this machine keeps its operator's token, unless it was told to use another store."""
    return user_data_path("parlour", appauthor=False) / "parlour.admin"


def find(server: str, token: str | None, file: Path | None) -> Found:
    """Return the token with which to be the operator of ``server``. Raises Usage.

    The token in the usual file is not given to a server elsewhere.
    """
    if token:
        return Found(token, "--token")
    if file is None and (known := os.environ.get(_VARIABLE)):
        return Found(known, _VARIABLE)
    if file is None and not is_loopback(normalise_url(server)):
        raise Usage(f"{server} is not on this machine: give its operator's token by --token-file FILE or {_VARIABLE}")
    path = file or usual_file()
    try:
        return Found(path.read_text(encoding="utf-8").strip(), str(path))
    except UnicodeDecodeError:
        reason = "it is not a text file"
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise Usage(f"{path} cannot be read: {reason}. The token is beside the server's store: --token-file FILE")
