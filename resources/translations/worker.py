"""The texts that are data, which gettext translates: collected from the code in a .po file, which Babel compiles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from resources.translations import ROOT

RECORDS = {"Check": ("levels", "name", "summary", "what", "why_silent", "fix", "allow"), "Explanation": ("text",)}
"""The text fields of records in explorer/diagnostics; programs, labels and lessons are not translated."""


def read_code(translation: Path) -> None:
    """Add the sentences of the code to the file `translation`, and remove obsolete ones.

    A sentence similar to a removed one keeps its translation, marked as fuzzy until it is reviewed.
    """
    texts = catalogue(translation)
    texts.update(collected(), update_creation_date=False)
    for each in texts:
        # A percent sign and a letter is no conversion here: parts are in braces.
        each.flags.discard("python-format")
    written = BytesIO()
    write_po(written, texts, width=100, ignore_obsolete=True, include_lineno=False)
    # It would differ from one version of Babel to the next.
    lines = [line for line in written.getvalue().splitlines(keepends=True) if not line.startswith(b'"Generated-By:')]
    translation.write_bytes(b"".join(lines))


def compile_file(translation: Path, compiled: Path) -> None:
    """Write the binary form of `translation`, which Python's gettext reads."""
    with compiled.open("wb") as file:
        write_mo(file, catalogue(translation))


def missing(translation: Path) -> list[str]:
    """Return the sentences that `translation` lacks."""
    return [each.id for each in catalogue(translation) if each.id and (each.fuzzy or not each.string)]


def catalogue(translation: Path) -> Catalog:
    """Return the catalogue in the file `translation`; an empty one where the file is missing."""
    if not translation.exists():
        about = "# The sentences of JAX Explorer's worker. Names in {braces} are filled in.\n#"
        language = translation.stem.partition("_")[2]
        return Catalog(language, header_comment=about, project="JAX Explorer", fuzzy=False)
    with translation.open("rb") as file:
        return read_po(file)


def collected() -> Catalog:
    """Return all of them."""
    found = Catalog(fuzzy=False)
    for path in sorted((ROOT / "explorer").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for line, text in sorted(sentences(path.read_text(encoding="utf-8"), place)):
            found.add(text, locations=[(place, line)])
    return found


def sentences(code: str, place: str) -> Iterator[tuple[int, str]]:
    """Return (line, text) of each sentence in a call of ``say`` in `code`.

    Such a call has the text itself, one of two (``a if test else b``), or the name of a constant of the
    module that holds it, or holds more in a table.
    Raises ValueError, with `place` and line, for a call in which no text can be found.
    """
    tree = ast.parse(code)
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        try:
            if node.func.id == "say":
                yield from _texts(node.args[0], constants)
            elif node.func.id in RECORDS:
                for each in node.keywords:
                    if each.arg in RECORDS[node.func.id]:
                        yield from _texts(each.value, constants)
        except LookupError:
            raise ValueError(f"{place}:{node.lineno}: no text in {ast.unparse(node)}") from None


def _texts(node: ast.expr, constants: dict[str, ast.expr]) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Constant(value=str(text)):
            if text:
                yield node.lineno, text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, constants)
            yield from _texts(other, constants)
        case ast.Dict(values=values) | ast.Tuple(elts=values):
            for each in values:
                yield from _texts(each, constants)
        case ast.Subscript(value=table):
            yield from _texts(table, constants)
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, default]):
            yield from _texts(table, constants)
            yield from _texts(default, constants)
        case ast.Attribute(value=ast.Name(id="check" | "known")):
            # A field of a record, which is collected where that stands.
            return
        case ast.Name(id=name):
            yield from _texts(constants[name], {})
        case _:
            raise LookupError
