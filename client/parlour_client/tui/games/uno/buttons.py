"""The keys and buttons of UNO: actions besides playing a card, or the answers to a choice."""

from collections.abc import Sequence

import attrs
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno.words import colour_name
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.cards import block
from parlour_client.tui.games.uno.intents import Choosing, Intent, Intents
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import TARGET, Canvas, placed, target

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
NUMBERS = "1234567890"
"""The keys for the first cards of a hand."""
BINDINGS: list[BindingType] = [
    Binding("left,h", "move(-1)", id="uno.left", system=True),
    Binding("right,l", "move(1)", id="uno.right", system=True),
    Binding("enter,space", "play", id="uno.play"),
    Binding("tab", "move(1,True)", id="uno.next", system=True),
    Binding("shift+tab", "move(-1,True)", id="uno.previous", system=True),
    Binding("d", "answer('draw')", id="uno.draw"),
    Binding("p,k", "answer('pass')", id="uno.pass"),
    Binding("a", "answer('accept')", id="uno.accept"),
    Binding("x", "answer('challenge')", id="uno.challenge"),
    Binding("u", "call", id="uno.call"),
    Binding("c", "answer('catch')", id="uno.catch"),
    Binding("j", "answer('jump')", id="uno.jump"),
    Binding("m", "mark", id="uno.mark"),
    Binding("H", "legal", id="uno.legal"),
    Binding("escape", "back", id="uno.back", system=True),
    *(Binding(key, f"colour('{key}')", id=f"uno.{colour}") for key, colour in COLOURS.items()),
    *(Binding(key, f"number({at})", id=f"uno.card{at + 1}", system=True) for at, key in enumerate(NUMBERS)),
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


_GAP = 2
_LONGEST = 30


@attrs.frozen
class Button:
    """A button: its key, its label, and the action of the widget it runs.

    ``suit``: the colour it chooses; ``urgent``: highlight it.
    """

    key: str
    label: str
    action: str
    suit: str | None = None
    urgent: bool = False


class Buttons(Canvas):
    """Buttons in a row, after a prompt if there is one. They run actions of the widget around them."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self.buttons: list[Button] = []
        self._prompt = ""

    @property
    def words(self) -> str:
        """The row as plain text."""
        return "  ".join(part.plain for part in self._parts(_LONGEST) if part)

    def set_buttons(self, buttons: Sequence[Button], prompt: str = "") -> None:
        """Show ``buttons`` after ``prompt``."""
        self.buttons, self._prompt = [*buttons], prompt
        self.repaint()

    async def press(self, key: str) -> None:
        """Press the button of ``key``, if there is one."""
        for action in [button.action for button in self.buttons if button.key == key]:
            await self.app.run_action(action, default_namespace=self.parent)

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the row, with labels truncated to fit."""
        for longest in range(_LONGEST, 1, -1):
            parts = self._parts(longest)
            taken = sum(part.cell_len + _GAP for part in parts if part) - _GAP
            if taken <= width:
                break
        row = self.look.joined(*parts, gap=_GAP)
        return [placed([(max(0, (width - taken) // 2), self.look.strip(row, row.cell_len, ground=None))])]

    async def on_click(self, event: events.Click) -> None:
        """Press the clicked button."""
        if key := target(event):
            await self.press(key)

    def _parts(self, longest: int) -> list[Text]:
        return [self.look.text(self._prompt), *(self._button(button, longest) for button in self.buttons)]

    def _button(self, button: Button, longest: int) -> Text:
        """Return a button, underlined under the mouse."""
        look = self.look
        key = look.text((button.key, "coral" if button.urgent else "gold"), bold=True)
        label = look.text((clean(button.label, longest), "coral" if button.urgent else "ink"), bold=button.urgent)
        if button.suit is not None:
            label = Text(f" {look.glyphs.suit(button.suit)} {button.label} ", block(look, button.suit))
        text = look.joined(key, label, gap=1)
        text.apply_meta({TARGET: button.key})
        text.stylize(Style(underline=True) if button.key == self.pointed else "")
        return text


def menu(
    look: Appearance, room: JoinedRoom, moves: Intents, choosing: Choosing, marked: Sequence[int]
) -> tuple[str, list[Button]]:
    """Return the prompt, "" for none, and the buttons. ``marked``: cards to play together."""
    if choosing.under_way is not None:
        return (
            "" if choosing.laid else f"{say('line.uno.action.other', do=choosing.under_way['do'])}{look.glyphs.more}",
            [],
        )
    asking, calls = choosing.asking, choosing.calls
    if asking is not None and asking.open is not None:
        forced = asking == moves.answers.get("colour")
        return say(f"uno.ask.{asking.open}"), [
            *_values(look, room, asking, asking.open),
            *([] if forced else [_back()]),
        ]
    return "", [*_offers(look, room, moves), *_answers(room, moves), *_extras(look, room, moves, calls, marked)]


def may_call(hand: Sequence[int], marked: Sequence[int]) -> bool:
    """Return whether the next play from ``hand`` leaves one card. ``marked``: cards to play together."""
    return len(hand) - max(1, len(marked)) == 1


def _values(look: Appearance, room: JoinedRoom, asking: Intent, field: str) -> list[Button]:
    values = asking.values(field)
    if field == "colour":
        keys = {colour: key for key, colour in COLOURS.items()}
        return [
            Button(keys[value], colour_name(value).upper(), f"narrow('colour', '{value}')", suit=value)
            for value in values
        ]
    values.sort()
    labels = [room.name(seat) + (_held(look, room, seat) if field == "swap" else "") for seat in values]
    return [
        Button(NUMBERS[at], label, f"narrow('{field}', {seat})")
        for at, (seat, label) in enumerate(zip(values, labels, strict=True))
    ]


def _held(look: Appearance, room: JoinedRoom, seat: int) -> str:
    return f" {look.glyphs.card_back}{(room.view or {})['counts'][seat]}"


def _offers(look: Appearance, room: JoinedRoom, moves: Intents) -> list[Button]:
    found = [Button("u", "UNO!", "call", urgent=True)] if "uno" in moves.offers else []
    if catch := moves.offers.get("catch"):
        whom = room.name(catch.ways[0][1]["seat"])
        found.append(Button("c", say("uno.do.catch", who=whom), "answer('catch')", urgent=True))
    if jump := moves.offers.get("jump"):
        card = words.face(look, jump.ways[0][1]["card"]).plain
        found.append(Button("j", say("uno.do.jump", card=card), "answer('jump')", urgent=True))
    return found


def _answers(room: JoinedRoom, moves: Intents) -> list[Button]:
    view = room.view or {}
    penalty = view.get("pending") or 4
    labels = {
        "draw": ("d", say("uno.do.draw")),
        "pass": ("p", say("uno.do.pass" if view.get("drawn") is not None else "uno.do.nothing")),
        "accept": ("a", say("uno.do.accept", n=penalty)),
        "challenge": ("x", say("uno.do.challenge", more=penalty + 2)),
    }
    return [Button(*labels[do], f"answer('{do}')") for do in moves.answers if do in labels]


def _extras(look: Appearance, room: JoinedRoom, moves: Intents, calls: bool, marked: Sequence[int]) -> list[Button]:
    found = []
    if room.over is None and may_call((room.view or {}).get("hand", ()), marked) and "uno" not in moves.offers:
        label = f"{say('tui.uno.calls')} {look.glyphs.ready}" if calls else say("uno.do.call")
        found.append(Button("u", label, "call", urgent=calls))
    if marked:
        found += [Button(look.glyphs.enter, say("uno.do.together", n=len(marked)), "play"), _back()]
    return found


def _back() -> Button:
    return Button("esc", say("uno.do.back"), "back")
