import sys
from io import StringIO

from parlour_bots.arena.pool import LIMIT, LimitedOutput, limit_output


def test_what_is_printed_is_shown_until_it_is_too_much() -> None:
    out = StringIO()
    noise = LimitedOutput(out, 10)
    assert [noise.write(text) for text in ("12345\n", "678901234", "more")] == [6, 9, 4]
    assert out.getvalue() == "12345\n6789\nFurther output of the bots is not shown.\n"
    noise.flush()


def test_both_streams_share_the_limit_and_come_back() -> None:
    out, before = StringIO(), (sys.stdout, sys.stderr)
    with limit_output(out):
        print("x" * LIMIT)
        sys.stderr.write("y")
    assert (sys.stdout, sys.stderr) == before
    assert out.getvalue().startswith("x" * LIMIT)
    assert "y" not in out.getvalue()[LIMIT:].replace("\nFurther output of the bots is not shown.\n", "")
