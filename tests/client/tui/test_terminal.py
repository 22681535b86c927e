"""The real thing at a pseudo-terminal: whole games by keys, by mouse, and what a terminal is given back."""

import re
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from tests.support.terminal import Terminal, leave

KEYS = ["\t", "\r", "d", "p", "a"]
"""Next playable card, play it; draw, pass, accept: some of them fit each question."""
CHOICES = {"p": "p keep it", "a": "a accept"}
"""Keys for what may be asked besides a card, and the words of it."""
RIGHT = 2
"""The button of the mouse."""

Opening = Callable[..., Terminal]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opening]:
    terminals: list[Terminal] = []

    def opening(*words: str, **variables: str) -> Terminal:
        terminals.append(Terminal(tmp_path, *words, **variables))
        return terminals[-1]

    yield opening
    for terminal in terminals:
        terminal.close()


def cell(terminal: Terminal, column: int, row: int) -> tuple[int, int]:
    """Return where the character of a cell of a beginner's board is on the screen: cells of 4 columns and 2 rows."""
    edge = f"╰{'─' * 36}╯"
    terminal.wait_for(edge)
    left, bottom = terminal.find(edge)
    return left + 2 + 4 * column, bottom - 17 + 2 * row


@pytest.mark.long
def test_a_person_plays_a_whole_round_with_keys(opened: Opening) -> None:
    options = ("--pace", "0", "--option", "scoring=single", "--option", "breath=0")
    terminal = opened("play", "uno", "--bots", "5", "--name", "maria", *options)
    terminal.wait_for("discard")
    for _, key in zip(terminal.until("Play again"), cycle(KEYS), strict=False):
        terminal.press("r" if terminal.shows("Name a colour") else key)
    leave(terminal)


@pytest.mark.long
def test_a_match_goes_on_after_the_program_was_killed(opened: Opening) -> None:
    first = opened("play", "uno", "--bots", "2", "--pace", "0", "--name", "maria")
    held = hand(first)
    first.child.kill()
    first.child.wait()
    start = opened()
    start.wait_for("Continue: UNO")
    start.press("\r")
    assert hand(start) == held
    start.press("q")
    start.wait_for("Continue: UNO")
    start.press("\x1b[B", "\r")  # another one
    start.wait_for("give it up")
    start.press("\x1b")
    start.wait_until_gone("give it up")
    start.press("q")
    assert start.ends() == 0
    again = opened("play", "uno")
    again.wait_for("[Y/n]")
    again.press("y\r")
    assert hand(again) == held
    leave(again)


def hand(terminal: Terminal) -> list[str]:
    """Return what is written on the cards that are held, once it is our turn and they are drawn."""
    terminal.wait_for("YOUR TURN")
    seen: list[list[str]] = [[]]
    while not seen[-1] or seen[-1] != seen[-2]:  # output may come in pieces
        assert terminal.child.poll() is None, "\n".join(terminal.lines)
        terminal.look(0.3)
        rows = [n + 1 for n, line in enumerate(terminal.lines) if "╭───────╮" in line]
        seen.append(sorted(re.findall(r"│(\S+)\s", terminal.lines[rows[-1]])) if rows else [])
    return seen[-1]


@pytest.mark.long
def test_a_match_in_line_mode_goes_on_after_the_program_was_killed(opened: Opening) -> None:
    first = opened("play", "uno", "--bots", "2", "--plain", "--name", "maria")
    first.wait_for("Hand:")
    first.wait_for("Your turn")
    held = [line for line in first.lines if line.startswith("Hand:")][-1]
    first.child.kill()
    first.child.wait()
    again = opened("play", "uno", "--plain")
    again.wait_for("[Y/n]")
    again.press("y\r")
    again.wait_for("Your turn")
    assert held in again.lines
    again.press("quit\r")
    assert again.ends() == 0
    assert again.shows("parlour play uno")
    another = opened("play", "uno", "--plain")
    another.wait_for("[Y/n]")
    another.press("\x04")
    assert another.ends() != 0


@pytest.mark.long
def test_a_person_plays_a_whole_beginner_board_with_keys(opened: Opening) -> None:
    """The screen's own odds say where to go next; where nothing is safe they guess, and may lose."""
    terminal = opened("play", "minesweeper", "--name", "maria")
    terminal.wait_for("mines left")
    terminal.press("H")
    for _ in terminal.until("Play again"):
        terminal.press("n", " ")
    terminal.press("v")
    terminal.wait_for("digest")
    won = any(map(terminal.shows, ("you win", "YOU WIN")))  # while it is celebrated, too
    terminal.press("v")
    terminal.wait_for("mines left")
    assert terminal.shows("100% cleared") == won
    assert terminal.shows("✱") == (not won)  # the mine that they have set off
    leave(terminal)


