"""The keys of UNO, with ids for remapping and phrases for the help."""

from textual.binding import Binding, BindingType

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
NUMBERS = "1234567890"
"""The keys for the first cards of a hand."""
BINDINGS: list[BindingType] = [
    Binding("left,h", "move(-1)", id="uno.left"),
    Binding("right,l", "move(1)", id="uno.right"),
    Binding("enter,space", "play", id="uno.play"),
    Binding("tab", "next(1)", id="uno.next"),
    Binding("shift+tab", "next(-1)", id="uno.previous"),
    Binding("d", "answer('draw')", id="uno.draw"),
    Binding("p,k", "answer('pass')", id="uno.pass"),
    Binding("a", "answer('accept')", id="uno.accept"),
    Binding("x", "answer('challenge')", id="uno.challenge"),
    Binding("u", "call", id="uno.call"),
    Binding("c", "catch", id="uno.catch"),
    Binding("j", "jump", id="uno.jump"),
    Binding("m", "mark", id="uno.mark"),
    Binding("H", "legal", id="uno.legal"),
    Binding("escape", "back", id="uno.back"),
    *(Binding(key, f"colour('{key}')", id=f"uno.{colour}") for key, colour in COLOURS.items()),
    *(Binding(key, f"number({at})", id=f"uno.card{at + 1}") for at, key in enumerate(NUMBERS)),
]
"""Actions of the widget."""
KEYS: list[tuple[str, str]] = [
    ("left right, h l", "tui.help.uno.move"),
    ("tab, shift+tab", "tui.help.uno.next"),
    ("enter, space", "tui.help.uno.play"),
    ("1 to 9, 0", "tui.help.uno.number"),
    ("d", "tui.help.uno.draw"),
    ("p, k", "tui.help.uno.pass"),
    ("u", "tui.help.uno.call"),
    ("c", "tui.help.uno.catch"),
    ("a, x", "tui.help.uno.four"),
    ("r y g b", "tui.help.uno.colour"),
    ("esc", "tui.help.uno.back"),
    ("j", "tui.help.uno.jump"),
    ("m", "tui.help.uno.mark"),
    ("H", "tui.help.uno.legal"),
]
"""(keys, phrase)."""
