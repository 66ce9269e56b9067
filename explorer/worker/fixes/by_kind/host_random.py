"""Fixes for Python's random numbers and clocks that are read during traces: draw from a key, or read outside."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from explorer.messages import Edit, Finding, Fix
from explorer.worker.errors.code_tree import CodeTree, FunctionNode
from explorer.worker.fixes.fix_labels import label
from explorer.worker.fixes.silent.passed_argument import PassedArgument, is_traced, names_in
from explorer.worker.fixes.silent.rewriting import edited, in_brackets, last_name, rewritten

_CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")


def proposed(code: CodeTree, finding: Finding) -> Iterator[Fix]:
    """Yield the fixes that draw with jax.random, or read the clock outside, for the call at the first of `spans`.

    All draws of one function are changed together, because they share a key.
    """
    call = next((each for each in code.covering(finding.spans[0]) if isinstance(each, ast.Call)), None)
    function = code.function_around(call) if call is not None else None
    if call is None or function is None:
        return
    if last_name(call.func) in _CLOCKS and not call.args:
        yield _read_outside(code, call, function)
    elif _Draw(code, call).written("key"):
        yield _drawn(code, call, function)


def _drawn(code: CodeTree, call: ast.Call, function: FunctionNode) -> Fix:
    draws = [each for each in _calls(function) if code.function_around(each) is function]
    known = [each for each in draws if each is call or (_is_hosts(code, each) and _Draw(code, each).written("key"))]
    index = _iteration_index(code, function)
    seeds = _Seeds(code)
    name = "key" if "key" not in names_in(function) else "noise_key"
    key = f"jax.random.fold_in(jax.random.key({seeds.next()}), {index})" if index else name
    keys = [key] if len(known) == 1 else [f"jax.random.fold_in({key}, {place})" for place in range(len(known))]
    edits = [code.replace(each, _Draw(code, each).written(own)) for each, own in zip(known, keys, strict=True)]
    if not index:
        handing = PassedArgument(code, name, seeds.key_at, "jax.random.split({value}, len({example}))")
        handing.to(function)
        edits += handing.edits
    return rewritten(
        code, label("draw_in_rounds" if index else "draw_with_jax"), edited(code.text, [*edits, *seeds.edits])
    )


def _read_outside(code: CodeTree, call: ast.Call, function: FunctionNode) -> Fix:
    written = code.written(call)
    if sum(code.written(each) == written for each in _calls(function)) > 1:
        # During a trace, the time between two readings has no meaning.
        raise ValueError
    handing = PassedArgument(code, "now", lambda _: written)
    handing.to(function)
    text = edited(code.text, [code.replace(call, "now"), *handing.edits])
    return rewritten(code, label("read_outside", call=written), text)


def _calls(function: FunctionNode) -> list[ast.Call]:
    return [each for each in ast.walk(function) if isinstance(each, ast.Call)]


def _is_hosts(code: CodeTree, call: ast.Call) -> bool:
    """Return whether `call` uses NumPy's or Python's own generators, judged by its text."""
    text = code.written(call.func)
    return text.startswith(("np.random.", "numpy.random.", "random.")) or isinstance(call.func, ast.Name)


def _iteration_index(code: CodeTree, function: FunctionNode) -> str:
    """Return the iteration counter if `function` is the body of a fori_loop outside of a trace, else ""."""
    parent = code.parents.get(function)
    around = code.function_around(parent) if parent is not None else None
    if not isinstance(parent, ast.Call) or last_name(parent.func) != "fori_loop" or parent.args[2:3] != [function]:
        return ""
    if around is not None and is_traced(code, around):
        raise ValueError
    return function.args.args[0].arg


# -- keys -------------------------------------------------------------------------------------


class _Seeds:
    """Makes keys at calls outside of traces, each from an unused seed."""

    def __init__(self, code: CodeTree) -> None:
        self._code = code
        self.edits: list[Edit] = []
        used = [
            each.args[0].value
            for each in ast.walk(code.tree)
            if isinstance(each, ast.Call) and last_name(each.func) in ("key", "PRNGKey") and each.args
            if isinstance(each.args[0], ast.Constant) and isinstance(each.args[0].value, int)
        ]
        # A parameter `seed` of inputs usually starts at 0.
        self._last = max([*used, 0 if "seed" in code.text else -1])

    def next(self) -> int:
        """Return an unused seed."""
        self._last += 1
        return self._last

    def key_at(self, call: ast.Call | None) -> str:
        """Return the text of a key for `call`: a different one in each iteration of a loop."""
        key = f"jax.random.key({self.next()})"
        for each in self._code.around(call) if call is not None else ():
            if isinstance(each, FunctionNode):
                break
            if isinstance(each, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.While):
                index = _counter(each.generators[0]) if not isinstance(each, ast.While) else ""
                return self._in_iteration(key, index)
            if isinstance(each, ast.For):
                return self._in_iteration(key, _counter(each)) if _counter(each) else self._in_loop(key, each, call)
        return key

    @staticmethod
    def _in_iteration(key: str, index: str) -> str:
        if not index:
            raise ValueError
        return f"jax.random.fold_in({key}, {index})"

    def _in_loop(self, key: str, loop: ast.For, call: ast.Call | None) -> str:
        names = {each.id for each in ast.walk(self._code.tree) if isinstance(each, ast.Name)}
        statement = self._code.statement_around(call) if call is not None else None
        if statement is None or statement is loop or names & {"noise_keys", "noise_key"}:
            raise ValueError
        self.edits += [
            self._code.insert_before(loop, f"noise_keys = {key}"),
            self._code.insert_before(statement, "noise_keys, noise_key = jax.random.split(noise_keys)"),
        ]
        return "noise_key"


def _counter(loop: ast.For | ast.comprehension) -> str:
    """Return the name of the iteration counter of `loop`, or an empty text."""
    kind = last_name(loop.iter.func) if isinstance(loop.iter, ast.Call) else ""
    target = loop.target
    if kind == "enumerate" and isinstance(target, ast.Tuple):
        target = target.elts[0]
    return target.id if kind in ("range", "enumerate") and isinstance(target, ast.Name) else ""


# -- draws ------------------------------------------------------------------------------------


class _Draw:
    """One call of NumPy's or Python's generators, and the equivalent call of jax.random."""

    def __init__(self, code: CodeTree, call: ast.Call) -> None:
        self._code = code
        self._call = call
        self._is_pythons = _is_of_pythons_random(code, call)

    def written(self, key: str) -> str:
        """Return the equivalent draw from `key`; empty if there is none, or if the call is unknown."""
        forms: dict[str, Callable[[str], str]] = {
            "normal": self._normal, "gauss": self._normal, "normalvariate": self._normal,
            "standard_normal": lambda key: f"jax.random.normal({self._with_size(key, 0)})",
            "randn": lambda key: f"jax.random.normal({key}{self._axes()})",
            "rand": lambda key: f"jax.random.uniform({key}{self._axes()})",
            "random": lambda key: f"jax.random.uniform({self._with_size(key, 0)})",
            "random_sample": lambda key: f"jax.random.uniform({self._with_size(key, 0)})",
            "uniform": self._uniform,
            "exponential": lambda key: self._scaled(f"jax.random.exponential({self._with_size(key, 1)})", "scale", 0),
            "randint": self._whole, "integers": self._whole, "randrange": self._whole,
            "permutation": lambda key: f"jax.random.permutation({key}, {self._text('x', 0)})",
        }  # fmt: skip
        form = forms.get(self._name())
        known = {"loc", "scale", "size", "low", "high", "mu", "sigma", "a", "b", "x"}
        if form is None or any(each.arg not in known for each in self._call.keywords):
            return ""
        return form(key)

    def _name(self) -> str:
        """Return the name of the called function in its own module."""
        name = last_name(self._call.func)
        for node in ast.walk(self._code.tree):
            if isinstance(node, ast.ImportFrom) and isinstance(self._call.func, ast.Name):
                name = next((each.name for each in node.names if (each.asname or each.name) == name), name)
        return name

    def _given(self, name: str, place: int) -> ast.expr | None:
        named = next((each.value for each in self._call.keywords if each.arg == name), None)
        return named or (self._call.args[place] if place < len(self._call.args) else None)

    def _text(self, name: str, place: int, otherwise: str = "") -> str:
        node = self._given(name, place)
        return self._code.written(node) if node is not None else otherwise

    def _shape(self, place: int) -> str:
        """Return the shape requested by the argument `size`, empty for a scalar."""
        node = self._given("size", place)
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return ""
        text = self._code.written(node)
        is_whole = isinstance(node, ast.Constant) or (isinstance(node, ast.Call) and last_name(node.func) == "len")
        return f"({text},)" if is_whole else text

    def _with_size(self, key: str, place: int) -> str:
        return ", ".join(filter(None, [key, "" if self._is_pythons else self._shape(place)]))

    def _axes(self) -> str:
        parts = [self._code.written(each) for each in self._call.args]
        return f", ({', '.join(parts)}{',' * (len(parts) == 1)})" if parts else ""

    def _normal(self, key: str) -> str:
        loc, scale = ("mu", "sigma") if self._is_pythons else ("loc", "scale")
        drawn = self._scaled(f"jax.random.normal({self._with_size(key, 2)})", scale, 1)
        mean = self._given(loc, 0)
        if mean is None or (isinstance(mean, ast.Constant) and mean.value == 0):
            return drawn
        return f"({self._code.written(mean)} + {drawn})"

    def _scaled(self, drawn: str, name: str, place: int) -> str:
        factor = self._given(name, place)
        if factor is None or (isinstance(factor, ast.Constant) and factor.value == 1):
            return drawn
        return f"{in_brackets(self._code, factor)} * {drawn}"

    def _uniform(self, key: str) -> str:
        low, high = ("a", "b") if self._is_pythons else ("low", "high")
        ends = [(name, self._text(given, place)) for name, given, place in (("minval", low, 0), ("maxval", high, 1))]
        limits = "".join(f", {name}={text}" for name, text in ends if text)
        return f"jax.random.uniform({self._with_size(key, 2)}{limits})"

    def _whole(self, key: str) -> str:
        names = ("a", "b") if self._is_pythons else ("low", "high")
        first, second = self._given(names[0], 0), self._given(names[1], 1)
        if first is None:
            return ""
        low, high = ("0", first) if second is None else (self._code.written(first), second)
        end = self._code.written(high)
        if self._is_pythons and self._name() == "randint":
            end = f"{in_brackets(self._code, high)} + 1"
        shape = "" if self._is_pythons else self._shape(2)
        return f"jax.random.randint({key}, {shape or '()'}, {low}, {end})"


def _is_of_pythons_random(code: CodeTree, call: ast.Call) -> bool:
    root = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    name = root.id if isinstance(root, ast.Name) else ""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Import):
            if any(each.name == "random" and (each.asname or each.name) == name for each in node.names):
                return True
        elif isinstance(node, ast.ImportFrom) and node.module == "random":
            if any((each.asname or each.name) == name for each in node.names):
                return True
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            made = code.written(node.value.func)
            if made in ("random.Random", "Random") and name in map(last_name, node.targets):
                return True
    return False
