"""Input from a terminal that was asked for its colours, and was late with the answer or interrupted by keys."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers import linux_driver
from textual.message import Message

from parlour_client.core.terminal import Answers


class AskedDriver(linux_driver.LinuxDriver):
    """Begins with the keys that were typed during the question, and leaves out answers that arrive late."""

    def __init__(self, answers: Answers, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self.answers = answers

    def start_application_mode(self) -> None:
        """Start, and restore at the end what was set before the question."""
        start: Any = super().start_application_mode  # untyped
        start()
        if self.answers.settings is not None:
            self.attrs_before, self.answers.settings = self.answers.settings, None

    def run_input_thread(self) -> None:
        """Wait for input and dispatch events."""
        library: Any = linux_driver
        library.XTermParser = partial(_Parser, self.answers)  # it has no other way to replace its parser
        try:
            super().run_input_thread()
        finally:
            library.XTermParser = XTermParser


class _Parser(XTermParser):
    def __init__(self, answers: Answers, debug: bool = False) -> None:
        super().__init__(debug)
        self._answers = answers
        self._waited = False

    def feed(self, data: str) -> Iterable[Message]:
        """Yield the events of what was typed; nothing is the end of the input."""
        typed = self._answers.typed(data)
        return super().feed(typed) if typed or not data else ()

    def tick(self) -> Iterable[Message]:
        """Yield the events that are due: keys that looked like the beginning of an answer."""
        keys, self._answers.keys = self._answers.keys, ""
        keys += self._answers.key_held() if self._waited else ""
        self._waited = bool(self._answers.begun)
        yield from super().feed(keys) if keys else ()
        yield from super().tick()
