"""The server's commands. May import everything else in the server."""
