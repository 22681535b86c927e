"""The screens over ssh: visitors with an ssh client see them without an installation."""
