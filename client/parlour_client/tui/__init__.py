"""The screens of the client. Only this package imports textual, and only verbs that draw import this package."""
