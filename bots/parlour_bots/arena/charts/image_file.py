"""Write charts to SVG files, or to PNG files with the library of the extra ``png``."""

import re
from pathlib import Path
from typing import Any

from parlour_client.core.errors import Usage, writing
from parlour_protocol.installation import extra_hint

_FONT = "DejaVu Sans"
"""The fallback for sans-serif."""
_DARK = re.compile(r"@media.*?\}\}")
_WORD = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text y="15"{}>word</text></svg>'
_STYLED = ' style="font:13px Helvetica,Arial,sans-serif"'


def check(path: Path | None) -> None:
    """Check, before a long contest, that a chart can be written to ``path``. Raises Usage."""
    if path is None:
        return
    with writing(path):
        known = path.exists()
        path.open("ab").close()
        if not known:
            path.unlink()
    if path.suffix.lower() == ".svg":
        return
    if path.suffix.lower() != ".png":
        raise Usage(f"--plot writes SVG or PNG: name the file .svg or .png, not {path.name!a}")
    if _png(_WORD.format(_STYLED)) == _png(_WORD.format(' visibility="hidden"')):
        raise Usage(f"PNG needs a font, such as {_FONT}: install one, or name the file .svg")


def write(path: Path, picture: str) -> None:
    """Write an SVG ``picture`` to ``path``; convert it to PNG, on white, for a .png file. Raises Usage."""
    png = path.suffix.lower() == ".png"
    with writing(path):
        path.write_bytes(_png(_DARK.sub("", picture)) if png else picture.encode())


def _png(picture: str) -> bytes:
    try:
        import resvg_py  # of the extra png
    except ImportError:
        raise Usage(f"PNG needs resvg-py; SVG needs nothing: name a file .svg. {extra_hint('png')}") from None
    drawn: Any = resvg_py.svg_to_bytes(svg_string=picture, background="white", zoom=2, sans_serif_family=_FONT)
    return bytes(drawn)
