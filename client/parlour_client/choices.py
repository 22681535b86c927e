"""What may be chosen about a match, and whether a choice holds together."""

from typing import Any

from parlour_games.choices import Option, options_of
from parlour_games.game import BadOptions, Game
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict

__all__ = ["Option", "checked", "options_of"]


def checked(game: Game[Any, Any, Any, Any], options: Plain) -> Any:
    """Return ``options`` with all that follows from them, as the game has it. Raises BadOptions."""
    try:
        return strict(game.Options)(options)
    except BadMessage as error:
        raise BadOptions(str(error)) from None
