"""Turns with the types of a game, for type checkers: ``def play(turn: UnoTurn) -> UnoAction``.

At run time all of them are plain data. Generated from SPEC.md by tests/protocol/typed_turns.py: do not edit.
"""

from typing import Literal, NotRequired, TypeAlias, TypedDict

from parlour_bots.sdk import Turn

UnoColour: TypeAlias = Literal["red", "yellow", "green", "blue"]
UnoPhase: TypeAlias = Literal["play", "drawn", "challenge", "colour", "breath", "pause", "over"]


class TimeoutEvent(TypedDict):
    """The event ``timeout``."""

    e: Literal["timeout"]
    seat: int


class AddtimeEvent(TypedDict):
    """The event ``addtime``."""

    e: Literal["addtime"]
    seat: int
    ms: int


class UnoView(TypedDict):
    """The view of a seat in UNO."""

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
    """The action ``play``."""

    do: Literal["play"]
    card: int
    colour: NotRequired[UnoColour]
    uno: NotRequired[bool]
    swap: NotRequired[int]


class UnoDrawAction(TypedDict):
    """The action ``draw``."""

    do: Literal["draw"]


class UnoPassAction(TypedDict):
    """The action ``pass``."""

    do: Literal["pass"]


class UnoAcceptAction(TypedDict):
    """The action ``accept``."""

    do: Literal["accept"]


class UnoChallengeAction(TypedDict):
    """The action ``challenge``."""

    do: Literal["challenge"]


class UnoColourAction(TypedDict):
    """The action ``colour``."""

    do: Literal["colour"]
    colour: UnoColour


class UnoResignAction(TypedDict):
    """The action ``resign``."""

    do: Literal["resign"]


class UnoUnoAction(TypedDict):
    """The action ``uno``."""

    do: Literal["uno"]


class UnoCatchAction(TypedDict):
    """The action ``catch``."""

    do: Literal["catch"]
    seat: int


class UnoJumpAction(TypedDict):
    """The action ``jump``."""

    do: Literal["jump"]
    card: int
    swap: NotRequired[int]
    uno: NotRequired[bool]


class UnoDealEvent(TypedDict):
    """The event ``deal``."""

    e: Literal["deal"]
    round: int
    dealer: int
    top: int
    colour: UnoColour | None
    hand: NotRequired[list[int]]


class UnoPlayEvent(TypedDict):
    """The event ``play``."""

    e: Literal["play"]
    seat: int
    card: int
    colour: NotRequired[UnoColour]
    uno: NotRequired[bool]
    jump: NotRequired[bool]
    swap: NotRequired[int]
    cards: NotRequired[list[int]]


class UnoSwapEvent(TypedDict):
    """The event ``swap``."""

    e: Literal["swap"]
    seat: int
    of: int
    hand: NotRequired[list[int]]


class UnoRotateEvent(TypedDict):
    """The event ``rotate``."""

    e: Literal["rotate"]
    direction: int
    hand: NotRequired[list[int]]


class UnoDrawEvent(TypedDict):
    """The event ``draw``."""

    e: Literal["draw"]
    seat: int
    n: int
    why: str
    cards: NotRequired[list[int]]


class UnoPassEvent(TypedDict):
    """The event ``pass``."""

    e: Literal["pass"]
    seat: int


class UnoSkipEvent(TypedDict):
    """The event ``skip``."""

    e: Literal["skip"]
    seat: int


class UnoReverseEvent(TypedDict):
    """The event ``reverse``."""

    e: Literal["reverse"]
    direction: int


class UnoColourEvent(TypedDict):
    """The event ``colour``."""

    e: Literal["colour"]
    seat: int
    colour: UnoColour


class UnoUnoEvent(TypedDict):
    """The event ``uno``."""

    e: Literal["uno"]
    seat: int


class UnoHeldEvent(TypedDict):
    """The event ``held``."""

    e: Literal["held"]
    seat: int
    of: int


class UnoCaughtEvent(TypedDict):
    """The event ``caught``."""

    e: Literal["caught"]
    seat: int
    by: int
    n: int


