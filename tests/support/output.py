"""Standard output of another system."""

import io
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def redirected() -> Iterator[io.BytesIO]:
    """Redirect standard output as Windows does by default: in cp1252, with CR LF. Yields the file."""
    raw = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(raw, encoding="cp1252", newline="\r\n")) as out:
        yield raw
        out.detach()
