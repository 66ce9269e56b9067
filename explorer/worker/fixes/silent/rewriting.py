"""Code changed in several steps, each based on the result of the previous one."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from difflib import SequenceMatcher

from explorer.messages import Edit, Fix, Span
from explorer.text.text import Text
from explorer.worker.errors.code_tree import CodeTree, fix, with_edits


def rewritten(code: CodeTree, label: Text, text: str) -> Fix:
    """Return the fix that turns `code` into `text`, as edits of whole lines, with the missing imports."""
    old, new = code.lines, text.split("\n")
    edits = []
    for tag, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append(_of_lines(old, first, last, new[start:end]))
    return fix(code, label, *edits)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with `edits` applied; insertions at one place keep the order of `edits`."""
    inserted: dict[Span, str] = {}
    replaced = []
    for edit in edits:
        if edit.old:
            replaced.append(edit)
        else:
            inserted[edit.span] = inserted.get(edit.span, "") + edit.new
    # Of two edits at one place the first is applied first, so insertions precede replacements.
    return with_edits(text, [*replaced, *(Edit(span, "", new) for span, new in inserted.items())])


def _of_lines(old: list[str], first: int, last: int, new: list[str]) -> Edit:
    """Return the edit that replaces the lines from `first` up to `last` by `new`."""
    if last < len(old):
        span, ending = Span(first + 1, 0, last + 1, 0), "\n"
    else:
        span, ending = Span(first + 1, 0, last, len(old[last - 1]) if last else 0), ""
    stands = "".join(f"{line}\n" for line in old[first:last]) if ending else "\n".join(old[first:last])
    return Edit(span, stands, "".join(f"{line}\n" for line in new) if ending else "\n".join(new))


def last_name(node: ast.AST) -> str:
    """Return the last part of a dotted name (``normal`` of ``np.random.normal``), or an empty text."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def in_brackets(code: CodeTree, node: ast.expr) -> str:
    """Return the text of `node`, in brackets if a neighbouring operator would take only a part of it."""
    plain = isinstance(node, ast.Constant | ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return code.written(node) if plain else f"({code.written(node)})"


def behind_arguments(code: CodeTree, call: ast.Call, new: str) -> Edit:
    """Return the edit that appends the argument `new` to `call`.

    Raises ValueError if `call` unpacks arguments with * or **.
    """
    if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
        raise ValueError
    end = code.span(call)
    before = code.lines[end.end_line - 1][: end.end_column - 1]
    has_some = bool(call.args or call.keywords)
    comma = ", " if has_some and not before.rstrip().endswith(",") else " " if has_some else ""
    return Edit(Span(end.end_line, end.end_column - 1, end.end_line, end.end_column - 1), "", f"{comma}{new}")
