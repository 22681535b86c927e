"""HTTP and WebSocket, the only place beside ``cluster.relay`` that knows the WebSocket library."""
