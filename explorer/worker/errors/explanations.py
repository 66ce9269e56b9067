"""What JAX's and Python's errors mean in plain words: what happened, why JAX minds, and the usual fixes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.worker.spoken.say import say

_STAND_IN = (
    "JAX records {function} by running it once{for_whom} with stand-ins that have a shape and a dtype but no values. "
    "{cause} "
)
"""How the explanations of tracer errors begin: `cause` says what the value depends on."""

EXPLANATIONS = {
    # -- a value is needed while tracing ----------------------------------------------------------------------
    ("TracerBoolConversionError", ""): (
        "{stand_in}So `if`, `while`, `and` and `not` cannot decide. Choose inside the program with jnp.where(test, "
        "a, b) or jax.lax.cond, loop with jax.lax.while_loop; or {otherwise}."
    ),
    ("TracerIntegerConversionError", ""): (
        "{stand_in}So it cannot serve as a Python index, a shape or the length of a range. Use JAX instead of "
        "Python: jax.lax.fori_loop for the loop, x[i] on a jnp array for the index; or {otherwise}."
    ),
    ("TracerArrayConversionError", ""): (
        "{stand_in}NumPy needs the values and cannot take a stand-in. Use the function of the same name in "
        "jax.numpy; or call NumPy outside of the traced function."
    ),
    ("NonConcreteBooleanIndexError", ""): (
        "How many values a boolean mask picks depends on the values, and a traced program must know every shape "
        "beforehand. Keep the shape and blank out the rest with jnp.where(mask, x, 0); or pick by mask outside of jit."
    ),
    ("ConcretizationTypeError", r"(?P<call>jnp\.(?:nonzero|where|unique|argwhere|flatnonzero))"): (
        "How many values {call} returns depends on the values, and a traced program must know every shape beforehand. "
        "Give the most there can be with size=...; or call it outside of jit."
    ),
    ("ConcretizationTypeError", r"`(?P<call>float|int|complex)` function|(?P<item>item\(\))"): (
        "{stand_in}So float(x), int(x) and x.item() have nothing to return. Keep it an array "
        "(x.astype(...) changes its dtype); or convert the result after the traced function has returned."
    ),
    ("ConcretizationTypeError", ""): (
        "{stand_in}This place needs a plain Python value: a shape, an axis or a size. Take it from x.shape or a "
        "constant; or {otherwise}."
    ),
    ("TypeError", r"Shapes must be 1D sequences of concrete values.*Tracer"): (
        "{stand_in}A shape must be known while tracing. Take the size from x.shape or a constant; or {otherwise}."
    ),
    ("IndexError", r"Slice entries must be static integers|must have static start/stop/step"): (
        "The ends of a slice decide its shape, and a traced program must know every shape beforehand. "
        "jax.lax.dynamic_slice_in_dim(x, start, size) moves a slice of fixed size; or make the ends static arguments."
    ),
    ("UnexpectedTracerError", ""): (
        "A value from inside a traced function was kept (in a global, a list or an attribute) and used after the "
        "tracing was over. It is only a stand-in without values. Return the value from the function instead of storing "
        "it; or use jax.debug.print to look at it."
    ),
    # -- keys -------------------------------------------------------------------------------------------------
    (
        "ValueError TypeError",
        r"\b(?P<call>\w+) accepts a single key, but was given a key array of shape (?P<shape>\([^)]*\))",
    ): (
        "{call} takes one key, and this is an array of keys of shape {shape}. To call it for each of them, map it: "
        "jax.vmap(lambda key: jax.random.{call}(key, ...))(keys). To call it once, pick one: keys[0]."
    ),
    ("TypeError", r"unexpected PRNG key type <class 'NoneType'>"): (
        "This argument must be a random key, and it is None: a key was not handed over, or a function that should "
        "return one returns nothing. Hand one over; or make one with jax.random.key(0)."
    ),
    (
        "TypeError",
        r"invalid PRNG key data: expected key_data.shape to end with \((?P<words>\d+),\); got shape=(?P<shape>\(.*?\))",
    ): (
        "This argument must be a random key, or the words of one in an array whose last axis has length {words}, and "
        "this has shape {shape}. Make a key with jax.random.key(0); and look at the order of the arguments: the key "
        "comes first."
    ),
    ("TypeError", r"invalid PRNG key data"): (
        "This argument must be a random key, and it is a number or an array of something else. Make a key with "
        "jax.random.key(0); and look at the order of the arguments: the key comes first."
    ),
    ("TypeError", r"does not accept dtypes .*key<"): (
        "A random key is not a number: JAX refuses to calculate with it. To get another key use jax.random.split or "
        "jax.random.fold_in; to get numbers draw them, for example with jax.random.normal(key)."
    ),
    ("TypeError", r"PRNGKey dtype cannot be converted to a NumPy array"): (
        "A random key is not a number, so NumPy cannot hold it. jax.random.key_data(key) gives its words as integers; "
        "to print a key, print it as it is."
    ),
    ("KeyReuseError", ""): (
        "The same key was used twice, so the two results are not independent. Split it and use each part once: "
        "key_a, key_b = jax.random.split(key)."
    ),
    # -- vmap -------------------------------------------------------------------------------------------------
    ("ValueError", r"vmap got inconsistent sizes"): (
        "vmap walks along one axis of each argument, and these axes have different lengths. Give arguments of the same "
        "length; or exclude one with in_axes, for example in_axes=(0, None) to hand the second over whole."
    ),
    ("ValueError TypeError", r"vmap in_axes must be an int, None, or a tuple.*len\(args\)=0"): (
        "The arguments are handed over by name here, and in_axes speaks only of those that are handed over by "
        "position. Map inside of a function: def f(x, key): return jax.vmap(g, in_axes=(0, None))(x, key)."
    ),
    ("ValueError TypeError", r"vmap in_axes must be an int, None, or a tuple"): (
        "in_axes must have one entry for each positional argument: the axis to map, or None to hand it over whole. "
        "Give a tuple as long as the arguments, for example in_axes=(0, None); or one number for all of them."
    ),
    ("ValueError", r"vmap must have at least one non-None value"): (
        "in_axes excludes every argument, so vmap has no axis to walk along and does not know how many times to run. "
        "Map one argument at least, for example in_axes=(0, None); or say axis_size=..."
    ),
    (
        "ValueError",
        r"vmap was requested to map its argument along axis (?P<axis>-?\d+).*rank should be at least.*"
        r"shape is (?P<shape>\(.*?\))",
    ): (
        "vmap should walk along axis {axis}, and an argument of shape {shape} has no such axis. Exclude this "
        "argument with None in in_axes; or give it one value for each example."
    ),
    ("ValueError TypeError", r"vmap out_axes (?:specification|must be)"): (
        "out_axes must be one number for all outputs, or have the structure of what the function returns: one entry "
        "for each of its outputs. Leave out_axes away to stack every output along axis 0."
    ),
    ("ValueError", r"vmap out_axes"): (
        "out_axes=None says that all examples return the same, and this output differs between examples. Leave "
        "out_axes away to stack the outputs; or return something that does not depend on the mapped arguments."
    ),
    # -- shapes and dtypes ------------------------------------------------------------------------------------
    (
        "TypeError ValueError",
        r"dot_general requires contracting dimensions to have the same shape, got \((?P<left>[\d, ]*?),?\) and "
        r"\((?P<right>[\d, ]*?),?\)",
    ): (
        "A product a @ b needs the last axis of a and the last but one of b to have the same length; here they have "
        "{left} and {right}. Transpose one of them (b.T); or look at x.shape one line above."
    ),
    ("TypeError ValueError", r"[Ii]ncompatible shapes for broadcasting: (?:shapes=\[)?(?P<shapes>.*[^\].])[\].]*$"): (
        "The shapes {shapes} do not fit together: from the right, each pair of lengths must be equal or one of them 1. "
        "Add an axis of length 1 with x[:, None] where values should repeat; or transpose or reshape one of them."
    ),
    (
        "TypeError",
        r"cannot reshape array of shape (?P<old>\(.*?\)) \(size (?P<have>\d+)\) into shape (?P<new>\(.*?\)) "
        r"\(size (?P<want>\d+)\)",
    ): (
        "Reshaping keeps every value: {old} holds {have} and {new} would hold {want}. Choose lengths whose product is "
        "{have}; or let JAX work one out with -1."
    ),
    ("TypeError ValueError", r"Cannot concatenate arrays with shapes|All input arrays must have the same shape"): (
        "The arrays do not fit together: apart from the axis along which they are joined, all lengths must be equal. "
        "Check the axis argument; or reshape them first."
    ),
    ("TypeError", r"scan body function carry input and carry output must have equal types"): (
        "scan hands the carry from step to step in one fixed place, so it must keep its shape and dtype. Start with a "
        "value of the final type, for example jnp.zeros(shape, dtype); or convert it at the end of the body."
    ),
    ("TypeError", r"(?:body_fun output and input|while_loop).* must have (?:equal|identical) types"): (
        "A loop hands its value from round to round in one fixed place, so it must keep its shape and dtype. Start "
        "with a value of the final type; or convert it at the end of the body."
    ),
    ("TypeError", r"(?:cond|switch) branches must have equal output types"): (
        "Only one branch runs, but the program after it is fixed, so all branches must return the same shapes and "
        "dtypes. Convert one of them with astype or jnp.broadcast_to; or use jnp.where on values of one shape."
    ),
    ("TypeError", r"(?:cond branch|switch branch) outputs must have the same pytree structure"): (
        "Only one branch runs, but the program after it is fixed, so all branches must return the same structure: "
        "as many values, in tuples or dicts alike. Let each branch return the same kind of thing."
    ),
    ("TypeError", r"scan body function carry input and carry output must have the same pytree structure"): (
        "The body of a scan must return (carry, output), and its carry must have the structure of the one that it was "
        "given: as many values, in tuples or dicts alike. Return the whole carry."
    ),
    ("TypeError", r"cond_fun must return a boolean scalar"): (
        "The test of a while loop must give one True or False. Compare, for example x > 0; and make one answer of "
        "many with .any() or .all()."
    ),
    ("ValueError", r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<rank>\d+)"): (
        "There is no axis {axis}: this array has rank {rank}, and its axes are counted from 0, or from -1 at the end."
    ),
    (
        "ValueError",
        r"Size of label '(?P<label>.)' for operand \d+ \((?P<one>\d+)\) does not match previous terms "
        r"\((?P<other>\d+)\)",
    ): (
        "In einsum one letter stands for one length, and {label} would be {other} and {one}. Look at the order of the "
        "letters; or give the axes letters of their own."
    ),
    ("TypeError", r"Gradient only defined for scalar-output functions. Output had shape: (?P<shape>\(.*?\))"): (
        "grad differentiates one number, and the function returns an array of shape {shape}. Reduce it to a loss with "
        ".sum() or .mean(); or use jax.jacobian for the derivative of every entry."
    ),
    ("TypeError", r"grad requires real- or complex-valued inputs.*got (?P<dtype>\w+)"): (
        "A value of dtype {dtype} cannot change by a little, so there is no gradient with respect to it. Pass a "
        "float, for example 3.0; or choose another argument with argnums."
    ),
    ("TypeError", r"JAX arrays are immutable"): (
        "A JAX array never changes once made: other parts of the program may rely on it. Make a changed copy with "
        "x = x.at[i].set(value); inside jit it costs no copy."
    ),
    # -- jit's arguments --------------------------------------------------------------------------------------
    ("ValueError", r"Non-hashable static arguments"): (
        "jit keeps one compiled program for each value of a static argument and finds it by hash, and a list, dict or "
        "array has none. Pass a tuple or a number; or make it an ordinary argument, if it is an array."
    ),
    (
        "TypeError",
        r"Error interpreting argument to .*value is of type (?P<type><class '.*?'>).*at path (?P<name>[\w.\[\]']*\w)",
    ): (
        "The arguments of a jitted function become arrays, and {name} cannot. Mark it as a constant with "
        "jax.jit(f, static_argnames='{name}'); or bind it beforehand with functools.partial."
    ),
    # -- the machine ------------------------------------------------------------------------------------------
    ("RuntimeError", r"RESOURCE_EXHAUSTED|[Oo]ut of memory"): (
        "{size}The device has too little free memory for this array. Make the batch or the array smaller; or take a "
        "few examples at a time with jax.lax.map(f, xs, batch_size=...) in place of vmap, or keep less for grad with "
        "jax.checkpoint."
    ),
    ("RuntimeError", r"Unknown backend:? '?(?P<name>\w+)'?"): (
        "JAX sees no {name} on this machine. Choose another device; or install the JAX build and the driver for it."
    ),
    ("ValueError", r"Number of devices (?P<there>\d+) must .* the product of mesh_shape \((?P<asked>[\d, ]+)\)"): (
        "A mesh of shape ({asked}) has a device at each place, and the devices here number {there}. Make the mesh as "
        "large as jax.device_count(); or choose 2, 4 or 8 CPU devices in the menu Run."
    ),
    ("ValueError", r"Received incompatible devices for jitted computation"): (
        "One program runs on one set of devices, and these arguments are on different ones. Put them on the same "
        "devices with jax.device_put before the call; or hand in NumPy arrays, which are on none."
    ),
    (
        "ValueError IndivisibleError",
        r"array axis (?P<axis>\d+) is partitioned (?P<parts>\d+) times.*dimension size (?:is )?(?P<size_there>\d+)",
    ): (
        "Axis {axis} is to be cut into {parts} equal parts, one for each place of the mesh, and it has length "
        "{size_there}. Give it a length that {parts} divides; or leave this axis whole, with None in its PartitionSpec."
    ),
    ("ValueError", r"was given out_specs which require replication which can't be statically inferred"): (
        "By its out_specs this output is the same on all devices of a mesh axis, and nothing in the function has made "
        "it so: what is computed from a piece may differ from device to device. Let the devices agree, with "
        "jax.lax.pmean or psum over that axis; or name the axis in out_specs, and the pieces are put together."
    ),
    ("MemoryError", ""): (
        "The computer has too little free memory for this. Make the arrays smaller; or work on them piece by piece."
    ),
    # -- plain Python -----------------------------------------------------------------------------------------
    ("SyntaxError", r"expected an indented block|unexpected indent|unindent does not match|inconsistent use of tabs"): (
        "Python could not read the program, so nothing ran. Lines of one block must begin in the same column, and a "
        "block follows each colon. Check the spaces of the marked line; and those of the line above."
    ),
    ("SyntaxError", ""): (
        "Python could not read the program, so nothing ran. Look at the marked place: often a bracket or quote is left "
        "open just before it, or a colon or comma is missing."
    ),
    ("ModuleNotFoundError", r"No module named '(?P<name>[\w.]+)'"): (
        "The Python that runs this program has no package {name}. Check the spelling; or install it into that Python "
        "and run it again."
    ),
    ("RecursionError", ""): (
        "A function called itself until Python's limit was reached. Give it a case in which it stops; or write it as a "
        "loop (inside jit: jax.lax.fori_loop or scan)."
    ),
    ("SystemExit", ""): (
        "The program asked Python to quit, so there is no result. Remove the call of exit; or move it under "
        'if __name__ == "__main__".'
    ),
}
"""What to say of an error by (its type, its message); the first that fits.

