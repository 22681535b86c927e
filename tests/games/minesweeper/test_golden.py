"""Whole matches as readable transcripts: actions, events by viewer, and views.

A transcript changes only when the rules do. ``PARLOUR_GOLDEN=write pytest tests/games/minesweeper/test_golden.py``
makes them anew; read the difference before keeping it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.games.minesweeper.tables import KEY, MINES, custom, viewers

from parlour_games.fair import Fair
from parlour_games.game import Done, Plain
from parlour_games.minesweeper.actions import Action, Bomb, Chord, Flag, Open, Seq, Unflag
from parlour_games.minesweeper.duel import may_bomb
from parlour_games.minesweeper.events import Event
from parlour_games.minesweeper.options import Options, Shape
from parlour_games.minesweeper.state import State

GOLDEN = Path(__file__).parent / "golden"

MATCHES: dict[str, tuple[str, Options, dict[int, str]]] = {
    "solo-1": ("A/1", Options(), {}),
    "race-3": ("B/1", custom(Shape(8, 6, 8), mode="race"), {9: "mine", 14: "clock"}),
    "race-2": ("C/1", custom(Shape(6, 5, 5), mode="race", penalty=10_000, first="opening"), {3: "mine"}),
    "coop-3": ("D/1", custom(Shape(9, 6, 9), mode="coop", lives=2, no_guess=True), {7: "mine", 9: "clock", 11: "left"}),
    "duel-2": ("E/1", custom(Shape(8, 8, 13), mode="duel"), {4: "clock"}),
}
"""By name and number of seats: the context of the deals, options, and what happens out of turn at given steps."""


def transcript(name: str) -> Iterator[str]:
    """Play the match ``name`` with a fixed pattern of choices and yield its transcript line by line."""
    context, options, mishaps = MATCHES[name]
    seats = int(name.split("-")[1])
    state, events = MINES.start(options, seats, Fair(bytes(range(32)), context, [b""] * seats))
    yield f"# {name}: deals of {context}, {options}"
    yield from _told(state, events)
    yield from _seen(state)
    number = 0
    while MINES.outcome(state) is None:
        number += 1
        MINES.note_time(state, 1_000 * number)
        before = [MINES.view(state, viewer)["rows"] for viewer in viewers(state)]
        line, events = _step(state, number, mishaps.get(number))
        yield f"{number}. {line}"
        yield from _told(state, events)
        yield from _rows(state, before)
    yield from _seen(state)
    outcome = MINES.outcome(state)
    assert outcome
    yield f"= {outcome.why}: ranks {outcome.ranks}, scores {outcome.scores}"
    for seat, row in enumerate((outcome.stats or {})["seats"]):
        yield f"  {seat}: {_line(row)}"


def _step(state: State, number: int, mishap: str | None) -> tuple[str, list[Event]]:
    job = MINES.pending(state)
    if job:
        result = MINES.compute(job.name, job.args)
        return f"{job.name}: {_line(result)}", MINES.settle(state, Done(job.name, result))
    asked = [decision.seat for decision in MINES.decisions(state)]
    seat = asked[number % len(asked)]
    if mishap == "left":
        return f"seat {seat} is removed", MINES.remove(state, seat)
    action = MINES.default_action(state, seat, KEY) if mishap == "clock" else _action(state, seat, number, mishap)
    return f"seat {seat}: {_line(MINES.wire(action))}", MINES.apply(state, seat, KEY, action)


def _action(state: State, seat: int, number: int, mishap: str | None) -> Action:
    field, board = state.visible_board_of(seat), state.board
    if board is None:
        return Open((state.at(state.shape.cells // 2), state.at(0)))
    closed = [cell for cell in range(state.shape.cells) if field.shown[cell] == ord(".")]
    mines = [state.at(cell) for cell in closed if cell in board.mines]
    safe = [state.at(cell) for cell in closed if cell not in board.mines]
    chords = [state.at(cell) for cell in range(state.shape.cells) if field.chord_cells(cell)]
    if state.mode == "duel":
        if may_bomb(state, seat) and number % 3 == 0:
            return Bomb(safe[len(safe) // 2])
        miss = [safe[number * 5 % len(safe)]] if safe else []
        return Open((*mines[number % 5 :: 7][:2], *miss, *(mines[:1] if not miss else [])))
    if mishap == "mine":
        return Open((safe[-1], mines[-1], safe[0]))
    if chords and number % 2:
        return Chord((chords[0],))
    if mines and number % 4 == 1:
        return Flag(tuple(mines[:3]))
    if mines and number % 6 == 2:
        return Seq((("flag", *safe[0]), ("open", *safe[-1]), ("unflag", *safe[0]), ("flag", *mines[0])))
    flagged = [state.at(mine) for mine in board.mines if field.shown[mine] == ord("F")]
    return Unflag((flagged[-1],)) if flagged and number % 13 == 0 else Open((safe[number * 7 % len(safe)],))


def _told(state: State, events: list[Event]) -> Iterator[str]:
    for event in events:
        public = MINES.redact(event, None)
        yield f"   {_line(public)}" if public else "   (to spectators nothing)"
        for seat in range(len(state.players)):
            plain = MINES.redact(event, seat)
            if plain != public:
                yield f"     to {seat}: {_line(plain) if plain else 'nothing'}"


def _rows(state: State, before: list[list[str] | None]) -> Iterator[str]:
    """Yield the rows that have changed, those of a shared board once."""
    for viewer, old in zip(viewers(state), before, strict=True):
        rows = MINES.view(state, viewer)["rows"]
        if rows != old and (viewer is None or state.mode == "race"):
            yield from (f"      {'' if viewer is None else f'{viewer}: '}{row}" for row in rows)


def _seen(state: State) -> Iterator[str]:
    public = MINES.view(state, None)
    yield f"   | {_line(public)}"
    for seat in range(len(state.players)):
        view = MINES.view(state, seat)
        yield f"   | {seat}: {_line({key: value for key, value in view.items() if value != public[key]})}"


def _line(plain: Plain) -> str:
    return " ".join(f"{key}={str(value).replace(' ', '')}" for key, value in plain.items())


@pytest.mark.parametrize("name", sorted(MATCHES))
def test_the_match_goes_as_written(name: str) -> None:
    file = GOLDEN / f"{name}.txt"
    text = "\n".join(transcript(name)) + "\n"
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_transcript_is_of_a_match() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(MATCHES)
