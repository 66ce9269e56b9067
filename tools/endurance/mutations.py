"""Slightly or completely wrong programs, as they are while a user types, or by mistake."""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
import warnings
from collections.abc import Callable
from pathlib import Path

from explorer.library import library
from explorer.scenario import packages
from tests.worker.runs import plain_programs
from tests.worker.runs.plain_programs import HEAD

_WORDS = """
None True False () [] {} 0 1 -1 0.0 1e9 3j 'a' "" b'' x key keys jnp jax np self lambda return yield await async
jnp.nan jnp.inf jax.random.key(0) jax.random.split(key) jax.random.normal(key,(3,)) jnp.ones(3) jnp.ones((2,3))
jnp.zeros(0) jax.vmap jax.jit jax.grad jax.lax.scan jax.lax.cond print range(3) len open(__file__) inputs dict
raise assert del global nonlocal import from as with try: except: finally: else: if while for in not is and or
== != <= >= := -> ** // % @ ~ ^ & | << >> += -= : , ; . ... * = #
"""
WORDS = (*_WORDS.split(), "\\", "\n", "\t", "한글", "\u200b", "\ud800", "\x00")
_FUNCTIONS = """
jnp.sum jnp.mean jnp.dot jnp.sort jnp.argmax jnp.where jnp.concatenate jnp.reshape jnp.linalg.inv jnp.cumsum jnp.exp
jax.jit jax.grad jax.vmap jax.hessian jax.jacfwd jax.checkpoint jax.lax.scan jax.lax.while_loop jax.lax.fori_loop
jax.random.split jax.random.fold_in jax.random.normal jax.random.permutation jax.random.categorical jax.random.key
jax.random.PRNGKey jax.eval_shape jax.make_jaxpr jax.device_get jax.tree.map list tuple str int float print repr
"""
FUNCTIONS = tuple(_FUNCTIONS.split())
READABLE = 0.66
TRIES = 20
Mutation = Callable[[str, random.Random], str]


def programs() -> list[str]:
    """Return the code of all lessons whose packages are installed."""
    return [each.source for each in library.built_in() if not packages.missing(each)]


def short_programs() -> list[str]:
    """Return programs of a few lines, which run in a tenth of the time of a lesson: of keys, and of Python's state."""
    text = (Path(__file__).parent / "short_programs.txt").read_text(encoding="utf-8")
    of_keys = [HEAD + block.partition("\n")[2] for block in text.split("=== ")[1:]]
    return of_keys + [each.source for each in plain_programs.cases() if each.kind in ("state", "traces")]


def mutated(source: str, chance: random.Random) -> str:
    """Return `source` after one to four mutations, mostly one; two of three times Python can still read it."""
    readable = chance.random() < READABLE
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        tries = (chance.choice(MUTATIONS)(source, chance) for _ in range(TRIES))
        source = next((each for each in tries if not readable or _is_readable(each)), source)
    return source


def _is_readable(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _tokens(source: str) -> list[tuple[int, int]]:
    """Return the start and end of each token that Python can still read."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.string.strip():
                (row, column), (end_row, end_column) = token.start, token.end
                found.append((starts[row - 1] + column, starts[end_row - 1] + end_column))
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass
    return found or [(0, len(source))]


def _put(source: str, place: tuple[int, int], text: str) -> str:
    return source[: place[0]] + text + source[place[1] :]


def _without_a_token(source: str, chance: random.Random) -> str:
    return _put(source, chance.choice(_tokens(source)), "")


def _with_another_word(source: str, chance: random.Random) -> str:
    return _put(source, chance.choice(_tokens(source)), chance.choice(WORDS))


def _with_a_word_more(source: str, chance: random.Random) -> str:
    _, end = chance.choice(_tokens(source))
    return _put(source, (end, end), f" {chance.choice(WORDS)}")


def _with_a_token_of_its_own(source: str, chance: random.Random) -> str:
    tokens = _tokens(source)
    taken = chance.choice(tokens)
    return _put(source, chance.choice(tokens), source[taken[0] : taken[1]])


def _with_another_function(source: str, chance: random.Random) -> str:
    calls = [found.span(1) for found in re.finditer(r"([A-Za-z_][\w.]*)\(", source)]
    return _put(source, chance.choice(calls), chance.choice(FUNCTIONS)) if calls else source


def _with_another_number(source: str, chance: random.Random) -> str:
    numbers = [found.span() for found in re.finditer(r"\b\d+(\.\d+)?\b", source)]
    value = chance.choice(("0", "-1", "1", "2", "3", "7", "1000", "0.5", "1e30", "2**31", "2**63", "10**6"))
    return _put(source, chance.choice(numbers), value) if numbers else source


def _lines_changed(source: str, chance: random.Random) -> str:
    lines = source.splitlines(keepends=True) or [""]
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    way = chance.randrange(6)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(other, lines[at])
    elif way == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 3:
        lines[at] = f"    {lines[at]}"
    elif way == 4:
        lines[at] = lines[at].lstrip(" ")
    else:
        lines[at] = lines[at].rstrip("\n")
    return "".join(lines)


def _cut_off(source: str, chance: random.Random) -> str:
    """Return the code as it is while a user types it."""
    return source[: chance.randrange(len(source) + 1)]


def _a_character(source: str, chance: random.Random) -> str:
    at = chance.randrange(len(source) + 1)
    return _put(source, (at, at + chance.randrange(2)), chance.choice("()[]{}:,.=\n\"'\\#@ \t0aé한"))


MUTATIONS: tuple[Mutation, ...] = (
    _without_a_token,
    _with_another_word,
    _with_a_word_more,
    _with_a_token_of_its_own,
    _with_another_function,
    _with_another_number,
    _lines_changed,
    _cut_off,
    _a_character,
)
