"""The names of actions and of keys, in the language of this process."""

import re
from collections.abc import Iterable

from parlour_client.core.phrases import phrases, say

_SIGNS = {
    "question_mark": "?",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "escape": "esc",
    "pageup": "page_up",
    "pagedown": "page_down",
}
"""Names of some of Textual's keys in the help."""


def label_of(id: str) -> str:
    """Return the name of the action with a binding's ``id``, such as ``room.chat`` or ``uno.card3``."""
    number = id[len(id.rstrip("0123456789")) :]
    phrase = phrase_of(id)
    return say(phrase, n=number) if phrase in phrases else phrase.rpartition(".")[2].replace("_", " ")


def phrase_of(id: str) -> str:
    """Return the phrase that names an action: its own, or that of all actions with the same word."""
    part, _, word = id.rstrip("0123456789").partition(".")
    own = f"{part}.key.{word}"
    return own if own in phrases else f"tui.key.{word}"


def labelled(*ids: str) -> list[tuple[str, str]]:
    """Return (binding id, label), as ``HintBar`` shows them."""
    return [(id, label_of(id)) for id in ids]


def named(keys: str) -> str:
    """Return keys as people call them: ``page_up, k`` as ``page up, k``."""
    return re.sub("[a-z_]{2,}", lambda found: _name(found[0]), keys)


def key_name(key: str) -> str:
    """Return one of Textual's keys as people call it."""
    return named(_SIGNS.get(key, key))


def explained(keys: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return (keys, description) for the help, from (keys, phrase). A game may bring a text instead of a phrase."""
    return [(named(which), say(does) if does in phrases else does) for which, does in keys]


def _name(key: str) -> str:
    return say(f"key.{key}") if f"key.{key}" in phrases else key
