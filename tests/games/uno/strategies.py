"""Actions as an untrusting test invents them, most of them illegal."""

from hypothesis import strategies as st

from parlour_games.uno.actions import Accept, Action, Catch, Challenge, Colour, Draw, Pass, Play, Uno

_COLOURS = st.sampled_from(["red", "yellow", "green", "blue", "pink", ""])


def any_action() -> st.SearchStrategy[Action]:
    """Return a strategy for every class of action but resigning, with fields in and out of range."""
    return st.one_of(
        st.builds(Play, st.integers(-2, 110), st.none() | _COLOURS, st.booleans()),
        st.sampled_from([Draw(), Pass(), Challenge(), Accept(), Uno()]),
        st.builds(Colour, _COLOURS),
        st.builds(Catch, st.integers(-2, 11)),
    )
