"""What the worker knows of a name, as HTML for the completion, the call hint and the pointer."""

from __future__ import annotations

from html import escape

from explorer.messages import NameAnswer
from views.theme import Theme


def described(answer: NameAnswer, theme: Theme) -> str:
    """Return name, signature or value, and the docstring's first paragraph; empty where nothing is known."""
    if not (answer.parameters or answer.value or answer.doc):
        return ""
    head = _mono(f"<b>{escape(answer.title)}</b>{_signature(answer)}", theme)
    return f"{head}<br>{escape(answer.doc)}" if answer.doc else head


def call_hint(answer: NameAnswer, theme: Theme) -> str:
    """Return the callable with its parameters, the one at the cursor in bold and underlined."""
    last = escape(answer.title.rpartition(".")[2])
    return _mono(f"{last}{_signature(answer)}", theme)


def _signature(answer: NameAnswer) -> str:
    if answer.value and answer.value != "()":
        return f": {escape(answer.value)}"
    if not answer.parameters:
        return answer.value
    words = [escape(each) for each in answer.parameters]
    if 0 <= answer.current < len(words):
        words[answer.current] = f"<b><u>{words[answer.current]}</u></b>"
    return f"({', '.join(words)})"


def _mono(html: str, theme: Theme) -> str:
    family = theme.mono_font().family()
    return f"<span style=\"font-family: '{family}'; color: {theme.text}\">{html}</span>"
