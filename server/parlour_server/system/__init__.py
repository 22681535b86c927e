"""The process and its surroundings: garbage collection, systemd, QR codes."""
