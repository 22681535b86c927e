"""``python -m tools.icons``: draw the icons of the web page for home screens, as PNG, from its ``icon.svg``."""

import re
from pathlib import Path

import resvg_py

WEB = Path(__file__).parents[1] / "server/parlour_server/web"
SIZES = (192, 512)
"""Pixels."""


def drawn(size: int) -> bytes:
    """Return the icon as PNG. Its corners are filled: systems round them as they like."""
    svg = re.sub(r' rx="7"', "", (WEB / "icon.svg").read_text(encoding="utf-8"), count=1)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


def main() -> None:
    """Write the files."""
    for size in SIZES:
        (WEB / f"icon_{size}.png").write_bytes(drawn(size))


if __name__ == "__main__":
    main()
