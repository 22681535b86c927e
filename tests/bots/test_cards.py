from parlour_bots import cards


def test_cards() -> None:
    said = [
        (cards.colour(card), cards.symbol(card), cards.name(card), cards.points(card)) for card in (9, 49, 71, 100, 107)
    ]
    assert said == [
        ("red", "5", "red 5", 5),
        ("yellow", "draw two", "yellow draw two", 20),
        ("green", "reverse", "green reverse", 20),
        (None, "wild", "wild", 50),
        (None, "wild draw four", "wild draw four", 50),
    ]
    red5, blue5, blue_skip, wild = 9, 84, 94, 102
    assert [cards.fits(card, red5, "red") for card in (red5, blue5, blue_skip, wild)] == [True, True, False, True]
    assert [cards.fits(card, wild, "blue") for card in (red5, blue5, blue_skip, wild)] == [False, True, True, True]
