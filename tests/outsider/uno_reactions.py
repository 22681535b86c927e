"""What seats may do out of turn in UNO: call, catch and jump."""


class Reactions:
    """Who has called, who can be caught, who was caught by whom, and onto whose card one may jump."""

    def __init__(self, seats: int, *, false_calls: bool, jumps: bool) -> None:
        self.called: set[int] = set()
        self.exposed: int | None = None
        """The seat that can be caught rightly."""
        self.held: list[tuple[int, int]] = []
        """Catches recorded in this reaction window: by whom, of whom."""
        self.laid_by: int | None = None
        """The seat onto whose card others may jump."""
        self.occasion = 0
        self.stood = [0] * seats
        """The occasion on which each seat last came down to one card, under `false_call_penalty`."""
        self.claims: list[set[int]] = [set() for _ in range(seats)]
        """Who has tried to catch each seat since then."""
        self._false_calls = false_calls
        self._jumps = jumps

    def begin_round(self) -> None:
        """Forget who has called."""
        self.close()
        self.called = set()

    def close(self) -> None:
        """The next seat acts, or the round is over: nobody can be caught or jump any longer."""
        self.exposed = self.laid_by = None
        self.held = []

    def end_match(self) -> None:
        """The match is over, perhaps in a reaction window, because a seat has left."""
        self.exposed = self.laid_by = None

    def came_to_one(self, seat: int) -> None:
        """A seat has one card: each of the others may try to catch it once."""
        if self._false_calls:
            self.occasion += 1
            self.stood[seat] = self.occasion
            self.claims[seat] = set()

    def expose(self, seat: int) -> None:
        """A seat has not called its last card."""
        self.occasion += 1
        self.exposed = seat

    def lay(self, seat: int) -> None:
        """A seat has played a card that was not its last."""
        if self._jumps:
            self.occasion += 1
            self.laid_by = seat

    def call(self, seat: int) -> None:
        """A seat calls."""
        self.called.add(seat)
        if self.exposed == seat:
            self.exposed = None

    def drew(self, seat: int) -> None:
        """A seat has more than one card again."""
        self.called.discard(seat)
        if self.exposed == seat:
            self.exposed = None

    def leave(self, seat: int) -> None:
        """A seat is gone, and with it the catches by it and of it."""
        self.drew(seat)
        self.held = [(one, of) for one, of in self.held if seat not in (one, of)]

    def catchable(self, seat: int, other: int) -> bool:
        """Whether ``seat`` may catch ``other``, which has one card."""
        if self._false_calls:
            return seat not in self.claims[other]
        return self.exposed == other and all(one != seat for one, _ in self.held)

    def settled(self) -> int | None:
        """End the reaction window; return the seat that was caught in it."""
        caught = self.held[0][1] if self.held and self.held[0][1] == self.exposed else None
        self.held = []
        return caught
