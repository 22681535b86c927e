"""The UNO widget: opponents, piles, latest events, buttons, turn line, hand.

A player chooses a card. A colour or seat that is still open is asked in the row above the turn line; then one act is
sent. While it is pending, further key presses do nothing.
"""

from collections.abc import Callable
from time import monotonic

from rich.text import Text
from textual.app import ComposeResult

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import GameWidget, ShownClocks
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.buttons import BINDINGS, KEYS, NUMBERS, Buttons, may_call, menu
from parlour_client.tui.games.uno.cards import HUGE, LARGE, SHORT, TALL, colour_names
from parlour_client.tui.games.uno.hand import Hand
from parlour_client.tui.games.uno.intents import Choosing, Intent, Intents, bluffs, intents_of, together
from parlour_client.tui.games.uno.opponents import Opponents
from parlour_client.tui.games.uno.piles import Flight, Piles
from parlour_client.tui.games.uno.words import Ticker
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.keys import labelled
from parlour_protocol.messages import Plain

_SIZES = ((HUGE, 110, 43), (LARGE, 72, 34), (TALL, 0, 28), (SHORT, 0, 0))
"""Sizes of cards, and the columns and rows of the widget from which each is used."""
_BOXES_FROM = 22
"""Rows of the widget from which opponents have boxes."""
_BOXES_WIDE, _LOG_FROM = 80, 100
"""Columns of the screen from which opponents have boxes, and from which the log is shown beside the widget."""


_ANSWERS = ("draw", "pass", "accept", "challenge")


