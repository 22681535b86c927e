from tests.bots.messages import joined, over, turn

from parlour_bots.in_process import Match
from parlour_bots.reports import Report, Scribe, of_check, of_match, of_series, standings
from parlour_bots.trials import Check, Series
from parlour_protocol.messages import Act, SeatRow


def test_standings_are_ordered_by_rank_and_lined_up() -> None:
    lines = standings(["ada", "bartholomew", "cy"], [2, 1, 2], [20, 500, 20])
    assert lines == ["1. bartholomew   500 points", "2. ada            20 points", "2. cy             20 points"]


def test_match_report() -> None:
    acts = ((Act("K7QD", 1, 0), Act("K7QD", 2, 0)), (Act("K7QD", 1, 1),))
    report = of_match(Match(9, ("a-0", "b-1"), (2, 1), (7, 510), acts, {"round": 4}), "uno")
    assert report.text.splitlines()[-1] == "uno: 4 rounds, 3 moves. The same again: --seed 9"
    assert report.data == {
        "game": "uno",
        "seed": 9,
        "rounds": 4,
        "moves": 3,
        "winner": "b-1",
        "scores": {"a-0": 7, "b-1": 510},
    }
    assert "uno: 3 moves." in of_match(Match(9, ("a-0", "b-1"), (2, 1), (7, 510), acts, {}), "uno").text


def test_series_report() -> None:
    report = of_series(Series(20, 8, 0.2188, 0.6134), "mine", "random", 5)
    assert report.text == (
        "mine won 8 of 20 against random: 40.0% (95 % interval 21.9% to 61.3%). The same again: --seed 5"
    )
    assert report.data["rate"] == 0.4


def test_check_report_is_sound_only_without_complaints() -> None:
    good = of_check(Check(40, 2000, 0, 13.4, 20_000.0, None), "mine")
    assert good.sound
    assert good.text.splitlines()[1:] == [
        "mistakes: 0",
        "time to think: 13 µs typically, 20 ms at most",
        "plays the same under the same seed: yes",
        "sound",
    ]
    assert not of_check(Check(40, 2000, 1, 13.4, 20_000.0, None), "mine").sound
    moody = of_check(Check(40, 2000, 0, 13.4, 20_000.0, "under seed 3 …"), "mine")
    assert (moody.sound, moody.data["sound"]) == (False, False)
    assert "NO: under seed 3 …. Draw chance from turn.rng only" in moody.text


def test_scribe_reports_the_end_of_a_match_by_name() -> None:
    told: list[Report] = []
    scribe = Scribe(told.append)
    entered = joined()
    entered.table["seats"] += [seat(0, "ada"), seat(1, "maria")]
    for message in (entered, turn(1), over(2, 1)):
        scribe.follow(message)
    [report] = told
    assert report.text.splitlines() == ["1. maria    99 points", "2. ada      98 points", "digest d1"]
    assert report.data == {
        "game": "uno",
        "room": "K7QD",
        "rounds": 3,
        "winner": "maria",
        "scores": {"ada": 98, "maria": 99},
        "digest": "d1",
    }


def test_scribe_ignores_rooms_it_has_not_seen_from_their_beginning() -> None:
    told: list[Report] = []
    Scribe(told.append).follow(over(1, 2))
    assert told == []


def seat(number: int, name: str) -> SeatRow:
    return {"seat": number, "name": name, "kind": "bot", "here": True, "ready": True, "by": "owner"}
