"""The client: a connection that reconnects, the state of rooms, and the `parlour` command."""
