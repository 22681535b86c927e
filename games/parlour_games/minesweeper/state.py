"""The state of a Minesweeper match: mutable, explicit, cheap to copy."""

import attrs

from parlour_games.game import Plain
from parlour_games.minesweeper.actions import At, Step
from parlour_games.minesweeper.board import Board, Source
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.visible_board import Field

NEW, MAKING, PLAYING, REVIEW, OVER = "new", "making", "playing", "review", "over"
"""The phases: no mines yet; a board is being looked for; playing; decided, but not yet reviewed; over."""
IN, OUT, DONE, FROZEN = "in", "out", "done", "frozen"
"""What a player is."""


@attrs.define
class Player:
    """One seat. Times are milliseconds since the match began."""

    status: str = IN
    opened: int = 0
    """Safe cells that came open by this seat."""
    clicks: int = 0
    """Openings, flags and chords that changed something."""
    penalty: int = 0
    ended: int | None = None
    """When it was out, done or frozen."""
    place: int = 0
    """Orders racers that have cleared the board in equal times."""
    earned: bool = True
    """Whether its last act opened a cell, so that its clock is topped up."""
    found: int = 0
    bomb: bool = True


@attrs.define
class Waiting:
    """The rest of the act that began the board, until the board has come."""

    seat: int
    steps: list[Step]


@attrs.define
class State:
    """A match. ``fields`` has one field a seat in a race, else one that all share."""

    options: Options
    source: Source
    players: list[Player]
    fields: list[Field]
    phase: str = NEW
    board: Board | None = None
    first: int = -1
    """The cell of the first click."""
    attempt: int = 0
    """Which attempt at a layout became the board; the first unless it must need no guess."""
    waiting: Waiting | None = None
    lives: int = 1
    turn: int = 0
    now: int = 0
    began: int = 0
    """When the board was there."""
    openings: list[list[tuple[int, tuple[int, ...]]]] = attrs.field(factory=list)
    """For each field the acts that opened cells: who, and which cells were opened directly."""
    why: str | None = None
    reviewed: Plain | None = None

    @property
    def shape(self) -> Shape:
        """Return the size of the board."""
        return self.options.shape

    @property
    def mode(self) -> str:
        """Return the mode."""
        return self.options.mode

    @property
    def private(self) -> bool:
        """Whether the seats must not see each other's fields."""
        return self.options.mode == "race"

    def at(self, cell: int) -> At:
        """Return the cell as (x, y)."""
        y, x = divmod(cell, self.options.shape.width)
        return x, y

    def field_number(self, seat: int) -> int:
        """Return which field ``seat`` plays on."""
        return seat if self.private else 0

    def field_of(self, seat: int) -> Field:
        """Return the field that ``seat`` plays on."""
        return self.fields[self.field_number(seat)]

    def still_in(self) -> list[int]:
        """Return the seats that play on."""
        return [seat for seat, player in enumerate(self.players) if player.status == IN]

    def time_of(self, seat: int) -> int:
        """Return the milliseconds that ``seat`` has played, penalties included; none without a board."""
        if self.board is None:
            return 0
        player = self.players[seat]
        until = self.now if player.ended is None else player.ended
        return max(0, until - self.began) + player.penalty

    def copy(self) -> "State":
        """Return an independent copy."""
        return attrs.evolve(
            self,
            players=[attrs.evolve(player) for player in self.players],
            fields=[field.copy() for field in self.fields],
            waiting=self.waiting and Waiting(self.waiting.seat, self.waiting.steps.copy()),
            openings=[log.copy() for log in self.openings],
        )

    def canonical(self) -> Plain:
        """Return the whole state as plain data, secrets included."""
        return {
            "phase": self.phase,
            "mines": self.board.mines if self.board else None,
            "first": self.first,
            "attempt": self.attempt,
            "waiting": self.waiting and {"seat": self.waiting.seat, "steps": [list(s) for s in self.waiting.steps]},
            "fields": [field.shown.decode() for field in self.fields],
            "players": [attrs.asdict(player) for player in self.players],
            "openings": [[[seat, list(cells)] for seat, cells in log] for log in self.openings],
            "lives": self.lives,
            "turn": self.turn,
            "began": self.began,
            "why": self.why,
            "reviewed": self.reviewed,
        }
