"""The keys of UNO, with ids for remapping and descriptions for the help."""

from textual.binding import Binding, BindingType

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
NUMBERS = "1234567890"
"""The keys for the first cards of a hand."""
BINDINGS: list[BindingType] = [
    Binding("left,h", "move(-1)", "Left", id="uno.left"),
    Binding("right,l", "move(1)", "Right", id="uno.right"),
    Binding("enter,space", "play", "Play", id="uno.play"),
    Binding("tab", "next(1)", "Next playable", id="uno.next"),
    Binding("shift+tab", "next(-1)", "Playable before", id="uno.previous"),
    Binding("d", "answer('draw')", "Draw", id="uno.draw"),
    Binding("p,k", "answer('pass')", "Keep", id="uno.pass"),
    Binding("a", "answer('accept')", "Accept", id="uno.accept"),
    Binding("x", "answer('challenge')", "Challenge", id="uno.challenge"),
    Binding("u", "call", "Call UNO", id="uno.call"),
    Binding("c", "catch", "Catch", id="uno.catch"),
    Binding("j", "jump", "Jump in", id="uno.jump"),
    Binding("m", "mark", "Mark", id="uno.mark"),
    Binding("H", "legal", "What can be played", id="uno.legal"),
    Binding("escape", "back", "Back", id="uno.back"),
    *(Binding(key, f"colour('{key}')", colour, id=f"uno.{colour}") for key, colour in COLOURS.items()),
    *(Binding(key, f"number({at})", f"Card {at + 1}", id=f"uno.card{at + 1}") for at, key in enumerate(NUMBERS)),
]
"""Actions of the widget."""
KEYS: list[tuple[str, str]] = [
    ("left right, h l", "move the cursor"),
    ("tab, shift+tab", "to the next card that can be played, or the one before"),
    ("enter, space", "play the card under the cursor"),
    ("1 to 9, 0", "play that card"),
    ("d", "draw; a click on the deck does, too"),
    ("p, k", "keep what was drawn; where it does not fit enter and d keep it, too"),
    ("u", "call UNO with the next card, or now if you stand at one card"),
    ("c", "catch who has one card left and has not called"),
    ("a, x", "a wild draw four on you: accept it, or challenge; a also draws what is stacked"),
    ("r y g b", "the colour of a wild"),
    ("esc", "back from a choice; takes marks off"),
    ("j", "jump in with the same card, where the house rules let you"),
    ("m", "mark several cards of one number, where they may be laid together; enter lays them"),
    ("H", "what can be played, in words"),
]
"""(key, description)."""
