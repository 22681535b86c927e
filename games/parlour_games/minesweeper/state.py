"""The whole state of a match, secrets included."""

import attrs

from parlour_games.game import Plain
from parlour_games.minesweeper.actions import At, Step
from parlour_games.minesweeper.board import Board, Source, VisibleBoard
from parlour_games.minesweeper.options import KindLimits, Options, Shape

NEW, MAKING, PLAYING, REVIEW, OVER = "new", "making", "playing", "review", "over"
"""Phases: no mines yet; looking for a board; playing; decided and being reviewed; over."""
IN, OUT, DONE, FROZEN = "in", "out", "done", "frozen"
"""The statuses of a player."""


@attrs.define
class Player:
    """A seat. Times are milliseconds since the start of the match."""

    status: str = IN
    opened: int = 0
    """Number of safe cells that this seat caused to open."""
    clicks: int = 0
    """Number of openings, flags and chords that changed something."""
    penalty: int = 0
    ended: int | None = None
    """When it was out, done or frozen."""
    place: int = 0
    """In a race, the number of seats that were no longer in when it cleared its board."""
    earned: bool = True
    """Whether its last action opened a cell and therefore adds time to its clock."""
    found: int = 0
    bomb: bool = True


@attrs.define
class Waiting:
    """The rest of the action that placed the mines, kept while the server looks for a board."""

    seat: int
    steps: list[Step]


@attrs.define
class State:
    """A match. ``visible_boards`` has one visible board per seat in a race, else one that all seats share."""

    options: Options
    source: Source
    players: list[Player]
    visible_boards: list[VisibleBoard]
    phase: str = NEW
    board: Board | None = None
    first: int = -1
    """The cell of the first click, or the one that the server opened."""
    attempt: int = 0
    """The number of the layout that became the board: 1 unless it has to need no guess."""
    spared: int = 0
    """On a kind board, how often a forced guess has hit a mine and the board was replaced."""
    unspared: int = 0
    """On a kind board, how often a mine went off because the position was too large to judge the guess."""
    kind_limits: KindLimits = attrs.field(factory=KindLimits)
    waiting: Waiting | None = None
    lives: int = 1
    turn: int = 0
    now: int = 0
    began: int = 0
    """When the mines were placed."""
    openings: list[list[tuple[int, tuple[int, ...]]]] = attrs.field(factory=list)
    """By visible board, the actions that opened cells: the seat, and the cells opened directly."""
    why: str | None = None
    reviewed: Plain | None = None

    @property
    def shape(self) -> Shape:
        """The size of the board."""
        return self.options.shape

    @property
    def mode(self) -> str:
        """The mode."""
        return self.options.mode

    @property
    def private(self) -> bool:
        """Whether seats must not see each other's boards."""
        return self.options.mode == "race"

    def at(self, cell: int) -> At:
        """Return the cell as (x, y)."""
        y, x = divmod(cell, self.options.shape.width)
        return x, y

    def board_index(self, seat: int) -> int:
        """Return the index in ``visible_boards`` of the board of ``seat``."""
        return seat if self.private else 0

    def visible_board_of(self, seat: int) -> VisibleBoard:
        """Return the visible board of ``seat``."""
        return self.visible_boards[self.board_index(seat)]

    def still_in(self) -> list[int]:
        """Return the seats still in, ascending."""
        return [seat for seat, player in enumerate(self.players) if player.status == IN]

    def time_of(self, seat: int) -> int:
        """Return the milliseconds that ``seat`` has played, penalties included; 0 without a board."""
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
            visible_boards=[visible.copy() for visible in self.visible_boards],
            waiting=self.waiting and Waiting(self.waiting.seat, self.waiting.steps.copy()),
            openings=[log.copy() for log in self.openings],
        )

    def canonical(self) -> Plain:
        """Return the state as plain data, without options and randomness."""
        return {
            "phase": self.phase,
            "mines": self.board.mines if self.board else None,
            "first": self.first,
            "attempt": self.attempt,
            "waiting": self.waiting and {"seat": self.waiting.seat, "steps": [list(s) for s in self.waiting.steps]},
            "fields": [visible.shown.decode() for visible in self.visible_boards],
            "players": [attrs.asdict(player) for player in self.players],
            "openings": [[[seat, list(cells)] for seat, cells in log] for log in self.openings],
            "lives": self.lives,
            "turn": self.turn,
            "began": self.began,
            "why": self.why,
            "reviewed": self.reviewed,
            **self.kind_counts,
        }

    @property
    def kind_counts(self) -> Plain:
        """Return the figures of a kind board, none for another board. Rules before 3 do not count ``unspared``."""
        counts = {"spared": self.spared} if self.options.kind else {}
        return counts if self.kind_limits.cells or not self.unspared else {**counts, "unspared": self.unspared}
