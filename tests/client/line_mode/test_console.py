"""The terminal: real pipes, and a real pseudo-terminal where the prompt matters."""

import io
import os
import pty
import sys

import pytest

from parlour_client.line_mode import Terminal


class Screen(io.StringIO):
    """A terminal to print on."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"ready\r\nr5\n\nlast", ["ready", "r5", "", "last"]), (b"", []), (b"\xff\n", ["\N{REPLACEMENT CHARACTER}"])],
)
async def test_lines_come_from_a_pipe_until_its_end(data: bytes, lines: list[str]) -> None:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    terminal = Terminal(io.StringIO(), reading)
    assert [line async for line in terminal.lines()] == lines
    os.close(reading)
    assert [line async for line in terminal.lines()] == [], "an input that is closed has ended"


def test_what_is_printed_is_harmless_and_on_one_line_and_a_pipe_sees_no_prompt() -> None:
    out = io.StringIO()
    terminal = Terminal(out)
    terminal.prompt()
    terminal.line("maria\x1b[2J plays\nred 5")
    assert out.getvalue() == "maria�[2J plays�red 5\n"
    assert not terminal.interactive


@pytest.mark.parametrize(("term", "erased"), [("xterm", "\r\x1b[K"), ("dumb", "\n")])
def test_an_event_takes_the_place_of_an_open_prompt_and_long_lines_are_broken_between_words(
    monkeypatch: pytest.MonkeyPatch, term: str, erased: str
) -> None:
    monkeypatch.setattr(os, "isatty", lambda fd: True)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "40")
    out = Screen()
    terminal = Terminal(out)
    terminal.prompt()
    terminal.prompt()
    terminal.line("otto passes.")
    terminal.line("Hand: red 2, red 3, red 9, yellow 9, green 8, green reverse.")
    terminal.prompt()
    hand = "Hand: red 2, red 3, red 9, yellow 9,\ngreen 8, green reverse."
    assert out.getvalue() == f"> {erased}otto passes.\n{hand}\n> "


async def test_a_typed_line_ends_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    out = Screen()
    terminal = Terminal(out, slave)
    terminal.prompt()
    os.write(master, b"r5\n")
    async for line in terminal.lines():
        assert line == "r5"
        terminal.line("You play red 5.")
        break
    assert out.getvalue() == "> You play red 5.\n"
    os.write(master, b"\x04")
    os.close(master)
