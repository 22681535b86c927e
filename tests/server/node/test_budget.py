"""How much work each owner may cause, and whose turn it is on the event loop."""

import asyncio

import pytest

from parlour_server.node.budget import CREDIT, SHARE, TURN, TURN_ALONE, WAITING, Budget, Meter


def test_who_has_used_up_its_credit_waits_until_its_share_has_paid() -> None:
    budget = Budget(credit=10, share=0.05)
    budget.charge("anna", 10, 0)
    assert (budget.wait("anna", 0), budget.wait("bert", 0)) == (0, 0)
    budget.charge("anna", 1, 0)
    assert budget.wait("anna", 0) == 20
    assert budget.wait("anna", 20) == 0


def test_in_the_long_run_an_owner_causes_its_share() -> None:
    budget, now, worked = Budget(credit=1, share=0.05), 0.0, 0.0
    while now < 10_000:
        now += budget.wait("anna", now) + 0.5
        worked += 0.5
        budget.charge("anna", 0.5, now)
    assert worked / now < 0.051


def test_debts_are_limited_and_forgotten_when_they_are_paid() -> None:
    budget = Budget(credit=1, share=0.05, most=2)
    for n in range(100):
        budget.charge(str(n), 0.05, n)
    assert len(budget._debts) <= 2
    budget.charge("anna", 100, 100)
    assert budget.wait("anna", 100) == pytest.approx((2 - 1) / 0.05)


class Clock:
    """The time, which passes when there is work or a wait."""

    def __init__(self) -> None:
        self.now = 0.0

    def meter(self) -> Meter:
        return Meter(lambda: self.now, self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)

    def work(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_the_time_between_two_switches_is_charged_to_its_owner(clock: Clock) -> None:
    meter = clock.meter()
    assert meter.switch("hostile") is None
    clock.work(1)
    assert meter.switch("person") == "hostile"
    clock.work(0.001)
    assert meter.switch(None) == "person"
    clock.work(0.1)
    meter.switch("person")
    meter.charge("hostile", 0.5)
    assert (meter.holds("hostile"), meter.holds("person"), meter.holds(None)) == (True, False, False)


@pytest.mark.parametrize("others", [False, True])
async def test_who_is_alone_waits_for_no_one(clock: Clock, others: bool) -> None:
    meter = clock.meter()
    for _ in range(100):
        meter.switch("bot")
        clock.work(0.1)
        meter.switch("person" if others else None)
        meter.switch(None)
        await asyncio.sleep(0)
    assert meter.holds("bot") is others


async def test_after_being_alone_a_bot_waits_a_second_at_most(clock: Clock) -> None:
    meter = clock.meter()
    meter.charge("bot", 1_000)
    meter.charge("person", 0.001)
    assert meter.holds("bot")
    await meter.turn("bot")
    assert clock.now == pytest.approx(1)


async def test_in_the_long_run_an_address_gets_its_share_of_the_loop_however_many_connections_it_has(
    clock: Clock,
) -> None:
    meter, worked, turns = clock.meter(), [0.0] * 60, list[int]()

    async def flood(connection: int) -> None:
        while clock.now < 60:
            if meter.holds("hostile"):
                await meter.turn("hostile")
                clock.work(WAITING)
                worked[connection] += WAITING
            before = meter.switch("hostile")
            clock.work(0.001)
            meter.switch(before)
            meter.charge("person", 0.0001)
            worked[connection] += 0.001
            turns.append(connection)
            await asyncio.sleep(0)

    await asyncio.gather(*map(flood, range(60)))
    assert sum(worked) / clock.now == pytest.approx(SHARE, rel=0.05)
    assert min(worked) > max(worked) / 2


@pytest.mark.parametrize(("others", "most"), [(True, TURN), (False, TURN_ALONE)])
async def test_an_address_goes_on_in_the_next_turn_of_the_loop_also_while_it_has_credit(
    clock: Clock, others: bool, most: float
) -> None:
    meter = clock.meter()
    if others:
        meter.charge("person", 0.001)
    meter.switch("hostile")
    while not meter.holds("hostile") and clock.now < 1:
        clock.work(0.001)
        meter.switch("hostile")
    began = clock.now
    assert began == pytest.approx(most, abs=0.0011)
    assert not meter.holds("person")
    await meter.turn("hostile")
    assert clock.now == began, "it need not wait any longer"
    assert not meter.holds("hostile")


async def test_the_seconds_for_which_addresses_wait_are_counted(clock: Clock) -> None:
    held = list[float]()
    meter = Meter(lambda: clock.now, clock.sleep, held.append)
    meter.charge("hostile", CREDIT + 0.3)
    meter.charge("person", 0.001)
    await meter.turn("hostile")
    await meter.turn("person")
    assert sum(held) == pytest.approx(clock.now)
    assert sum(held) == pytest.approx(1)
