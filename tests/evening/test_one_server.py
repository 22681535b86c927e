"""A scripted evening: a terminal, line mode, a browser and the library at one table, and ``kill -9`` in the middle."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Page
from tests.client.line_mode.test_terminal import CHOICES
from tests.evening.people import (
    QUICK,
    RULES,
    WATCH,
    Player,
    Spectator,
    file_of,
    in_background,
    leaks,
    players,
    seated,
    waits,
)
from tests.support.chromium import chromium
from tests.support.server import server_process
from tests.support.sockets import Map
from tests.support.terminal import Terminal
from tests.support.waiting import until
from tests.web.visitors import FREE_CHAIR, Visitors, address, press_on, unfold

from parlour_protocol.codec import MSGPACK
from parlour_server.game_files.verify import verify

pytestmark = [pytest.mark.chromium, pytest.mark.node]
DELAY = 3_000
PATIENCE = 300.0
"""Seconds for a match."""
LIBRARY = ("dora", "emil", "finn")
T = TypeVar("T")


class Loop:
    """An event loop in a thread of its own, beside that of the browser."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of ``work``."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def close(self) -> None:
        """Stop the loop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def library(url: str) -> Iterator[tuple[Loop, AsyncExitStack, dict[str, Player]]]:
    """Connect the people who play by the library."""
    loop, stack = Loop(), AsyncExitStack()

    async def connected() -> dict[str, Player]:
        return await stack.enter_async_context(players(dict.fromkeys(LIBRARY, url)))

    try:
        yield loop, stack, loop.run(connected())
    finally:
        loop.run(stack.aclose())
        loop.close()


class Typist:
    """A person at a terminal, on the screens or in line mode, who answers when it is asked."""

    def __init__(self, folder: Path, name: str, *words: str) -> None:
        folder.mkdir()
        more = {"COLUMNS": "1000"} if "--plain" in words else {}
        self.terminal = Terminal(folder, *words, "--name", name, XDG_STATE_HOME=str(folder), **more)
        self.answers = 0
        self._plain = "--plain" in words
        self._read = 0
        """How much of the output of line mode has been answered."""
        self._tries = 0
        """The keys that were pressed in this turn on the screens."""

    def answer(self) -> None:
        """Look at the screen for a moment, and answer a question."""
        self.terminal.look(0.02)
        if self._plain:
            self._type()
        elif self.terminal.shows("Name a colour"):
            self.terminal.press("r")
        elif self.terminal.shows("YOUR TURN"):
            self.answers += self._tries == 0
            self.terminal.press(("\t\r", "d", "p")[self._tries % 3])
            self._tries += 1
        else:
            self._tries = 0

    def _type(self) -> None:
        text = self.terminal.raw.decode(errors="replace")
        asked = CHOICES.search(text, self._read)
        if asked:
            self._read = len(text)
            self.answers += 1
            color = " blue" if "COLOUR" in asked[0].split("]")[0] else ""
            self.terminal.press(f"1{color}{' !' if asked[1] else ''}\n")


class Table:
    """All who sit at the table, and how a match goes on."""

    def __init__(self, page: Page, *typists: Typist) -> None:
        self._page, self._typists = page, typists

    def until(self, condition: Any) -> None:
        """Let everyone answer until ``condition`` holds."""
        end = monotonic() + PATIENCE
        while not condition():
            assert monotonic() < end, ["\n".join(each.terminal.lines) for each in self._typists]
            for typist in self._typists:
                typist.answer()
            self._page.wait_for_timeout(20)


@pytest.fixture
def visitors() -> Iterator[Visitors]:
    """Visitors with a browser. Fails after the test if any of their pages logged an error."""
    with chromium() as browser:
        people = Visitors(browser)
        yield people
        people.close()
    assert people.faults == []


@pytest.mark.parametrize(
    ("rules", "kills"),
    [(RULES, 1), pytest.param({"target": 150, "pause": 0, "breath": 0}, 6, marks=pytest.mark.torture)],
    ids=["short", "long"],
)
def test_an_evening_survives_kill_9(tmp_path: Path, visitors: Visitors, rules: Map, kills: int) -> None:
    with server_process(tmp_path, house_bots=True) as server, library(server.url) as (loop, stack, people):
        dora, emil, finn = (people[name] for name in LIBRARY)
        for name, more, seats in (("early", {"preset": "family"}, 7), ("late", {"jump_in": True}, 8)):
            preset = {"options": {**rules, **more}, "seats": seats, "clock": QUICK}
            loop.run(dora.ask("presets", do="save", game="uno", name=name, **preset))
        page = visitors.visit(address(server, "#create"))
        code = opened(page)
        room = {"room": code}
        spectators = [Spectator(server.url, "walt", code, MSGPACK), Spectator(server.url, "xena", code)]

        async def watched() -> None:
            for spectator in spectators:
                in_background(stack, spectator.watch())

        def seen() -> set[int]:
            """Return how many matches each has seen the end of."""
            return {len(each.ended) for each in people.values()} | {len(each.ended) for each in spectators}

        loop.run(watched())
        where = (code, "--server", server.url)
        anna = Typist(tmp_path / "anna", "anna", "join", *where)
        bert = Typist(tmp_path / "bert", "bert", "join", *where, "--plain")
        table = Table(page, anna, bert)
        try:
            anna.terminal.wait_for("Sit down")
            anna.terminal.press("\r")
            anna.terminal.wait_for("when you are ready")
            bert.terminal.wait_for("Type ready to begin")
            for each in (dora, emil):
                loop.run(each.client.join(code))
            loop.run(finn.ask(**WATCH, **room))
            for count in (6, 7):
                page.click(FREE_CHAIR)
                page.wait_for_selector(f".people li:nth-child({count})", state="attached")
            # the first change of rules, in the browser
            page.click("[aria-label='Change rules']")
            page.check("dialog input[value=official]", force=True)
            page.click("dialog button.main")
            page.wait_for_selector("dialog", state="detached")
            loop.run(until(lambda: dora.table["options"]["preset"] == "official"))
            assert not any(row["ready"] for row in dora.table["seats"] if row["kind"] == "human")
            for each in (dora, emil):
                loop.run(each.ask("ready", **room))
            press_on(page)
            page.click("button.main >> text=Ready")
            bert.terminal.press("ready\n")
            anna.terminal.press("r")
            table.until(lambda: dora.answers > 0)
            # a seat is handed over, and who gave it waits for another
            seat = emil.client.seats[code].seat
            loop.run(finn.ask("handover", **room, seat=seat))
            loop.run(emil.ask("handover", **room, to="finn"))
            loop.run(until(lambda: code in finn.client.seats and finn.client.seats[code].seat == seat))
            loop.run(emil.ask("queue", **room))
            for number in range(kills):
                if number and dora.client.seats[code].state.over:  # a single round may reach the target
                    break
                assert dora.client.seats[code].state.over is None
                server.kill()
                server.restart(same_port=True)
                table.until(partial(plays_on, dora, code, dora.answers))
            table.until(lambda: seen() == {1})
            # the second change in line mode, and the third in the terminal; the queue moves up
            loop.run(until(lambda: waits(emil, code)))
            page.wait_for_selector(".people li:nth-child(7)", state="attached")
            page.click("[aria-label='Manage bert']")
            page.click("dialog button[data-do=host]")
            table.until(lambda: dora.table["host"] == "bert")
            bert.terminal.press("rules stack2=true\n")
            table.until(lambda: dora.table["options"]["stack2"])
            bert.terminal.press("host anna\n")
            table.until(lambda: dora.table["host"] == "anna")
            anna.terminal.press("C")
            anna.terminal.wait_for("preset of the server")
            anna.terminal.press("\x1b[H", "\x1b[C", "\x1b[C")
            anna.terminal.wait_for("late")
            anna.terminal.press("\r")
            table.until(lambda: seated(dora.table, "emil"))
            for each in people.values():
                loop.run(each.ask("ready", **room))
            page.click("button.main >> text=/Ready|Play again/")
            bert.terminal.press("ready\n")
            anna.terminal.press("r")
            table.until(lambda: seen() == {2})
            page.wait_for_selector(".results:not([hidden])")
            digests = list(dora.ended)
            files = [loop.run(file_of(dora, digest)) for digest in digests]
        finally:
            for typist in (anna, bert):
                typist.terminal.close()
    assert all(verify(lines, digest).ok for lines, digest in zip(files, digests, strict=True))
    begun = [json.loads(lines[0]) for lines in files]
    assert [(each["options"]["preset"], each["options"]["jump_in"]) for each in begun] == [
        ("official", False),
        ("official", True),
    ]
    assert {"anna", "bert", *LIBRARY} <= {player["name"] for player in begun[1]["players"]}
    assert any('"r":"handed"' in line for line in files[0])
    assert anna.answers
    assert bert.answers
    for spectator in spectators:
        assert leaks(spectator.notes, files) == []
        assert all(dora.ended[digest] < moment for digest, moment in spectator.ended.items()), "they see it later"


def plays_on(player: Player, room: str, before: int) -> bool:
    """Whether a person has answered more often than ``before``, or the match is over."""
    return player.answers > before or player.client.seats[room].state.over is not None


def opened(page: Page) -> str:
    """Open a room with the rules of a preset, whose spectators are late; return its code."""
    page.click("text=early")
    unfold(page)
    later = f"(field) => {{ field.options[1].value = '{DELAY}'; field.value = '{DELAY}'; }}"
    page.eval_on_selector("#field-delay", later)
    page.select_option("#field-pace", "once")
    page.click("text=Create room")
    page.wait_for_selector("button.main >> text=Ready")
    return page.url.rpartition("/")[2]
