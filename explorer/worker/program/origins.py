"""The lines of user code, and the primitive, behind an instruction of a compiled program (`Origins`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

from explorer.worker.internals.hlo_proto import Instruction, Module

_UNCHANGED = ("bitcast", "copy", "reshape", "transpose", "convert")
"""Instructions that hand their operand on, in another form."""
_WHOLE = ("fusion", "call", "while", "conditional")
"""Instructions that run what they call as a whole."""
_NOTHING = ("parameter", "constant", "bitcast", "broadcast", "tuple", "get-tuple-element")
"""Instructions that cost nothing inside a fusion."""
DEEPEST = 20
"""Steps from an instruction without a line to one that has one."""


class Origins:
    """The lines behind the instructions of a module; `is_user_code` decides by file name."""

    def __init__(self, module: Module, is_user_code: Callable[[str], bool]) -> None:
        self._module = module
        frames = module.frames()
        self._line_of_frame = {
            frame: next((line for file, line in stack if is_user_code(file)), 0) for frame, stack in frames.items()
        }
        self.line = cache(self._line)
        self._users: dict[int, list[Instruction]] = defaultdict(list)
        for each in module.instructions.values():
            for operand in each.operands:
                self._users[operand].append(each)

    def origin(self, number: int) -> int:
        """Return the instruction that computed the contents of `number`, through copies and writes into an array."""
        for _ in range(DEEPEST):
            before, number = number, self._step(self._module.instructions[number])
            if number == before:
                break
        return number

    def primitive(self, number: int) -> str:
        """Return JAX's primitive behind an instruction: ``tanh``; '' if unknown."""
        name = self._named(number).operation.rpartition("/")[2]
        return name if name.isidentifier() else ""

    def lines(self, number: int) -> tuple[int, ...]:
        """Return all lines in user code that an instruction computes: of a fusion, those of everything in it.

        An instruction that XLA added has none: those of its operands would be a guess. One that replaces another has
        its line: what is left of the other follows it, as a change of form or as the end of a reduction.
        """
        each = self._module.instructions[number]
        inside = {inner for called in each.called for inner in self._computed(called)} if each.opcode in _WHOLE else ()
        found = {self._line_of_frame.get(self._module.instructions[inner].frame, 0) for inner in inside} - {0}
        return tuple(sorted(found or {self.own_line(number) or self._replaced_line(number)} - {0}))

    def own_line(self, number: int) -> int:
        """Return the line in user code that an instruction itself has, 0 for none."""
        return self._line_of_frame.get(self._named(number).frame, 0)

    def _replaced_line(self, number: int) -> int:
        """Return the line of the instruction that `number` replaces, 0 for none."""
        for user in self._users.get(number, ()):
            readers = [user]
            if user.opcode == "fusion":
                place = user.operands.index(number)
                inside = (self._module.instructions[each] for each in self._module.contents[user.called[0]])
                parameters = [each.id for each in inside if each.opcode == "parameter" and each.parameter == place]
                readers = [reader for each in parameters for reader in self._users.get(each, ())]
            for reader in readers:
                if reader.opcode in (*_UNCHANGED, "reduce") and (line := self.own_line(reader.id)):
                    return line
        return 0

    def _computed(self, computation: int) -> Iterator[int]:
        """Yield the instructions of a computation, and of those that it calls, that compute something."""
        for number in self._module.contents[computation]:
            each = self._module.instructions[number]
            if each.opcode not in _NOTHING:
                yield number
            for called in each.called:
                yield from self._computed(called)

    def _line(self, number: int) -> int:
        """Return the line in user code of an instruction, or of the first of its operands that has one; else 0."""
        for _ in range(DEEPEST):
            each = self._module.instructions[number]
            found = self.own_line(number)
            if found or not each.operands:
                return found
            number = each.operands[0]
        return 0

    def _named(self, number: int) -> Instruction:
        """Return the instruction that has the names: for a fusion without any, its root."""
        each = self._module.instructions[number]
        if each.opcode == "fusion" and not each.frame:
            return self._module.instructions[self._module.roots[each.called[0]]]
        return each

    def _step(self, each: Instruction) -> int:
        if each.opcode == "fusion":
            inner = self._module.instructions[self._module.roots[each.called[0]]]
            found = self._written(inner)
            if found is inner:
                return each.id
            return each.operands[found.parameter] if found.opcode == "parameter" else found.id
        return self._written(each).id

    def _written(self, each: Instruction) -> Instruction:
        """Return the instruction whose result `each` hands on, or writes into a part of an array."""
        while True:
            if each.opcode == "dynamic-update-slice":
                number = each.operands[1]
            elif each.opcode in _UNCHANGED and each.operands:
                number = each.operands[0]
            else:
                return each
            each = self._module.instructions[number]
