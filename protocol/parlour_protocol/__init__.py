"""The protocol: messages, their two encodings, versions and refusals."""
