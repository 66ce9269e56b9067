"""Small programs with side effects, in text files: ``=== name``, the code, and ``--- file`` for files next to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HEAD = "import jax\nimport jax.numpy as jnp\n"


@dataclass(frozen=True)
class Case:
    """One program, and the files next to it by their paths."""

    name: str
    kind: str
    source: str
    beside: dict[str, str]

    @property
    def variants(self) -> tuple[str, ...]:
        """The functions that are called, each as if it alone were."""
        return tuple(re.findall(r"^(?:async )?def ([fg])\(", self.source, re.MULTILINE))

    def write(self, folder: Path) -> Path:
        """Write all of it into `folder` and return the path of the program."""
        for name, text in {"program.py": self.source, **self.beside}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder / "program.py"


def cases() -> list[Case]:
    """Return all programs."""
    return [each for path in sorted(Path(__file__).parent.glob("*.txt")) for each in _cases(path)]


def _cases(path: Path) -> list[Case]:
    found = []
    for block in re.split(r"^=== ", path.read_text(), flags=re.MULTILINE)[1:]:
        name, _, text = block.partition("\n")
        source, *beside = re.split(r"^--- ", text, flags=re.MULTILINE)
        files = dict(each.split("\n", 1) for each in beside)
        found.append(Case(name, path.stem, HEAD + source, files))
    return found
