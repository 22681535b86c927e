import gc
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.bots.programs import EACH_FIRST, LEGAL, SHOWN, python, shell, turn

from parlour_bots.errors import BadChoice, Broken, Late, Mistake
from parlour_bots.loading import NoBot, find
from parlour_bots.play.foreign import BUDGET, FAILURES, Foreign, bot_spec, split
from parlour_bots.play.in_process import play_bots
from parlour_bots.play.runner import BotRunner
from parlour_bots.sdk import BotSpec

SHORT = 100
"""Milliseconds."""
TELLS_TURN = """
for number, turn in enumerate(turns()):
    time.sleep(0.4 * turn["view"].get("slow", False))
    say({"do": "tell", "of": turn["rid"], "number": number})
"""


def bot(command: list[str], start: int = 5_000) -> Foreign:
    return Foreign(command, "it", start)


def test_each_match_has_a_program_of_its_own_that_is_told_a_seed_and_a_budget() -> None:
    command = python(
        "for turn in turns(): say({'do': 'tell', 'of': greeting, 'budget': turn['budget'], 'pid': os.getpid()})"
    )
    told: list[Any] = [bot(command).play(turn(rid, left=left)) for rid, left in ((1, None), (1, 2_500), (2, None))]
    assert told[0]["of"] == told[1]["of"] != told[2]["of"], "the seed follows from the chance of the first turn"
    assert told[0]["of"].keys() == {"parlour", "game", "name", "seed"}
    assert [each["budget"] for each in told] == [BUDGET, 2_500, BUDGET]
    assert len({each["pid"] for each in told}) == 3


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        (TELLS_TURN, [{"do": "tell", "of": 1, "number": 0}, {"do": "tell", "of": 3, "number": 0}]),
        (TELLS_TURN.replace("say({", 'say({"rid": turn["rid"], "act": 0, "why": str(number), '), [(0, "0"), (0, "2")]),
    ],
    ids=["started again", "the same program, which names its turns"],
)
def test_late_answer_is_not_taken_for_one_to_the_next_turn(script: str, answers: list[Any]) -> None:
    playing = bot(python(script))
    assert playing.play(turn(1)) == answers[0]
    with pytest.raises(Late):
        playing.play(turn(2, view={"slow": True}, left=SHORT))
    assert playing.play(turn(3)) == answers[1]


def test_program_that_never_answered_is_not_waited_for_again() -> None:
    playing = bot(shell("read -r g; read -r t; sleep 1000"), start=1)
    with pytest.raises(Late):
        playing.play(turn(1, left=SHORT))
    with pytest.raises(Late, match="given up for this match: no answer within"):
        playing.play(turn(2))


def test_program_that_fails_now_and_then_is_begun_anew() -> None:
    playing = bot(shell("read -r g; read -r t; echo 0; read -r t; exit 1"))
    for rid in range(1, 12, 2):
        assert playing.play(turn(rid)) == 0
        with pytest.raises(Broken, match="exited with code 1"):
            playing.play(turn(rid + 1))


def test_program_that_fails_again_and_again_is_given_up(tmp_path: Path) -> None:
    note = tmp_path / "begun"
    playing = bot(shell(f"[ -e {note} ] && exit 9; echo > {note}; read -r g; read -r t; echo 0"))
    assert playing.play(turn()) == 0
    for _ in range(FAILURES):
        with pytest.raises(Broken, match=r"^exited with"):
            playing.play(turn())
    with pytest.raises(Broken, match="given up for this match: exited with code 9"):
        playing.play(turn())


def test_its_place_is_its_command_and_what_it_wrote() -> None:
    playing = bot(shell("read -r g; read -r t; echo 17; read -r t; echo bla; read -r t; read -r t"))
    assert playing.play(turn()) == 17
    assert playing.place.where.startswith("exec:sh -c ")
    assert playing.place.text == "17"
    with pytest.raises(BadChoice, match="'bla' is not JSON"):
        playing.play(turn(left=10 * SHORT))


def test_commands_are_named_like_their_file(tmp_path: Path) -> None:
    file = tmp_path / "maria.mjs"
    file.write_text("")
    assert bot_spec(["sh", str(file)], "uno").name == "maria"
    assert bot_spec(["yes", "0"], "uno").name == "yes"
    found = bot_spec(["yes"], "minesweeper", "clara")
    assert (found.name, found.game, found.external) == ("clara", "minesweeper", True)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("exec:", "name the program to run"),
        ("exec:nonesuch 0", "nonesuch was not found"),
        (f"exec:{__file__}", "test_foreign.py is not executable"),
        ("exec:sh 'open", "No closing quotation"),
    ],
)
def test_command_that_cannot_be_run(what: str, told: str) -> None:
    with pytest.raises(NoBot, match=told):
        find(what)


def test_loader_takes_commands_as_a_shell_does() -> None:
    assert split("node 'my bot.mjs' --fast") == ["node", "my bot.mjs", "--fast"]
    assert find("exec:sh ./x.py:play", "minesweeper").game == "minesweeper"


def played(command: list[str], start: int = 5_000, budget: int = BUDGET) -> list[Mistake]:
    """Return the mistakes in a match, which goes to its end whatever the program does."""
    mistakes: list[Mistake] = []
    playing = BotRunner(budget).limit(BotSpec("it", lambda: Foreign(command, "it", start), "uno", external=True))
    match = play_bots([playing, find("painfirst")], 5, mistakes.append, {"scoring": "single"})
    assert 1 in match.ranks
    return mistakes


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        (shell("exit 1"), {"broken"}),
        (shell("read -r g; while read -r t; do echo 99; done"), {"illegal"}),
        (shell("read -r g; while read -r t; do echo '\"draw\"'; done"), {"illegal"}),
        (shell("cat /dev/zero"), {"broken"}),
        (["yes", "banana"], {"illegal"}),
        (["cat"], {"illegal"}),
        (["sleep", "1000"], {"late"}),
    ],
)
def test_bad_program_harms_only_itself(command: list[str], kinds: set[str]) -> None:
    mistakes = played(command, start=1, budget=SHORT) if kinds == {"late"} else played(command)
    assert len(mistakes) > 1, "chance goes on for it"
    assert {mistake.kind for mistake in mistakes} == kinds
    assert all(mistake.place.where.startswith("exec:") for mistake in mistakes)


def test_sound_programs_play_matches_and_leave_no_threads() -> None:
    before = threading.active_count()
    for _ in range(5):
        assert played(shell(EACH_FIRST)) == []
    gc.collect()
    assert threading.active_count() <= before + 3


def test_program_reads_turns_as_text_if_it_asks_and_answers_with_words() -> None:
    command = python("""
for turn in turns():
    say({"rid": turn["rid"], "act": turn["text"].splitlines()[-1].split(": ")[1]})
""")
    playing = bot_spec(command, "uno", text=True).make()
    assert playing.play(turn(view=SHOWN)) == (LEGAL[1], "")
    assert find("exec+text:sh -c true").external
