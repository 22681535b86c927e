"""The suits as people see them who lack one kind of cone, and text that can be read on its ground."""

from collections.abc import Iterable
from itertools import combinations

import attrs
import pytest
from tests.client.tui.contrast import contrast, linear

from parlour_client.tui.colors import DEFAULT, LIGHT, MONO, PALETTE_256, SLATE, Palette

SUITS = ("red", "yellow", "green", "blue")
COLOURED = {"default": DEFAULT, "slate": SLATE, "light": LIGHT, "256": PALETTE_256}
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
CONES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix: tuple[tuple[float, ...], ...], vector: Iterable[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: str | None, cones: str) -> tuple[float, float, float]:
    seen = [min(max(c, 0.0), 1.0) for c in times(CONES[cones], linear(colour))]
    scaled = [c / white for c, white in zip(times(TO_XYZ, seen), WHITE, strict=True)]
    x, y, z = (c ** (1 / 3) if c > 216 / 24389 else (24389 / 27 * c + 16) / 116 for c in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str | None, other: str | None, cones: str) -> float:
    """ΔE of 1976."""
    pairs = zip(lab(one, cones), lab(other, cones), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("cones", CONES)
@pytest.mark.parametrize("name", COLOURED)
def test_suits_stay_apart_for_everybody(name: str, cones: str) -> None:
    palette = COLOURED[name]
    closest = min(difference(palette.colour(a), palette.colour(b), cones) for a, b in combinations((*SUITS,), 2))
    assert closest >= 34


def test_a_naive_palette_would_not_do() -> None:
    naive = ("#ff0000", "#ffff00", "#00aa00", "#0000ff")
    assert min(difference(a, b, "deuteranopia") for a, b in combinations(naive, 2)) < 34


@pytest.mark.parametrize("name", COLOURED)
def test_what_is_written_on_a_suit_can_be_read(name: str) -> None:
    palette = COLOURED[name]
    ratios = {suit: contrast(*map(palette.colour, (suit, f"{suit}_ink"))) for suit in (*SUITS, "wild")}
    assert {suit: ratio for suit, ratio in ratios.items() if ratio < 6.25} == {}


@pytest.mark.parametrize(
    ("ground", "ink", "least"),
    [
        ("table", "ink", 7.0),
        ("panel", "ink", 7.0),
        ("cursor", "cursor_ink", 6.25),
    ],
)
@pytest.mark.parametrize("name", COLOURED)
def test_text_can_be_read(name: str, ground: str, ink: str, least: float) -> None:
    assert contrast(*map(COLOURED[name].colour, (ground, ink))) >= least


def test_the_256_colours_are_the_fixed_ones() -> None:
    steps = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
    cube = {f"#{r:02x}{g:02x}{b:02x}" for r in steps for g in steps for b in steps}
    greys = {f"#{v:02x}{v:02x}{v:02x}" for v in range(0x08, 0xEF, 10)}
    colours = _colours(PALETTE_256)
    assert {role for role, colour in colours.items() if colour not in cube | greys} == set()


def test_mono_has_no_colour() -> None:
    assert set(_colours(MONO).values()) == {None}


def _colours(palette: Palette) -> dict[str, str | None]:
    roles = [field.name for field in attrs.fields(Palette) if field.name != "numbers"]
    return {role: palette.colour(role) for role in (*roles, *(f"number_{n}" for n in range(1, 9)))}
