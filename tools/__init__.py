"""Tools for developers of parlour; nothing here is installed."""
