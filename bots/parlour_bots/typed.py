"""Turns with the types of a game, for type checkers: ``def play(turn: UnoTurn) -> UnoAction``.

At run time all of them are plain data. Generated from SPEC.md by tests/protocol/typed_turns.py: do not edit.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from parlour_bots.sdk import Turn

UnoColour: TypeAlias = Literal["red", "yellow", "green", "blue"]
UnoPhase: TypeAlias = Literal["play", "drawn", "challenge", "colour", "breath", "pause", "over"]


class TimeoutEvent(TypedDict):
    e: Literal["timeout"]
    seat: int


class AddtimeEvent(TypedDict):
    e: Literal["addtime"]
    seat: int
    ms: int


class UnoView(TypedDict):
    phase: UnoPhase
    round: int
    dealer: int
    turn: int | None
    direction: int
    colour: UnoColour | None
    top: int
    counts: list[int]
    called: list[int]
    exposed: NotRequired[int]
    out: list[int]
    deck: int
    scores: list[int]
    pending: NotRequired[int]
    of: NotRequired[int]
    before: NotRequired[str]
    hand: list[int]
    drawn: NotRequired[int | None]


class UnoPlayAction(TypedDict):
    do: Literal["play"]
    card: int
    colour: NotRequired[UnoColour]
    uno: NotRequired[bool]
    swap: NotRequired[int]


class UnoDrawAction(TypedDict):
    do: Literal["draw"]


class UnoPassAction(TypedDict):
    do: Literal["pass"]


class UnoAcceptAction(TypedDict):
    do: Literal["accept"]


class UnoChallengeAction(TypedDict):
    do: Literal["challenge"]


class UnoColourAction(TypedDict):
    do: Literal["colour"]
    colour: UnoColour


class UnoResignAction(TypedDict):
    do: Literal["resign"]


class UnoUnoAction(TypedDict):
    do: Literal["uno"]


class UnoCatchAction(TypedDict):
    do: Literal["catch"]
    seat: int


class UnoJumpAction(TypedDict):
    do: Literal["jump"]
    card: int
    swap: NotRequired[int]
    uno: NotRequired[bool]


class UnoDealEvent(TypedDict):
    e: Literal["deal"]
    round: int
    dealer: int
    top: int
    colour: UnoColour | None
    hand: NotRequired[list[int]]


class UnoPlayEvent(TypedDict):
    e: Literal["play"]
    seat: int
    card: int
    colour: NotRequired[UnoColour]
    uno: NotRequired[bool]
    jump: NotRequired[bool]
    swap: NotRequired[int]
    cards: NotRequired[list[int]]


class UnoSwapEvent(TypedDict):
    e: Literal["swap"]
    seat: int
    of: int
    hand: NotRequired[list[int]]


class UnoRotateEvent(TypedDict):
    e: Literal["rotate"]
    direction: int
    hand: NotRequired[list[int]]


class UnoDrawEvent(TypedDict):
    e: Literal["draw"]
    seat: int
    n: int
    why: str
    cards: NotRequired[list[int]]


class UnoPassEvent(TypedDict):
    e: Literal["pass"]
    seat: int


class UnoSkipEvent(TypedDict):
    e: Literal["skip"]
    seat: int


class UnoReverseEvent(TypedDict):
    e: Literal["reverse"]
    direction: int


class UnoColourEvent(TypedDict):
    e: Literal["colour"]
    seat: int
    colour: UnoColour


class UnoUnoEvent(TypedDict):
    e: Literal["uno"]
    seat: int


class UnoHeldEvent(TypedDict):
    e: Literal["held"]
    seat: int
    of: int


class UnoCaughtEvent(TypedDict):
    e: Literal["caught"]
    seat: int
    by: int
    n: int


class UnoMistakeEvent(TypedDict):
    e: Literal["mistake"]
    seat: int
    of: int
    n: int


class UnoChallengeEvent(TypedDict):
    e: Literal["challenge"]
    seat: int
    of: int
    guilty: bool
    hand: NotRequired[list[int]]


class UnoAcceptEvent(TypedDict):
    e: Literal["accept"]
    seat: int


class UnoTurnEvent(TypedDict):
    e: Literal["turn"]
    seat: int


class UnoReshuffleEvent(TypedDict):
    e: Literal["reshuffle"]
    deck: int


class UnoRoundEvent(TypedDict):
    e: Literal["round"]
    winner: int | None
    points: list[int]
    scores: list[int]


class UnoOutEvent(TypedDict):
    e: Literal["out"]
    seat: int
    why: str


class UnoMatchEvent(TypedDict):
    e: Literal["match"]
    winners: list[int]


UnoAction: TypeAlias = (
    UnoPlayAction
    | UnoDrawAction
    | UnoPassAction
    | UnoAcceptAction
    | UnoChallengeAction
    | UnoColourAction
    | UnoResignAction
    | UnoUnoAction
    | UnoCatchAction
    | UnoJumpAction
)
UnoEvent: TypeAlias = (
    UnoDealEvent
    | UnoPlayEvent
    | UnoSwapEvent
    | UnoRotateEvent
    | UnoDrawEvent
    | UnoPassEvent
    | UnoSkipEvent
    | UnoReverseEvent
    | UnoColourEvent
    | UnoUnoEvent
    | UnoHeldEvent
    | UnoCaughtEvent
    | UnoMistakeEvent
    | UnoChallengeEvent
    | UnoAcceptEvent
    | UnoTurnEvent
    | UnoReshuffleEvent
    | UnoRoundEvent
    | UnoOutEvent
    | UnoMatchEvent
    | TimeoutEvent
    | AddtimeEvent
)
UnoTurn: TypeAlias = Turn[UnoView, UnoAction, UnoEvent]


class MinesweeperPlayer(TypedDict):
    state: str
    open: int
    ms: NotRequired[int]
    clicks: NotRequired[int]
    penalty: NotRequired[int]
    found: NotRequired[int]
    bomb: NotRequired[str]


class MinesweeperView(TypedDict):
    mode: str
    phase: str
    width: int
    height: int
    mines: int
    safe: int
    rows: list[str] | None
    players: list[MinesweeperPlayer]
    lives: NotRequired[int]
    open: NotRequired[int]
    turn: NotRequired[int | None]


class MinesweeperOpenAction(TypedDict):
    do: Literal["open"]
    cells: list[list[int]]


class MinesweeperFlagAction(TypedDict):
    do: Literal["flag"]
    cells: list[list[int]]


class MinesweeperUnflagAction(TypedDict):
    do: Literal["unflag"]
    cells: list[list[int]]


class MinesweeperChordAction(TypedDict):
    do: Literal["chord"]
    cells: list[list[int]]


class MinesweeperSeqAction(TypedDict):
    do: Literal["seq"]
    moves: list[list[str | int]]


class MinesweeperBombAction(TypedDict):
    do: Literal["bomb"]
    at: list[int]


class MinesweeperResignAction(TypedDict):
    do: Literal["resign"]


class MinesweeperMakingEvent(TypedDict):
    e: Literal["making"]


class MinesweeperBoardEvent(TypedDict):
    e: Literal["board"]
    at: NotRequired[list[int]]
    n: NotRequired[int]


class MinesweeperOpenEvent(TypedDict):
    e: Literal["open"]
    seat: int
    at: NotRequired[list[list[int]]]
    n: int


class MinesweeperFlagEvent(TypedDict):
    e: Literal["flag"]
    seat: int
    at: list[list[int]]
    on: bool


class MinesweeperMineEvent(TypedDict):
    e: Literal["mine"]
    seat: int
    at: NotRequired[list[int]]


class MinesweeperOutEvent(TypedDict):
    e: Literal["out"]
    seat: int
    why: str


class MinesweeperDoneEvent(TypedDict):
    e: Literal["done"]
    seat: int
    ms: int


class MinesweeperFoundEvent(TypedDict):
    e: Literal["found"]
    seat: int
    at: list[list[int]]


class MinesweeperMissEvent(TypedDict):
    e: Literal["miss"]
    seat: int
    at: list[int]
    n: int


class MinesweeperBombEvent(TypedDict):
    e: Literal["bomb"]
    seat: int
    at: list[int]
    n: int
    found: int


class MinesweeperPassEvent(TypedDict):
    e: Literal["pass"]
    seat: int


class MinesweeperEndEvent(TypedDict):
    e: Literal["end"]
    why: str


class MinesweeperReviewEvent(TypedDict):
    e: Literal["review"]


MinesweeperAction: TypeAlias = (
    MinesweeperOpenAction
    | MinesweeperFlagAction
    | MinesweeperUnflagAction
    | MinesweeperChordAction
    | MinesweeperSeqAction
    | MinesweeperBombAction
    | MinesweeperResignAction
)
MinesweeperEvent: TypeAlias = (
    MinesweeperMakingEvent
    | MinesweeperBoardEvent
    | MinesweeperOpenEvent
    | MinesweeperFlagEvent
    | MinesweeperMineEvent
    | MinesweeperOutEvent
    | MinesweeperDoneEvent
    | MinesweeperFoundEvent
    | MinesweeperMissEvent
    | MinesweeperBombEvent
    | MinesweeperPassEvent
    | MinesweeperEndEvent
    | MinesweeperReviewEvent
    | TimeoutEvent
    | AddtimeEvent
)
MinesweeperTurn: TypeAlias = Turn[MinesweeperView, MinesweeperAction, MinesweeperEvent]
