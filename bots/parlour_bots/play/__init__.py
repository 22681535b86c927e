"""Play one bot: over the network, in this process, or as a program. May import the SDK and ``errors``.

A bot that hangs: a program is killed at its time limit (``program``). A bot in this process cannot be interrupted; it
gets a thread of its own on the network, and a ``Watchdog`` in checks. The arena runs third-party bots as programs.
"""
