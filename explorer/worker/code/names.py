"""Answers to the editor's questions on names, from the last loaded program."""

from __future__ import annotations

import builtins
import keyword
import queue
import re
import types
from collections.abc import Callable, Mapping
from typing import Any

from explorer.messages import NameAnswer, NameQuestion
from explorer.worker.code import known_names
from explorer.worker.code.known_names import Known, Scope, in_words

_PROSE = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"[^"\n]*"|\'[^\'\n]*\'|#.*')


class Names:
    """Keeper of the names of the last loaded program, with a thread for answers.

    So answers arrive while a program runs, and questions never interrupt one.
    """

    def __init__(self, send: Callable[[NameAnswer], None]) -> None:
        self._send = send
        self._module: Mapping[str, Any] = {}
        self._arguments: dict[str, Known] = {}
        self._asked: queue.SimpleQueue[NameQuestion] = queue.SimpleQueue()

    def remember(self, module: types.ModuleType, inputs: Mapping[str, Any]) -> None:
        """Answer from `module` from now on; only the types of `inputs` are kept."""
        self._arguments = {name: Known(type(value), in_words(value)) for name, value in inputs.items()}
        self._module = module.__dict__

    def ask(self, question: NameQuestion) -> None:
        """Add `question`; called from the reading thread."""
        self._asked.put(question)

    def answer_for_ever(self) -> None:
        """Answer questions for ever, only the latest of those waiting; runs in its own thread."""
        while True:
            question = self._asked.get()
            if self._asked.empty():
                self._send(self.answer(question))

    def answer(self, question: NameQuestion) -> NameAnswer:
        """Return the answer; empty if the code around the position is invalid."""
        *above, line = question.source.split("\n")[: question.line]
        before, behind = line[: question.column], line[question.column :]
        scope = Scope(self._module, self._arguments, "\n".join(above))
        try:
            if question.completes:
                return NameAnswer(question.number, _fitting(before, scope, question.source))
            name = known_names.expression_at_end(before + re.split(r"\W", behind, maxsplit=1)[0])
            return NameAnswer(question.number, (), *known_names.described(name, scope))
        except BaseException:  # a user's object may raise when inspected
            return NameAnswer(question.number)


def _fitting(text: str, scope: Scope, source: str) -> tuple[str, ...]:
    """Return the names that fit the end of `text`; private names only after an underscore."""
    owner, dot, word = known_names.expression_at_end(text).rpartition(".")
    general = set() if dot else {*keyword.kwlist, *dir(builtins)}
    if dot:
        known = scope.known(owner)
        own = known_names.attributes(known) if known else set()
    else:
        written = re.findall(r"(?<![\w.])[^\W\d]\w*", _PROSE.sub("", source))
        own = {*scope.module, *written} - general - ({word} if written.count(word) == 1 else set())
    ordered = [*sorted(own, key=str.lower), *sorted(general, key=str.lower)]
    return tuple(name for name in ordered if word.startswith("_") or not name.startswith("_"))
