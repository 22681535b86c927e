"""Play one board with one bot: the game's rules without a room. The bot sees what a player would see.

Instead of by its end, a game can be scored by what perfect play would win from its endgame.

A game ends with guesses that no skill decides. Where few mine layouts are left, the share of them that perfect play
wins can be computed. Taken in place of the end, it leaves out the luck of the last guesses: differences between bots
that play their endgames perfectly vary less, so that fewer boards tell them apart.

The boards are read from a file, or generated from a seed. A file has one board per line::

    {"id": "a1", "width": 3, "height": 2, "mine_count": 1, "first": [0, 0], "mines": [[2, 1]]}

Cells are ``[x, y]``, column and row from 0 at the top left. ``first`` is opened before the bot plays. Other keys and
empty lines are ignored.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs

from parlour_bots.arena.minesweeper.summary import BoardResult
from parlour_bots.boards import position
from parlour_bots.errors import Mistake
from parlour_bots.minesweeper import endgame
from parlour_bots.minesweeper.exact import first_click
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import BotFault, Usage
from parlour_games.fair import Fair
from parlour_games.game import BadOptions, Done, IllegalAction, Plain
from parlour_games.minesweeper.actions import ACTIONS, Action
from parlour_games.minesweeper.board import Dealt
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.inference import Engine
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Act, Create, Deal, Error, Joined, Table, Turn
from parlour_protocol.names import valid
from parlour_protocol.wire import strict, tagged
from parlour_server.local import Local

STARTS = ("corner", "centre", "random")
"""The first cell of a generated board: top left, in the middle, or random by the seed."""

SECRET = sha256(b"parlour arena").digest()
"""A fixed value instead of a match's secret: everyone can repeat an arena."""


@attrs.frozen
class ArenaBoard:
    """A mine layout and the cell to open first. Cells are ints, ``y · width + x``."""

    id: str | int
    width: int
    height: int
    first: int
    mines: tuple[int, ...]
    deal: tuple[str, str] | None = None
    """The context of its deal and the guarantee of its first click; None if no match has this deal."""


class BadBoard(ValueError):
    """The data are not a valid board. The text says why."""


def read(path: Path) -> list[ArenaBoard]:
    """Return the boards of a file. Raises Usage with the number of an invalid line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    boards = list(_boards(path, text))
    if not boards:
        raise Usage(f"{path} has no boards")
    return boards


def fresh(
    options: Options, start: str | None, seed: int, count: int, *, as_match: bool = False
) -> Iterator[ArenaBoard]:
    """Generate ``count`` boards from ``seed``, with the size and first-click guarantee of ``options``.

    ``start`` is one of STARTS or X,Y. Its default is the corner; with a guaranteed opening 3,3, but at most the middle
    of the board. The first cell is always safe, since a game lost before the bot plays says nothing. ``as_match``:
    other boards, as a match deals them, so that games can be kept as match files. Raises Usage.
    """
    for number in range(count):
        yield generated(options, start, seed, number, as_match=as_match)


def generated(options: Options, start: str | None, seed: int, number: int, *, as_match: bool = False) -> ArenaBoard:
    """Return the board with this number, counted from 0, of those that ``fresh`` generates. Raises Usage."""
    shape, promise = options.shape, "safe" if options.promise == "any" else options.promise
    context = f"{seed}/{number}"
    dealt = Dealt(Fair(SECRET, context, [b""] if as_match else ()).deal(1))
    first = _first(shape, start, promise, dealt)
    mines = sorted(dealt.mines(shape, promise, first, 1))
    name, deal = f"{options.level}-{seed}-{number}", (context, promise) if as_match else None
    return ArenaBoard(name, shape.width, shape.height, first, tuple(mines), deal)


def board(data: Any) -> ArenaBoard:
    """Return the board in a line's data. Raises BadBoard."""
    if not isinstance(data, dict):
        raise BadBoard("a board is a map")
    identity = _value(data, "id")
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        raise BadBoard("id must be a string")
    width, height, count = (_number(data, name) for name in ("width", "height", "mine_count"))
    try:
        Options(level="custom", width=width, height=height, mines=count, first="any")
    except BadOptions as error:
        raise BadBoard(str(error)) from None
    mines = _mines(data, width, height, count)
    first = _cell(_value(data, "first"), "first", width, height)
    if first in mines:
        raise BadBoard(f"first {data['first']} is a mine")
    return ArenaBoard(identity, width, height, first, mines)


def _boards(path: Path, text: str) -> Iterator[ArenaBoard]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield board(_loaded(line))
            except BadBoard as bad:
                raise Usage(f"{path}:{number}: {bad}") from None


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadBoard(f"this is not JSON: {error}") from None


def _value(data: dict[str, Any], name: str) -> Any:
    if name not in data:
        raise BadBoard(f"{name} is missing")
    return data[name]


def _number(data: dict[str, Any], name: str) -> int:
    value = _value(data, name)
    if type(value) is not int:
        raise BadBoard(f"{name} must be a whole number, not {value!r}")
    return value


def _mines(data: dict[str, Any], width: int, height: int, count: int) -> tuple[int, ...]:
    listed = _value(data, "mines")
    if not isinstance(listed, list):
        raise BadBoard(f"mines must be a list of cells, not {listed!r}")
    mines = sorted(_cell(each, "mines", width, height) for each in listed)
    if len(mines) != count:
        raise BadBoard(f"mine_count is {count}, but mines has {len(mines)}")
    for one, following in pairwise(mines):
        if one == following:
            raise BadBoard(f"mines has [{one % width}, {one // width}] twice")
    return tuple(mines)


