import attrs

from parlour_bots.hosting.house_bots import Catching, catching
from parlour_bots.sdk import Action, Turn, bot_spec, seeded

CATCH: Action = {"do": "catch", "seat": 1}
TURN: Turn = Turn("uno", "K7QD", 0, 1, {"exposed": 1}, [{"do": "jump", "card": 3}, CATCH], None, [], seeded(0))


def bot(share: float) -> Catching:
    return Catching(bot_spec(lambda turn: 4, "plain").make(), share)


def test_forgotten_uno_is_caught_now_and_then() -> None:
    answers = [bot(0.5).may(TURN) for _ in range(100)]
    assert 20 < answers.count(CATCH) < 80
    assert {str(answer) for answer in answers} == {str(CATCH), "None"}


def test_a_case_is_decided_once() -> None:
    one = bot(0.5)
    for rid in range(20):
        turn = attrs.evolve(TURN, rid=rid)
        assert len({str(one.may(turn)) for _ in range(20)}) == 1


def test_innocent_seats_are_not_caught() -> None:
    innocent: list[Action] = [{"do": "catch", "seat": 2}]
    assert bot(1).may(attrs.evolve(TURN, legal=innocent)) is None
    assert bot(1).may(attrs.evolve(TURN, legal=[*innocent, CATCH])) == CATCH
    assert bot(1).may(attrs.evolve(TURN, view={})) is None


def test_other_reactions_are_left_alone() -> None:
    assert bot(1).may(attrs.evolve(TURN, legal=[{"do": "jump", "card": 3}, {"do": "uno"}])) is None
    assert bot(1).play(TURN) == 4


def test_a_bot_that_reacts_keeps_its_own_reactions() -> None:
    class Reacting:
        def play(self, turn: Turn) -> int:
            return 0

        def may(self, turn: Turn) -> None:
            return None

    assert isinstance(catching(bot_spec(Reacting, "reacting")).make(), Reacting)
    assert isinstance(catching(bot_spec(lambda turn: 4, "plain")).make(), Catching)
