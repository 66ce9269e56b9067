"""Students' files for a lesson: right, wrong and harmful ones."""

from __future__ import annotations

from pathlib import Path

from explorer.library import library

LESSON = "one_key_for_the_batch"
_CODE = library.open_target(LESSON).source
_BUG = "    return jax.vmap(add_noise, in_axes=(0, None))(x, key)\n"
_FIXED = _CODE.replace(_BUG, "    return jax.vmap(add_noise)(x, jax.random.split(key, len(x)))\n")
_MAPPED = "in_axes=(0, 0))(x, keys)"


def _first(statement: str) -> str:
    """Return the lesson's code with `statement` run as soon as it is loaded."""
    return _CODE.replace("import jax\n", f"{statement}\nimport jax\n", 1)


def _in_variant(statement: str) -> str:
    """Return the fixed code with `statement` at the beginning of its last variant."""
    return _FIXED.replace("    return x + jax.random", f"    {statement}\n    return x + jax.random")


def programs(table_folder: Path) -> dict[str, tuple[str | bytes, list[str]]]:
    """Return the files by name, and the cells of their lines from the exercises to the time-out.

    One of them removes the `table_folder`.
    """
    no, yes = "not done", "done"
    none = [no, no, no]
    endless = _FIXED.replace("    return x + jax.random", "    while True: pass\n    return x + jax.random")
    unheard = "jax.lax.while_loop(lambda c: c >= 0, lambda c: (c + 1) % 7, 0)"
    return {
        "as_it_was": (_CODE, [*none, "1", "0", "", "", "no"]),
        "fixed": (_FIXED, [yes, no, no, "0", "0", "", "", "no"]),
        "fixed_and_maps_one_key": (
            _FIXED.replace(_MAPPED, "in_axes=(0, 0))(x, key)"),
            [yes, no, yes, "0", "0", "ValueError", "27", "no"],
        ),
        "empty": ("", [*none, "0", "0", "NothingToRun", "", "no"]),
        "latin": ("# é\n".encode("latin-1"), [*none, "0", "0", "Unreadable", "", "no"]),
        "unfinished": ("def shared_key(x, key:\n", [*none, "0", "0", "SyntaxError", "1", "no"]),
        "hangs": (endless, [yes, no, no, "0", "0", "Timeout", "32", "yes"]),
        "hangs_at_once": (_first("while True: pass"), [*none, "0", "0", "Timeout", "", "yes"]),
        "cannot_be_stopped": (_in_variant(unheard), [yes, no, no, "0", "0", "Timeout", "", "yes"]),
        "removes_its_folder": (
            _first("import os, shutil; shutil.rmtree(os.path.dirname(__file__), True); shutil.rmtree('..', True)"),
            [*none, "1", "0", "", "", "no"],
        ),
        "has_temporary_files_of_its_own": (
            _first("import os, tempfile; assert os.path.samefile(tempfile.gettempdir(), os.getcwd())"),
            [*none, "1", "0", "", "", "no"],
        ),
        "removes_the_table": (
            _first(f"import shutil; shutil.rmtree({str(table_folder)!r}, True)"),
            [*none, "1", "0", "", "", "no"],
        ),
        "aborts": (_first("import os; os.abort()"), [*none, "0", "0", "WorkerDied", "", "no"]),
        "aborts_later": (_in_variant("import os; os.abort()"), [yes, no, no, "0", "0", "WorkerDied", "", "no"]),
        "exits": (_first("import os; os._exit(0)"), [*none, "0", "0", "WorkerDied", "", "no"]),
        "faults": (_first("import ctypes; ctypes.string_at(0)"), [*none, "0", "0", "WorkerDied", "", "no"]),
        "closes_its_pipes": (_first("import os; os.closerange(0, 1000)"), [*none, "0", "0", "WorkerDied", "", "no"]),
        "talks": (_first("print('x' * 30_000_000)"), [*none, "1", "0", "", "", "no"]),
        "complains": (_first("import os; os.write(2, b'x' * 5_000_000)"), [*none, "1", "0", "", "", "no"]),
        "=1+1": (_FIXED, [yes, no, no, "0", "0", "", "", "no"]),
        "좋은_이름": (_FIXED, [yes, no, no, "0", "0", "", "", "no"]),
    }


def hand_in(folder: Path, found: dict[str, tuple[str | bytes, list[str]]]) -> None:
    """Write the files `found` into `folder`."""
    folder.mkdir()
    for name, (code, _) in found.items():
        (folder / f"{name}.py").write_bytes(code if isinstance(code, bytes) else code.encode())
