"""The client: a connection that comes back by itself, the table as it tells it, and the `parlour` command."""
