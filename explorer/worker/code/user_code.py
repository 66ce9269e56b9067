"""Loads user code as a module (`load`): a `LoadedProgram` with its inputs and variants, or a `BadProgram`."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import types
import warnings
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeGuard, cast

import jax
import msgspec
from msgspec.structs import replace

from explorer.messages import TOP_LEVEL, Parameter, Request, Span, TimingRequest, Transforms, Value, Variant
from explorer.text.text import Text, TextError, joined, say
from explorer.worker.code import own_modules
from explorer.worker.code.calls import ended_well, is_required, required_names
from explorer.worker.code.first_calls import FirstCallReached, ScriptCalls

MODULE_NAME = "jax_explorer_program"
Compiled = Callable[[str, str, dict[str, Any]], types.CodeType]
"""Returns the code object of a source and its file name, which will run in the given namespace."""
PLAIN = Transforms()
INTEGERS = range(-(2**63), 2**64)
"""Integers that the window accepts and JAX has a dtype for."""
NOT_A_VARIANT = "# jax-explorer: not a variant"
"""The comment on the first line of a helper function: it is no variant, though its arguments fit."""
HAS_INPUTS = re.compile(r"^(?:def\s+inputs\b|inputs\s*=)", re.MULTILINE)
_NOT_A_VARIANT = re.compile(r"#\s*jax-explorer:\s*not a variant\b")


class BadProgram(TextError):
    """The code runs but does not form a program with variants; the message is a sentence for the user."""

    def __init__(self, text: Text, span: Span | None = None) -> None:
        super().__init__(text)
        self.span = span
        """The location in the code, if there is one."""


class LoadedProgram(msgspec.Struct, frozen=True, dict=True):
    """A loaded program: its module, and the scenario's plans for its variants."""

    module: types.ModuleType
    filename: str
    parameters: tuple[Parameter, ...]
    """The arguments of ``inputs`` that controls can set, with current values."""
    source: str
    named: tuple[str, ...]
    hidden: tuple[str, ...]
    home: str = ""
    """The file whose neighbours it imports, if not its own."""
    watched: ScriptCalls | None = None
    """The calls of its script, if they were noted."""
    called: str = ""
    """The function of a script at whose first call the top level ended; '' if it ran to its end."""
    transforms: Transforms = PLAIN
    """The transforms under which its variants run."""

    @property
    def doc(self) -> str:
        """The first line of the module's docstring."""
        return (self.module.__doc__ or "").strip().partition("\n")[0]

    @property
    def has_inputs(self) -> bool:
        """Whether the code defines ``inputs``."""
        return _inputs_function(self.module) is not None

    @cached_property
    def lines(self) -> Mapping[str, tuple[int, int]]:
        """First and last line of each name that the module binds at top level."""
        return dict(_bound_names(self._tree))

    @cached_property
    def _tree(self) -> ast.Module:
        # Loading has shown the warnings already.
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(self.source, self.filename)

    def place_of(self, name: str) -> Span | None:
        """Return the line that binds `name` at top level, or None."""
        line = self.lines[name][0] if name in self.lines else 0
        return Span(line, 0, line, max(1, len(self.source.splitlines()[line - 1]))) if line else None

    def is_user_code(self, filename: str) -> bool:
        """Return whether a frame of `filename` is the user's own code."""
        return filename == self.filename

    def inputs(self) -> dict[str, Any]:
        """Return the named arguments that ``inputs`` returns for the current parameters; {} without ``inputs``.

        For a function that a script calls they are those of the call. Raises BadProgram if the result is not a dict
        with names as keys.
        """
        if self.watched is not None and self.watched.found is not None:
            return dict(self.watched.found[1])
        function = _inputs_function(self.module)
        if function is None:
            return {}
        made = function(**{each.name: each.value for each in self.parameters})
        if not isinstance(made, Mapping) or not all(isinstance(name, str) for name in made):
            unnamed = say("dict whose keys are not names")
            raise BadProgram(
                say(
                    "inputs returned a {kind}. It must return a dict of named arguments, for example "
                    "dict(x=x, key=key).",
                    kind=unnamed if isinstance(made, Mapping) else type(made).__name__,
                ),
                self.place_of("inputs"),
            )
        return dict(made)

    def anew(self, compiled: Compiled | None = None, *, until: str = "") -> LoadedProgram:
        """Return the same program with a fresh module, not traced yet; it ends at the first call of `until`."""
        settings = {each.name: each.value for each in self.parameters}
        loaded = load(self.source, self.filename, settings, self.named, self.hidden, compiled, self.home, until=until)
        return replace(loaded, transforms=self.transforms)

    def arrays(self) -> dict[str, Any]:
        """Return the public arrays of the module, without keys, latest first."""
        bound = reversed(self.module.__dict__.items())
        return OrderedDict((name, value) for name, value in bound if not name.startswith("_") and _is_numbers(value))

    def has_effects(self) -> bool:
        """Return whether the top level prints, calls a function of the module, or passes one on and keeps no result."""
        done = [each for node in self._tree.body for each in _executed(node)]
        called = {each.func.id for each in done if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
        kept = ast.Assign | ast.AnnAssign
        named = (each for node in self._tree.body if not isinstance(node, kept) for each in _executed(node))
        own = {name for name in self.lines if callable(self.module.__dict__.get(name))}
        return bool(called & {"print", *own} or {each.id for each in named if isinstance(each, ast.Name)} & own)

    @cached_property
    def _called(self) -> set[str]:
        """The names that the code calls anywhere."""
        calls = (each.func for each in ast.walk(self._tree) if isinstance(each, ast.Call))
        return {each.id for each in calls if isinstance(each, ast.Name)}

    def calls_inputs(self) -> bool:
        """Return whether the code calls ``inputs``, as a script that also runs alone does."""
        return "inputs" in self._called

    def with_parameters(self, settings: Mapping[str, Value]) -> LoadedProgram:
        """Return the program with other parameters for ``inputs``. Raises BadProgram for one that it does not take."""
        known = [parameter.name for parameter in self.parameters]
        for name in settings:
            if name not in known:
                has = words(known) or say("none that can be set")
                raise BadProgram(say("inputs has no parameter {name}. It has {known}.", name=name, known=has))
        changed = tuple(
            Parameter(each.name, _coerced(each.name, settings.get(each.name, each.value), each.default), each.default)
            for each in self.parameters
        )
        return replace(self, parameters=changed)

    def variants(self, given: Collection[str]) -> tuple[Variant, ...]:
        """Return the variants whose required arguments are all in `given`.

        Names from the scenario come first, in its order; then every public callable that the module itself binds,
        without the scenario's helpers. ``main`` is included only if there is no other.
        """
        passed_on = set() if self.has_inputs or self.named else self._passed_on
        by_rule = [name for name in self.lines if name not in passed_on and self._is_variant(name, given)]
        # It usually calls the others.
        by_rule = [name for name in by_rule if name != "main"] or by_rule
        present = [name for name in self.named if callable(self.module.__dict__.get(name))]
        return tuple(
            Variant(name, line, _first_line(self.module.__dict__[name]), end_line)
            for name in [*present, *by_rule]
            for line, end_line in [self.lines.get(name, (1, 0))]
        )

    @cached_property
    def _passed_on(self) -> set[str]:
        """The functions that a script passes to a library, and never calls: it alone knows their arguments."""
        done = [each for node in self._tree.body for each in _executed(node)]
        calls = [each for each in done if isinstance(each, ast.Call)]
        given = {
            each.id
            for call in calls
            if not self._is_of_jax(call.func)
            for value in (*call.args, *(keyword.value for keyword in call.keywords))
            for each in ast.walk(value)
            if isinstance(each, ast.Name)
        }
        return given - self._called

    def _is_of_jax(self, function: ast.expr) -> bool:
        """Return whether `function` is one of JAX, such as a transform, whose result is another function to run."""
        while isinstance(function, ast.Attribute | ast.Call):
            function = function.value if isinstance(function, ast.Attribute) else function.func
        value = self.module.__dict__.get(function.id) if isinstance(function, ast.Name) else None
        name = getattr(value, "__name__" if isinstance(value, types.ModuleType) else "__module__", None)
        return str(name).partition(".")[0] in ("jax", "functools")

    def function(self, variant: str, given: Collection[str]) -> Callable[..., Any]:
        """Return the function of `variant`.

        The top level runs anew each time and returns its arrays. A script that has ended at the call of a function has
        only that one. Raises BadProgram if the variant does not exist, or
        requires an argument missing from `given`.
        """
        if self.watched is not None and self.watched.found is not None:
            return self.watched.found[0]
        if variant == TOP_LEVEL:
            return lambda: self.anew().arrays()
        function = self.module.__dict__.get(variant)
        if not callable(function):
            raise BadProgram(say("There is no function named {variant} in this code.", variant=variant))
        missing = [name for name in required_names(function) if name not in given]
        if missing:
            raise BadProgram(
                say("{variant} needs {names}, which inputs does not return.", variant=variant, names=words(missing)),
                self.place_of(variant),
            )
        return cast(Callable[..., Any], function)

    def _is_variant(self, name: str, given: Collection[str]) -> bool:
        value = self.module.__dict__.get(name)
        if name in self.named or name in self.hidden or name.startswith("_") or name == "inputs":
            return False
        if not _is_function(value):
            return False
        line, _ = self.lines[name]
        if _NOT_A_VARIANT.search(self.source.splitlines()[line - 1]):
            return False
        return all(each in given for each in required_names(value))


def load(
    source: str,
    filename: str,
    parameters: Mapping[str, Value] | None = None,
    named: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
    compiled: Compiled | None = None,
    home: str = "",
    until: str = "",
    watched: ScriptCalls | None = None,
) -> LoadedProgram:
    """Run `source` as a module and return its parts; `compiled` replaces the compilation.

    Imports are resolved next to the file `home`, if it differs from its own. With `until`, the run ends at the first
    call of that function of a script; all calls of a script are noted in `watched`. Raises the exceptions of
    compiling and running the code, and BadProgram for a parameter that ``inputs`` cannot take, or if that call does not
    come.
    """
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    if (end := source.find("\0")) >= 0:
        # Python does not report the position.
        line, column = source.count("\n", 0, end) + 1, end - source.rfind("\n", 0, end)
        raise SyntaxError("source code string cannot contain null bytes", (filename, line, column, None))
    module = types.ModuleType(MODULE_NAME)
    place = home or filename
    module.__file__ = filename
    if until:
        watched = ScriptCalls(lambda name: name == filename, until)
    elif named or HAS_INPUTS.search(source):
        watched = None
    if not named and (until or _is_guarded_script(source, filename)):
        module.__name__ = "__main__"
    # dataclasses and pickle look a class's module up by name.
    sys.modules[MODULE_NAME] = module
    own_modules.of_program(place)
    _allow_neighbours(place)
    code = (compiled or (watched.compiled if watched is not None else _compiled))(source, filename, module.__dict__)
    try:
        with ended_well():
            exec(code, module.__dict__)
    except FirstCallReached:
        assert watched is not None
        watched.end()
    if until and (watched is None or watched.found is None):
        raise BadProgram(
            say("The script did not call {name} with arrays of its own, so its arguments are not known.", name=until)
        )
    function = _inputs_function(module) if not until else None
    settable = tuple(_parameters(function, dict(parameters or {}), source)) if function else ()
    return LoadedProgram(module, filename, settable, source, named, hidden, home, watched, until)


def load_requested(
    request: Request | TimingRequest, *, home: str = "", watched: ScriptCalls | None = None
) -> LoadedProgram:
    """Return the loaded program of `request`; one that times a function of a script ends at its call. See `load`."""
    filename, settings = request.filename, request.parameters
    until = request.subject if isinstance(request, TimingRequest) else ""
    loaded = load(
        request.source, filename, settings, request.named, request.hidden, home=home, until=until, watched=watched
    )
    return replace(loaded, transforms=transforms_of(request))


def transforms_of(request: Request | TimingRequest) -> Transforms:
    """Return the transforms under which the variants of `request` run."""
    return request.applied if isinstance(request, TimingRequest) else request.transforms


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield `node` and all inside, without functions and classes that are only defined there."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    yield node
    for each in ast.iter_child_nodes(node):
        yield from _executed(each)


def _compiled(source: str, filename: str, _namespace: dict[str, Any]) -> types.CodeType:
    # The __future__ imports of this module must not apply to user code.
    return compile(source, filename, "exec", dont_inherit=True)


def _is_guarded_script(source: str, filename: str) -> bool:
    """Return whether the code calls its functions below ``if __name__ == "__main__"``, or has none to run instead."""
    if "__main__" not in source:
        return False
    body = ast.parse(source, filename).body
    functions = [node for node in body if isinstance(node, ast.FunctionDef)]
    guards = [node for node in body if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)]
    if not guards or any(each.name == "inputs" for each in functions):
        return False
    own = {each.name for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
    if any(isinstance(each, ast.Name) and each.id in own for node in guards for each in ast.walk(node)):
        return True
    return not any(not each.name.startswith("_") and not required_in_code(each) for each in functions)


def required_in_code(function: ast.FunctionDef) -> list[str]:
    """Return the names of the required arguments of `function`, undecorated."""
    arguments = function.args
    by_position = [*arguments.posonlyargs, *arguments.args]
    required = by_position[: len(by_position) - len(arguments.defaults)]
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [each.arg for each in (*required, *(each for each, default in by_name if default is None))]


def _inputs_function(module: types.ModuleType) -> Callable[..., Any] | None:
    function = module.__dict__.get("inputs")
    return function if callable(function) else None


def _allow_neighbours(filename: str) -> None:
    folder = str(Path(filename).parent)
    if Path(filename).is_absolute() and folder not in sys.path:
        sys.path.append(folder)


def _parameters(function: Callable[..., Any], set_to: dict[str, Value], source: str) -> Iterator[Parameter]:
    for name, parameter in inspect.signature(function).parameters.items():
        default = parameter.default
        if is_required(parameter):
            raise BadProgram(
                say("inputs needs a default for its argument {name}, for example {name}=32.", name=name),
                _argument_span(source, name),
            )
        if isinstance(default, int) and default not in INTEGERS:
            raise BadProgram(
                say(
                    "inputs has {name}={value} by default, a whole number of over 64 bits: JAX has no type for it. "
                    "Use one from -2**63 to 2**64 - 1; or a float, such as {value}.0, if it need not be exact.",
                    name=name,
                    value=default,
                ),
                _argument_span(source, name),
            )
        if isinstance(default, bool | int | float | str):
            yield Parameter(name, _coerced(name, set_to.get(name, default), default), default)


def _argument_span(source: str, name: str) -> Span | None:
    """Return the span of the argument `name` of ``inputs``, including its default."""
    with warnings.catch_warnings(action="ignore"):
        body = ast.parse(source).body
    # The last binding counts.
    functions = (each for each in reversed(body) if isinstance(each, ast.FunctionDef) and each.name == "inputs")
    function = next(functions, None)
    if function is None:
        line = dict(_bound_names(ast.Module(body, []))).get("inputs", (0, 0))[0]
        return Span(line, 0, line, 1) if line else None
    places = function.args.posonlyargs + function.args.args
    with_default = zip(places[::-1], function.args.defaults[::-1], strict=False)
    defaults = {
        each.arg: default
        for each, default in (*with_default, *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True))
    }
    argument = next((each for each in (*places, *function.args.kwonlyargs) if each.arg == name), None)
    if argument is None:
        return None
    end = defaults.get(name) or argument
    return Span(argument.lineno, argument.col_offset, end.end_lineno or end.lineno, end.end_col_offset or 0)


