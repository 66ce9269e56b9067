"""Answers to the editor's questions on names: completions, hints and definitions, from the last loaded program."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import keyword
import queue
import re
import reprlib
import textwrap
import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy
import numpy as np

from explorer.messages import NameAnswer, NameQuestion
from explorer.worker.syntax.code_tree import CodeTree, readable
from explorer.worker.syntax.scopes import Placed

_PROSE = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"[^"\n]*"|\'[^\'\n]*\'|#.*')


class NameAnswers:
    """Keeps the names of the last loaded program, and answers in a thread, so that no question interrupts a program."""

    def __init__(self, send: Callable[[NameAnswer], None]) -> None:
        self._send = send
        self._module: Mapping[str, Any] = {}
        self._arguments: dict[str, KnownValue] = {}
        self._asked: queue.SimpleQueue[NameQuestion] = queue.SimpleQueue()

    def remember(self, module: types.ModuleType, inputs: Mapping[str, Any]) -> None:
        """Answer from `module` from now on; only the types of `inputs` are kept."""
        self._arguments = {name: KnownValue(type(value), in_words(value)) for name, value in inputs.items()}
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
        scope = NameLookup(self._module, self._arguments, "\n".join(above))
        defined = None if question.completes else definition(question.source, question.line, question.column)
        try:
            if question.completes:
                return NameAnswer(question.number, _fitting(before, scope, question.source))
            name = expression_at_end(before + re.split(r"\W", behind, maxsplit=1)[0])
            return NameAnswer(question.number, (), *described(name, scope), defined)
        except BaseException:  # a user's object may raise when inspected
            return NameAnswer(question.number, defined=defined)


def _fitting(text: str, scope: NameLookup, source: str) -> tuple[str, ...]:
    """Return the names that fit the end of `text`; private names only after an underscore."""
    owner, dot, word = expression_at_end(text).rpartition(".")
    general = set() if dot else {*keyword.kwlist, *dir(builtins)}
    if dot:
        known = scope.known(owner)
        own = attributes(known) if known else set()
    else:
        written = re.findall(r"(?<![\w.])[^\W\d]\w*", _PROSE.sub("", source))
        own = {*scope.module, *written} - general - ({word} if written.count(word) == 1 else set())
    ordered = [*sorted(own, key=str.lower), *sorted(general, key=str.lower)]
    return tuple(name for name in ordered if word.startswith("_") or not name.startswith("_"))


LONGEST_CHAIN = LONGEST_DOC = 500
FEW = 5
"""As many numbers are shown themselves."""

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)
_PLAIN = (type(None), bool, int, float, complex, str)
_CHAIN = re.compile(r"(?:[\w.]|\((?:[^()]|\([^()]*\))*\)|\[(?:[^][]|\[[^][]*\])*\])*\Z")
_MARKUP = re.compile(r":\w+:`~?|`")
"""Sphinx markup for links and code."""


class KnownValue(NamedTuple):
    """The value of an expression, or at least its class."""

    value: Any
    words: str = ""
    """Description of the value, ``float32[32,10]``, if `value` is only its class."""

    @property
    def kind(self) -> type:
        """The class that provides its attributes."""
        return self.value if self.words or isinstance(self.value, type) else type(self.value)


ARRAY = KnownValue(jax.Array, "Array")


class NameLookup(NamedTuple):
    """Name lookup: in the function around the cursor, the module, and Python's builtins."""

    module: Mapping[str, Any]
    arguments: Mapping[str, KnownValue]
    """The result of ``inputs``, by name: these are the arguments of variants."""
    above: str
    """The lines above the cursor."""

    def known(self, text: str) -> KnownValue | None:
        """Return the known facts about the expression `text`, or None."""
        try:
            return self._of(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None

    def _of(self, node: ast.expr) -> KnownValue | None:
        match node:
            case ast.Name(name):
                return self._named(name)
            case ast.Constant(value):
                return KnownValue(type(value), in_words(value))
            case ast.Attribute(of, name):
                owner = self._of(of)
                return _attribute(owner, name) if owner else None
            case ast.Call(function):
                called = self._of(function)
                return _result_of(called) if called else None
            case ast.Subscript(of):
                owner = self._of(of)
                return (
                    KnownValue(_at_classes()[1], "at")
                    if owner and owner.value is _at_classes()[0]
                    else _array_if(owner)
                )
            case ast.UnaryOp(_, operand) | ast.BinOp(ast.Constant(), _, operand) | ast.BinOp(operand):
                return _array_if(self._of(operand))
        return None

    def _named(self, name: str) -> KnownValue | None:
        function = self.above.rpartition("\ndef ")[2]
        set_here = list(re.finditer(rf"^[ \t]+{name} *= *([^=\n].*)$", function, re.MULTILINE))
        if set_here:
            return self._replace(above=function[: set_here[-1].start()]).known(set_here[-1][1])
        if name in self.module:
            return KnownValue(self.module[name])
        return self.arguments.get(name) or (KnownValue(getattr(builtins, name)) if hasattr(builtins, name) else None)


def expression_at_end(text: str) -> str:
    """Return the chain of names, attributes, calls and indices at the end of `text`: ``x.at[0].se``."""
    found = _CHAIN.search(text[-LONGEST_CHAIN:])
    return found[0] if found else ""


def attributes(owner: KnownValue) -> set[str]:
    if isinstance(owner.value, types.ModuleType):
        return set(vars(owner.value))
    names = {name for base in owner.kind.__mro__ for name in vars(base)}
    own = getattr(owner.value, "__dict__", None) if "__dict__" in names and owner.kind is not owner.value else None
    return names | set(own or ())


def described(name: str, scope: NameLookup) -> tuple[str, str]:
    """Return the signature or type of `name`, possibly dotted, and its documentation; both empty if unknown."""
    known = scope.known(name)
    if known is None or not name.rpartition(".")[2].isidentifier() or keyword.iskeyword(name):
        return "", ""
    parameters = _parameters(known)
    if parameters is None and (known.words or not isinstance(known.value, types.ModuleType | type)):
        return f"{name}: {known.words or in_words(known.value)}", ""
    paragraph = (inspect.getdoc(known.value) or "").strip().partition("\n\n")[0]
    doc = textwrap.shorten(_MARKUP.sub("", paragraph), LONGEST_DOC, placeholder=" …")
    return (name if parameters is None else f"{name}({', '.join(parameters)})"), doc


def in_words(value: Any) -> str:
    """Return a short description of `value`: type and few numbers of an array, a plain value itself, else the type."""
    if isinstance(value, jax.Array | np.ndarray):
        return f"{value.dtype}[{','.join(map(str, value.shape))}]{_numbers(value)}"
    if type(value) in _PLAIN or (type(value) is tuple and all(type(each) in _PLAIN for each in value)):
        return reprlib.repr(value)
    if isinstance(value, types.FunctionType | type):
        return value.__name__
    sized = type(value) in (list, tuple, dict, set)
    return f"{type(value).__name__} of {len(value)}" if sized else type(value).__qualname__


def _numbers(value: jax.Array | np.ndarray[Any, Any]) -> str:
    """Return up to FEW numbers of `value` behind a ``=``; empty for more, keys, tracers and deleted arrays."""
    if value.size > FEW or value.ndim > 1 or isinstance(value, jax.core.Tracer):
        return ""
    try:
        return f" = {np.array2string(np.asarray(value), precision=4, separator=', ')}"
    except (TypeError, RuntimeError):
        return ""


def _parameters(called: KnownValue) -> list[str] | None:
    """Return the parameters of `called` with defaults; None if it is not callable, or has no signature."""
    value = called.value
    if called.words or not _may_be_inspected(value):
        # inspect would run code of a user's object.
        value = next((vars(base)["__call__"] for base in called.kind.__mro__ if "__call__" in vars(base)), None)
    if not callable(value):
        # inspect would print it, and an array may be deleted.
        return None
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    defaults = ["" if each.default is each.empty else f"={in_words(each.default)}" for each in found]
    names = [str(each.replace(annotation=each.empty, default=each.empty)) for each in found]
    return [f"{name}{default}" for name, default in zip(names, defaults, strict=True) if name not in ("self", "cls")]


def _attribute(owner: KnownValue, name: str) -> KnownValue | None:
    """Return the known facts about attribute `name` of `owner`, without running a property."""
    if isinstance(owner.value, types.ModuleType):
        return KnownValue(vars(owner.value)[name]) if name in vars(owner.value) else None
    found = inspect.getattr_static(owner.value, name, property())
    if isinstance(found, property) and _array_if(owner):
        return (
            KnownValue(_at_classes()[0], "at")
            if name == "at"
            else ARRAY
            if name in ("T", "mT", "real", "imag")
            else None
        )
    if isinstance(found, property | types.GetSetDescriptorType | types.MemberDescriptorType):
        return None
    return KnownValue(found.__func__ if isinstance(found, staticmethod | classmethod) else found)


def _result_of(called: KnownValue) -> KnownValue | None:
    value = called.value
    if called.words or not _may_be_inspected(value):
        return None
    if isinstance(value, type):
        return KnownValue(value, value.__name__)
    gives_array = isinstance(value, jax.numpy.ufunc) or "_IndexUpdate" in getattr(value, "__qualname__", "")
    return ARRAY if gives_array or "Array" in str(inspect.signature(value).return_annotation) else None


def _array_if(thing: KnownValue | None) -> KnownValue | None:
    """Return an array if `thing` is one: indexing and arithmetic keep arrays."""
    return ARRAY if thing and issubclass(thing.kind, jax.Array | np.ndarray) else None


@functools.cache
def _at_classes() -> tuple[type, type]:
    """Return the classes of ``x.at`` and ``x.at[i]``, which have no public names and appear in no annotation."""
    at = jax.numpy.zeros(()).at
    return type(at), type(at[...])


def _may_be_inspected(value: Any) -> bool:
    """Return whether `value` is a function, a class, or a callable of a known library."""
    library = type(value).__module__.partition(".")[0] in ("jax", "jaxlib", "numpy", "functools")
    return isinstance(value, _FUNCTIONS) or library


MOST_LINES_LEFT_OUT = 3
"""The most half-typed lines to leave out for parsing; code that needs more is not parsed."""
_INDENT = re.compile(r"\s*")


def definition(source: str, line: int, column: int) -> tuple[int, int] | None:
    """Return line and column of the binding of the name at a place: of several the last one before it, else the first.

    None where there is no name, where it is bound elsewhere, and where the code cannot be parsed.
    """
    code = _half_typed(source)
    for node, scope in code.names.items() if code is not None else ():
        name = _name(node)
        place = _place(code, node, name) if code is not None else (0, 0)
        if code is not None and place[0] == line and place[1] <= column <= place[1] + len(name):
            owner = scope.owner(name)
            bound = [each.node for each in owner.bindings[name]] if owner is not None else []
            # A function that declares the name global may bind it, too.
            nodes = [each for each in bound if code.names[each] is owner] or bound
            found = sorted(_place(code, each, name) for each in nodes)
            return max((each for each in found if each <= place), default=next(iter(found), None))
    return None


def _half_typed(source: str) -> CodeTree | None:
    """Return `source` as a tree, lines left out that Python does not understand."""
    lines = source.split("\n")
    for _ in range(MOST_LINES_LEFT_OUT + 1):
        code = readable("\n".join(lines))
        if code is not None:
            return code
        try:
            ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError) as error:
            row = getattr(error, "lineno", None)
            if row is None or not 1 <= row <= len(lines):
                return None
            indentation = _INDENT.match(lines[row - 1])
            lines[row - 1] = (indentation[0] if indentation else "") + "pass"
    return None


def _name(node: ast.AST) -> str:
    """Return the name that stands at `node`, or that it binds."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            return name
        case ast.alias(name=name, asname=other):
            return (other or name).partition(".")[0]
    return str(getattr(node, "name", ""))


def _place(code: CodeTree, node: Placed, name: str) -> tuple[int, int]:
    """Return where `name` stands in the first lines of `node`, which begins with another word if it is a definition."""
    line, column = code.span(node).line, code.span(node).column
    for row in range(line, min(line + 2, len(code.lines)) + 1):
        found = re.compile(rf"\b{re.escape(name)}\b").search(code.lines[row - 1], column if row == line else 0)
        if found:
            return row, found.start()
    return line, column
