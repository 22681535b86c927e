"""Everything, in one table."""

import platform

from benchmarks import commits, fairness, mines, rooms, rules, screens, sockets, terminals, watching, wire
from benchmarks.table import show

if __name__ == "__main__":
    print(f"Python {platform.python_version()} on {platform.machine()}, one process, one core each")
    for part in (rules, mines, wire, rooms, watching, commits, screens, terminals, sockets, fairness):
        show(part.measure())
