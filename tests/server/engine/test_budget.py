"""How much work each owner may cause."""

from parlour_server.engine.budget import Budget


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


def test_debts_that_are_paid_are_forgotten() -> None:
    budget = Budget(credit=1)
    for n in range(100):
        budget.charge(str(n), 0.05, n)
    assert len(budget._debts) <= 2


def test_work_that_took_no_time_leaves_no_debt() -> None:
    budget = Budget(credit=1)
    budget.charge("anna", 0, 0)
    assert budget.wait("anna", 0) == 0
    assert not budget._debts
