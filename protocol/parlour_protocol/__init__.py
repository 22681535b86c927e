"""The protocol: every message both ways, its two encodings, its versions and its refusals."""
