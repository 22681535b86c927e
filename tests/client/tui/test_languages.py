"""The screens in other languages: every fixed word comes from the tables, and German fits."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from tests.client.messages import PLAYING, joined, welcome
from tests.client.tui.screens.test_room_pictures import ended, helped, waiting
from tests.client.tui.scripted_app import SHEETS, Seen, at_table, running
from tests.client.tui.snapshots import lines
from textual.app import App

from parlour_client.core import phrases as module
from parlour_client.core.phrases import _Place, phrases
from parlour_client.storage import settings
from parlour_protocol.messages import Create
from parlour_protocol.phrases import LANGUAGES

MP = pytest.MonkeyPatch
PLACES = {**SHEETS, "lobby's help": [*SHEETS["lobby"], "question_mark"], "settings' help": [*SHEETS["settings"], "f1"]}
"""Screen → the keys that lead there."""
NAMES = {
    *("parlour", "UNO", "Minesweeper", "maria", "otto", "pia", "zoe", "ada", "bruno", "cleo", "host"),
    *("auto", "truecolour", "ascii", "mono", "light", "felt", "night", "nord", "gruvbox", "catppuccin", "contrast"),
    *("paper", "ws", "localhost", "join", "server", "lan", "serve", "games", "fetch", "DIGEST", "home", "toml"),
    *("client", "TOML", "SPDX", "hello", "red", "skip", "ms", "WD", "de", "id", *LANGUAGES.values()),
}
"""Words that are the same in every language: names, looks, commands, addresses."""

WORD = "[A-Za-zÄÖÜäöüß]{2,}"
"""A word in Latin letters, or a part of one."""


def marked(template: str) -> "list[str | _Place]":
    """Return the parts of a template with all its own letters in Greek."""
    return [in_greek(part) for part in parsed(template)]


def in_greek(part: "str | _Place") -> "str | _Place":
    if isinstance(part, str):
        return part if part == "#" else re.sub("[A-Za-z]", "ω", part)
    return _Place(part.field, part.format, {case: [*map(in_greek, parts)] for case, parts in part.cases.items()})


parsed = module._parsed


@pytest.fixture
def greek(monkeypatch: MP) -> None:
    """Mark every phrase."""
    monkeypatch.setattr(module, "_parsed", marked)


@pytest.fixture(autouse=True)
def far_away(no_rooms: None, monkeypatch: MP, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep settings elsewhere."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setattr("parlour_client.tui.app.speak", lambda _: None)
    monkeypatch.setattr(settings, "file", lambda: folder / "client.toml")


@asynccontextmanager
async def at(place: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[App[int]]:
    async with running(size=size) as (app, pilot):
        for key in PLACES[place]:
            await pilot.press(key)
            await app.workers.wait_for_complete() if place == "palette" else None
            await pilot.pause()
        yield app


async def playing(seen: Seen, *keys: str) -> None:
    await seen.hear(joined(**PLAYING))
    await seen.press(*keys)


ROOMS: dict[str, Callable[[Seen], Awaitable[None]]] = {
    "waiting": waiting, "playing": playing, "ended": ended, "helped": helped,
    "leaving": lambda seen: playing(seen, "q"), "people": lambda seen: playing(seen, "o"),
}  # fmt: skip


def foreign(app: App[int]) -> set[str]:
    """Return the words on the screen that neither a table nor a player brought."""
    text = re.sub(r"\S*[/:]\S*|\S*\d\S*|\S*…", " ", "\n".join(lines(app)))
    return {*re.findall(WORD, text)} - NAMES


@pytest.mark.usefixtures("greek")
@pytest.mark.parametrize("place", PLACES)
async def test_a_screen_has_no_words_of_its_own(place: str) -> None:
    async with at(place) as app:
        assert foreign(app) == set()


@pytest.mark.usefixtures("greek")
@pytest.mark.parametrize("name", ROOMS)
async def test_a_room_has_no_words_of_its_own(name: str) -> None:
    async with at_table(welcome(), enter=Create("uno", seats=4)) as seen:
        await ROOMS[name](seen)
        assert foreign(seen.app) == set()


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("place", ["start", "lobby", "create", "saved", "settings"])
async def test_german_fits_a_screen(place: str, size: tuple[int, int]) -> None:
    """No key is missing in the last line, no word is cut or broken, and at 80 columns only a path is shortened."""
    phrases.use("de")
    async with at(place, size) as app:
        assert foreign(app) <= {word for phrase in phrases._table.values() for word in re.findall(WORD, phrase)}
        *above, footer = lines(app)
        assert footer.rstrip().endswith(("Zurück", "Beenden"))
        assert place == "saved" or size[0] < 80 or not any("…" in line for line in above)
        assert not any(line.rstrip().endswith(" …") for line in above), "a column without room is left out"
