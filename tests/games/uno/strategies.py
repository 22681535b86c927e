"""Hypothesis strategies for actions, most of them illegal."""

from hypothesis import strategies as st

from parlour_games.uno.actions import Accept, Action, CallUno, Catch, Challenge, Colour, Draw, Jump, Pass, Play

_CARDS = st.integers(-2, 110)
_SEATS = st.none() | st.integers(-2, 11)
_MANY = st.lists(_CARDS, max_size=3).map(tuple)
_COLOURS = st.sampled_from(["red", "yellow", "green", "blue", "pink", ""])


def any_action() -> st.SearchStrategy[Action]:
    """Return a strategy for every class of action but resigning, with fields in and out of range."""
    return st.one_of(
        st.builds(Play, st.integers(-2, 110), st.none() | _COLOURS, st.booleans(), _SEATS),
        st.builds(Play, st.none() | _CARDS, st.none() | _COLOURS, st.booleans(), _SEATS, _MANY),
        st.builds(Jump, _CARDS, _SEATS, st.booleans()),
        st.sampled_from([Draw(), Pass(), Challenge(), Accept(), CallUno()]),
        st.builds(Colour, _COLOURS),
        st.builds(Catch, st.integers(-2, 11)),
    )
