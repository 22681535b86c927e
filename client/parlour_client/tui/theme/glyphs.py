"""Every character that the screens draw with, in two sets: Unicode and ASCII.

Each is one column wide in both sets, and none is an emoji, whose width terminals disagree on.
"""

import attrs


@attrs.frozen(kw_only=True)
class Glyphs:
    """One set of characters. Boxes are (top left, top right, bottom left, bottom right, horizontal, vertical)."""

    red: str
    yellow: str
    green: str
    blue: str
    wild: str
    skip: str
    reverse: str
    clockwise: str
    card_back: str
    pattern: str
    """Fills the back of the deck."""
    flag: str
    wrong_flag: str
    mine: str
    closed: str
    """A closed cell where no colour tells it from an open one."""
    blank: str
    """An open cell without a number, under the cursor."""
    progress: str
    lives: str
    clock: str
    arrow: str
    """Between the parts of a path."""
    pointer: str
    """Before the entry or name that is meant."""
    enter: str
    """The return key: a sign, or its name where there is none. The only one that may be wider than a column."""
    playable: str
    ready: str
    cross: str
    dot: str
    dash: str
    times: str
    """Between width and height."""
    quotes: tuple[str, str]
    more: str
    """Cut off here."""
    more_left: str
    more_right: str
    bar_full: str
    bar_empty: str
    block: str
    upper_half: str
    lower_half: str
    left_half: str
    right_half: str
    box: tuple[str, str, str, str, str, str]
    heavy_box: tuple[str, str, str, str, str, str]
    frame: str
    """The name of textual's border that fits."""

    def suit(self, colour: str) -> str:
        """Return the shape of a colour of UNO, of ``wild`` too. Raises AttributeError for another word."""
        shape: str = getattr(self, colour)
        return shape


UNICODE = Glyphs(
    red="▲",
    yellow="■",
    green="●",
    blue="◆",
    wild="✦",
    skip="⊘",
    reverse="↺",
    clockwise="↻",
    card_back="▮",
    pattern="░",
    flag="⚑",
    wrong_flag="⚐",
    mine="✱",
    closed="▒",
    blank="·",
    progress="▦",
    lives="♡",
    clock="◷",
    arrow="›",
    pointer="▸",
    enter="⏎",
    playable="▴",
    ready="✓",
    cross="✗",
    dot="·",
    dash="–",
    times="×",
    quotes=("“", "”"),
    more="…",
    more_left="‹",
    more_right="›",
    bar_full="━",
    bar_empty="─",
    block="█",
    upper_half="▀",
    lower_half="▄",
    left_half="▌",
    right_half="▐",
    box=("╭", "╮", "╰", "╯", "─", "│"),
    heavy_box=("┏", "┓", "┗", "┛", "━", "┃"),
    frame="round",
)

ASCII = Glyphs(
    red="R",
    yellow="Y",
    green="G",
    blue="B",
    wild="*",
    skip="S",
    reverse="<",
    clockwise=">",
    card_back="#",
    pattern=".",
    flag="F",
    wrong_flag="x",
    mine="*",
    closed="#",
    blank=".",
    progress="%",
    lives="+",
    clock="@",
    arrow=">",
    pointer=">",
    enter="enter",
    playable="^",
    ready="+",
    cross="x",
    dot="-",
    dash="-",
    times="x",
    quotes=('"', '"'),
    more="~",
    more_left="<",
    more_right=">",
    bar_full="=",
    bar_empty="-",
    block="#",
    upper_half="-",
    lower_half="_",
    left_half="|",
    right_half="|",
    box=("+", "+", "+", "+", "-", "|"),
    heavy_box=("#", "#", "#", "#", "=", "H"),
    frame="ascii",
)
