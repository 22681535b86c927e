"""The texts of the table: the turn line, the latest events, and the points after a round."""

from collections import deque

from rich.text import Text
from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.room import JoinedRoom
from parlour_client.text.uno import lines
from parlour_client.text.uno.words import card_name, challenged, colour_name, said
from parlour_client.tui.games.uno.cards import suit_of, symbol_of
from parlour_client.tui.games.uno.intents import Intents, bluffs
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import Canvas
from parlour_games.uno.cards import DRAW_TWO, SYMBOL, WILD
from parlour_protocol.messages import Plain
from parlour_protocol.names import padded

_COLOUR = "\0"
"""Stands for the colour to match, which is drawn in bold."""


def headline(room: JoinedRoom, moves: Intents) -> str:
    """Return whose turn it is."""
    view = room.view
    if view is None:
        return say("uno.turn.none")
    if room.over is not None or view["phase"] == "over":
        return say("uno.turn.match_over")
    if moves.rid is not None:
        return _ours(view)
    if view["phase"] == "pause":
        return say("uno.turn.round_over")
    if room.stood_in:
        return say("tui.stood_in")
    if view["turn"] is None:
        return say("uno.turn.quick" if moves.offers else "uno.turn.calls")
    return said(room, "uno.turn.coming" if view["turn"] == room.seat else "uno.turn.other", seat=view["turn"])


def rule(look: Appearance, room: JoinedRoom, moves: Intents) -> Text:
    """Return the options against the top card, as a short text."""
    view = room.view
    if view is None or room.over is not None:
        return Text()
    if room.stood_in:
        return look.text(say("tui.take_back"))
    if moves.rid is None:
        return look.text(_chance(moves)) if view["turn"] is None else _matching(look, view)
    match view["phase"]:
        case "drawn":
            return look.text(_drawn(moves, view))
        case "challenge":
            return look.text(_penalty(room, moves, view))
        case "colour":
            return look.text(say("uno.rule.first_colour"))
    if view.get("pending"):
        return look.text(_penalty(room, moves, view))
    draw = look.text(f"{look.glyphs.dash} {say('uno.rule.or_draw')}")
    return _matching(look, view) if moves.plays else look.joined(_matching(look, view), draw, gap=1)


def face(look: Appearance, card: int) -> Text:
    """Return a card in a few columns, as ``▲ 7``."""
    return look.text(f"{look.glyphs.suit(suit_of(card))} {symbol_of(look, card)}")


def idle(room: JoinedRoom) -> str:
    """Return why we cannot act while no question is open."""
    return f"{say('tui.stood_in')}: {say('tui.take_back')}." if room.stood_in else say("line.idle")


def why_not(look: Appearance, room: JoinedRoom, moves: Intents, card: int) -> str:
    """Return why ``card`` cannot be played."""
    view = room.view or {}
    if room.stood_in:
        return idle(room)
    if moves.rid is None:
        turn = view.get("turn")
        key = "uno.why.not_turn" if turn in (None, room.seat) else "uno.why.turn_of"
        return said(room, key, seat=turn)
    if view.get("phase") == "drawn":
        return say("uno.why.drawn")
    if view.get("phase") in ("challenge", "colour") or view.get("pending"):
        return said(room, "uno.why.penalty", card=card, rule=rule(look, room, moves).plain)
    if SYMBOL[card] > WILD:
        return say("uno.why.four")
    return said(room, "uno.why.unfit", card=card, rule=_matching(look, view).plain)


def legal(room: JoinedRoom, moves: Intents) -> str:
    """Return the names of all cards that can be played now."""
    bluffed = bluffs(room, moves)
    cards = (say("tui.uno.legal.card", card=card_name(card), bluff=card in bluffed) for card in moves.plays)
    names = list(dict.fromkeys(cards))
    others = [say(f"uno.do.{name}", challenged(room)) for name in moves.answers]
    if names:
        return say("tui.uno.legal", cards=", ".join(names))
    return say("tui.uno.legal.none", answers=say("tui.or").join(others))


def _ours(view: Plain) -> str:
    if view["phase"] == "drawn":
        return said(None, "uno.turn.drawn", card=view.get("drawn"))
    if view["phase"] == "challenge" or view.get("pending"):
        return say("uno.turn.penalty", n=view.get("pending") or 4)
    return say("uno.turn.yours")


