"""The checks of ``parlour doctor``. May import ``core``; ``cli`` and the screens are above it."""
