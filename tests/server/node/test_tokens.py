"""Two sockets race for one token while the disk is slow.

SPEC.md#stored-before-sent, #tokens-keys-and-tickets, #one-socket-per-identity.
"""

from tests.server.nodes import Guest, House

from parlour_protocol import messages as m
from parlour_protocol.errors import REPLACED


async def race(house: House, *, fails: bool = False) -> tuple[str, Guest, Guest, str]:
    """Return a room, the loser and the winner of its first seat, and the token that both have greeted with."""
    room, [anna, _] = await house.table("anna", "bert")
    token = anna.token
    assert token is not None
    house.store.hold()
    loser, winner = sockets = house.connect("anna", token), house.connect("anna", token)
    for each in sockets:
        await each.say(m.Hello("anna", "human", token=token))
    assert [each.told() for each in sockets] == [[], []], "nothing leaves before it is stored"
    if fails:
        house.store.fail()
    house.store.let_go()
    await house.settled()
    return room, loser, winner, token


async def test_the_later_one_has_the_seat_and_the_frames_of_the_other_are_dropped(house: House) -> None:
    room, loser, winner, token = await race(house)
    welcome, *_, bye = loser.told()
    assert isinstance(welcome, m.Welcome)
    assert isinstance(bye, m.Bye)
    assert (bye.code, loser.closed) == ("replaced", REPLACED)
    _, rid = house.turn(room)
    for message in (m.Ping(), m.Act(room, rid, 0), m.Leave(room), m.Hello("anna", "human", token=token)):
        await loser.say(message)
    loser.leave()
    await house.settled()
    assert loser.told() == []
    assert house.lines(room, "act") == []
    greeting = await winner.hear(m.Welcome)
    assert greeting.rooms == [room]
    await winner.ask(m.Ping(), m.Pong)
    again = house.connect("anna", greeting.token)
    assert (await again.greet()).rooms == [room]


async def test_frames_of_the_loser_do_not_make_the_token_void_that_the_winner_may_need(house: House) -> None:
    """Only the winner's own first frame proves that its welcome has come."""
    _, loser, _, token = await race(house)
    await loser.say(m.Ping())
    again = house.connect("anna", token)
    assert isinstance(await again.ask(m.Hello("anna", "human", token=token), m.Welcome), m.Welcome)


async def test_a_race_that_could_not_be_stored_leaves_the_token_as_it_was(house: House) -> None:
    room, loser, winner, token = await race(house, fails=True)
    assert not any(isinstance(message, m.Welcome) for each in (loser, winner) for message in each.told())
    again = house.connect("anna", token)
    assert (await again.greet()).rooms == [room]
