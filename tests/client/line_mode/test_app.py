"""The line mode as a whole, at a scripted server and person; and its terminal: pipes, and a pseudo-terminal."""

import asyncio
import io
import os
import pty
import sys
from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Any

import pytest
from tests.client.messages import ROOM, VIEW, joined, over, table, turn, update, welcome
from tests.client.scripted_server import ScriptedSocket, server

from parlour_client import line_mode
from parlour_client.core.errors import Refused
from parlour_client.core.url import entering
from parlour_client.line_mode import Terminal
from parlour_client.play.entry import Entry
from parlour_protocol import messages as m

JOIN, PLAYING = m.Join(ROOM), table("playing")


class Person:
    """A console: each line is typed when a line that begins so has been printed."""

    def __init__(self, *script: tuple[str, str | None], interactive: bool = True) -> None:
        self.interactive = interactive
        self.printed: list[str] = []
        self.prompts = 0
        self._script = list(script)
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    def line(self, text: str) -> None:
        self.printed.append(text)
        if self._script and text.startswith(self._script[0][0]):
            self._typed.put_nowait(self._script.pop(0)[1])

    def prompt(self) -> None:
        self.prompts += 1

    async def lines(self) -> AsyncIterator[str]:
        while (line := await self._typed.get()) is not None:
            yield line


async def seat(it: ScriptedSocket, *messages: m.ServerMessage) -> None:
    """Let a visitor in and say what happens."""
    await it.greet()
    join = await it.hear()
    assert isinstance(join, m.Join | m.Create)
    await it.say(joined(0, re=join.id, table=PLAYING, view=VIEW), *messages)


async def visit(url: str, person: Person, enter: m.Join | m.Create = JOIN, **how: Any) -> None:
    """Play as maria, until the line mode ends in good order."""
    assert await line_mode.run_room(nullcontext(Entry(url, enter, "maria", **how)), person) == 0


async def see_off(it: ScriptedSocket) -> None:
    leave = await it.expect(m.Leave)
    await it.say(m.Left(ROOM, "left", re=leave.id))
    await it.socket.wait_closed()


async def test_a_person_plays_and_leaves() -> None:
    async def script(it: ScriptedSocket) -> None:
        await seat(it, turn(1, 7))
        assert await it.hear() == m.Act(ROOM, 7, {"do": "draw"})
        await it.say(
            update(2, {"e": "pass", "seat": 1}, view={**VIEW, "turn": 1}, ok={"rid": 7, "act": {"do": "draw"}})
        )
        await see_off(it)

    person = Person(("1 draw", "d"), ("otto passes.", "leave"))
    async with server(script) as url:
        await visit(url, person, entering("k7qd"))
    assert person.printed[-1] == "otto passes."
    assert person.prompts == 1, "none while others are to move"


@pytest.mark.parametrize("answered", [True, False])
async def test_the_end_of_the_input_is_a_polite_goodbye_that_need_not_be_answered(
    monkeypatch: pytest.MonkeyPatch, answered: bool
) -> None:
    async def script(it: ScriptedSocket) -> None:
        await seat(it, turn(1, 7))
        await (see_off(it) if answered else it.socket.wait_closed())

    monkeypatch.setattr(line_mode, "GOODBYE", 60.0 if answered else 0.01)
    async with server(script) as url:
        await visit(url, Person(("1 draw", None), interactive=False))


async def test_who_watches_without_a_terminal_goes_on_to_the_end() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        join = await it.expect(m.Join)
        assert join.as_ == "spectator"
        await it.say(joined(0, re=join.id, seat=None))
        with pytest.raises(TimeoutError):  # nothing is heard of the end of the input
            async with asyncio.timeout(0.1):
                await it.hear()
        await it.say(update(1, {"e": "pass", "seat": 1}), over(2))
        await see_off(it)

    person = Person(("Room", None), interactive=False)
    async with server(script) as url:
        await visit(url, person, m.Join(ROOM, "spectator"), once=True)
    assert "otto passes." in person.printed


async def test_a_guessed_name_that_is_taken_is_varied_and_a_chosen_one_is_not() -> None:
    async def taken(it: ScriptedSocket) -> None:
        hello = await it.expect(m.Hello)
        await it.say(m.Error("name_taken", f"{hello.name} is taken", re="hello"))
        await it.socket.wait_closed()

    async def second(it: ScriptedSocket) -> None:
        hello = await it.expect(m.Hello)
        assert hello.name == "maria-2"
        await it.say(welcome(name="maria-2"))
        await it.hear()
        await it.say(joined(0), m.Left(ROOM, "expired"))
        await it.socket.wait_closed()

    async with server(taken, second, taken) as url:
        await visit(url, Person(), own_name=False)
        with pytest.raises(Refused, match="maria is taken"):
            await visit(url, Person())


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