@pytest.mark.long
def test_a_person_plays_minesweeper_with_the_mouse(opened: Opening) -> None:
    terminal = opened("play", "minesweeper", "--name", "maria")
    terminal.wait_for("10 mines left")
    corner = cell(terminal, 0, 0)
    terminal.click(*corner, RIGHT)
    terminal.wait_for("9 mines left")
    assert terminal.lines[corner[1]][corner[0]] == "⚑"
    terminal.click(*corner, RIGHT)
    terminal.wait_for("10 mines left")
    assert terminal.shows(" 0% cleared")
    terminal.click(*cell(terminal, 4, 4))
    terminal.wait_until_gone(" 0% cleared")
    terminal.click(*terminal.find("? Help"))
    terminal.wait_for("how it is played")
    terminal.press("\x1b")
    terminal.wait_until_gone("how it is played")
    leave(terminal)


@pytest.mark.long
def test_a_person_plays_a_card_with_the_mouse(opened: Opening) -> None:
    terminal = opened("play", "uno", "--bots", "1", "--name", "maria", "--option", "breath=0")
    for _ in terminal.until("You play "):
        if terminal.shows("Name a colour"):
            terminal.click(*terminal.find("r  ▲ RED"))  # beside the pile there is a RED, too
        elif key := next((key for key, choice in CHOICES.items() if terminal.shows(choice)), None):
            terminal.press(key)
        elif terminal.shows("▴"):
            column, row = terminal.find("▴")  # beneath a card that can be played
            terminal.click(column, row - 3)
        elif terminal.shows("YOUR TURN") and terminal.shows("deck "):
            column, row = terminal.find("deck ")
            terminal.click(column + 3, row - 2)  # the card above the word
        terminal.look(0.3)
    leave(terminal)


@pytest.mark.parametrize(
    "words", [["start"], pytest.param(["play", "minesweeper", "--name", "maria"], marks=pytest.mark.long)]
)
@pytest.mark.parametrize("vanishes", [pytest.param(True, marks=pytest.mark.long), False])
def test_a_terminal_that_is_gone_ends_the_program_and_one_that_stays_is_given_back(
    opened: Opening, words: list[str], vanishes: bool
) -> None:
    terminal = opened(*words)
    terminal.wait_for("Replays" if words == ["start"] else "mines left")
    assert not terminal.restored
    assert (terminal.vanish() if vanishes else terminal.terminate()) == 130
    assert vanishes or terminal.restored
    assert b"Traceback" not in terminal.raw


QUESTION, LAST = b"\x1bP$qm\x1b\\", b"\x1b[c"
YES, DONE = b"\x1bP1$r0;48:2::1:2:3m\x1b\\", b"\x1b[?64;1;2c"
TABLE, TABLE_256 = b"48;2;16;35;28", b"48;5;234"
"""The ground of the start screen in RGB, and among 256 colours."""


@pytest.mark.parametrize(
    ("answer", "shown", "other"), [(True, TABLE, TABLE_256), (False, TABLE_256, TABLE)], ids=["knows RGB", "silent"]
)
def test_a_terminal_is_asked_for_rgb_and_keys_typed_meanwhile_are_not_lost(
    opened: Opening, answer: bool, shown: bytes, other: bytes
) -> None:
    terminal = opened("start")
    if answer:
        terminal.replies = {QUESTION: b"?" + YES, LAST: DONE}
    else:
        terminal.press("?")
    terminal.wait_for("this help")
    assert shown in terminal.raw
    assert other not in terminal.raw
    terminal.press("\x1b")
    terminal.wait_until_gone("this help")
    leave(terminal)


@pytest.mark.long
def test_an_answer_that_comes_late_presses_no_keys(opened: Opening) -> None:
    terminal = opened("start")
    terminal.wait_for("Replays")
    before = terminal.at_rest()
    terminal.press((YES + DONE).decode())
    terminal.look(1)
    assert terminal.at_rest() == before
    assert "$" not in "".join(terminal.lines)
    terminal.press("?")
    terminal.wait_for("this help")
    assert TABLE not in terminal.raw
    terminal.press("\x1b")
    terminal.wait_until_gone("this help")
    leave(terminal)


@pytest.mark.long
@pytest.mark.parametrize(
    ("look", "term", "table"),
    [("auto", "screen-256color", TABLE_256), ("truecolour,unicode", "xterm-256color", TABLE)],
    ids=["GNU screen, which would print the question", "a look that names its colours"],
)
def test_who_is_not_asked_for_rgb(opened: Opening, look: str, term: str, table: bytes) -> None:
    terminal = opened("start", "--look", look, TERM=term)
    terminal.wait_for("Replays")
    assert QUESTION not in terminal.raw
    assert table in terminal.raw
    leave(terminal)
