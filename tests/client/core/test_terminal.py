import pytest

from parlour_client.core.terminal import Answers, colours

YES = "\x1bP1$r0;48:2::1:2:3m\x1b\\"
LAST = "\x1b[?64;1;2c"


@pytest.mark.parametrize(
    ("said", "rgb"),
    [
        (YES, True),
        ("\x1bP1+r524742=38\x1b\\", True),
        ("\x1bP1$r48;2;1;2;3m\x1b\\", True),
        ("\x1bP1$r0;48:2:1:2:3m\x07", True),
        ("\x1bP1$r0;38;5;7m\x1b\\\x1bP0+r524742\x1b\\", False),
        ("\x1bP1$r0;1;2;3m\x1b\\", False),
        ("\x1bP0$r48:2::1:2:3m\x1b\\", False),
        ("", False),
    ],
)
def test_a_terminal_says_whether_it_knows_rgb(said: str, rgb: bool) -> None:
    answers = Answers(complete=False)
    assert answers.typed(said) == ""
    assert not answers.complete
    assert answers.typed(LAST) == ""
    assert (answers.rgb, answers.complete) == (rgb, True)


@pytest.mark.parametrize("at", range(len(YES + LAST) + 3))
def test_keys_between_parts_of_an_answer_stay(at: int) -> None:
    answers, said = Answers(complete=False), f"a{YES}é{LAST}\x1b[A"
    assert answers.typed(said[:at]) + answers.typed(said[at:]) == "aé\x1b[A"
    assert answers.rgb
    assert answers.complete


@pytest.mark.parametrize("key", ["\x1b", "\x1bP", "\x1b["])
def test_a_key_that_begins_like_an_answer_is_a_key_if_nothing_follows(key: str) -> None:
    answers = Answers(complete=False)
    assert (answers.typed(key), answers.key_held(), answers.typed("x")) == ("", key, "x")


@pytest.mark.parametrize("typed", ["\x1bOA", "\x1b[<0;3;4M", "\x1b[?2026;2$y", "\x1b[200~c\x1b[201~", "\x1bx"])
def test_other_sequences_pass(typed: str) -> None:
    answers = Answers(complete=False)
    assert "".join(map(answers.typed, typed)) + answers.typed("") == typed


def test_nothing_is_held_back_once_all_is_answered() -> None:
    answers = Answers(complete=False)
    answers.typed(LAST)
    assert answers.typed(f"\x1b{YES}") == f"\x1b{YES}"


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"TERM": "tmux-256color"}, "256"),
        ({"TERM": "xterm-kitty"}, "256"),
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "tmux-256color", "COLORTERM": "TrueColor"}, "truecolour"),
        ({"TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "24bit"}, "mono"),
    ],
)
def test_the_environment_promises_colours(environ: dict[str, str], found: str) -> None:
    assert colours(environ) == found
