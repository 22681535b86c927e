"""Parameters that several verbs share."""

import getpass
from typing import Annotated

from cyclopts import Parameter

from parlour_protocol import names

Code = Annotated[str, Parameter(help="The room's code, in any case, or a link to the room.")]
Server = Annotated[str, Parameter(env_var="PARLOUR_SERVER", help="The server: a URL, host or host:port.")]
Name = Annotated[str | None, Parameter(env_var="PARLOUR_NAME", help="Your player name. Default: your login name.")]
Key = Annotated[str | None, Parameter(env_var="PARLOUR_KEY", help="A secret that reserves your name, on every device.")]
Once = Annotated[bool, Parameter(negative="", help="Leave after one match.")]
Plain = Annotated[bool, Parameter(negative="", help="Use the line mode, as without a terminal.")]
Json = Annotated[bool, Parameter("--json", negative="", help="Print one JSON object.")]


def login_name() -> str:
    """Return the login name as a valid player name."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such variable, no such entry, no such database
        login = ""
    return names.valid(login)
