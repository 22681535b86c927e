"""Runs a conversation against a driver."""

from collections.abc import Callable

import attrs
from tests.conversations.drivers import Closed, Driver, Plain
from tests.conversations.notation import Conversation, Line, Mismatch, filled, match


@attrs.define
class Player:
    """A running conversation."""

    driver: Driver
    known: Plain
    sockets: dict[str, int] = attrs.field(factory=dict)

    def opens(self, line: Line) -> None:
        self.sockets[line.who] = self.driver.open()

    def closes(self, line: Line) -> None:
        self.driver.close(self.sockets[line.who])

    def closed(self, line: Line) -> None:
        """Expect the end of the socket without another message."""
        try:
            message = self.driver.receive(self.sockets[line.who])
        except Closed as closed:
            match(line.message, {"code": closed.code}, self.known)
        else:
            raise Mismatch(f"not closed, but received {message}")

    def says(self, line: Line) -> None:
        self.driver.send(self.sockets[line.who], filled(line.message, self.known))

    def hears(self, line: Line) -> None:
        message = self.driver.receive(self.sockets[line.who])
        try:
            match(line.message, message, self.known)
        except Mismatch as mismatch:
            mismatch.add_note(f"told: {message}")
            raise

    def hears_later(self, line: Line) -> None:
        """Skip messages until one is as expected."""
        passed = []
        while True:
            try:
                message = self.driver.receive(self.sockets[line.who])
                known = dict(self.known)
                match(line.message, message, known)
            except Mismatch:
                passed.append(message)
            except (Closed, TimeoutError) as error:
                raise Mismatch(f"{line.message} never came ({error}), but {passed}") from None
            else:
                self.known.update(known)
                return


_VERBS: dict[str, Callable[[Player, Line], None]] = {
    "opens": Player.opens,
    "closes": Player.closes,
    "closed": Player.closed,
    ">": Player.says,
    "<": Player.hears,
    "<<": Player.hears_later,
}


def play(conversation: Conversation, driver: Driver) -> None:
    """Run a conversation. Raises Mismatch at the first line that fails."""
    player = Player(driver, {"admin": driver.admin})
    for line in conversation.lines:
        try:
            _VERBS[line.verb](player, line)
        except Exception as error:
            error.add_note(f"{conversation.name}.txt, line {line.number}")
            raise
