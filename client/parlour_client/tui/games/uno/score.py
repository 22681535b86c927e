"""The points after a round, as a table."""

from rich.text import Text

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.core.sanitize import clean
from parlour_client.tui.theme.theme import Look
from parlour_protocol.messages import Plain
from parlour_protocol.names import padded

_NAME = 16


def table(look: Look, room: JoinedRoom, ended: Plain | None) -> list[Text]:
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


def _line(look: Look, room: JoinedRoom, seat: int, points: int, ended: Plain | None) -> Text:
    name = clean(say("you") if seat == room.seat else room.name(seat), _NAME)
    total = look.text((f"{padded(name, _NAME)} {points:>7} ", "gold" if seat == room.seat else "ink"))
    if ended is None:
        return total
    held = f"{ended['points'][seat]:>8}" if ended["points"][seat] else f"{look.glyphs.dash:>8}"
    won = look.text((f"  {say('tui.results.winner')}", "gold") if seat == ended["winner"] else "", bold=True)
    return look.text(total, (held, "dim"), won)
