"""The outbox: what the lobby wants done, in order."""

from parlour_protocol.messages import ServerMessage
from parlour_server.effects import Effect, LogEvent, Post


class Outbox:
    """Collects effects until the node takes them. Their order is the order in which they are carried out."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []

    def want(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects += effects

    def post(self, conn: int, message: ServerMessage) -> None:
        """Send ``message`` to one connection."""
        self.effects.append(Post((conn,), message))

    def log(self, event: str, **about: object) -> None:
        """Write a line to the server's log: no cards, no tokens, no addresses."""
        self.effects.append(LogEvent(event, about))

    def take(self) -> list[Effect]:
        """Return the effects and forget them."""
        taken, self.effects = self.effects, []
        return taken