class UnoWidget(GameWidget, can_focus=True):
    """UNO as seen by a player or spectator."""

    DEFAULT_CSS = """
    UnoWidget { layout: vertical; layers: base above; }
    UnoWidget > Opponents { width: 100%; height: 5; }
    UnoWidget > Piles { width: 100%; height: 1fr; }
    UnoWidget > Ticker { width: 100%; height: 1; }
    UnoWidget > Buttons { width: 100%; height: 1; }
    UnoWidget > Hand { width: 100%; height: 7; }
    """
    BINDINGS = BINDINGS
    KEYS = KEYS
    RANKS = True
    MOVES = frozenset(f"uno.{each}" for each in ("play", "next", "call", "catch", "jump", *_ANSWERS))

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        super().__init__(look, now=now)
        self.clocks = ShownClocks(now)
        self.opponents = Opponents(look, self.clocks)
        self.piles = Piles(look)
        self.ticker = Ticker(look)
        self.buttons = Buttons(look)
        self.hand = Hand(look)
        self.flight = Flight(look, self.opponents, self.piles, self.hand)
        self._room: JoinedRoom | None = None
        self.moves = Intents()
        """Our choices."""
        self.choosing = Choosing()
        self._told: list[Plain] = []
        self._round: Plain | None = None
        """The end of the last round."""

    def compose(self) -> ComposeResult:
        """Yield the zones from top to bottom."""
        yield self.opponents
        yield self.piles
        yield self.ticker
        yield self.buttons
        yield self.turn
        yield self.hand
        yield self.flight

    # --- from the room ---

    def handle_events(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Let each part follow the events, and note the end of the round. A repeated list is ignored."""
        if events is self._told:
            return
        self._told = events
        self.ticker.add(room, events)
        self.flight.follow(room, events)
        self.hand.follow(events, room.seat)
        for event in events:
            if event["e"] in ("deal", "round"):
                self._round = event if event["e"] == "round" else None

    def handle_gap(self, told: str) -> None:
        """Say ``told`` in the line of the latest events."""
        self.ticker.begin(told)

    def show(self, room: JoinedRoom) -> None:
        """Show the current state of the room."""
        self._room, self.moves = room, intents_of(room)
        open_rids = {offer["rid"] for offer in room.may} | ({self.moves.rid} if self.moves.rid is not None else set())
        self.choosing.update(self.moves, open_rids)
        self.clocks.update(room)
        self._show_hand(room)
        self.opponents.show(room)
        if not self.choosing.laid:
            self.flight.settle()
        self.piles.show(room)
        asked = None if room.view is None else room.view["turn"]
        seat = asked if self.moves.rid is None else room.seat
        mine = self.moves.rid is not None or (asked is None and bool(self.moves.offers)) or room.stood_in
        left = None if room.stood_in else self.clocks.left(seat)
        self.turn.set(words.headline(room, self.moves), left, words.rule(self.look, room, self.moves), mine)
        self._show_menu()
        self.on_resize()
        if self.auto_pass and self.moves.forced:
            self._go(self.moves.answers[self.moves.forced])

    def show_refusal(self, room: JoinedRoom, reason: str) -> None:
        """Shake the card, and show why the server refused it."""
        self._take_back(room)
        self.hand.shake()
        super().show_refusal(room, reason)

    def show_pending(self, rid: int | None) -> None:
        """With None, the server has answered. What was chosen here is pending since then."""
        if rid is None and self._room is not None:
            self._take_back(self._room)

    def _take_back(self, room: JoinedRoom) -> None:
        """Show the hand and the pile as they are in the room, also the card that was on its way."""
        laid = self.choosing.laid
        self.choosing.answered()
        if laid:
            self.flight.land()
            self.flight.settle()
            self._show_hand(room)
            self.hand.select_card(laid[0])
        self._show_menu()

    def colour_line(self, line: Text) -> None:
        """Show the names of cards in their colours."""
        colour_names(self.look, line)

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return the keys that are useful now, most important first."""
        moves = intents_of(room)
        found = [("uno.call", "UNO!")] if "uno" in moves.offers else []
        found += labelled(*(f"uno.{do}" for do in ("catch", "jump") if do in moves.offers))
        found += labelled("uno.play", "uno.next") if moves.plays else []
        found += labelled(*(f"uno.{do}" for do in _ANSWERS if do in moves.answers))
        can_call = room.over is None and "uno" not in moves.offers and may_call(self.hand.cards, self.hand.marked)
        return [*found, *labelled("uno.call")] if can_call else found

    def reviewable(self, room: JoinedRoom) -> bool:
        """Return True."""
        return True

    def standings(self, room: JoinedRoom) -> list[Text]:
        """Return the points of all players, the best first."""
        return words.score_table(self.look, room, self._round)

    def _show_hand(self, room: JoinedRoom) -> None:
        view = room.view or {}
        moves = self.moves
        jumps = moves.offers["jump"].values("card") if "jump" in moves.offers else []
        held = [card for card in view.get("hand", []) if card not in self.choosing.laid]
        self.hand.hold(held, {*moves.plays, *jumps}, bluffs(room, moves))
        if len(self.hand.cards) != 2 and not self.hand.marked:
            self.choosing.calls = False
        if not self.hand.chosen and view.get("drawn") is not None:
            self.hand.select_card(view["drawn"])
        elif not self.hand.chosen and moves.plays:
            self.hand.aim()

    def _show_menu(self) -> None:
        if self._room is not None:
            prompt, buttons = menu(self.look, self._room, self.moves, self.choosing, self.hand.marked)
            self.buttons.set_buttons(buttons, prompt)

    # --- from the player ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Handle the keys for colours, and esc, only during a choice."""
        asking = self.choosing.asking
        if action == "colour":
            return asking is not None and asking.open == "colour"
        if action == "back":
            return asking is not None or bool(self.hand.marked)
        return True

    def action_move(self, by: int, playable: bool = False) -> None:
        """Move the cursor in the hand, or to the next card that can be played."""
        self.hand.move(by, playable=playable)

    async def action_number(self, index: int) -> None:
        """Choose by number: an answer during a choice, else a card."""
        if self.choosing.asking is not None:
            await self.buttons.press(NUMBERS[index])
        elif index < len(self.hand.cards):
            self.hand.select(index)
            self._play(self.hand.cards[index])

    def action_play(self) -> None:
        """Play the selected or marked cards, or keep the drawn card if nothing else is possible."""
        marked = self.hand.marked
        if self.moves.forced == "pass":
            self.action_answer("pass")
        elif self._room is not None and len(marked) > 1:
            intent = together(self._room, marked)
            if intent is not None:
                self._go(intent)
            else:
                self.turn.remark(words.idle(self._room))
        elif (card := marked[0] if marked else self.hand.card) is not None:
            self._play(card)

    def action_answer(self, do: str) -> None:
        """Draw, pass, accept, challenge, catch a player with one card left, or jump in with the same card."""
        if do == "draw" and self.moves.forced == "pass":
            do = "pass"
        intent = self.moves.answers.get(do) or self.moves.offers.get(do)
        if intent is not None:
            self._go(intent)
        elif do in ("catch", "jump"):
            self.turn.remark(say(f"line.uno.wrong.no_{do}"))
        elif self.moves.rid is not None:
            self.turn.remark(say("uno.why.cannot", do=do))
        elif self._room is not None:
            self.turn.remark(words.idle(self._room))

    def action_call(self) -> None:
        """Call UNO now if possible; else toggle the call with the next card."""
        if "uno" in self.moves.offers:
            self._go(self.moves.offers["uno"])
        elif may_call(self.hand.cards, self.hand.marked):
            self.choosing.calls = not self.choosing.calls
            self._show_menu()
        else:
            self.turn.remark(say("tui.uno.no_call"))

    def action_mark(self, card: int | None = None) -> None:
        """Mark a card, by default the selected one, to be played together with others."""
        card = self.hand.card if card is None else card
        if self._room is None or not self._room.table["options"].get("multi_play"):
            self.turn.remark(say("tui.uno.one_by_one"))
        elif card is not None:
            self.hand.mark(card)
            self._show_menu()

    async def action_colour(self, key: str) -> None:
        """Choose a colour."""
        await self.buttons.press(key)

    def action_narrow(self, field: str, value: object) -> None:
        """Answer the current choice."""
        if self.choosing.asking is not None:
            self._go(self.choosing.asking.narrowed(field, value))

    def action_back(self) -> None:
        """Cancel a choice, and unmark cards."""
        self.choosing.cancel(self.moves)
        self.hand.unmark()
        self._show_menu()

    def action_legal(self) -> None:
        """Show which cards can be played, unless hints are off."""
        if self._room is None:
            return
        if self.moves.rid is None:
            self.turn.remark(words.idle(self._room))
        elif not self._room.table["hints"]:
            self.turn.remark(say("line.no_hints"))
        else:
            self.turn.remark(words.legal(self._room, self.moves))

    def on_hand_picked(self, message: Hand.Picked) -> None:
        """Play a card that was clicked, or mark it."""
        if message.marking:
            self.action_mark(message.card)
        else:
            self._play(message.card)

    def on_piles_deck(self) -> None:
        """Draw a card, or the stacked ones."""
        self.action_answer("accept" if "accept" in self.moves.answers else "draw")

    # --- towards an act ---

    def _play(self, card: int) -> None:
        intent = self.moves.plays.get(card)
        jump = self.moves.offers.get("jump")
        if intent is None and jump is not None and card in jump.values("card"):
            intent = jump.narrowed("card", card)
        if intent is not None:
            self._go(intent)
        elif self._room is not None and not self.choosing.pending(self.moves.rid):
            self.hand.shake()
            self.turn.remark(words.why_not(self.look, self._room, self.moves, card), "refused")

    def _go(self, intent: Intent) -> None:
        """Ask for the next open field, or send the act, once per decision."""
        card = intent.ways[0][1].get("card")
        if intent.open is not None and self._room is not None and card in bluffs(self._room, self.moves):
            self.turn.remark(say("tui.uno.bluff"))
        if (act := self.choosing.choose(intent)) is not None:
            self.hand.marked = []
            if (laid := self.choosing.laid) and self._room is not None:
                self.flight.set_out(laid[-1])
                self._show_hand(self._room)
            self.post_message(self.Chosen(*act))
        self._show_menu()

    # --- space ---

    def on_resize(self) -> None:
        """Set the rows of each zone. They depend only on the space and the number of players."""
        width, height = self.size
        if not (width and height):
            return
        screen = self.screen.size.width
        boxes = height >= _BOXES_FROM and screen >= _BOXES_WIDE
        self.opponents.styles.height = self.opponents.rows(width, boxes)
        size = next(size for size, columns, rows in _SIZES if width >= columns and height >= rows)
        self.hand.card_size, self.piles.card_size = size, max(size, TALL, key=lambda each: each.rows)
        self.ticker.display = screen < _LOG_FROM
        watching = self._room is not None and self._room.seat is None
        self.hand.styles.height = 0 if watching else size.rows + 2
