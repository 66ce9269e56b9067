"""The types at line ends equal those of plain Python, which runs one example after the other."""

from __future__ import annotations

import ast
import linecache
from collections import Counter, defaultdict
from collections.abc import Callable
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from explorer.messages import LineType
from explorer.worker.program.program import program

FILE = "line_types_of_this.py"
Form = tuple[tuple[str, tuple[int, ...], tuple[int, ...]], ...]
"""For each value its type, the sizes of the vmaps that map it, and of those that do not."""

PROGRAMS = {
    "straight": """
        def f(xs, w):
            h = xs @ w
            h = h + 1
            total: jax.Array = h.sum()
            total += 1
            return total
        """,
    "one vmap": """
        def one(x, w):
            h = x @ w
            return jnp.tanh(h)

        def f(xs, w):
            return jax.vmap(one, in_axes=(0, None))(xs, w)
        """,
    "one key for the batch": """
        def one(key, x):
            mask = jax.random.bernoulli(key, 0.5, x.shape)
            noise = jax.random.normal(key, x.shape)
            noisy = jnp.where(mask, x, noise)
            return noisy

        def f(key, xs):
            return jax.vmap(one, in_axes=(None, 0))(key, xs)
        """,
    "a key for each example": """
        def one(key, x):
            first, second = jax.random.split(key)
            mask = jax.random.bernoulli(first, 0.5, x.shape)
            folded = jax.random.fold_in(second, 3)
            rest = jax.random.split(folded, 5)
            return mask, rest[0]

        def f(keys, xs):
            kept, _ = jax.vmap(one)(keys, xs)
            return kept
        """,
    "keys without vmap": """
        def f(key):
            keys = jax.random.split(key, 6)
            table = keys.reshape(3, 2)
            folded = jax.random.fold_in(keys[0], 1)
            raw = jax.random.key_data(folded)
            return table, raw
        """,
    "nested vmap": """
        def inner(a, b, c):
            both = a * b
            outer_only = a + 1
            inner_only = b * 2
            neither = c - 1
            return both + outer_only + inner_only + neither

        def outer(a, bs, c):
            rows = jax.vmap(inner, in_axes=(None, 0, None))(a, bs, c)
            return rows.sum()

        def f(xs, w, s):
            return jax.vmap(outer, in_axes=(0, None, None))(xs, w.T, s)
        """,
    "a vmap in a vmapped scan": """
        def inner(a, t):
            return a * t

        def one(x, ts):
            def body(c, t):
                rows = jax.vmap(inner, in_axes=(0, None))(c, t)
                return rows, t + 1
            end, outs = lax.scan(body, x, ts)
            return end

        def f(xs, w):
            return jax.vmap(one, in_axes=(0, None))(xs, w[:, 0])
        """,
    "other axes": """
        def one(x):
            y = x * 2
            return y

        def f(xs):
            return jax.vmap(one, in_axes=1)(xs)
        """,
    "a scan under vmap": """
        def one(x, ts, key):
            def body(c, t):
                u = t * 2
                k = jax.random.fold_in(key, 1)
                d = c + u * jax.random.normal(k)
                return d, u
            last, seen = lax.scan(body, x, ts)
            return last

        def f(xs, w, key):
            return jax.vmap(one, in_axes=(0, None, None))(xs, w[0], key)
        """,
    "a cond under vmap": """
        def up(v, w):
            a = v @ w
            return a

        def down(v, w):
            b = -(v @ w)
            c = w * 3
            return b + c.sum()

        def one(x, w):
            y = lax.cond(x.sum() > 0, up, down, x, w)
            return y

        def f(xs, w):
            return jax.vmap(one, in_axes=(0, None))(xs, w)
        """,
    "a fori_loop": """
        def one(x, n):
            def step(i, v):
                scaled = v * 1.5
                return scaled
            end = lax.fori_loop(0, 3, step, x)
            return end

        def f(xs):
            return jax.vmap(one, in_axes=(0, None))(xs, 3)
        """,
    "tuple targets": """
        def pair(x):
            return x.sum(), (x > 0, 3)

        def f(xs):
            total, (flags, n) = pair(xs)
            first, *others = xs, flags, total
            a = b = total * 2
            return a
        """,
    "a jitted helper, mapped and not": """
        @jax.jit
        def scale(x):
            y = x * 2
            return y

        def one(x, z):
            a = scale(x)
            b = scale(z)
            return a + b

        def f(xs):
            plain = scale(xs[0])
            return jax.vmap(one, in_axes=(0, None))(xs, plain)
        """,
    "comprehensions": """
        def one(x, w):
            parts = [x * i for i in range(1, 4)]
            named = {i: part.sum() for i, part in enumerate(parts)}
            total = sum(each.sum() for each in parts)
            parts = [each[0] for each in parts]
            return total, named[0], w

        def f(xs, w):
            out = jax.vmap(one, in_axes=(0, None))(xs, w)
            return out[0]
        """,
    "lambdas": """
        def f(xs, s):
            double = lambda x: x * 2
            out = jax.vmap(
                lambda x:
                double(x) + s
            )(xs)
            return jax.vmap(lambda x: x.sum())(out)
        """,
    "weak types": """
        def one(x):
            a = jnp.sin(2.0)
            b = jnp.asarray(3) * 1
            c = x * a
            d = jnp.full((2,), 1.0)
            e = a + b
            return c, d, e

        def f(xs):
            return jax.vmap(one)(xs)
        """,
    "a gradient under vmap": """
        def loss(w, x):
            h = x @ w
            return (h ** 2).sum()

        def one(w, x):
            value, slope = jax.value_and_grad(loss)(w, x)
            return slope * value

        def f(w, xs):
            return jax.vmap(one, in_axes=(None, 0))(w, xs)
        """,
    "a gradient around vmap": """
        def one(w, x):
            h = x @ w
            return h.sum()

        def loss(w, xs):
            losses = jax.vmap(one, in_axes=(None, 0))(w, xs)
            return losses.mean()

        def f(w, xs):
            slope = jax.grad(loss)(w, xs)
            return slope
        """,
    "statements on several lines": """
        def f(xs, w):
            h = (
                xs
                @ w
            )
            if h.ndim == 2:
                h = jnp.maximum(
                    h,
                    0,
                )
            for _ in range(2): h = h @ w.T @ w
            a = h.sum(); b = a + xs
            return (
                b
            )
        """,
    "attributes and items": """
        class State:
            pass

        def f(xs, w):
            state, found = State(), {}
            state.h = xs @ w
            found["total"] = state.h.sum()
            state.h *= 2
            return found["total"]
        """,
    "an exception that is caught": """
        def f(xs, w):
            y = xs[0]
            try:
                y = xs @ w.T
            except TypeError:
                y = xs @ w
            return y
        """,
    "early returns and generators": """
        def rows(x):
            for row in x:
                yield row * 2

        def pick(x):
            if x.ndim > 1:
                return x.sum()
            return x

        def f(xs):
            a = pick(xs)
            for row in rows(xs):
                b = pick(row)
            return a, b
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_line_types_are_those_of_one_example_after_the_other(name: str) -> None:
    source = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n" + dedent(PROGRAMS[name])
    truth = _PlainRun(source).forms()
    assert truth
    assert _line_types(source) == truth


def test_lines_that_jit_has_traced_before_are_observed_too() -> None:
    source = dedent("""
        import jax
        import jax.numpy as jnp
        @jax.jit
        def double(x):
            return x * 2
        double(jnp.ones((4, 3)))
        def f(xs):
            return double(xs)
        """)
    assert _line_types(source) == {6: {(("f32[4,3]", (), ()),)}, 9: {(("f32[4,3]", (), ()),)}}


def test_only_the_values_of_a_trace_are_shown() -> None:
    source = dedent("""
        import jax.numpy as jnp
        TABLE = jnp.ones(3)
        def unused(x):
            return x + 1
        def f(xs):
            table = TABLE
            n = xs.shape[0]
            if n > 9:
                xs = xs * 2
            print(xs)
            try:
                y = xs.no_such_thing
            except AttributeError:
                y = 1
            return xs
        """)
    assert _line_types(source) == {16: {(("f32[4,3]", (), ()),)}}


def test_observing_changes_nothing_for_objects_that_resist_it() -> None:
    source = dedent("""
        import jax
        class Resists:
            def __getattribute__(self, name):
                raise RuntimeError(name)
        class Endless(list):
            def __iter__(self):
                raise RuntimeError("no")
        def deep(x, left):
            x = x * 2
            return deep(x, left - 1) if left else x
        class Called:
            def __getattr__(self, name):
                raise RuntimeError(name)
            def __call__(self, row):
                return row * 2
        def f(xs):
            a = Resists()
            itself = [a]
            itself.append(itself)
            b, c = xs, Endless([xs])
            exec("d = b + 1", {"b": b})
            return deep(b, 100) + jax.vmap(lambda row: Called()(row))(b)
        """)
    call, given = _loaded(source)["f"], _inputs(source)
    texts = [program(call, given, "jaxpr", lambda name: name == FILE, line_types=on).text for on in (False, True)]
    assert texts[0] == texts[1] != ""
    assert _line_types(source)[11] == {(("f32[4,3]", (), ()),)}
    assert _line_types(source)[23] == {(("f32[4,3]", (), ()),)}


def _line_types(source: str) -> dict[int, set[Form]]:
    found = program(_loaded(source)["f"], _inputs(source), "jaxpr", lambda name: name == FILE, line_types=True)
    assert found.failure is None

    def plain(each: LineType) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
        return each.type, each.mapped, each.shared

    return {line: {tuple(map(plain, form)) for form in forms} for line, forms in found.line_types.items()}


def _loaded(source: str) -> dict[str, Any]:
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    found: dict[str, Any] = {}
    exec(compile(source, FILE, "exec"), found)
    return found


def _inputs(source: str) -> dict[str, Any]:
    random, key = np.random.default_rng(0), jax.random.key(0)
    every = {
        "xs": jnp.asarray(random.normal(size=(4, 3)), "float32"),
        "w": jnp.asarray(random.normal(size=(3, 5)), "float32"),
        "s": jnp.float32(2.5),
        "key": key,
        "keys": jax.random.split(key, 4),
    }
    head = next(each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef) and each.name == "f")
    return {each.arg: every[each.arg] for each in head.args.args}


# -- plain Python ---------------------------------------------------------------------------------


class _PlainRun:
    """Runs a program without jit, vmap and loops of lax, one example at a time, and notes its values."""

    def __init__(self, source: str) -> None:
        self._examples: list[tuple[int, int]] = []
        """For each vmap around the running line, outermost first: (its size, the example)."""
        self._times: Counter[tuple[Any, ...]] = Counter()
        self._seen: defaultdict[tuple[Any, ...], dict[tuple[int, ...], list[Any]]] = defaultdict(dict)
        """The values by (is in a lambda, line, types, sizes of the vmaps, how often before), then by examples."""
        own_jax, own_lax = SimpleNamespace(**vars(jax)), SimpleNamespace(**vars(lax))
        own_jax.vmap, own_jax.jit = self._vmap, lambda function: function
        own_lax.scan, own_lax.cond, own_lax.fori_loop = _scan, _cond, _fori_loop
        tree = ast.fix_missing_locations(_Noting().visit(ast.parse(source)))
        space: dict[str, Any] = {"jax": own_jax, "jnp": jnp, "lax": own_lax, "_see": self._see}
        exec(compile(tree, FILE, "exec"), space)
        space["f"](**_inputs(source))

    def forms(self) -> dict[int, set[Form]]:
        """Return for each line that made arrays their types, with the vmaps along which their values differ."""
        found: dict[bool, defaultdict[int, set[Form]]] = {True: defaultdict(set), False: defaultdict(set)}
        for (in_lambda, line, types, sizes, _), records in self._seen.items():
            form = []
            for place, kind in enumerate(types):
                around = sizes if "[" in kind else ()
                differs = [_differs(records, level, place) for level in range(len(around))]
                mapped = tuple(size for size, each in zip(around, differs, strict=True) if each)
                form.append((kind, mapped, tuple(size for size, each in zip(around, differs, strict=True) if not each)))
            found[in_lambda][line].add(tuple(form))
        return {**found[True], **found[False]}

    def _see(self, in_lambda: bool, line: int, *values: Any) -> Any:
        leaves = [each for value in values for each in jax.tree.leaves(value)]
        if any(isinstance(each, jax.Array) for each in leaves):
            sizes, examples = tuple(size for size, _ in self._examples), tuple(at for _, at in self._examples)
            kind = in_lambda, line, tuple(map(_type_of, leaves)), sizes
            self._times[(*kind, examples)] += 1
            self._seen[(*kind, self._times[(*kind, examples)])][examples] = [_plain_value(each) for each in leaves]
        return values[0] if values else None

    def _vmap(self, function: Callable[..., Any], in_axes: Any = 0) -> Callable[..., Any]:
        def loop(*arguments: Any) -> Any:
            axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(arguments)
            pairs = list(zip(arguments, axes, strict=True))
            size = next(jax.tree.leaves(value)[0].shape[axis] for value, axis in pairs if axis is not None)
            outputs = []
            for example in range(size):
                self._examples.append((size, example))
                outputs.append(function(*(_slice(value, axis, example) for value, axis in pairs)))
                self._examples.pop()
            return jax.tree.map(lambda *each: jnp.stack(each), *outputs)

        return loop


class _Noting(ast.NodeTransformer):
    """Adds a call of ``_see`` after each assignment that is the last one on its line, and around what is returned."""

    def visit_Module(self, node: ast.Module) -> ast.Module:
        node.body = [each for each in node.body if not isinstance(each, ast.Import | ast.ImportFrom)]
        ends = [each for each in ast.walk(node) if isinstance(each, ast.Assign | ast.AugAssign | ast.AnnAssign)]
        self._last = {each.lineno: each for each in sorted(ends, key=lambda each: each.col_offset)}
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: Any) -> Any:
        self.generic_visit(node)
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return [node, _seeing(node.lineno, target)] if self._last[node.lineno] is node else node

    visit_AugAssign = visit_AnnAssign = visit_Assign  # noqa: N815

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body.insert(0, _seeing(node.lineno, node.target))
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        assert node.value is not None
        return ast.Return(_call(False, node.lineno, [node.value]))

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self.generic_visit(node)
        node.body = _call(True, node.lineno, [node.body])
        return node


def _seeing(line: int, target: ast.expr) -> ast.Expr:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    texts = [ast.unparse(each) for each in names]
    read = ast.parse(f"[{', '.join(each for each in texts if each != '_')}]", mode="eval").body
    assert isinstance(read, ast.List)
    return ast.Expr(_call(False, line, read.elts))


def _call(in_lambda: bool, line: int, values: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name("_see", ast.Load()), [ast.Constant(in_lambda), ast.Constant(line), *values], [])


def _slice(value: Any, axis: int | None, example: int) -> Any:
    return value if axis is None else jax.tree.map(lambda each: each[(slice(None),) * axis + (example,)], value)


def _scan(body: Callable[..., Any], carry: Any, slices: Any) -> Any:
    stacked = []
    for number in range(len(slices)):
        carry, output = body(carry, slices[number])
        stacked.append(output)
    return carry, jax.tree.map(lambda *each: jnp.stack(each), *stacked)


def _cond(predicate: Any, yes: Callable[..., Any], no: Callable[..., Any], *operands: Any) -> Any:
    return yes(*operands) if predicate else no(*operands)


def _fori_loop(first: int, end: int, body: Callable[..., Any], value: Any) -> Any:
    for number in range(first, end):
        value = body(number, value)
    return value


def _type_of(value: Any) -> str:
    if not isinstance(value, jax.Array):
        return type(value).__name__
    names = {"float32": "f32", "int32": "i32", "uint32": "u32", "bool": "bool", "key<fry>": "key<fry>"}
    weak = "~" if jax.typeof(value).weak_type else ""
    return f"{weak}{names[str(value.dtype)]}[{','.join(map(str, value.shape))}]"


def _plain_value(value: Any) -> Any:
    while isinstance(value, jax.core.Tracer):
        value = value.primal
    if isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return np.asarray(value).tolist()


def _differs(records: dict[tuple[int, ...], list[Any]], level: int, place: int) -> bool:
    """Return whether value number `place` differs between examples of the vmap number `level`."""
    groups = defaultdict(list)
    for examples, values in records.items():
        groups[examples[:level] + examples[level + 1 :]].append(values[place])
    return any(each != group[0] for group in groups.values() for each in group)
