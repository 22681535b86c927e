"""Render SVG pictures as PNG, with resvg."""

from typing import Any

import resvg_py

from parlour_client.tui.svg import FONT

ZOOM = 2
_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" font-family="monospace">'
    '<text y="15"{}>m</text></svg>'
)


class NoFont(Exception):
    """No font of fixed width is installed."""


def png(picture: str, zoom: int = ZOOM) -> bytes:
    """Return an SVG ``picture`` as PNG, ``zoom`` times as large. Raises NoFont if no text would be drawn."""
    if _drawn(_PROBE.format("")) == _drawn(_PROBE.format(' visibility="hidden"')):
        raise NoFont(f"no font of fixed width is installed. Install {FONT}, such as: apt install fonts-dejavu-core")
    return _drawn(picture, zoom)


def _drawn(picture: str, zoom: int = ZOOM) -> bytes:
    drawn: Any = resvg_py.svg_to_bytes(svg_string=picture, zoom=zoom, monospace_family=FONT)
    return bytes(drawn)