class UnoMistakeEvent(TypedDict):
    """The event ``mistake``."""

    e: Literal["mistake"]
    seat: int
    of: int
    n: int


class UnoChallengeEvent(TypedDict):
    """The event ``challenge``."""

    e: Literal["challenge"]
    seat: int
    of: int
    guilty: bool
    hand: NotRequired[list[int]]


class UnoAcceptEvent(TypedDict):
    """The event ``accept``."""

    e: Literal["accept"]
    seat: int


class UnoTurnEvent(TypedDict):
    """The event ``turn``."""

    e: Literal["turn"]
    seat: int


class UnoReshuffleEvent(TypedDict):
    """The event ``reshuffle``."""

    e: Literal["reshuffle"]
    deck: int


class UnoRoundEvent(TypedDict):
    """The event ``round``."""

    e: Literal["round"]
    winner: int | None
    points: list[int]
    scores: list[int]


class UnoOutEvent(TypedDict):
    """The event ``out``."""

    e: Literal["out"]
    seat: int
    why: str


class UnoMatchEvent(TypedDict):
    """The event ``match``."""

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
    """A player in a view."""

    state: str
    open: int
    ms: NotRequired[int]
    clicks: NotRequired[int]
    penalty: NotRequired[int]
    found: NotRequired[int]
    bomb: NotRequired[str]


class MinesweeperView(TypedDict):
    """The view of a seat in Minesweeper."""

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
    """The action ``open``."""

    do: Literal["open"]
    cells: list[list[int]]


class MinesweeperFlagAction(TypedDict):
    """The action ``flag``."""

    do: Literal["flag"]
    cells: list[list[int]]


class MinesweeperUnflagAction(TypedDict):
    """The action ``unflag``."""

    do: Literal["unflag"]
    cells: list[list[int]]


class MinesweeperChordAction(TypedDict):
    """The action ``chord``."""

    do: Literal["chord"]
    cells: list[list[int]]


class MinesweeperSeqAction(TypedDict):
    """The action ``seq``."""

    do: Literal["seq"]
    moves: list[list[str | int]]


class MinesweeperBombAction(TypedDict):
    """The action ``bomb``."""

    do: Literal["bomb"]
    at: list[int]


class MinesweeperResignAction(TypedDict):
    """The action ``resign``."""

    do: Literal["resign"]


class MinesweeperMakingEvent(TypedDict):
    """The event ``making``."""

    e: Literal["making"]


class MinesweeperBoardEvent(TypedDict):
    """The event ``board``."""

    e: Literal["board"]
    at: NotRequired[list[int]]
    n: NotRequired[int]


class MinesweeperOpenEvent(TypedDict):
    """The event ``open``."""

    e: Literal["open"]
    seat: int
    at: NotRequired[list[list[int]]]
    n: int


class MinesweeperFlagEvent(TypedDict):
    """The event ``flag``."""

    e: Literal["flag"]
    seat: int
    at: list[list[int]]
    on: bool


class MinesweeperMineEvent(TypedDict):
    """The event ``mine``."""

    e: Literal["mine"]
    seat: int
    at: NotRequired[list[int]]


class MinesweeperOutEvent(TypedDict):
    """The event ``out``."""

    e: Literal["out"]
    seat: int
    why: str


class MinesweeperDoneEvent(TypedDict):
    """The event ``done``."""

    e: Literal["done"]
    seat: int
    ms: int


class MinesweeperFoundEvent(TypedDict):
    """The event ``found``."""

    e: Literal["found"]
    seat: int
    at: list[list[int]]


class MinesweeperMissEvent(TypedDict):
    """The event ``miss``."""

    e: Literal["miss"]
    seat: int
    at: list[int]
    n: int


class MinesweeperBombEvent(TypedDict):
    """The event ``bomb``."""

    e: Literal["bomb"]
    seat: int
    at: list[int]
    n: int
    found: int


class MinesweeperPassEvent(TypedDict):
    """The event ``pass``."""

    e: Literal["pass"]
    seat: int


class MinesweeperEndEvent(TypedDict):
    """The event ``end``."""

    e: Literal["end"]
    why: str


class MinesweeperReviewEvent(TypedDict):
    """The event ``review``."""

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
