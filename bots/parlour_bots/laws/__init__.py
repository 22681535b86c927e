"""The laws of a game: what servers, clients and bots rely on, checked in random matches.

A game's author checks them by ``parlour game check``, or in pytest by a subclass of ``Laws``::

    class TestLaws(Laws):
        game = HighCard()
"""

from parlour_bots.laws.checking import Laws

__all__ = ["Laws"]
