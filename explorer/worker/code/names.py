"""What the editor asks about names, answered from the last program that loaded."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Mapping
from typing import Any

from explorer.messages import NameAnswer, NameQuestion
from explorer.worker.code import known_names, name_answers, name_scope
from explorer.worker.code.known_names import Thing

LARGE_BYTES = 1 << 28
"""A namespace that holds more in arrays is let go of before the next program loads, so as not to be there twice."""

_ARRAYS = ("jaxlib._jax", "jaxlib.xla_extension", "numpy")


class Names:
    """Holds the names of the last program that loaded, and answers in a thread of its own.

    So an answer comes while a program runs, and a question never interrupts one. Only the newest question waits.
    """

    def __init__(self, send: Callable[[NameAnswer], None]) -> None:
        self._send = send
        self._module: Mapping[str, Any] = {}
        self._arguments: dict[str, Thing] = {}
        self._asked: NameQuestion | None = None
        self._arrived = threading.Condition()

    def remember(self, module: types.ModuleType, inputs: Mapping[str, Any]) -> None:
        """Answer from `module` from now on; of `inputs` only the types are kept."""
        self._arguments = {name: known_names.thing_of(value) for name, value in inputs.items()}
        self._module = module.__dict__

    def make_room(self) -> None:
        """Let go of a namespace that holds much, because the next program is about to load."""
        held = (
            getattr(value, "nbytes", 0) for value in list(self._module.values()) if type(value).__module__ in _ARRAYS
        )
        if sum(held) > LARGE_BYTES:
            self._module = {}

    def ask(self, question: NameQuestion) -> None:
        """Take in `question` in place of one that still waits; called from the reading thread."""
        with self._arrived:
            self._asked = question
            self._arrived.notify()

    def answer_for_ever(self) -> None:
        """Answer one question after the other; for a thread of its own."""
        while True:
            with self._arrived:
                self._arrived.wait_for(lambda: self._asked is not None)
                question, self._asked = self._asked, None
            if question is not None:
                self._send(self.answer(question))

    def answer(self, question: NameQuestion) -> NameAnswer:
        """Return what is known; an empty answer where the code around the place makes no sense."""
        empty = NameAnswer(question.number, question.matter)
        try:
            scope = name_scope.around(question.source, question.line, self._module, self._arguments)
            return name_answers.answer(question, scope) or empty
        except Exception:  # an object of the person's may answer anything at all when it is looked at
            return empty
