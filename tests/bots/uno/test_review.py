import json
from pathlib import Path

import pytest
from tests.bots.uno.test_search import asked
from tests.games.uno.tables import table

from parlour_bots.cli.bot import review as command
from parlour_bots.judgement import Judgement
from parlour_bots.sdk import Action
from parlour_bots.tools.review import JUDGES
from parlour_bots.uno.review import UnoReviewer, rounds, standing
from parlour_client.core.errors import Usage
from parlour_games.uno.cards import CARDS_BY_FACE

MATCHES = Path(__file__).parents[2] / "server" / "golden" / "matches"
FAMILY = MATCHES / "uno-1-family.jsonl"


def judged(hands: list[str], top: str, chosen: int | Action, worlds: int = 200) -> Judgement:
    """Return the judgement of an action of seat 0; a number is an index of its legal actions."""
    turn = asked(table(*hands, top=top))
    action = turn.legal[chosen] if isinstance(chosen, int) else chosen
    reviewer = UnoReviewer({turn.rid: (9, action)}, worlds)
    reviewer.play(turn)
    [found] = reviewer.judgements
    return found


def test_to_throw_a_won_round_away_costs_most_of_it() -> None:
    found = judged(["r5", "b1 b2 b3"], "r1", {"do": "draw"})
    assert (found.n, found.mistake, found.best["do"]) == (9, True, "play")
    assert 0.3 < found.cost < 1
    assert found.error < 0.1


def test_the_best_answer_and_an_equal_card_cost_nothing() -> None:
    hands = ["r+2 r1 b3 y6 g7", "b1"]
    found = judged(hands, "r9", judged(hands, "r9", 0).best)
    assert (found.cost, found.error, found.mistake) == (0, 0, False)
    assert found.chance is not None
    fives = [{"do": "play", "card": card} for card in CARDS_BY_FACE["r5"]]
    assert [judged(["r5 r5 b3", "b1 b2 b3"], "r1", action).cost for action in fives] == [0, 0]


def test_luck_and_cost_explain_the_result() -> None:
    judgements = [Judgement(n, number, {}, {}, None, cost, 0.0) for n, number, cost in ((1, 1, 0.1), (2, 2, 0.3))]
    found = rounds({1: 0.25, 2: 0.5}, 0.0, judgements)
    assert [(each.before, each.after, each.cost) for each in found] == [(0.25, 0.5, 0.1), (0.5, 0.0, 0.3)]
    assert sum(each.luck - each.cost for each in found) == pytest.approx(0.0 - 0.25)


@pytest.mark.parametrize("scoring", ["race", "lowest", "elimination", "single"])
def test_equal_seats_share_the_match(scoring: str) -> None:
    view = {"scores": [0, 0, 0, 0], "out": [3]}
    options = {"scoring": scoring, "target": 500}
    assert [standing(seat, view, options) for seat in range(4)] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_a_match_file_is_reviewed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(FAMILY, viewer="0", worlds=20, json=True) == 0
    [player] = json.loads(capsys.readouterr().out)["players"]
    records = [json.loads(line) for line in FAMILY.read_text().splitlines()]
    own = [record for record in records if record["r"] == "act" and record["seat"] == 0]
    assert 0 < len(player["decisions"]) <= len(own)
    assert [each["n"] for each in player["decisions"]] == sorted({each["n"] for each in player["decisions"]})
    won = records[-1]["ranks"]["0" if isinstance(records[-1]["ranks"], dict) else 0] == 1
    first, last = player["rounds"][0], player["rounds"][-1]
    assert first["before"] == pytest.approx(1 / len(records[0]["players"]))
    assert last["after"] == won
    assert sum(each["luck"] - each["cost"] for each in player["rounds"]) == pytest.approx(won - first["before"])


def test_a_match_file_of_a_game_that_no_bot_judges_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(JUDGES, "uno")
    with pytest.raises(Usage, match="minesweeper"):
        command(FAMILY)
