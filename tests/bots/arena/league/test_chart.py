from xml.etree import ElementTree

from tests.bots.arena.league.test_report import league

from parlour_bots.arena.league.report import svg


def drawn(*names: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg(league(*names)))


def texts(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture if each.tag.endswith("text")]


def test_strongest_comes_first_with_its_rating() -> None:
    told = texts(drawn("weak", "<b>", "c"))
    assert any(text.endswith("seed 7") for text in told)
    assert any(text.count("±") == 1 and text.split()[0].isdigit() for text in told)
    assert told.index("weak") < told.index("<b>")


def test_every_whisker_holds_its_dot_and_stays_in_the_picture() -> None:
    picture = drawn("a", "b", "c")
    width = float(picture.attrib["width"])
    whiskers = [each.attrib["d"] for each in picture if each.attrib.get("class") == "w"]
    dots = [float(each.attrib["cx"]) for each in picture if each.tag.endswith("circle")]
    assert len(whiskers) == len(dots) == 3
    for path, dot in zip(whiskers, dots, strict=True):
        low, high = float(path[1:].split()[0]), float(path.split("H")[1].split("M")[0])
        assert 0 < low <= dot <= high < width


def test_matrix_has_a_field_for_each_pair_either_way() -> None:
    picture = drawn("a", "b", "c")
    assert sum(each.tag.endswith("rect") for each in picture) == 6
    assert texts(picture).count("·") == 3
    assert "75.0" in texts(picture)
