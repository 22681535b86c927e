"""A faulty server that sends acts before their commit, and in the end never commits. The audit has to detect it."""

import asyncio
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any
from unittest.mock import patch

from parlour_client.cli.main import main
from parlour_server.node.commits import CommitQueue
from parlour_server.persistence import Append

LAST = 50
"""The commit with acts that never comes."""
STUCK = "stuck before the commit"
"""What it logs then."""
_commit = CommitQueue._commit
_commits = count(1)


def _send_and_commit(queue: CommitQueue, writes: list[Any], batches: list[Sequence[Any]]) -> None:
    if any(isinstance(write, Append) and '"r":"act"' in write.line for write in writes):
        queue._deliver(batches)
        batches = []
        if next(_commits) == LAST:
            print(STUCK, file=sys.stderr, flush=True)
            queue._committing = asyncio.get_running_loop().create_future()
            return  # the test kills it when the clients have read all that was sent
    _commit(queue, writes, batches)


if __name__ == "__main__":
    patch.object(CommitQueue, "_commit", _send_and_commit).start()
    sys.exit(main(["serve", *sys.argv[1:]]))
