"""Parameters that several verbs share."""

import getpass
import re
import unicodedata
from typing import Annotated

from cyclopts import Parameter

_NAME_LONGEST = 20

Code = Annotated[str, Parameter(help="The room's code, in any case, or a link to it.")]
Server = Annotated[str, Parameter(env_var="PARLOUR_SERVER", help="The server: a URL, host or host:port.")]
Name = Annotated[
    str | None, Parameter(env_var="PARLOUR_NAME", help="Your name at the table. Default: your login name.")
]
Key = Annotated[str | None, Parameter(env_var="PARLOUR_KEY", help="A secret that keeps the name yours, on any device.")]
Once = Annotated[bool, Parameter(negative="", help="Leave after one match.")]
Plain = Annotated[bool, Parameter(negative="", help="The line mode, as when there is no terminal.")]
Json = Annotated[bool, Parameter("--json", negative="", help="One JSON object on standard output.")]


def login_name() -> str:
    """Return a valid name made from that of the person logged in: letters, digits, - and _, at most 20."""
    try:
        login = getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such variable, no such entry, no such database
        login = ""
    ascii_only = unicodedata.normalize("NFKD", login).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_-]", "", ascii_only).lstrip("-_")[:_NAME_LONGEST] or "guest"
