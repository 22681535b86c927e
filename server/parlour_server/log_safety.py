"""Describe exceptions in the log without their text or traceback, which may contain hidden cards."""

import traceback
from pathlib import Path


def place(error: BaseException) -> str:
    """Return the line that raised ``error``, as ``file.py:line``."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return "".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)
