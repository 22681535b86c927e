"""What hatch adds to the metadata: the project's addresses, and a README whose links work outside the repository."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:|#)([^)]+)\)")


class CustomMetadataHook(MetadataHookInterface):
    """Derives addresses from ``repository``, a setting of this hook in pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add ``urls`` and ``readme``."""
        repository, version = self.config["repository"], metadata["version"]
        release = "HEAD" if "dev" in version else f"v{version}"

        def absolute(link: re.Match[str]) -> str:
            image, text, path = link.groups()
            return f"{image}[{text}]({repository}/{'raw' if image else 'blob'}/{release}/{path})"

        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": _LINK.sub(absolute, text)}
        metadata["urls"] = {
            "Repository": repository,
            "Documentation": f"{repository}/blob/{release}/docs",
            "Changelog": f"{repository}/blob/{release}/CHANGELOG.md",
            "Issues": f"{repository}/issues",
        }
