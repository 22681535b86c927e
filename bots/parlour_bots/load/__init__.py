"""``parlour load``: many rooms of quick bots against one server, and what that costs."""
