from xml.etree import ElementTree

from parlour_bots.arena.minesweeper.articles_table import LEFT, LEVELS, RIGHT, WIDTH, Figures, LevelFigures, svg

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = Figures(
    [LevelFigures(bot, level, (0.0, 0.5), 0.25, 0.5, 0.5) for bot in ("a<b", "exact") for level in LEVELS],
    {"exact": 300},
)


def test_a_bar_for_each_bot_and_level_a_dot_for_each_run_all_labelled_and_within_the_picture() -> None:
    text = svg(FIGURES, 100)
    drawn = ElementTree.fromstring(text)
    bars = [*drawn.iter(f"{SVG}rect")]
    whole = WIDTH - LEFT - RIGHT
    assert [float(bar.attrib["width"]) for bar in bars] == [whole / 4] * 6 + [whole]
    assert len(list(drawn.iter(f"{SVG}circle"))) == 12
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    assert words[0] == "Minesweeper boards solved, in per cent; a dot is a run of 100 boards"
    assert {*LEVELS, "300 boards", "a<b", "exact"} <= set(words)
    assert (words.count("25.0 %"), words.count("100.0 %")) == (6, 1)
    height = int(drawn.attrib["height"])
    assert all(0 < float(each.attrib["y"]) < height for each in drawn.iter() if "y" in each.attrib)
    ys = [float(bar.attrib["y"]) for bar in bars]
    assert ys == sorted(set(ys))
    assert "prefers-color-scheme:dark" in text
    assert text.count("http") == 1, "it loads nothing"


def test_what_was_not_played_is_not_drawn() -> None:
    drawn = ElementTree.fromstring(svg(Figures([], {}), 100))
    assert list(drawn.iter(f"{SVG}rect")) == []
