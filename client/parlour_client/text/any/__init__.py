"""Any game in words, from its view, events and legal actions."""
