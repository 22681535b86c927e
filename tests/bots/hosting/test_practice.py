import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.support.commands import printed
from tests.support.waiting import PATIENCE

from parlour_bots.hosting import practice
from parlour_bots.hosting.practice import MOST, NAMES, at_home, practise
from parlour_bots.loading import find
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec, bot_spec
from parlour_client import line_mode
from parlour_client.core.errors import BotFault, Usage
from parlour_client.play.entry import Entry, connected
from parlour_client.play.room_client import RoomClient
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.minesweeper.board import cell, name
from parlour_games.minesweeper.board import CLOSED, MINE
from parlour_games.minesweeper.inference import Engine
from parlour_protocol.messages import Create


class Person:
    """Somebody at the console who answers every prompt by the last thing on offer, a draw or a pass."""

    interactive = True

    def __init__(self) -> None:
        self.printed: list[str] = []
        self.typed: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()

    def line(self, text: str) -> None:
        self.printed.append(text)
        if text.startswith("1 "):
            self.type(text.rpartition("  ")[2].split()[0])

    def type(self, text: str) -> None:
        self.typed.append(text)
        self._typed.put_nowait(text)

    def prompt(self) -> None:
        """Need no prompt."""

    async def lines(self) -> AsyncIterator[str]:
        while True:
            yield await self._typed.get()


def table(seats: int) -> Create:
    return Create("uno", {"scoring": "single", "breath": 0}, seats=seats, private=True, clock=None)


async def played(person: Person, bots: list[BotSpec], create: Create, name: str = "maria", once: bool = True) -> str:
    ended = practise(bots, create, name=name, once=once, console=person)
    assert await asyncio.wait_for(ended, PATIENCE) == 0
    return "\n".join(person.printed)


class Again(Person):
    """A player who plays the deal of the first match once more and leaves after it."""

    def line(self, text: str) -> None:
        super().line(text)
        if text.startswith("Fair: "):
            self.type("leave" if "again" in self.typed else "again")


async def test_person_plays_a_match_against_bots_and_its_deal_once_more() -> None:
    person = Again()
    text = await played(person, [find("painfirst")] * 2, table(3), once=False)
    hands = [text for text in person.printed if text.startswith("Hand: ")]
    assert len(hands) > 1
    assert hands.count(hands[0]) > 1
    seated = ["ada (painfirst bot) took a seat", "bruno (painfirst bot) took a seat"]
    assert [words for words in ("maria", *seated, "Your turn", "1. ") if words not in text] == []


@pytest.mark.long
async def test_bot_is_never_called_like_the_person() -> None:
    text = await played(Person(), [find("random")], table(2), name=NAMES[0].upper())
    assert f"{NAMES[1]} (random bot) took a seat" in text


WRONG = bot_spec(lambda turn: 99, "wrong")


async def test_mistakes_of_the_bot_are_told_after_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    await played(Person(), [WRONG], table(2))
    err = capsys.readouterr().err
    assert (f"{__file__}:" in err, "there is no action 99" in err) == (True, True)


class Sweeper(Person):
    """Somebody who reads the board as it is printed, and types the cells that are safest, or likeliest to be mines."""

    def __init__(self, mines: int, *, duel: bool = False) -> None:
        super().__init__()
        self._mines = mines
        self._duel = duel
        self._rows: dict[int, str] = {}
        self._columns: list[str] = []

    def line(self, text: str) -> None:
        self.printed.append(text)
        row = re.fullmatch(r" {0,2}(\d+)(?: (.*))?", text)
        if re.fullmatch(r" +[a-z]( [a-z])*", text):
            self._columns, self._rows = text.split(), {}
        elif row:
            self._rows[int(row[1])] = row[2] or ""
        elif text.startswith("Open a first cell"):
            self._typed.put_nowait(re.findall(r"[a-z]\d+", text)[0])
        elif text.startswith(("Your move", "Your turn")):
            self._typed.put_nowait(" ".join(self._choice()))

    def _choice(self) -> list[str]:
        width, height = len(self._columns), len(self._rows)
        shown = [_known(self._rows[y].ljust(2 * width)[2 * x]) for y in range(1, height + 1) for x in range(width)]
        odds = Engine(width, height, self._mines).read(shown)
        closed = [at for at, known in enumerate(shown) if known == CLOSED]
        best = max(closed, key=odds.mine) if self._duel else min(closed, key=odds.mine)
        safe = [] if self._duel else [at for at in odds.safe if at in closed]
        called = [f"{self._columns[at % width]}{at // width + 1}" for at in safe or [best]]
        assert all(name(cell(each)) == each for each in called)
        return called[:20]


