"""The answers to the editor's questions: which names fit, what a call takes, what a name is."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
import types
from collections.abc import Iterator
from typing import Any

import jax

from explorer.messages import Name, NameAnswer, NameKind, NameQuestion
from explorer.worker.code import cursor_text, known_names
from explorer.worker.code.known_names import Scope, Thing

MOST_NAMES = 600
LONGEST_DOC = 500
LONGEST_DEFAULT = 30

_ROLE = re.compile(r":[\w:+.-]+:`~?([^`<]*?)(?:\s*<[^>]*>)?`")


def answer(question: NameQuestion, scope: Scope) -> NameAnswer | None:
    """Return what is known from `scope`, None for nothing."""
    return {"complete": _complete, "call": _call, "describe": _describe}[question.matter](question, scope)


# -- the three matters --------------------------------------------------------------------------------------------


def _complete(question: NameQuestion, scope: Scope) -> NameAnswer | None:
    word = cursor_text.begun_word(question.source, question.line, question.column)
    before = question.column - len(word)
    owner_text = cursor_text.expression_before(question.source, question.line, before)
    if owner_text.endswith("."):
        owner = _resolved(owner_text[:-1], scope)
        groups = [_attributes(owner)] if owner else []
    else:
        groups = [list(group) for group in _bare_names(question, scope)]
    return NameAnswer(question.number, "complete", tuple(_fitting(groups, word)[:MOST_NAMES]), prefix=word)


def _call(question: NameQuestion, scope: Scope) -> NameAnswer | None:
    call = cursor_text.call_around(question.source, question.line, question.column)
    called = _resolved(call.function, scope) if call else None
    if call is None or called is None or not called.known:
        return None
    parameters = _parameters(called)
    if parameters is None:
        return None
    return NameAnswer(
        question.number,
        "call",
        title=call.function,
        parameters=tuple(_parameter_words(each) for each in parameters),
        current=_current(parameters, call),
        doc=_doc(called.value),
    )


def _describe(question: NameQuestion, scope: Scope) -> NameAnswer | None:
    source, line = question.source, question.line
    if question.chosen:
        word = cursor_text.begun_word(source, line, question.column)
        before = cursor_text.expression_before(source, line, question.column - len(word))
        text = f"{before}{question.chosen}" if before.endswith(".") else question.chosen
    else:
        text = cursor_text.expression_before(source, line, cursor_text.whole_word_end(source, line, question.column))
    last = text.rpartition(".")[2]
    if not last.isidentifier() or (keyword.iskeyword(last) and last == text):
        return None
    thing = _resolved(text, scope)
    if thing is None:
        return None
    parameters = _parameters(thing)
    is_value = parameters is None and not (thing.known and isinstance(thing.value, types.ModuleType | type))
    return NameAnswer(
        question.number,
        "describe",
        title=text,
        parameters=tuple(_parameter_words(each) for each in parameters or ()),
        value=_value_words(thing) if is_value else "" if parameters is None else "()",
        doc=_doc(thing.value) if thing.known and not is_value else "",
    )


def _value_words(thing: Thing) -> str:
    if thing.words:
        return thing.words
    if thing.kind is None:
        return known_names.in_words(thing.value)
    if issubclass(thing.kind, jax.Array):
        return "array"
    return "" if thing.kind is object else thing.kind.__name__


# -- which names there are ------------------------------------------------------------------------------------


def _attributes(owner: Thing) -> list[Name]:
    return [Name(each, _kind(known_names.attribute(owner, each))) for each in known_names.attributes(owner)]


def _bare_names(question: NameQuestion, scope: Scope) -> Iterator[Iterator[Name]]:
    """Yield what can stand at the beginning of an expression, the nearest group first."""
    call = cursor_text.call_around(question.source, question.line, question.column)
    called = _resolved(call.function, scope) if call and not call.keyword else None
    parameters = (_parameters(called) if called else None) or []
    named = [each.name for each in parameters if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
    yield (Name(f"{each}=", "argument") for each in named)
    yield (Name(each, "variable") for each in {*scope.parameters, *scope.assigned})
    module = list(scope.module.items())
    yield (Name(each, _kind(Thing(value))) for each, value in module if not each.startswith("__"))
    yield (Name(each, "keyword") for each in keyword.kwlist)
    yield (Name(each, _kind(Thing(getattr(builtins, each)))) for each in dir(builtins) if each[0] != "_")


def _fitting(groups: list[list[Name]], word: str) -> list[Name]:
    """Return the names that begin with `word`, then those that hold it; private ones only where `word` is private."""
    small = word.lower()
    begin: dict[str, Name] = {}
    hold: dict[str, Name] = {}
    for group in groups:
        shown = [each for each in group if word.startswith("_") or not each.text.startswith("_")]
        for each in sorted(shown, key=lambda each: (not each.text.startswith(word), each.text.lower())):
            if each.text.lower().startswith(small):
                begin.setdefault(each.text, each)
            elif len(small) > 1 and small in each.text.lower():
                hold.setdefault(each.text, each)
    return [*begin.values(), *hold.values()]


def _kind(thing: Thing | None) -> NameKind:
    if thing is None or not thing.known:
        return "variable"
    if isinstance(thing.value, types.ModuleType):
        return "module"
    if isinstance(thing.value, type):
        return "class"
    return "function" if callable(thing.value) else "variable"


def _resolved(text: str, scope: Scope) -> Thing | None:
    try:
        return known_names.resolve(ast.parse(text, mode="eval").body, scope)
    except (SyntaxError, ValueError, RecursionError):
        return None


# -- callables in words ------------------------------------------------------------------------------------------


def _parameters(called: Thing) -> list[inspect.Parameter] | None:
    """Return what `called` takes, None where it is no callable or does not say; without ``self`` of a method."""
    if not called.known or not callable(called.value):
        return None
    try:
        return list(inspect.signature(called.value).parameters.values())[called.bound :]
    except (TypeError, ValueError):
        return None


def _parameter_words(parameter: inspect.Parameter) -> str:
    stars = "*" * ((parameter.kind is parameter.VAR_POSITIONAL) + 2 * (parameter.kind is parameter.VAR_KEYWORD))
    default = parameter.default
    if default is parameter.empty:
        return f"{stars}{parameter.name}"
    plain = default is None or type(default) in (bool, int, float, complex, str)
    if plain or (type(default) is tuple and all(type(each) in (bool, int, float, str) for each in default)):
        words = repr(default)
    else:
        words = default.__name__ if isinstance(default, types.FunctionType | type) else "…"
    return f"{parameter.name}={words if len(words) <= LONGEST_DEFAULT else '…'}"


def _current(parameters: list[inspect.Parameter], call: cursor_text.Call) -> int:
    """Return the index of the parameter that the cursor is at, -1 where there is none."""
    if call.keyword:
        named = [each.name for each in parameters]
        return named.index(call.keyword) if call.keyword in named else -1
    for index, each in enumerate(parameters):
        if each.kind is each.VAR_POSITIONAL:
            return index
        if index == call.position:
            return index if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) else -1
    return -1


def _doc(value: Any) -> str:
    """Return the first paragraph of the docstring of `value` as plain text."""
    text = inspect.getdoc(value) or ""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    plain = _ROLE.sub(r"\1", paragraph).replace("``", "").replace("`", "")
    return plain if len(plain) <= LONGEST_DOC else f"{plain[:LONGEST_DOC].rpartition(' ')[0]} …"
