from collections import Counter
from itertools import combinations

import pytest

from parlour_bots.arena.league.game import Schedule, lineups

SHAPES = [(2, 2), (3, 2), (7, 2), (3, 3), (5, 3), (4, 4), (2, 4), (3, 4), (3, 6), (2, 10), (10, 10)]


@pytest.mark.parametrize(("bots", "players"), SHAPES)
def test_in_each_deal_a_line_up_plays_once_from_every_rotation(bots: int, players: int) -> None:
    schedule = Schedule(bots, players)
    for deal in range(4):
        games = [schedule.game(deal * schedule.a_deal + number) for number in range(schedule.a_deal)]
        assert {game.deal for game in games} == {deal}
        for number, lineup in enumerate(schedule.lineups):
            mine = [game for game in games if game.lineup == number]
            for bot in set(lineup):
                in_each_seat = [sum(game.seats[seat] == bot for game in mine) for seat in range(players)]
                assert in_each_seat == [lineup.count(bot)] * players


@pytest.mark.parametrize(("bots", "players"), [(3, 2), (7, 2), (5, 3), (6, 4), (4, 4)])
def test_every_two_bots_meet_equally_often(bots: int, players: int) -> None:
    schedule = Schedule(bots, players)
    met = Counter(pair for game in schedule.games(0, 1) for pair in combinations(sorted(game.seats), 2))
    assert len(met) == bots * (bots - 1) // 2
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("bots", "players"), [(2, 4), (3, 4), (4, 10), (3, 10), (2, 10)])
def test_with_fewer_bots_than_seats_the_first_sits_alone_and_the_others_share(bots: int, players: int) -> None:
    chosen = list(lineups(bots, players))
    assert all(lineup.count(0) == 1 and len(lineup) == players for lineup in chosen)
    seats = Counter(bot for lineup in chosen for bot in lineup)
    assert len({seats[bot] for bot in range(1, bots)}) == 1
    shares = [[lineup.count(bot) for bot in range(1, bots)] for lineup in chosen]
    assert all(max(share) - min(share) <= 1 for share in shares)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_who_sits_next_to_whom_changes_through_all_orders(players: int) -> None:
    schedule = Schedule(players, players)
    neighbours = Counter[tuple[int, int]]()
    for game in schedule.games(0, 24):
        neighbours.update(zip(game.seats, game.seats[1:] + game.seats[:1], strict=True))
    assert len(neighbours) == players * (players - 1)
    assert len(set(neighbours.values())) == 1


def test_games_are_rounded_up_to_whole_deals_and_can_go_on_anywhere() -> None:
    schedule = Schedule(3, 2)
    assert (schedule.deals(99), schedule.deals(100)) == (50, 50)
    games = list(schedule.games(0, 3))
    assert [game.number for game in games] == list(range(18))
    assert list(schedule.games(7, 3)) == games[7:]
