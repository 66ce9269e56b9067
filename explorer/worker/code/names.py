"""Answers to the editor's questions on names, from the last program that loaded."""

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
    """Holds the names of the last program that loaded, and answers in a thread of its own.

    So an answer comes while a program runs, and a question never interrupts one.
    """

    def __init__(self, send: Callable[[NameAnswer], None]) -> None:
        self._send = send
        self._module: Mapping[str, Any] = {}
        self._arguments: dict[str, Known] = {}
        self._asked: queue.SimpleQueue[NameQuestion] = queue.SimpleQueue()

    def remember(self, module: types.ModuleType, inputs: Mapping[str, Any]) -> None:
        """Answer from `module` from now on; of `inputs` only the types are kept."""
        self._arguments = {name: Known(type(value), in_words(value)) for name, value in inputs.items()}
        self._module = module.__dict__

    def ask(self, question: NameQuestion) -> None:
        """Take in `question`; called from the reading thread."""
        self._asked.put(question)

    def answer_for_ever(self) -> None:
        """Answer questions, of those that wait only the newest; for a thread of its own."""
        while True:
            question = self._asked.get()
            if self._asked.empty():
                self._send(self.answer(question))

    def answer(self, question: NameQuestion) -> NameAnswer:
        """Return what is known; an empty answer where the code around the place makes no sense."""
        *above, line = question.source.split("\n")[: question.line]
        before, behind = line[: question.column], line[question.column :]
        scope = Scope(self._module, self._arguments, "\n".join(above))
        try:
            if question.completes:
                return NameAnswer(question.number, _fitting(before, scope, question.source))
            name = known_names.expression_at_end(before + re.split(r"\W", behind, maxsplit=1)[0])
            return NameAnswer(question.number, (), *known_names.described(name, scope))
        except BaseException:  # an object of the user's may answer anything at all when it is checked
            return NameAnswer(question.number)


def _fitting(text: str, scope: Scope, source: str) -> tuple[str, ...]:
    """Return what can stand at the end of `text`, private names only where the word there is one."""
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
