"""The colours of the terminal: what the environment says about them, and what the terminal answers when it is asked.

``COLORTERM`` is lost over ssh and in many containers. A terminal that knows RGB can say so itself, by DECRQSS (set an
RGB colour, and read it back) or by XTGETTCAP. The question ends with DA1, which nearly every terminal answers, so that
those without RGB cost no time either.
"""

import os
import re
import select
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from typing import Any

import attrs

PATIENCE = 0.5
"""Seconds to wait for the answer."""
_RGB = ("truecolor", "24bit")
_MANY_COLOURS = ("-256color", "-kitty")
"""Endings of TERM that promise 256 colours."""
_QUESTION = b"\x1b7\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m\x1bP+q524742\x1b\\\x1b[c"
_CLEAN = b"\x1b8\x1b[K"
"""Erases what a terminal has printed that does not understand the question."""
_ANSWER = re.compile(r"\x1bP[01][$+]r([^\x1b\x07]*)(?:\x1b\\|\x07)|\x1b\[\?[\d;]*c")
_BEGUN = re.compile(r"\x1b(?:P(?:[01](?:[$+](?:r[^\x1b\x07]*\x1b?)?)?)?|\[(?:\?[\d;]*)?)?\Z")
_YES = re.compile(r"48[:;]2[:;]+1[:;]2[:;]3m|524742")
_KEYS = ("\x1b", "\x1bP", "\x1b[")
"""Beginnings of answers that are keys, too."""


def colours(environ: Mapping[str, str]) -> str:
    """Return how many colours the environment promises: ``truecolour``, ``256``, ``16``, or ``mono``.

    NO_COLOR disables colours; TERM and COLORTERM determine their number.
    """
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or term == "dumb":
        return "mono"
    if environ.get("COLORTERM", "").lower() in _RGB or term.endswith("-direct"):
        return "truecolour"
    if not term:
        return "truecolour"  # Windows
    return "256" if term.endswith(_MANY_COLOURS) else "16"  # as rich and Textual do


@attrs.define
class Answers:
    """Separates what the terminal answers from what is typed."""

    rgb: bool = False
    """Whether the terminal knows RGB."""
    complete: bool = True
    """Whether no answer is outstanding."""
    keys: str = ""
    """What was typed during the question, and is still to be handled."""
    settings: list[Any] | None = None
    """The settings of the terminal before the question, if they are still to be restored."""
    begun: str = ""
    """What was held back, as it may be the beginning of an answer."""

    def typed(self, data: str) -> str:
        """Note the answers in ``data``, and return the rest. An answer may arrive in parts."""
        if self.complete:
            return data
        rest = _ANSWER.sub(self._note, self.begun + data)
        begun = None if self.complete else _BEGUN.search(rest)
        self.begun = begun[0] if begun else ""
        return rest[: begun.start()] if begun else rest

    def key_held(self) -> str:
        """Return what was held back if it is a key, as nothing has followed."""
        held = self.begun if self.begun in _KEYS else ""
        self.begun = self.begun.removeprefix(held)
        return held

    def _note(self, found: "re.Match[str]") -> str:
        self.rgb |= found[0].startswith("\x1bP1") and _YES.search(found[1]) is not None
        self.complete |= found[1] is None
        return ""


@contextmanager
def asked(environ: MutableMapping[str, str]) -> Iterator[Answers]:
    """Ask the terminal whether it knows RGB if ``environ`` does not say so; a yes is kept as its COLORTERM.

    If the terminal is late, it neither echoes nor handles lines until the end of the context.
    """
    answers = Answers()
    if not _worth_asking(environ):
        yield answers
        return
    import termios  # not available on Windows, where TERM is not set

    terminal = sys.stdin.fileno()
    answers.settings = termios.tcgetattr(terminal)
    before = answers.settings
    try:
        raw = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
        raw[0] &= ~termios.ICRNL
        termios.tcsetattr(terminal, termios.TCSANOW, raw)
        _ask(answers, terminal, sys.stdout.fileno())
        if answers.rgb:
            environ["COLORTERM"] = _RGB[0]
        if answers.complete:
            termios.tcsetattr(terminal, termios.TCSANOW, before)
            answers.settings = None
        yield answers
    finally:
        if not answers.complete:
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(terminal, termios.TCSANOW, before)


def _worth_asking(environ: Mapping[str, str]) -> bool:
    """Return whether there is a terminal that may know RGB. GNU screen would pass the question on as text."""
    term, found = environ.get("TERM", ""), colours(environ)
    may_know = (found == "256" and not term.startswith("screen")) or (term, found) == ("xterm", "16")
    return may_know and sys.stdin.isatty() and sys.stdout.isatty()


def _ask(answers: Answers, terminal: int, out: int) -> None:
    decode = getincrementaldecoder("utf-8")("replace").decode
    answers.complete = False
    os.write(out, _QUESTION)
    end = time.monotonic() + PATIENCE
    while not answers.complete and select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0]:
        if not (data := os.read(terminal, 1_024)):
            break
        answers.keys += answers.typed(decode(data))
    os.write(out, _CLEAN)
