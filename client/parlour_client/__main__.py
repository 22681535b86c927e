"""Run the command with ``python -m parlour_client``."""

import sys

from parlour_client.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