def _known(char: str) -> int:
    return {" ": 0, ".": CLOSED, "*": MINE, "A": MINE, "B": MINE}.get(char, CLOSED) if not char.isdigit() else int(char)


def mines(seats: int, **options: Any) -> Create:
    return Create("minesweeper", options, seats=seats, private=True, clock=None)


async def test_person_plays_minesweeper_alone_to_the_end() -> None:
    text = await played(Sweeper(10), [], mines(1))
    won = "The board is clear: won." in text
    assert ("You set off the mine at" in text) is not won
    assert ("100 % of the safe cells open" in text) is won
    assert "Not possible" not in text
    told = ("Alone, level beginner.", "The board has a 3BV of", "Fair: ")
    assert [words for words in told if words not in text] == []


SMALL = {"level": "custom", "width": 8, "height": 8, "mines": 11}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mode": "race"}, ["The mines are placed. ", "The match is over (the race is over)", "ada: openings: "]),
        ({"mode": "duel", **SMALL}, ["6 of 11 win.", "The match is over (one player found most of the mines)"]),
        pytest.param(
            {"mode": "coop", "lives": 9}, ["Together, level beginner, 9 lives.", "maria (you)"], marks=pytest.mark.long
        ),
    ],
)
async def test_person_and_bot_on_the_same_board(options: dict[str, Any], told: list[str]) -> None:
    person = Sweeper(options.get("mines", 10), duel=options["mode"] == "duel")
    text = await played(person, [find("adjacency", "minesweeper")], mines(2, **options))
    assert [words for words in [*told, "ada (adjacency bot) took a seat", "Digest"] if words not in text] == []


