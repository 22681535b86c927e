"""Ask for confirmation, and read secrets."""

import sys
from getpass import getpass

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say


def confirm(what: str, word: str, *, sure: bool) -> None:
    """Ask the user to type ``word`` to confirm ``what``, unless ``sure``. Raises Usage without confirmation."""
    if sure:
        return
    if not sys.stdin.isatty():
        raise Usage(say("fault.no_yes", what=what))
    sys.stderr.write(say("line.confirm", what=what, word=word))
    sys.stderr.flush()
    if sys.stdin.readline().strip() != word:
        raise Usage(say("fault.unconfirmed"))


def secret(what: str) -> str:
    """Return a line from standard input, without echo at a terminal."""
    if sys.stdin.isatty():
        return getpass(f"{what}: ").strip()
    return sys.stdin.readline().strip()
