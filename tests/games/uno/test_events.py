"""Every class of events has its tag and happens in some match."""

from tests.games.uno.players import Seeded

from parlour_games.uno.events import EVENTS
from parlour_games.uno.options import Options
from parlour_games.uno.view import redact

TAGS = {
    *("deal", "play", "draw", "pass", "skip", "reverse", "colour", "uno", "held", "caught"),
    *("swap", "rotate", "mistake"),
    *("challenge", "accept", "turn", "reshuffle", "round", "out", "match"),
}


def test_every_event_has_its_tag() -> None:
    assert {vars(cls)["e"] for cls in EVENTS} == TAGS
    assert len(EVENTS) == len(TAGS)


def test_every_event_happens_in_play_and_is_shown_under_its_tag() -> None:
    seen: set[str] = set()
    for seed in range(60):
        rules = Options(target=50, scoring="elimination", preset=["official", "chaos"][seed % 2])
        history = Seeded(seed, 2 + seed % 3, rules, steps=400)
        _, events = history.start()
        for batch in (events, *(step_events for _, _, step_events in history.walk())):
            for event in batch:
                assert isinstance(event, EVENTS)
                shown = [plain for viewer in (None, 0, 1) if (plain := redact(event, viewer))]
                assert {plain["e"] for plain in shown} <= {event.e}
                seen.add(event.e)
    assert seen == TAGS
