import re
from typing import Any
from xml.etree import ElementTree

import attrs
import pytest
from tests.bots.arena.layouts import outcome, settings

from parlour_bots.arena.league.report import of_league, svg
from parlour_bots.arena.league.run import LeagueContest


def league(*bots: str, deals: int = 20, winner: int = 0, **fields: Any) -> LeagueContest:
    """Return a contest that was won in every second deal by the bot ``winner``, else by the first seat."""
    made = LeagueContest(attrs.evolve(settings(*bots), **fields), games=200)
    for game in made.schedule.games(0, deals):
        seat = game.seats.index(winner) if winner in game.seats and game.deal % 2 else 0
        made.standings.add(outcome(game.seats, seat, game=game.number, deal=game.deal))
    return made


def test_every_figure_stands_beside_deals_seed_interval_and_rules() -> None:
    text = of_league(league("a", "b", rules="family")).text
    lines = text.splitlines()
    assert lines[0] == "UNO, family rules, 2 players: 40 rounds on 20 deals, each from every seat; seed 7"
    assert re.match(r"a +40 +30 +75\.0% +\d+\.\d%–\d+\.\d%", lines[3])
    assert "a against b: +50.00 percentage points (95 % interval +" in text
    assert "on 20 deals: a is better" in text
    assert lines[-1] == "Repeat these deals with --seed 7"


def test_the_tables_fit_into_80_columns() -> None:
    lines = of_league(league("painfirst", "b")).text.splitlines()
    tables = [line for line in lines if line.startswith(("bot", "pain")) and " against " not in line]
    assert max(map(len, tables)) <= 80


def test_three_bots_have_a_matrix() -> None:
    text = of_league(league("a", "b", "c")).text
    head, first, *_ = text[text.index("% won by") :].splitlines()
    assert head.split()[-3:] == ["a", "b", "c"]
    assert re.fullmatch(r"a +· +75\.0 ± \d+\.\d +75\.0 ± \d+\.\d", first)
    assert "% won by" not in of_league(league("a", "b")).text


def test_what_cannot_be_told_yet_is_said_with_how_many_games_might_tell() -> None:
    told = of_league(league("a", "b", deals=4))
    assert re.search(r"not yet distinguishable: about [\d,]+ more games", told.text)
    (pair,) = told.data["pairs"]
    assert pair["better"] is None
    assert pair["more_games"] > 0
    assert "over ten million" in of_league(league("a", "b", winner=9)).text


def test_data_are_those_of_the_contest() -> None:
    data = of_league(league("a", "b", "c", match=300)).data
    assert (data["game"], data["games"], data["seed"], data["match"]) == ("uno", 120, 7, 300)
    assert len(data["pairs"]) == 3
    low, high = data["bots"][0]["ci95"]
    assert 0 <= low < data["bots"][0]["win_rate"] < high <= 1


@pytest.mark.parametrize(
    ("bots", "reproducible"),
    [(("a", "b"), True), (("search(think=50)", "b"), False), (("search(worlds=50)", "exec:c (think=1)"), True)],
)
def test_what_thinks_against_a_clock_is_marked(bots: tuple[str, ...], reproducible: bool) -> None:
    report = of_league(league(*bots))
    assert report.data["reproducible"] is reproducible
    assert ("NOT reproducible" in report.text) is not reproducible


def test_nothing_is_told_of_an_incomplete_deal() -> None:
    report = of_league(league("a", "b", deals=0))
    assert report.text == "interrupted before any deal was played from every seat"
    assert (report.data["games"], report.data["bots"]) == (0, [])


def drawn(*names: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg(league(*names)))


def test_strongest_comes_first_with_its_rating_and_each_pair_has_a_field_either_way() -> None:
    picture = drawn("weak", "<b>", "c")
    told = [each.text or "" for each in picture if each.tag.endswith("text")]
    assert any(text.endswith("seed 7") for text in told)
    assert any(text.count("±") == 1 and text.split()[0].isdigit() for text in told)
    assert told.index("weak") < told.index("<b>")
    assert sum(each.tag.endswith("rect") for each in picture) == 6
    assert told.count("·") == 3
    assert "75.0" in told


def test_every_whisker_holds_its_dot_and_stays_in_the_picture() -> None:
    picture = drawn("a", "b", "c")
    width = float(picture.attrib["width"])
    whiskers = [each.attrib["d"] for each in picture if each.attrib.get("class") == "w"]
    dots = [float(each.attrib["cx"]) for each in picture if each.tag.endswith("circle")]
    assert len(whiskers) == len(dots) == 3
    for path, dot in zip(whiskers, dots, strict=True):
        low, high = float(path[1:].split()[0]), float(path.split("H")[1].split("M")[0])
        assert 0 < low <= dot <= high < width