@pytest.fixture
def practised(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the verb asks for, instead of playing it."""
    asked: list[Any] = []

    async def practise(bots: list[BotSpec], create: Create, pace: float, **more: Any) -> int:
        asked.append((bots, create, pace))
        return 0

    monkeypatch.setattr("parlour_bots.hosting.practice.practise", practise)
    named = {"uno": ("guard", "random"), "minesweeper": ("adjacency",)}
    monkeypatch.setattr("parlour_bots.hosting.practice.styles", named.__getitem__)
    return asked


@pytest.mark.parametrize(
    ("words", "options", "bots"),
    [
        ("", {}, ["guard", "random", "guard"]),
        ("uno --target 100 --bots 1 --option pause=0", {"target": 100, "pause": 0}, ["guard"]),
        ("uno --bot shaper --bots 2", {}, ["shaper", "shaper"]),
        ("uno --bot shaper", {}, ["shaper", "shaper", "shaper"]),
        ("uno --bot hard --bot easy", {}, ["hard", "easy"]),
        ("uno --bot hard --bot guard --bots 3", {}, ["hard", "guard", "hard"]),
        ("minesweeper", {"mode": "solo"}, []),
        ("minesweeper --bots 2 --level expert", {"mode": "race", "level": "expert"}, ["adjacency"] * 2),
        ("minesweeper --mode race", {"mode": "race"}, ["adjacency"] * 2),
        ("minesweeper --no-guess", {"mode": "solo", "no_guess": True}, []),
        ("minesweeper --mode coop --option lives=3 --pace 0", {"mode": "coop", "lives": 3}, ["adjacency"]),
        ("minesweeper --mode duel", {"mode": "duel"}, ["adjacency"]),
    ],
)
def test_what_is_played(words: str, options: dict[str, Any], bots: list[str], practised: list[Any]) -> None:
    printed("play", *words.split())
    [(seated, create, _)] = practised
    game = words.split()[0] if words else "uno"
    assert create == Create(game, options, seats=len(bots) + 1, private=True, clock=None)
    assert [(bot.name, bot.game) for bot in seated] == [(bot, game) for bot in bots]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("chess", "'chess' cannot be played here, only minesweeper, uno"),
        ("minesweeper --target 100", "--target: for uno, not for minesweeper"),
        ("uno --mode race --no-guess", "--mode, --no-guess: for minesweeper, not for uno"),
        ("minesweeper --mode chase", "mode must be one of solo, race, coop, duel, not 'chase'"),
        ("minesweeper --mode solo --bots 1", "--bots must be 0 in mode solo, not 1"),
        ("minesweeper --mode duel --bots 2", "--bots must be 1 in mode duel, not 2"),
        ("minesweeper --bots 10", "--bots must be from 1 to 9 in mode race, not 10"),
        ("uno --bots 0", f"--bots must be from 1 to {MOST}, not 0"),
        (f"uno --bots {MOST + 1}", f"--bots must be from 1 to {MOST}, not {MOST + 1}"),
        ("uno --bot hard --bot easy --bots 1", "--bot names 2 bots, but --bots only 1"),
        ("minesweeper --pace -1", "--pace must be 0 or more seconds, not -1.0"),
        ("minesweeper --pace nan", "--pace must be 0 or more seconds, not nan"),
        ("minesweeper --level expert --option level=custom", "level is given twice"),
        ("minesweeper --option height=9", "are for level custom"),
        ("minesweeper --option target=9", "There is no option 'target'"),
        ("minesweeper --option expert", "options are written NAME=VALUE"),
        ("minesweeper --bots 1 --bot nobody", "There is no bot 'nobody' for minesweeper."),
    ],
)
def test_wrong_words_teach(words: str, told: str, practised: list[Any]) -> None:
    assert told in printed("play", *words.split(), code=2)
    assert practised == []


def test_help_says_what_belongs_to_which_game() -> None:
    common, _, mines = printed("play", "--help").partition("─ Minesweeper ─")
    assert ("--target" in common, "--no-guess" in mines, "--no-no-guess" in mines) == (False, True, False)


@pytest.mark.parametrize(
    ("words", "screen", "pace"),
    [
        ("uno", True, profile("uno").pace),
        ("uno", False, 0),
        ("uno --plain", True, 0),
        ("uno --pace 0.3", False, 0.3),
        ("uno --pace 0", True, 0),
        ("minesweeper --mode race --plain", False, profile("minesweeper").pace),
    ],
)
def test_on_a_screen_a_person_sees_who_plays_what(
    words: str, screen: bool, pace: float, practised: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "on_a_screen", lambda: screen)
    printed("play", *words.split())
    assert [each[2] for each in practised] == [pace]


@pytest.mark.long
async def test_what_a_bot_did_wrong_is_told_on_the_way_back_to_the_start_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(practice, "find", lambda *_: WRONG)
    monkeypatch.setattr(practice, "profile", lambda _: attrs.evolve(profile("uno"), pace=0.0))

    async def game() -> None:
        async with at_home("uno", {"scoring": "single", "breath": 0}, name="maria", bots=1) as entry:
            how: dict[str, Any] = {"invite": entry.invite, "once": True, "ready": True, "keep": False}
            await line_mode.run_room(nullcontext(Entry(entry.url, entry.enter, "maria", **how)), Person())
            told.extend(entry.troubles)

    told: list[str] = []
    with pytest.raises(BotFault, match=r"a bot made \d+ mistakes?; the first: .*there is no action 99"):
        await asyncio.wait_for(game(), PATIENCE)
    assert len(told) == 1  # once, however often the bot fails
    assert "there is no action 99" in told[0]


async def test_practice_is_against_bots_of_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def remembered(style: str, game: str) -> BotSpec:
        asked.append(style)
        return find(style, game)

    monkeypatch.setattr(practice, "find", remembered)
    async with at_home("uno", {}, name="maria", level="hard") as entry:
        assert len(entry.invite) == 3
    assert set(asked) == {"hard"}


async def test_a_match_that_was_left_goes_on_with_the_same_hand(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    async def hand(way: AbstractAsyncContextManager[Entry]) -> tuple[KeptMatch, Any]:
        """Go in, wait for a question, and leave without giving up the seat."""
        async with way as entry, connected(entry, lambda _: None) as connection:
            client = RoomClient(connection.session, entry, url=connection.url)
            async for message in connection:
                client.feed(message)
                while client.outgoing:
                    await connection.send(client.outgoing.popleft())
                if client.room is not None and client.room.question is not None:
                    assert entry.kept is not None
                    return attrs.evolve(entry.kept, room=client.room.code), (client.room.view or {})["hand"]
        raise AssertionError("never asked")

    async with asyncio.timeout(PATIENCE):
        kept, held = await hand(at_home("uno", {}, name="maria", bots=2))
        again, found = await hand(at_home("uno", {}, name="maria", kept=kept))
    assert (found, again) == (held, kept)


@pytest.mark.long
async def test_two_tables_of_a_game_at_a_time_do_not_share_a_store(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with at_home("uno", {}, name="maria", bots=1) as first, at_home("uno", {}, name="maria", bots=1) as second:
        assert first.kept is not None
        assert second.kept is None
        with pytest.raises(Usage):
            async with at_home("uno", {}, name="maria", kept=first.kept):
                raise AssertionError("opened twice")
