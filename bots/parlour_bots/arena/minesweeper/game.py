"""Play one board with one bot: the game's rules without a room. The bot sees what a player would see.

Instead of by its end, a game can be scored by what perfect play would win from its endgame.

A game ends with guesses that no skill decides. Where few mine layouts are left, the share of them that perfect play
wins can be computed. Taken in place of the end, it leaves out the luck of the last guesses: differences between bots
that play their endgames perfectly vary less, so that fewer boards tell them apart.
"""

from collections.abc import Callable, Sequence

import attrs

from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.summary import Result
from parlour_bots.errors import Mistake
from parlour_bots.minesweeper.exact import endgame
from parlour_bots.minesweeper.position import position
from parlour_bots.play.player import Player
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import BotFault
from parlour_games.game import Done, IllegalAction, Plain
from parlour_games.minesweeper.actions import ACTIONS, Action
from parlour_games.minesweeper.inference import Engine, TooLarge
from parlour_games.minesweeper.options import Options
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Error, Joined, Table, Turn
from parlour_protocol.wire import strict, tagged

MOST_WORLDS = 400
"""The most mine layouts of an endgame that is valued. More are seldom searched within the budget."""
BUDGET = 200_000
"""The work limit of a search, in cells evaluated on a set of layouts: about a second. Beyond it the game goes on."""


class ExpectedValue:
    """Values the first guess of a game that has few possible layouts."""

    def __init__(self, width: int, height: int, mines: int) -> None:
        self._engine = Engine(width, height, mines)
        self.value: float | None = None
        """The probability that perfect play wins from there, from 0 to 1; None before."""

    def look(self, cells: Sequence[int]) -> None:
        """Value the position if it is the first such guess. ``cells`` are as in ``Engine.read``."""
        if self.value is not None or self._engine.deduce(cells).safe:
            return
        try:
            odds = self._engine.read(cells)
            if not odds.safe and odds.solutions <= MOST_WORLDS:
                self.value = endgame.perfect_value(self._engine.width, self._engine.height, odds, BUDGET)
        except TooLarge:
            return


PATIENCE = 1_000
"""Answers in a row that may open nothing, besides one per cell for flags."""
ROOM = "ARENA"
GAME = Minesweeper()

_KEY = "play"
_NS = 1_000_000
_READERS: dict[str, Callable[[Plain], Action]] = {tag: strict(cls) for tag, cls in tagged(ACTIONS, "do").items()}

Report = Callable[[Mistake], None]


def play(spec: BotSpec, board: Board, seed: object, report: Report, *, valued: bool = False) -> Result:
    """Let a bot play a board, whose first cell is already open, and return the result.

    With ``valued`` the result has the value of the game. Mistakes are reported and replaced by random moves. Raises
    BotFault if the bot tries to end the process.
    """
    match, player = BoardMatch(board), Player(spec, seed, report)
    player.receive(match.joined())
    endgame = ExpectedValue(board.width, board.height, len(board.mines)) if valued else None
    idle = 0
    while not match.decided and idle < PATIENCE + board.width * board.height:
        opened = match.opened
        if endgame:
            endgame.look(position(match.view).cells)
        if refusal := match.carry_out(_answer(player, match.ask())):
            match.carry_out(_answer(player, refusal))
        idle = 0 if match.opened > opened else idle + 1
    result = match.result(player)
    if endgame is None:
        return result
    return attrs.evolve(result, value=float(result.won) if endgame.value is None else endgame.value)


class BoardMatch:
    """A match on one board, as a room would show it to its only seat."""

    def __init__(self, board: Board) -> None:
        count = len(board.mines)
        options = Options(level="custom", width=board.width, height=board.height, mines=count, first="any")
        self._board = board
        self._state, self._events = GAME.start_on(options, 1, board.mines)
        self._turns = 0
        self.carry_out(board.first)

    @property
    def decided(self) -> bool:
        """Return whether the board is cleared or a mine exploded."""
        return self._state.why is not None

    @property
    def opened(self) -> int:
        """Return the number of open safe cells."""
        return self._state.visible_boards[0].open

    @property
    def view(self) -> Plain:
        """Return what the seat sees now."""
        return GAME.view(self._state, 0)

    @property
    def won(self) -> bool:
        """Return whether the board is cleared."""
        return self._state.why == "won"

    def joined(self) -> Joined:
        """Return the message with which the seat is taken."""
        table = Table(
            state="playing",
            host=None,
            options={},
            watchers=0,
            fair={"commit": "", "context": "", "nonces": {}},
            hints=False,
            seats=[],
        )
        return Joined(ROOM, 1, 0, GAME.name, 0, table, None, [], gap=False, may=[], clocks={}, chat=[])

    def ask(self) -> Turn:
        """Return the next turn, with the events since the last one."""
        self._turns += 1
        events = [shown for event in self._events if (shown := GAME.redact(event, 0)) is not None]
        self._events = []
        return Turn(ROOM, self._turns, GAME.name, 0, self.view, events, [], {}, self._turns, None)

    def carry_out(self, act: int | Plain) -> Error | None:
        """Apply the answer to the last turn. Return the refusal of an illegal one."""
        try:
            self._events += GAME.apply(self._state, 0, _KEY, self._action(act))
        except (IllegalAction, BadMessage) as error:
            return Error("illegal_action", str(error), room=ROOM, rid=self._turns)
        return None

    def result(self, player: Player) -> Result:
        """Return the result of ``player``; an undecided match was stopped."""
        board, field, stuck = self._state.board, self._state.visible_boards[0], not self.decided
        assert board is not None, "the first cell is open"
        return Result(
            id=self._board.id,
            won=self.won,
            ms=sum(player.thinking) / _NS,
            guesses=0 if stuck else self._guesses(),
            moves=self._turns,
            longest=max(player.thinking, default=0) / _NS,
            flagged=1.0 if self.won else field.flagged(board) / board.shape.mines,
            open=field.open / board.shape.safe,
            mistakes=player.mistakes,
            stuck=stuck,
            usage=dict(player.usage),
        )

    def _action(self, act: int | Plain) -> Action:
        if isinstance(act, int):
            return GAME.indexed(self._state, 0, _KEY, act)
        read = _READERS.get(act.get("do", ""))
        if read is None:
            raise IllegalAction("no such action; `do` is one of " + ", ".join(sorted(_READERS)))
        return read({name: value for name, value in act.items() if name != "do"})

    def _guesses(self) -> int:
        """Return the number of opened cells that could have been mines, according to the game's review."""
        if job := GAME.pending(self._state):
            GAME.settle(self._state, Done(job.name, GAME.compute(job.name, job.args)))
        outcome = GAME.outcome(self._state)
        assert outcome is not None
        assert outcome.stats is not None
        first = list(self._state.at(self._board.first))
        return sum(guess[:2] != first for guess in outcome.stats["seats"][0]["guesses"])


def _answer(player: Player, message: Turn | Error) -> int | Plain:
    """Return the player's act; after a refusal it is a random move."""
    try:
        (act,) = player.receive(message)
    except SystemExit:
        raise BotFault(f"{player.spec.name} tried to end the process in answer to turn {message.rid}") from None
    return act.act
