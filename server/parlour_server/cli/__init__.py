"""The server's commands. May import everything else in the server."""

import sys

# structlog imports rich if it can, for tracebacks in colour: a tenth of the time to start.
_hidden = sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
import structlog as structlog  # noqa: E402

if _hidden is None:
    del sys.modules["rich"]
