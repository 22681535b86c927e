"""Play one bot: over the network, in this process, or as a program. May import the SDK and ``errors``.

A bot that hangs: ``program`` kills a program at its time limit. A bot in this process cannot be interrupted; ``runner``
limits and watches it, and ``network`` gives it a thread of its own. The arena runs third-party bots as programs.
"""
