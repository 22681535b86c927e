"""Singular and plural in messages."""


def noun(number: int, one: str, more: str | None = None) -> str:
    """Return ``one`` if ``number`` is 1, else ``more``, by default ``one`` with an s."""
    return one if number == 1 else more or f"{one}s"


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return ``number`` with its noun: "1 room", "2 rooms"."""
    return f"{number} {noun(number, one, more)}"


def share(number: int, whole: int, one: str) -> str:
    """Return a share with its verb: "2 of 3 rooms are", "1 of 3 rooms is", "0 of 1 room is"."""
    return f"{number} of {counted(whole, one)} {'is' if 1 in (number, whole) else 'are'}"
