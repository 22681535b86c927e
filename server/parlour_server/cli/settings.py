"""Where the verbs of a server take options from that are not given: the environment and ``parlour.toml``."""

from cyclopts.config import Env, Toml
from platformdirs import user_config_path

FILE = user_config_path("parlour", appauthor=False) / "parlour.toml"
SERVE = (Env("PARLOUR_", command=False), Toml(FILE, root_keys=["serve"], must_exist=False))
"""For ``parlour serve``, which refuses keys that it does not know."""
STORE = (Toml(FILE, root_keys=["serve"], must_exist=False, allow_unknown=True, use_commands_as_keys=False),)
"""For the verbs that share a few of its settings, such as the store."""
