"""Many games between bots in this process or several, without a server: who is better, and how sure that is."""
