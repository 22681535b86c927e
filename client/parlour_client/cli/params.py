"""Parameters that several verbs share, the player whom they name, and prompts: confirmation, and secrets."""

import asyncio
import sys
from collections.abc import Iterable
from getpass import getpass, getuser
from typing import TYPE_CHECKING, Annotated

import attrs
from cyclopts import Parameter

from parlour_client.cli.verbs import Values
from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.url import DEFAULT_URL
from parlour_client.text.base import written
from parlour_games.options import options_of
from parlour_games.registry import games
from parlour_protocol import names
from parlour_protocol.messages import Create, Daily, Join, ReplyT, Request

if TYPE_CHECKING:
    from parlour_client.play.entry import Entry


def choices(game: str, name: str) -> Values:
    """Return the choices of an option of ``game``."""

    def of() -> Iterable[str]:
        return (value for option in options_of(games()[game]) if option.name == name for value in written(option))

    return Values(of)


def _assignments() -> Iterable[str]:
    for game in games().values():
        for option in options_of(game):
            yield from (f"{option.name}={value}" for value in written(option) or [""])


def _looks() -> Iterable[str]:
    from parlour_client.tui.theme import CHOICES  # most commands do without the screens

    return CHOICES


GAMES = Values(games)
OPTIONS = Values(lambda: dict.fromkeys(_assignments()))
"""NAME=VALUE for all choices of all games."""
Code = Annotated[str, Parameter(help="The room's code, in any case, or a link to the room.")]
RULES = Parameter(help="Rules to start from: a preset of the game, such as family, or a TOML file of options.")
Server = Annotated[str, Parameter(env_var="PARLOUR_SERVER", help="The server: a URL, host or host:port.")]
Name = Annotated[str | None, Parameter(env_var="PARLOUR_NAME", help="Your player name. Default: your login name.")]
Key = Annotated[str | None, Parameter(env_var="PARLOUR_KEY", help="A secret that reserves your name, on every device.")]
Look = Annotated[
    str | None,
    Parameter(env_var="PARLOUR_LOOK", help="The look of the screens, such as light, 256, mono or mono,ascii."),
    Values(_looks),
]
Once = Annotated[bool, Parameter(negative="", help="Leave after one match.")]
Plain = Annotated[bool, Parameter(negative="", help="Use line mode, the default without a terminal.")]
Json = Annotated[bool, Parameter("--json", negative="", help="Print one JSON object.")]


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Login:
    """A server, and who plays there."""

    server: Server = DEFAULT_URL
    name: Name = None
    key: Key = attrs.field(default=None, repr=False)

    def entry(self, enter: Join | Create | Daily, *, once: bool = False, look: bool = False) -> "Entry":
        """Return how the player enters a room. Without a name it is the login name, or one like it if that is taken."""
        from parlour_client.play.entry import Entry  # loads the network, which help does without

        return Entry(self.server, enter, self.known_as, bool(self.name), self.key, once, look=look)

    def ask(self, wanted: Request[ReplyT]) -> ReplyT:
        """Return the answer to a request of the player. Raises Fault."""
        from parlour_client.play.entry import asked_as

        return asyncio.run(asked_as(self.server, self.known_as, self.key, wanted))

    @property
    def known_as(self) -> str:
        """The name, by default the login name."""
        return self.name or login_name()


LOGIN = Login()


def login_name() -> str:
    """Return the login name as a valid player name."""
    try:
        login = getuser()
    except (KeyError, OSError, ImportError):  # no such variable, no such entry, no such database
        login = ""
    return names.valid(login)


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
