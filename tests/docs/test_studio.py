"""The pictures of the README: made from real screens, reproducible, with each character in its cell."""

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import attrs
import pytest
from docs.studio import __main__ as studio
from docs.studio import crash, looks, png, stills, uno_round, web_page
from docs.studio.staged_match import play_match
from rich.segment import Segment
from textual.strip import Strip

from parlour_client.tui import colors
from parlour_client.tui.svg import CELL, Shot, film, still

SVG = "{http://www.w3.org/2000/svg}"
MOST = 1_500_000
"""The maximum size of a picture in bytes."""


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.long
async def test_same_seed_draws_the_same_room() -> None:
    first, second = still(await stills.uno(stills.NARROW)), still(await stills.uno(stills.NARROW))
    assert first == second
    assert {"YOUR", "TURN", "UNO!", "33s"} <= set(words(first))


async def test_picture_has_each_character_in_its_cell() -> None:
    shot = await stills.start(stills.NARROW)
    width, height = shot.size
    texts = list(ElementTree.fromstring(still(shot)).iter(f"{SVG}text"))
    assert texts
    for text in texts:
        assert all(0 <= float(place) <= width for place in text.get("x", "").split())
        if length := text.get("textLength"):
            assert int(length) == len(text.text or "") * CELL[0]
    assert height == len(shot.lines) * CELL[1] + 24


async def test_a_sheet_shows_each_game_in_a_theme_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(colors, "folder", lambda: tmp_path / "themes")
    drawn = await looks.own_look()
    own = colors.palette_of("mine")
    assert own == attrs.evolve(colors.THEMES["night"], **tomllib.loads(looks.own_theme().partition("\n")[2]))
    assert looks.own_theme().count("\n") == 10, "ten lines are promised"
    assert {"mine", "UNO", "YOUR", "BOARD"} <= set(words(drawn))
    assert own.table is not None
    assert own.table in drawn


def test_the_documentation_names_every_role_of_a_theme() -> None:
    told = set(re.findall(r"`(\w+)`", looks.PAGE.read_text(encoding="utf-8").partition("| roles |")[2]))
    inks = {f"{suit}_ink" for suit in ("red", "yellow", "green", "blue", "wild")}
    assert {field.name for field in attrs.fields(colors.Palette)} - inks <= told


@pytest.mark.long
async def test_film_shows_a_whole_round_in_ten_to_twenty_seconds() -> None:
    shots = await uno_round.shots()
    drawn = film(shots)
    assert 10_000 <= sum(ms for _, ms in shots) <= 20_000
    assert "wins" in words(still(shots[-1][0]))
    assert len(drawn.encode()) < MOST
    known = set(re.findall(r'id="(l\d+)"', drawn))
    assert set(re.findall(r'href="#(l\d+)"', drawn)) == known


@pytest.mark.long
async def test_film_of_a_crash_shows_the_same_hands_before_and_after() -> None:
    shots = await crash.shots()
    assert 18_000 <= sum(ms for _, ms in shots) <= 22_000
    seen = [" ".join(words(still(shot))) for shot, _ in shots]
    lost = [at for at, text in enumerate(seen) if "Connection lost" in text]
    assert lost
    assert all("kill -9" in seen[at] for at in lost)
    assert all("kill -9" not in text for text in seen[: lost[0] - 1])
    assert seen[lost[-1] + 1].count("connected") == 2
    assert "11 cards" in seen[-1]


def test_film_shows_each_shot_for_its_duration_and_respects_reduced_motion() -> None:
    lines = [Strip([Segment(text)]) for text in ("ab", "cd", "ef")]
    shots = [(Shot(2, (line, lines[2]), "#000000"), ms) for line, ms in zip(lines[:2], (250, 750), strict=True)]
    drawn = film(shots)
    assert "0.000%{transform:translateX(0px)}25.000%{transform:translateX(-42px)}" in drawn
    assert "animation:on 1000ms step-end infinite" in drawn
    assert "@media(prefers-reduced-motion){#film{animation:none;transform:translateX(-42px)}}" in drawn
    assert drawn.count(">ef<") == 1  # a line that does not change is drawn once


def test_match_among_bots_is_reproducible() -> None:
    players = {"ada": "exact", "bruno": "adjacency"}
    games = [play_match(seed, "minesweeper", {"mode": "race"}, players) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_pictures_are_pngs_of_limited_size_in_the_font(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert studio.main(["card.png"]) == 2
    assert "no picture is named 'card.png': choose from start.png, uno.png" in capsys.readouterr().err
    monkeypatch.setattr(studio, "FOLDER", tmp_path)
    monkeypatch.setattr(png, "_drawn", lambda picture: b"nothing")
    assert studio.main(["start.png"]) == 1
    assert "Install DejaVu Sans Mono" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr(studio, "png", lambda picture: b"\x89PNG" + picture.encode())  # this machine may have no font
    assert studio.main(["start.png"]) == 0
    assert (tmp_path / "start.png").read_bytes().startswith(b"\x89PNG")
    assert "start.png" in capsys.readouterr().out
    kept = [*(Path(studio.__file__).parent.parent / "pictures").iterdir()]
    assert {path.name for path in kept} == {*studio.STILLS, *studio.SHEETS, *studio.FILMS, *web_page.PAGES}
    assert all(path.stat().st_size < MOST for path in kept)
