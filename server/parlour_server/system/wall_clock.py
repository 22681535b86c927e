"""When to trust the clock of the machine with removing old data.

A machine may start with a wrong clock that is set some time later.
"""

SETTLES = 3_600_000
"""Milliseconds after a start before anything is removed because of its date."""
JUMP = 300_000
"""Milliseconds by which the clock may be set meanwhile without being distrusted."""