def _cell(value: Any, name: str, width: int, height: int) -> int:
    if not (isinstance(value, list) and len(value) == 2 and all(type(part) is int for part in value)):
        raise BadBoard(f"{name}: a cell is [x, y], not {value!r}")
    x, y = value
    if not (0 <= x < width and 0 <= y < height):
        raise BadBoard(f"{name}: {value} is off the board, x is 0 to {width - 1}, y is 0 to {height - 1}")
    return int(y * width + x)


def _first(shape: Shape, start: str | None, promise: str, dealt: Dealt) -> int:
    if start is None:
        return first_click(shape.width, shape.height) if promise == "opening" else 0
    if start == "random":
        return dealt.start(shape)
    x, y = {"corner": (0, 0), "centre": (shape.width // 2, shape.height // 2)}.get(start) or _place(shape, start)
    return y * shape.width + x


def _place(shape: Shape, start: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,3}),(\d{1,3})", start)
    x, y = map(int, found.groups()) if found else (-1, -1)
    if not (0 <= x < shape.width and 0 <= y < shape.height):
        what = f"x 0 to {shape.width - 1} and y 0 to {shape.height - 1}"
        raise Usage(f"--start is corner, centre, random or X,Y with {what}, not {start[:20]!a}")
    return x, y


MOST_WORLDS = 400
"""The most mine layouts of an endgame that is valued. More are seldom searched within the budget."""
BUDGET = 200_000
"""The work limit of a search, in cells evaluated on a set of layouts: about a second. Beyond it the game goes on."""


def endgame_value(engine: Engine, cells: Sequence[int]) -> float | None:
    """Return the probability that perfect play wins from the first guess among few possible layouts.

    None for other positions. ``cells`` are as in ``Engine.read``.
    """
    if engine.deduce(cells).safe:
        return None
    try:
        odds = engine.read(cells)
        if odds.safe or odds.solutions > MOST_WORLDS:
            return None
        return endgame.perfect_value(engine.width, engine.height, odds, BUDGET)
    except TooLarge:
        return None


PATIENCE = 1_000
"""Answers in a row that may open nothing, besides one per cell for flags."""
ROOM = "ARENA"
GAME = Minesweeper()

_KEY = "play"
_NS = 1_000_000
_READERS: dict[str, Callable[[Plain], Action]] = {tag: strict(cls) for tag, cls in tagged(ACTIONS, "do").items()}

Report = Callable[[Mistake], None]


def play(
    spec: BotSpec,
    board: ArenaBoard,
    seed: object,
    report: Report,
    *,
    valued: bool = False,
    lost: Callable[[list[str]], None] | None = None,
) -> BoardResult:
    """Let a bot play a board, whose first cell is already open, and return the result.

    With ``valued`` the result has the value of the game. ``lost`` gets the lines of the match file if a mine went off
    on a board that a match deals. Mistakes are reported and replaced by random moves. Raises BotFault if the bot tries
    to end the process.
    """
    match, player = BoardMatch(board), SeatPlayer(spec, seed, report)
    player.receive(match.joined())
    engine, value = Engine(board.width, board.height, len(board.mines)), None
    idle, acts = 0, list[Act]()
    while not match.decided and idle < PATIENCE + board.width * board.height:
        opened = match.opened
        if valued and value is None:
            value = endgame_value(engine, position(match.view).cells)
        act = _answer(player, match.ask())
        if refusal := match.carry_out(act.act):
            act = _answer(player, refusal)
            refusal = match.carry_out(act.act)
        if not refusal:
            acts.append(act)
        idle = 0 if match.opened > opened else idle + 1
    result = match.result(player)
    if lost and board.deal and match.decided and not result.won:
        lost(_match_file(board, *board.deal, spec.name, acts))
    if not valued:
        return result
    return attrs.evolve(result, value=float(result.won) if value is None else value)


class BoardMatch:
    """A match on one board, as a room would show it to its only seat."""

    def __init__(self, board: ArenaBoard) -> None:
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

    def result(self, player: SeatPlayer) -> BoardResult:
        """Return the result of ``player``; an undecided match was stopped."""
        board, field, stuck = self._state.board, self._state.visible_boards[0], not self.decided
        assert board is not None, "the first cell is open"
        return BoardResult(
            id=self._board.id,
            won=self.won,
            ms=sum(player.thinking) / _NS,
            guesses=0 if stuck else self._guesses(),
            moves=self._turns,
            longest=max(player.thinking, default=0) / _NS,
            flagged=1.0 if self.won else field.flagged(board) / board.shape.mines,
            open=field.open / board.shape.safe,
            mistakes=player.mistakes.total(),
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


def _answer(player: SeatPlayer, message: Turn | Error) -> Act:
    """Return the player's act; after a refusal it is a random move."""
    try:
        (act,) = player.receive(message)
    except SystemExit:
        raise BotFault(f"{player.spec.name} tried to end the process in answer to turn {message.rid}") from None
    return act


def _match_file(board: ArenaBoard, context: str, promise: str, name: str, acts: Iterable[Act]) -> list[str]:
    """Return the lines of a match file: these acts in a room with the deal of the board."""
    local = Local()
    peer = local.connect(valid(name, default="bot"))
    size: Plain = {"width": board.width, "height": board.height, "mines": len(board.mines)}
    options = {"level": "custom", **size, "first": promise, "first_cell": board.first}
    deal: Deal = {"secret": SECRET.hex(), "context": context, "nonces": []}
    peer.send(Create(GAME.name, options, seats=1, private=True, clock=None, start="full", deal=deal))
    for act in acts:
        turn = next(message for message in reversed(peer.inbox) if isinstance(message, Turn))
        peer.send(Act(turn.room, turn.rid, act.act, act.why))
    return local.game_file()
