"""The format, file and exit code of a command's report; records as JSON text; the version of a package."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

FORMATS = ("text", "json", "github", "sarif")


class OutputOptions(NamedTuple):
    """The output options of the command line."""

    form: str = "text"
    file: Path | None = None
    """The output file; the text goes to the terminal even then."""
    exit_zero: bool = False

    @property
    def is_text(self) -> bool:
        """Whether a user reads along."""
        return self.form == "text" or self.file is not None

    def code(self, code: int) -> int:
        """Return the exit code: bugs alone may be let pass."""
        return 0 if self.exit_zero and code == 1 else code

    def formatted(self, text: str, record: Any, found: Iterable[Any]) -> str:
        """Return the findings in the chosen form: as `text`, from the `record`, or from the problems `found`."""
        from explorer.commands import repository
        from explorer.commands.in_ci.problems import github_text, log

        if self.form == "text":
            return f"{text}\n"
        if self.form == "github":
            return github_text(found, repository.top())
        return as_json(record if self.form == "json" else log(found, repository.top(), tool=version() or "0"))

    def write(self, content: str) -> None:
        """Write `content` into the file, if there is one. Raises OSError."""
        from explorer.library import own_file
        from explorer.messages.encodable import encodable_text

        if self.file is not None:
            own_file.write_atomically(self.file, encodable_text(content).encode())


def as_json(record: Any) -> str:
    """Return `record` as JSON of several lines."""
    import msgspec

    from explorer.messages.encodable import encodable

    return msgspec.json.format(msgspec.json.encode(encodable(record)), indent=2).decode() + "\n"


def version(package: str = "jax-explorer") -> str:
    """Return the version of `package`; empty where it is not installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed(package)
    except PackageNotFoundError:
        return ""
