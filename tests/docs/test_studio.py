"""The pictures of the README: made of real screens, the same each time, each sign in its cell."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from docs.studio import __main__ as studio
from docs.studio import page, png, stills
from docs.studio import round as uno_round
from docs.studio.svg import CELL, Shot, film, still
from docs.studio.table import played

SVG = "{http://www.w3.org/2000/svg}"
MOST = 1_500_000
"""Bytes of a picture."""


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]


async def test_the_same_seed_draws_the_same_table() -> None:
    first, second = still(await stills.uno(stills.NARROW)), still(await stills.uno(stills.NARROW))
    assert first == second
    assert {"YOUR", "TURN", "UNO!", "33s"} <= set(words(first))


async def test_a_picture_keeps_every_character_in_its_cell() -> None:
    shot = await stills.start(stills.NARROW)
    width, height = shot.size
    texts = list(ElementTree.fromstring(still(shot)).iter(f"{SVG}text"))
    assert texts
    for text in texts:
        assert 0 <= float(text.get("x", "")) <= width
        if length := text.get("textLength"):
            assert int(length) == len(text.text or "") * CELL[0]
    assert height == len(shot.lines) * CELL[1] + 24


async def test_the_film_shows_a_whole_round_in_ten_to_twenty_seconds() -> None:
    shots = await uno_round.shots()
    drawn = film(shots)
    assert 10_000 <= sum(ms for _, ms in shots) <= 20_000
    assert "wins" in words(still(shots[-1][0]))
    assert len(drawn.encode()) < MOST
    known = set(re.findall(r'id="(l\d+)"', drawn))
    assert set(re.findall(r'href="#(l\d+)"', drawn)) == known


def test_a_film_shows_each_shot_for_its_time_and_holds_still_for_who_wants_that() -> None:
    shots = [(Shot(2, (f"<g>{n}</g>", "<g/>"), "#000000"), ms) for n, ms in enumerate((250, 750))]
    drawn = film(shots)
    assert "0.000%{transform:translateX(0px)}25.000%{transform:translateX(-42px)}" in drawn
    assert "animation:on 1000ms step-end infinite" in drawn
    assert "@media(prefers-reduced-motion){#film{animation:none;transform:translateX(-42px)}}" in drawn
    assert drawn.count("<g/>") == 1  # a line that does not change is drawn once


def test_a_match_among_bots_is_the_same_under_the_same_seed() -> None:
    players = {"ada": "exact", "bruno": "adjacency"}
    games = [played(seed, "minesweeper", {"mode": "race"}, players) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_without_a_font_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(png, "_drawn", lambda picture: b"nothing")
    monkeypatch.setattr(studio, "FOLDER", tmp_path)
    assert studio.main(["start.png"]) == 1
    assert "Install DejaVu Sans Mono" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_picture_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert studio.main(["card.png"]) == 2
    assert "no picture 'card.png', only start.png, uno.png" in capsys.readouterr().err


def test_pictures_are_pngs_and_no_larger_than_they_may_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(studio, "FOLDER", tmp_path)
    monkeypatch.setattr(studio, "png", lambda picture: b"\x89PNG" + picture.encode())  # this machine may have no font
    assert studio.main(["start.png"]) == 0
    assert (tmp_path / "start.png").read_bytes().startswith(b"\x89PNG")
    assert "start.png" in capsys.readouterr().out
    kept = [*(Path(studio.__file__).parent.parent / "pictures").iterdir()]
    assert {path.name for path in kept} == {*studio.STILLS, *studio.FILMS, *page.PAGES}
    assert all(path.stat().st_size < MOST for path in kept)