The type is the name of an exception class, or names separated by spaces; a base class stands for all of its own. The
message is a regular expression to look for. A text may hold its named groups, and of a tracer error {stand_in} and
{otherwise}.
"""

_TRACED = re.compile(r"while tracing the function (?P<function>\S+) at .*? for (?P<transform>\w+)\.")
_DEPENDS = re.compile(r"depends on the values? of the arguments? (?P<names>[^\n]*?)\.?$", re.MULTILINE)
_FOR_WHOM = {"jit": "", "vmap": " for all examples of vmap", "scan": " for all steps of scan"}
_BYTES = re.compile(r"allocat\w+ (\d+) bytes")


def explanation(types: tuple[str, ...], message: str, arguments: Sequence[str] = ()) -> str:
    """Return what an error means in plain words, "" when nothing better than its message is known.

    `types` are the names of its class and of that class's bases; `message` is its whole text; `arguments` are
    those of the person's function that the failing value depends on, where the message does not tell.
    """
    fitting = (
        (each, match)
        for each in EXPLANATIONS
        if not set(types).isdisjoint(each[0].split()) and (match := re.search(each[1], message, re.DOTALL))
    )
    found = next(fitting, None)
    if not found:
        return ""
    which, match = found
    parts = _about_tracing(message, arguments) | match.groupdict()
    return say(EXPLANATIONS[which], size=_size(message), **parts).strip()


def _about_tracing(message: str, arguments: Sequence[str]) -> dict[str, str]:
    traced = _TRACED.search(message)
    depends = _DEPENDS.search(message)
    names = depends["names"].split(" and ") if depends else list(arguments)
    behind = say("the arguments {names}" if len(names) > 1 else "the argument {names}", names=say(" and ").join(names))
    transform = traced["transform"] if traced else "vmap" if "BatchTracer" in message else "jit"
    function = traced["function"] if traced else "<lambda>"
    stand_in = say(
        _STAND_IN,
        function=say("the function") if function == "<lambda>" else function,
        for_whom=say(_FOR_WHOM.get(transform, " for {transform}"), transform=transform),
        cause=say("This value depends on {behind}.", behind=behind) if names else say("This value is such a stand-in."),
    )
    otherwise = (
        say("make it a static argument of jit (static_argnames), if it is known before the call")
        if transform == "jit"
        else say("work with a value that is known before the call of {transform}", transform=transform)
    )
    return {"stand_in": stand_in, "otherwise": otherwise}


def _size(message: str) -> str:
    """Return a sentence on how much memory was asked for, "" where the message does not tell."""
    match = _BYTES.search(message)
    if not match:
        return ""
    size, unit = float(match[1]), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return say("This asks for {size}. ", size=f"{size:.3g} {unit}")
