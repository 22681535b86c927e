"""The errors of a server in words for people."""

from parlour_client.core.phrases import phrases, say
from parlour_games.game import BadOptions
from parlour_protocol.messages import Error
from parlour_protocol.phrases import LANGUAGES


def explained(error: Error, game: str | None = None) -> str:
    """Return what is wrong and what to do, by the code; the server's own words where there is no phrase for it.

    ``game`` is that of the room: its phrases say why it refuses an action.
    """
    if own := _of_game(error, game):
        return own
    msg, key = error.msg.removeprefix("options: "), f"refusal.{error.code}"
    if key in phrases:
        return say(key, msg=msg, why=error.why)
    return f"{msg} – {error.hint}." if error.hint else f"{msg}."


def _of_game(error: Error, game: str | None) -> str | None:
    """Return the words for the phrase: the game's, or those for all games; None if none fit the fields."""
    keys = (f"{game}.refusal.{error.phrase}", f"refusal.{error.code}.{error.phrase}")
    key = next((key for key in keys if key in phrases), None)
    if error.phrase is None or key is None:
        return None
    try:
        return say(key, error.fields or {})
    except (LookupError, TypeError):
        return None


def not_playable(error: Exception, game: str) -> str:
    """Return what is wrong with options of ``game``, without a full stop: in the user's language if there are words."""
    bad = BadOptions.of(error)
    told = _of_game(Error("bad_options", str(error), phrase=bad.phrase, fields=bad.fields), game)
    return (told or str(error)).removesuffix(".")


def refused_by(url: str, error: Error, hint: str | None = None, game: str | None = None) -> str:
    """Return that the server at ``url`` refuses and why. English keeps the server's own words, with ``hint``."""
    if phrases.language == LANGUAGES[0] or f"refusal.{error.code}" not in phrases:
        return say("fault.refuses", url=url, msg=error.msg, hint=hint)
    return say("fault.refuses", url=url, msg=explained(error, game), hint=None)
