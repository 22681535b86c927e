"""Numbers of things in words: the one place that tells one from many."""


def noun(number: int, one: str, more: str | None = None) -> str:
    """Return the word that goes with ``number``: ``one``, or ``more``, which is ``one`` and an s unless told."""
    return one if number == 1 else more or f"{one}s"


def counted(number: int, one: str, more: str | None = None) -> str:
    """Return ``number`` and the word that goes with it, such as "1 room" and "2 rooms"."""
    return f"{number} {noun(number, one, more)}"


def share(number: int, whole: int, one: str) -> str:
    """Return how many of a whole, and the verb, such as "2 of 3 rooms are", "1 of 3 rooms is" and "0 of 1 room is"."""
    return f"{number} of {counted(whole, one)} {'is' if 1 in (number, whole) else 'are'}"
