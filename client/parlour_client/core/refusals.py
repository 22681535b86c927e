"""The errors of a server in words for people."""

from parlour_client.core.phrases import phrases, say
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
    """Return the words of the game; None if it has none, or none that fit the fields."""
    key = f"{game}.refusal.{error.phrase}"
    if error.phrase is None or key not in phrases:
        return None
    try:
        return say(key, error.fields or {})
    except (LookupError, TypeError):
        return None


def refused_by(url: str, error: Error, hint: str | None = None) -> str:
    """Return that the server at ``url`` refuses and why. English keeps the server's own words, with ``hint``."""
    if phrases.language == LANGUAGES[0] or f"refusal.{error.code}" not in phrases:
        return say("fault.refuses", url=url, msg=error.msg, hint=hint)
    return say("fault.refuses", url=url, msg=explained(error), hint=None)
