"""The screens of matches that are over: the saved ones, and one step by step."""
