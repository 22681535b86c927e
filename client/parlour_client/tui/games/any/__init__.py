"""Any game on the screen, from its view, events and legal actions."""
