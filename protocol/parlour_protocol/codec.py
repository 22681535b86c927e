"""Encode and decode frames, per subprotocol. Incoming frames are checked against limits before anything reads them.

Subprotocols name protocol versions. Version 1 freezes at release 1.0 of the project. Afterwards it only grows:
receivers ignore fields they do not know, clients ignore message types they do not know. A socket that requests no
subprotocol always speaks ``parlour.v1.json``.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs
import msgpack
import msgspec

from parlour_protocol.converter import string
from parlour_protocol.errors import BadFrame
from parlour_protocol.messages import INT_LIMIT, Plain, ServerMessage

Frame: TypeAlias = str | bytes

JSON = "parlour.v1.json"
MSGPACK = "parlour.v1.msgpack"
SUBPROTOCOLS = (MSGPACK, JSON)
"""The supported subprotocols, the most compact first."""
MAX_CLIENT_FRAME = 16_384
"""The largest frame a client may send, in bytes."""
MAX_SERVER_FRAME = 1 << 20
"""The largest frame a server sends, in bytes."""
MAX_DEPTH = 16
"""The depth to which lists and maps may nest, including the frame's own map."""
_TOO_DEEP = f"lists and maps nest at most {MAX_DEPTH} deep"


@attrs.frozen
class Bounds:
    """The largest list and map that an incoming frame may contain."""

    array: int
    map: int


FROM_CLIENT = Bounds(array=256, map=64)
FROM_SERVER = Bounds(array=65_536, map=65_536)


@attrs.frozen
class Codec:
    """One encoding. ``decode`` raises BadFrame for anything but a single map of plain data.

    ``encode`` takes plain data, and what servers send as it is.
    """

    name: str
    binary: bool
    encode: Callable[[Plain | ServerMessage], Frame]
    _parse: Callable[[Frame, Bounds], Any]

    def decode(self, frame: Frame, bounds: Bounds = FROM_CLIENT) -> Plain:
        """Return the map in ``frame``."""
        if isinstance(frame, bytes) is not self.binary:
            raise BadFrame(f"{self.name} uses {'binary' if self.binary else 'text'} frames")
        try:
            value = self._parse(frame, bounds)
            if type(value) is not dict:
                raise BadFrame("a frame must be a map")
            _check(value, bounds, MAX_DEPTH)
        except BadFrame:
            raise
        except json.JSONDecodeError as error:
            raise BadFrame(f"not JSON: {error.msg} at character {error.pos}") from None
        except RecursionError:  # where the parser itself has a limit, which depends on the Python
            raise BadFrame(_TOO_DEEP) from None
        except (ValueError, OverflowError, TypeError, msgpack.UnpackException) as error:
            raise BadFrame(
                f"not {self.name.rsplit('.', 1)[1]}, or out of bounds: {str(error) or type(error).__name__}"[:200]
            ) from None
        return value


def _check(value: Any, bounds: Bounds, depth: int) -> None:
    """Refuse values in a list or map that only one of the encodings can carry, so that both carry the same data."""
    if not depth:
        raise BadFrame(_TOO_DEEP)
    is_map = type(value) is dict
    limit = bounds.map if is_map else bounds.array
    if len(value) > limit:
        raise BadFrame(f"a {'map' if is_map else 'list'} has at most {limit} entries, not {len(value)}")
    for item in value.values() if is_map else value:
        kind = type(item)
        if kind is int:
            if not -INT_LIMIT < item < INT_LIMIT:
                raise BadFrame("integers must be between -2^53 and 2^53")
        elif kind is dict or kind is list:
            _check(item, bounds, depth - 1)
        elif kind is str:
            if not item.isascii():
                string(item)
        elif item is not None and kind is not bool:
            raise BadFrame("a frame may hold only strings, integers, true, false, null, lists and maps")


def _map(pairs: list[tuple[Any, Any]]) -> Plain:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadFrame("a map has the same key twice")
    for key in found:
        if type(key) is not str:
            raise BadFrame("the keys of a map must be strings")
        if not key.isascii():
            string(key)
    return found


def _no_float(text: str) -> Any:
    raise BadFrame(f"numbers must be integers, not {text[:20]}")


_decoder = json.JSONDecoder(object_pairs_hook=_map, parse_float=_no_float, parse_constant=_no_float)
_to_json = msgspec.json.Encoder().encode


def _parse_json(frame: Frame, _: Bounds) -> Any:
    return _decoder.decode(str(frame))


def _parse_msgpack(frame: Frame, bounds: Bounds) -> Any:
    return msgpack.unpackb(
        frame, object_pairs_hook=_map, max_array_len=bounds.array, max_map_len=bounds.map, max_bin_len=0, max_ext_len=0
    )


CODECS: dict[str, Codec] = {
    JSON: Codec(JSON, False, lambda data: _to_json(data).decode(), _parse_json),
    MSGPACK: Codec(MSGPACK, True, msgspec.msgpack.Encoder().encode, _parse_msgpack),
}
"""The encodings by subprotocol."""


class UnknownSubprotocol(Exception):
    """The client requested only unknown subprotocols. The message lists the known ones."""


def choose(asked: Sequence[str]) -> str:
    """Return the first known subprotocol that the client asked for, in its order, or JSON if it asked for none."""
    if not asked:
        return JSON
    for name in asked:
        if name in SUBPROTOCOLS:
            return name
    raise UnknownSubprotocol(f"unknown subprotocols {', '.join(asked)}; this server speaks {', '.join(SUBPROTOCOLS)}")
