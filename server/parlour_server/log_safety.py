"""What the log may say of an exception: never its text, nor a traceback, which may hold what is in a hand."""

import traceback
from pathlib import Path


def place(error: BaseException) -> str:
    """Return the line that raised ``error``, as ``file.py:line``."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return "".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)
