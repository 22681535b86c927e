"""The profile: what a player has done at the table of this machine, and on a server."""

from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.storage.credentials import held
from parlour_client.storage.tallies import rows
from parlour_client.text import own_games
from parlour_client.text import profile as text
from parlour_client.tui.screens.sheet import SheetScreen
from parlour_client.tui.theme.theme import Look


class ProfileScreen(SheetScreen):
    """Best times, wins, streaks and the latest matches."""

    TOPIC = "tui.title.profile"

    def __init__(self, look: Look, *, server: str, name: str, key: str | None = None) -> None:
        """``name``: the player on ``server``."""
        super().__init__(look)
        self._server, self._me, self._key = server, name, key

    def on_mount(self) -> None:
        """Show the matches of this machine, and ask the server."""
        super().on_mount()
        self._own = list(text.lines(say("tui.profile.own"), rows()))
        self.write([*self._own, "", f"{say('tui.asking', server=self._server)}{self.look.glyphs.more}"])
        self.run_worker(self._ask())

    async def _ask(self) -> None:
        own = [*await self._games(), *self._own, ""]
        try:
            found = await queries.profile(self._server, self._me)
        except Fault as fault:
            self.write(own, str(fault))
        else:
            title = say("tui.profile.on", name=found.name, server=self._server)
            self.write([*own, *text.lines(title, found.games)])

    async def _games(self) -> list[str]:
        """Return the lines of our games on the server; none if we are there under that name now."""
        try:
            with held(self._server, self._me) as credentials:
                session = credentials.session(None, self._key)
                if not (session.token or session.key):
                    return []
                found = await queries.own_games(self._server, session)
        except Fault:
            return []
        lines = [*own_games.lines(found)]
        return [say("line.own.title", server=self._server), *lines, ""] if lines else []
