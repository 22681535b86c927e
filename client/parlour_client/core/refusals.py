"""The errors of a server in words for people."""

from parlour_client.core.phrases import phrases, say
from parlour_protocol.messages import Error


def explained(error: Error) -> str:
    """Return what is wrong and what to do, by the code; the server's own words where there is no phrase for it."""
    msg, key = error.msg.removeprefix("options: "), f"refusal.{error.code}"
    if key in phrases:
        return say(key, msg=msg, why=error.why)
    return f"{msg} – {error.hint}." if error.hint else f"{msg}."
