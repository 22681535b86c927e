"""The server: rooms without I/O, the store that remembers them, and the node that connects both to sockets."""
