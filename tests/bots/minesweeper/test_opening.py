import pytest

from parlour_bots.minesweeper.exact import first_click


@pytest.mark.parametrize(
    ("width", "height", "first", "cell"),
    [(30, 16, "safe", 0), (30, 16, "any", 0), (30, 16, "opening", 93), (2, 2, "opening", 0), (5, 4, "radius", 7)],
)
def test_first_click(width: int, height: int, first: str, cell: int) -> None:
    assert first_click(width, height, first) == cell
