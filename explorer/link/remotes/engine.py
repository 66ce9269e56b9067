"""The engine as one file: all modules of a worker, packed for transfer, and the command that unpacks them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from explorer import OUR_FILES, OUR_HOME, OUR_NAME
from explorer.link.family import BEATS
from explorer.link.remotes import boot
from explorer.link.remotes.remote import Remote

OF_THE_LINK = ("link/__init__.py", "link/command.py", "link/family.py", "link/temporary.py")
PARTS = ("__init__.py", "diagnostics", "figures", "messages", "text", "worker", *OF_THE_LINK)
"""The packed parts of the package `explorer`."""
OLDEST_JAX = "0.10.2"
OLDEST = {"msgspec": "0.20"}
"""Packages that one command can upgrade; the version of jax is the user's own choice."""
NEEDS = ("jax", "numpy", "msgspec")
"""Packages that the Python of a remote must have."""
DAY_ONE = (1980, 1, 1, 0, 0, 0)
"""Equal parts give equal bytes at any time."""
UNPACK = (
    "import sys,zlib;"
    f"sys.version_info<(3,6)and(sys.stdout.write('{boot.TELLS}old '+sys.version.split()[0]+chr(10)),"
    f"sys.exit({boot.CANNOT}));"
    "sys.path[:]=[p for p in sys.path if p];exec(zlib.decompress(bytes.fromhex(sys.argv[1])))"
)
"""A Python before 3.6 cannot parse this, and says so itself."""


class Engine(msgspec.Struct, frozen=True):
    """The engine, packed.

    Attributes:
        packed: a zip of Python files.
        key: a hash of its content.
    """

    packed: bytes
    key: str


@cache
def engine() -> Engine:
    """Return this version's engine."""
    ours, packed = Path(OUR_FILES), io.BytesIO()
    parts = [ours / part for part in PARTS]
    files = [file for part in parts for file in ([part] if part.is_file() else sorted(part.rglob("*.py")))]
    if ours.parent != OUR_HOME:
        # The wheel has its packages in another.
        files.append(ours.parent / "__init__.py")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            name = zipfile.ZipInfo(file.relative_to(OUR_HOME).as_posix(), DAY_ONE)
            name.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(name, file.read_bytes())
    return Engine(packed.getvalue(), hashlib.sha256(packed.getvalue()).hexdigest()[:16])


def command_at(remote: Remote, environment: Mapping[str, str], arguments: Sequence[str] = ()) -> list[str]:
    """Return the command that starts a worker at `remote`, with `arguments` and more variables of the `environment`."""
    ours = engine()
    order = {
        "key": ours.key,
        "size": len(ours.packed),
        "needs": NEEDS,
        "oldest": OLDEST,
        "oldest_jax": OLDEST_JAX,
        "environment": dict(environment),
        "most_silent_s": float(environment.get(BEATS, 0)),
        "module": f"{OUR_NAME}.worker",
        "arguments": list(arguments),
    }
    text = f"{Path(boot.__file__).read_text(encoding='utf-8')}\nimport json\nboot(json.loads({json.dumps(order)!r}))\n"
    return remote.started_with(["-c", UNPACK, zlib.compress(text.encode(), 9).hex()])
