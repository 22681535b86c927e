from xml.etree import ElementTree

from parlour_bots.arena.minesweeper.articles_table import LEFT, LEVELS, RIGHT, WIDTH, Figures, LevelFigures, svg

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = Figures(
    [LevelFigures(bot, level, (0.0, 0.5), 0.25, 0.5, 0.5) for bot in ("a<b", "exact") for level in LEVELS],
    {"exact": 300},
)


def test_a_bar_for_each_bot_and_level_a_dot_for_each_run() -> None:
    drawn = ElementTree.fromstring(svg(FIGURES, 100))
    bars = [float(bar.attrib["width"]) for bar in drawn.iter(f"{SVG}rect")]
    assert bars == [(WIDTH - LEFT - RIGHT) / 4] * 6 + [WIDTH - LEFT - RIGHT]
    assert len(list(drawn.iter(f"{SVG}circle"))) == 12


def test_everything_is_labelled_where_it_is() -> None:
    drawn = ElementTree.fromstring(svg(FIGURES, 100))
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert texts[0] == "Minesweeper boards solved, in per cent; a dot is a run of 100 boards"
    assert {*LEVELS, "300 boards", "a<b", "exact"} <= set(texts)
    assert texts.count("25.0 %") == 6
    assert texts.count("100.0 %") == 1


def test_everything_is_within_the_picture() -> None:
    drawn = ElementTree.fromstring(svg(FIGURES, 100))
    height = int(drawn.attrib["height"])
    assert all(0 < float(each.attrib["y"]) < height for each in drawn.iter() if "y" in each.attrib)
    ys = [float(each.attrib["y"]) for each in drawn.iter(f"{SVG}rect")]
    assert ys == sorted(set(ys))


def test_it_reads_on_dark_too_and_loads_nothing() -> None:
    text = svg(FIGURES, 100)
    assert "prefers-color-scheme:dark" in text
    assert text.count("http") == 1


def test_what_was_not_played_is_not_drawn() -> None:
    drawn = ElementTree.fromstring(svg(Figures([], {}), 100))
    assert list(drawn.iter(f"{SVG}rect")) == []
