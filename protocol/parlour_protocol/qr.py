"""QR codes in a terminal."""

_HALVES = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
_MARGIN = 2
"""Light modules around the code: fewer than the standard's four, which phones do not need."""


def qr(link: str) -> str:
    """Return the code of ``link`` as lines of half blocks, light on a dark ground: light modules are drawn."""
    import segno  # takes a while to import, and most starts draw no code

    code = segno.make(link, error="l", micro=False)
    rows = [[not dark for dark in row] for row in code.matrix_iter(border=_MARGIN)]
    rows += [[True] * len(rows[0])] if len(rows) % 2 else []
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(_HALVES[pair] for pair in zip(*two, strict=True)) for two in pairs)
