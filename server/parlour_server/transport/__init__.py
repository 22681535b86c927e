"""HTTP and WebSocket. Besides ``node.relay``, only this package knows the WebSocket library."""
