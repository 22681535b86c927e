"""The profile: what a player has done at the table of this machine, and on a server."""

from parlour_client.core import queries
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.storage.tallies import rows
from parlour_client.text import profile as text
from parlour_client.tui.screens.sheet import SheetScreen
from parlour_client.tui.theme.theme import Look


class ProfileScreen(SheetScreen):
    """Best times, wins, streaks and the latest matches."""

    TOPIC = "tui.title.profile"

    def __init__(self, look: Look, *, server: str, name: str) -> None:
        """``name``: the player on ``server``."""
        super().__init__(look)
        self._server, self._me = server, name

    def on_mount(self) -> None:
        """Show the matches of this machine, and ask the server."""
        super().on_mount()
        self._own = list(text.lines(say("tui.profile.own"), rows()))
        self.write([*self._own, "", f"{say('tui.asking', server=self._server)}{self.look.glyphs.more}"])
        self.run_worker(self._ask())

    async def _ask(self) -> None:
        try:
            found = await queries.profile(self._server, self._me)
        except Fault as fault:
            self.write([*self._own, ""], str(fault))
        else:
            self.write(
                [*self._own, "", *text.lines(say("tui.profile.on", name=found.name, server=self._server), found.games)]
            )
