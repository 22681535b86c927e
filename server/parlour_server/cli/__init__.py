"""The server's commands. May import everything else in the server."""

import gc
import sys

# Most objects that imports create stay alive, so that collections find little to free.
gc.set_threshold(50_000)

# structlog imports rich, if it is installed, to print tracebacks in colour. That takes a tenth of the time to start, so
# rich is hidden from it: an import of a module that is None fails. The types of sys.modules do not know of that.
_rich = sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
import structlog as structlog  # noqa: E402

if _rich is None:
    del sys.modules["rich"]
