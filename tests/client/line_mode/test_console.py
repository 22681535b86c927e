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


async def typed(data: bytes) -> list[str]:
    """Return the lines that a console reads from a pipe with ``data`` in it."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
        os.close(writing)
        return [line async for line in Terminal(io.StringIO(), reading).lines()]
    finally:
        os.close(reading)


async def test_lines_come_from_a_pipe_until_its_end() -> None:
    assert await typed(b"ready\r\nr5\n\nlast") == ["ready", "r5", "", "last"]
    assert await typed(b"") == []


async def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert await typed(b"\xff\n") == ["\N{REPLACEMENT CHARACTER}"]


async def test_an_input_that_is_closed_has_ended() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    os.close(reading)
    assert [line async for line in Terminal(io.StringIO(), reading).lines()] == []


def test_what_is_printed_is_harmless_and_on_one_line() -> None:
    out = io.StringIO()
    Terminal(out).line("maria\x1b[2J plays\nred 5")
    assert out.getvalue() == "maria�[2J plays�red 5\n"


def test_a_pipe_sees_no_prompt() -> None:
    out = io.StringIO()
    terminal = Terminal(out)
    terminal.prompt()
    assert out.getvalue() == ""
    assert not terminal.interactive


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> tuple[Terminal, Screen]:
    """A person's terminal."""
    monkeypatch.setattr(os, "isatty", lambda fd: True)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    out = Screen()
    return Terminal(out), out


def test_an_event_takes_the_place_of_an_open_prompt(screen: tuple[Terminal, Screen]) -> None:
    terminal, out = screen
    terminal.prompt()
    terminal.prompt()
    terminal.line("otto passes.")
    terminal.line("pia passes.")
    terminal.prompt()
    assert out.getvalue() == "> \r\x1b[Kotto passes.\npia passes.\n> "


def test_a_dumb_terminal_gets_a_new_line_instead(
    screen: tuple[Terminal, Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    out = Screen()
    terminal = Terminal(out)
    terminal.prompt()
    terminal.line("otto passes.")
    assert out.getvalue() == "> \notto passes.\n"


def test_long_lines_are_broken_between_words_for_a_person(screen: tuple[Terminal, Screen]) -> None:
    terminal, out = screen
    terminal.line("Hand: red 2, red 3, red 9, yellow 9, green 8, green reverse.")
    assert out.getvalue() == "Hand: red 2, red 3, red 9, yellow 9,\ngreen 8, green reverse.\n"


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
