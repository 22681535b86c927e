"""The operator's token: from the command line, the environment, or the file beside the store of this machine."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from platformdirs import user_data_path

from parlour_client.address import is_loopback, normalise_url
from parlour_client.faults import Usage

Token = Annotated[str | None, Parameter(env_var="PARLOUR_ADMIN", help="The operator's token.")]
TokenFile = Annotated[
    Path | None, Parameter(help="The file that holds it. Default, for a server on this machine: beside its store.")
]


def usual_file() -> Path:
    """Return where a server on this machine keeps its operator's token, unless it was told to use another store."""
    return user_data_path("parlour", appauthor=False) / "parlour.admin"


def operator_token(server: str, token: str | None, file: Path | None) -> str:
    """Return the token with which to be the operator of ``server``. Raises Usage.

    The token in the usual file is not given to a server elsewhere.
    """
    if token:
        return token
    if file is None and not is_loopback(normalise_url(server)):
        raise Usage(f"{server} is not on this machine: give its operator's token by --token-file FILE or PARLOUR_ADMIN")
    path = file or usual_file()
    try:
        return path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        reason = "it is not a text file"
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise Usage(f"{path} cannot be read: {reason}. The token is beside the server's store: --token-file FILE")
