"""A choice in progress: what is still open of it, the call of UNO with it, and which answers are under way."""

from collections.abc import Set as AbstractSet

from parlour_client.tui.games.uno.intents import Intent, Intents, Way
from parlour_protocol.messages import Plain


class Choosing:
    """The player's choice in progress, and the answers that have been sent."""

    def __init__(self) -> None:
        self.calls = False
        """Whether to call UNO with the next card."""
        self._intent: Intent | None = None
        self._sent: dict[int, Plain] = {}
        """Decision → the answer that is under way."""

    @property
    def asking(self) -> Intent | None:
        """The choice in progress if a part of it is still missing, else None."""
        return self._intent if self._intent is not None and self._intent.open is not None else None

    @property
    def under_way(self) -> Plain | None:
        """The action that was sent last and is not answered yet."""
        return next(reversed(self._sent.values()), None)

    @property
    def laid(self) -> list[int]:
        """The cards that are on their way to the pile."""
        action = self.under_way or {}
        return [*action.get("cards", ()), *([action["card"]] if "card" in action else ())]

    def update(self, moves: Intents, open_rids: AbstractSet[int]) -> None:
        """Drop what concerns closed decisions; ask for the colour of a first card."""
        self._sent = {rid: action for rid, action in self._sent.items() if rid in open_rids}
        if self._intent is not None:
            ways = tuple(way for way in self._intent.ways if way[0] in open_rids)
            self._intent = Intent(ways) if ways else None
        if self._intent is None:
            self.cancel(moves)

    def choose(self, intent: Intent) -> Way | None:
        """Return the decision and the action to send, or None if something is open or an answer is under way."""
        if intent.open is not None:
            self._intent = intent
            return None
        rid, action = intent.decided(self.calls)
        if self.pending(rid):
            return None
        self._intent, self.calls = None, False
        self._sent[rid] = action
        return rid, action

    def cancel(self, moves: Intents) -> None:
        """Take the choice back, except for the colour of a first card."""
        self._intent = moves.answers.get("colour")

    def pending(self, rid: int | None) -> bool:
        """Return whether an answer to ``rid`` is under way."""
        return rid in self._sent

    def answered(self) -> None:
        """Note that the server has answered."""
        self._sent.clear()
