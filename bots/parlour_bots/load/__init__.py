"""``parlour load``: many tables of quick bots against one server, and what that costs."""
