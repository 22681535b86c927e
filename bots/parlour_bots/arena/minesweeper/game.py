"""One bot on one board: the game's own rules, without a room. The bot is shown what a player would be shown."""

from collections.abc import Callable

from parlour_bots.arena.minesweeper.boards import Board
from parlour_bots.arena.minesweeper.summary import Result
from parlour_bots.errors import Mistake
from parlour_bots.play.player import Player
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import BotFault
from parlour_games.game import Done, IllegalAction, Plain
from parlour_games.minesweeper.actions import ACTIONS, Action
from parlour_games.minesweeper.options import Options
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Error, Joined, Turn
from parlour_protocol.types import Table
from parlour_protocol.wire import strict, tagged

PATIENCE = 1_000
"""How many answers in a row may open nothing, besides one for each cell: it may have been flagged."""
ROOM = "ARENA"
GAME = Minesweeper()

_KEY = "play"
_NS = 1_000_000
_READERS: dict[str, Callable[[Plain], Action]] = {tag: strict(cls) for tag, cls in tagged(ACTIONS, "do").items()}

Report = Callable[[Mistake], None]


def play(spec: BotSpec, board: Board, seed: object, report: Report) -> Result:
    """Let a bot play a board, whose first cell is open when it is asked, and return how that ended.

    Its mistakes are reported, and chance opens a cell instead. Raises BotFault if it tries to end the process.
    """
    match, player = Match(board), Player(spec, seed, report)
    player.receive(match.joined())
    idle = 0
    while not match.decided and idle < PATIENCE + board.width * board.height:
        opened = match.opened
        if refusal := match.carry_out(_answer(player, match.ask())):
            match.carry_out(_answer(player, refusal))
        idle = 0 if match.opened > opened else idle + 1
    return match.result(player)


class Match:
    """A board that is being played on, as a room would show it to its only seat."""

    def __init__(self, board: Board) -> None:
        count = len(board.mines)
        options = Options(level="custom", width=board.width, height=board.height, mines=count, first="any")
        self._board = board
        self._state, self._events = GAME.start_on(options, 1, board.mines)
        self._turns = 0
        self.carry_out(board.first)

    @property
    def decided(self) -> bool:
        """Whether the board is cleared or a mine was set off."""
        return self._state.why is not None

    @property
    def opened(self) -> int:
        """Return how many safe cells are open."""
        return self._state.visible_boards[0].open

    def joined(self) -> Joined:
        """Return what the seat is told when it sits down."""
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
        """Return the next question to the seat, with what has happened since the last one."""
        self._turns += 1
        events = [shown for event in self._events if (shown := GAME.redact(event, 0)) is not None]
        self._events = []
        view = GAME.view(self._state, 0)
        return Turn(ROOM, self._turns, GAME.name, 0, view, events, [], {}, self._turns, None)

    def carry_out(self, act: int | Plain) -> Error | None:
        """Carry out an answer to the last question. Returns the refusal of one that breaks the rules."""
        try:
            self._events += GAME.apply(self._state, 0, _KEY, self._action(act))
        except (IllegalAction, BadMessage) as error:
            return Error("illegal_action", str(error), room=ROOM, rid=self._turns)
        return None

    def result(self, player: Player) -> Result:
        """Return how it ended for ``player``; a game that is not decided was stopped."""
        board, field, stuck = self._state.board, self._state.visible_boards[0], not self.decided
        assert board is not None, "the first cell is open"
        won = self._state.why == "won"
        return Result(
            id=self._board.id,
            won=won,
            ms=sum(player.thinking) / _NS,
            guesses=0 if stuck else self._guesses(),
            moves=self._turns,
            longest=max(player.thinking, default=0) / _NS,
            flagged=1.0 if won else field.flagged(board) / board.shape.mines,
            open=field.open / board.shape.safe,
            mistakes=player.mistakes,
            stuck=stuck,
        )

    def _action(self, act: int | Plain) -> Action:
        if isinstance(act, int):
            return GAME.indexed(self._state, 0, _KEY, act)
        read = _READERS.get(act.get("do", ""))
        if read is None:
            raise IllegalAction("no such action; `do` is one of " + ", ".join(sorted(_READERS)))
        return read({name: value for name, value in act.items() if name != "do"})

    def _guesses(self) -> int:
        """Return how many of the seat's own openings could have been mines, as the game's review judges them."""
        if job := GAME.pending(self._state):
            GAME.settle(self._state, Done(job.name, GAME.compute(job.name, job.args)))
        outcome = GAME.outcome(self._state)
        assert outcome is not None
        assert outcome.stats is not None
        first = list(self._state.at(self._board.first))
        return sum(guess[:2] != first for guess in outcome.stats["seats"][0]["guesses"])


def _answer(player: Player, message: Turn | Error) -> int | Plain:
    """Return the player's act; to a refusal it is one of chance."""
    try:
        (act,) = player.receive(message)
    except SystemExit:
        raise BotFault(f"{player.spec.name} tried to end the process in answer to turn {message.rid}") from None
    return act.act
