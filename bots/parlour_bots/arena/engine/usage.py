"""The use of language models, as figures and as a table."""

from collections.abc import Iterable, Mapping
from io import StringIO

from rich.console import Console
from rich.table import Table

from parlour_protocol.messages import Plain

_MILLION = 1_000_000


def shares(usage: Mapping[str, int]) -> Plain:
    """Return the figures of a language model: ``illegal`` is the share of decisions whose first answer was refused."""
    decisions = usage.get("decisions", 0)
    return {
        "decisions": decisions,
        "illegal": usage.get("illegal", 0) / max(1, decisions),
        "fallbacks": usage.get("fallbacks", 0),
        "tokens_in": usage.get("tokens_in", 0),
        "tokens_out": usage.get("tokens_out", 0),
        "cost": usage.get("cost", 0) / _MILLION,
    }


def table(bots: Iterable[tuple[str, Mapping[str, int], float | None]]) -> Table:
    """Return a table of language models: name, what it has used, and the mean milliseconds of a decision."""
    shown = Table(box=None, pad_edge=False)
    shown.add_column("model", no_wrap=True)
    for title in ("decisions", "illegal", "fallbacks", "tokens in", "out", "cost", "s a decision"):
        shown.add_column(title, justify="right", no_wrap=True)
    for name, usage, mean in bots:
        each = shares(usage)
        shown.add_row(
            name,
            f"{each['decisions']:,}",
            f"{each['illegal']:.1%}",
            f"{each['fallbacks']:,}",
            f"{each['tokens_in']:,}",
            f"{each['tokens_out']:,}",
            f"${each['cost']:.4f}" if each["cost"] else "–",
            "–" if mean is None else f"{mean / 1000:.2f}",
        )
    return shown


def drawn(table: Table) -> str:
    """Return a table as text."""
    out = StringIO()
    Console(file=out, width=400).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