def _coerced(name: str, value: Value, default: Value) -> Value:
    """Return `value` converted to the type of `default`, so that 8 is accepted for 8.0."""
    if type(value) is type(default):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and type(default) is float:
        return float(value)
    if isinstance(value, float) and type(default) is int and value.is_integer():
        return int(value)
    raise BadProgram(
        say(
            "{name} is {default} by default, so it cannot be set to {value}.",
            name=name,
            default=repr(default),
            value=repr(value),
        )
    )


def _bound_names(tree: ast.Module | ast.If) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield (name, (first line, last line)) of each top-level definition, also under a condition, without imports."""
    for node in tree.body:
        lines = (node.lineno, node.end_lineno or node.lineno)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, lines
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, lines
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, lines
        elif isinstance(node, ast.If):
            yield from _bound_names(node)


def _is_numbers(value: object) -> bool:
    if not isinstance(value, jax.Array) or jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key):
        return False
    # A tracer may have leaked.
    return isinstance(value, jax.core.Tracer) or not value.is_deleted()


def _is_function(value: object) -> TypeGuard[Callable[..., Any]]:
    """Return whether `value` is a function or wraps one; other objects that can be called keep what they do it with."""
    is_plain = inspect.isroutine(value) or isinstance(value, partial)
    return is_plain or (callable(value) and inspect.getattr_static(value, "__wrapped__", None) is not None)


def _first_line(function: object) -> str:
    doc = inspect.getdoc(function) if inspect.isroutine(function) or hasattr(function, "__wrapped__") else None
    return doc.strip().splitlines()[0] if doc and doc.strip() else ""


def words(names: list[str]) -> Text:
    """Return `names` as a list in words."""
    return joined(say(" and "), (", ".join(names[:-1]), *names[-1:]))
