"""Find a server's admin token: on the command line, in the environment, or in this machine's default file."""

import os
from pathlib import Path

import attrs
from platformdirs import user_data_path

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.url import is_loopback, normalise_url

VARIABLE = "PARLOUR_ADMIN"


@attrs.frozen
class AdminToken:
    """A server's admin token, and where it was found."""

    token: str = attrs.field(repr=False)
    source: str


def default_file() -> Path:
    """Return where a server on this machine stores its admin token, if it uses the default store."""
    return user_data_path("parlour", appauthor=False) / "parlour.admin"


def find(server: str, token: str | None, file: Path | None) -> AdminToken:
    """Return the admin token for ``server``. Raises Usage.

    The token in the default file is never sent to a remote server.
    """
    if token:
        return AdminToken(token, "--token")
    if file is None and (known := os.environ.get(VARIABLE)):
        return AdminToken(known, VARIABLE)
    if file is None and not is_loopback(normalise_url(server)):
        raise Usage(say("fault.admin_elsewhere", server=server, variable=VARIABLE))
    path = file or default_file()
    try:
        return AdminToken(path.read_text(encoding="utf-8").strip(), str(path))
    except UnicodeDecodeError:
        reason = say("fault.text_only")
    except OSError as error:
        reason = error.strerror or type(error).__name__
    raise Usage(say("fault.admin_unread", path=path, why=reason))
