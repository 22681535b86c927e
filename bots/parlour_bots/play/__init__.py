"""Run one bot: over the network, in this process, or as a program. May import the bots and the SDK."""