def _chance(moves: Intents) -> str:
    """Return what we can do while it is not our turn."""
    return say("uno.chance", do=next((do for do in ("uno", "catch", "jump") if do in moves.offers), None))


def _matching(look: Appearance, view: Plain) -> Text:
    if view["colour"] is None:
        return Text()
    sign = None if SYMBOL[view["top"]] >= WILD else symbol_of(look, view["top"])
    before, _, after = say("uno.rule.match", colour=_COLOUR, sign=sign).partition(_COLOUR)
    colour = look.text(f"{look.glyphs.suit(view['colour'])} {colour_name(view['colour'])}", bold=True)
    return look.joined(look.text(before), colour, look.text(after), gap=0)


def _drawn(moves: Intents, view: Plain) -> str:
    if not moves.plays and view.get("drawn") is None:
        return say("uno.rule.pass")
    return say("uno.rule.drawn", plays=bool(moves.plays), keep="pass" in moves.answers)


def _penalty(room: JoinedRoom, moves: Intents, view: Plain) -> str:
    stack = "+2" if SYMBOL[view["top"]] == DRAW_TWO else "+4"
    shown, may = stack if moves.plays else None, "challenge" in moves.answers
    return said(room, "uno.rule.penalty", challenged(room), stack=shown, challenge=may)


_NAME = 16


def score_table(look: Appearance, room: JoinedRoom, ended: Plain | None) -> list[Text]:
    """Return a line per player, best first: the cards left in hand, the points for the round, and the total.

    At the end of a match each line starts with the place.

    ``ended``: the event of the end of the round, None if it was not seen.
    """
    view = room.view
    if view is None:
        return []
    scores = view["scores"] if ended is None else ended["scores"]
    if room.over:
        told = room.over.result["scores"]
        scores = [told.get(str(seat), points) for seat, points in enumerate(scores)]
    low_wins = room.table["options"].get("scoring") in ("lowest", "elimination")
    ranks = room.over.result["ranks"] if room.over else {}
    order = sorted(
        range(len(scores)),
        key=lambda seat: (ranks.get(str(seat), 0), scores[seat] if low_wins else -scores[seat], seat),
    )
    in_hand = "" if ended is None else say("tui.results.in_hand")
    head = look.text((f"{'':<{_NAME}} {say('tui.results.points'):>7} {in_hand:>8}".rstrip(), "dim"))
    lines = [_line(look, room, seat, scores[seat], ended) for seat in order]
    if not ranks:
        return [head, *lines]
    places = [look.text((f"{f'{ranks[str(seat)]}.' if str(seat) in ranks else '':<3}", "dim")) for seat in order]
    return [look.text(" " * 3, head), *(look.text(place, line) for place, line in zip(places, lines, strict=True))]


def _line(look: Appearance, room: JoinedRoom, seat: int, points: int, ended: Plain | None) -> Text:
    name = clean(say("you") if seat == room.seat else room.name(seat), _NAME)
    total = look.text((f"{padded(name, _NAME)} {points:>7} ", "gold" if seat == room.seat else "ink"))
    if ended is None:
        return total
    held = f"{ended['points'][seat]:>8}" if ended["points"][seat] else f"{look.glyphs.dash:>8}"
    won = look.text((f"  {say('tui.results.winner')}", "gold") if seat == ended["winner"] else "", bold=True)
    return look.text(total, (held, "dim"), won)


_KEPT = 6
_SILENT = ("deal", "round")
"""Events with long lines that are visible anyway."""


class Ticker(Canvas):
    """The latest events as text, as many as fit, the newest last and brightest."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._lines_told: deque[str] = deque(maxlen=_KEPT)

    def add(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Add events. A new round starts empty."""
        for event in events:
            if event["e"] in _SILENT:
                self._lines_told.clear()
            elif line := lines.event(room, event):
                self._lines_told.append(line)
        self.repaint()

    def begin(self, line: str) -> None:
        """Begin again, with ``line``."""
        self._lines_told.clear()
        self._lines_told.append(line)
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return the line."""
        shown = Text()
        for line in reversed(self._lines_told):
            newest = not shown
            if not newest and shown.cell_len + len(line) + 3 > width:
                break
            shown = self.look.joined(self.look.text((line, "ink" if newest else "dim")), shown, gap=2)
        return [self.look.strip(shown, width, ground=None, align="center")]
