"""Options of the verbs that need a server's admin token, and the request that they send."""

from pathlib import Path
from typing import Annotated, Any

import attrs
from cyclopts import Parameter

from parlour_client.cli.params import Server
from parlour_client.core.errors import Refused
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import DEFAULT_URL
from parlour_client.storage import admin_token
from parlour_protocol.messages import Admin, Ok

Token = Annotated[str | None, Parameter(help=f"The admin token. Default: {admin_token.VARIABLE} in the environment.")]
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
        found = admin_token.find(self.server, self.token, self.token_file)
        async with visiting(self.server) as connection:
            try:
                await ask(connection, Admin(found.token, do, name, room, args), Ok)
            except Refused as refused:
                if refused.code != "not_admin":
                    raise
                raise Refused(
                    refused.code,
                    f"{refused}. The token came from {found.source}; the right one is in the .admin file beside the "
                    "server's store, which the server names in its log when it starts. Give it by --token-file FILE",
                ) from None
