"""Pictures written to files: SVG as it is, or drawn as a PNG by a library that is installed as the extra ``png``."""

import re
from pathlib import Path
from typing import Any

from parlour_client.core.errors import Usage

_FONT = "DejaVu Sans"
"""What stands for sans-serif where none of the fonts that a picture names is installed."""
_DARK = re.compile(r"@media.*?\}\}")
_WORD = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15"{}>word</text></svg>'
_STYLED = ' style="font:13px Helvetica,Arial,sans-serif"'


def check(path: Path | None) -> None:
    """Refuse a file that no picture can be written to, before hours are spent on what it is to show. Raises Usage."""
    if path is None or path.suffix.lower() == ".svg":
        return
    if path.suffix.lower() != ".png":
        raise Usage(f"--plot draws SVG or PNG: name the file .svg or .png, not {path.name!a}")
    if _png(_WORD.format(_STYLED)) == _png(_WORD.format(' visibility="hidden"')):
        raise Usage(f"a PNG needs a font, such as {_FONT}: install one, or name the file .svg")


def write(path: Path, picture: str) -> None:
    """Write an SVG ``picture`` to ``path``: as a PNG, on white, if the path is named so. Raises Usage."""
    png = path.suffix.lower() == ".png"
    try:
        path.write_bytes(_png(_DARK.sub("", picture)) if png else picture.encode())
    except OSError as error:
        raise Usage(f"{path} cannot be written: {error}") from None


def _png(picture: str) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise Usage("a PNG needs one more package: pip install 'parlour[png]'; or name the file .svg") from None
    drawn: Any = resvg_py.svg_to_bytes(svg_string=picture, background="white", zoom=2, sans_serif_family=_FONT)
    return bytes(drawn)
