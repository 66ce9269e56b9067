"""Explanations of errors on shapes, dtypes or structures that do not fit, on gradients, and on changes in place."""

from __future__ import annotations

from explorer.diagnostics.check import Explanation

EXPLANATIONS = (
    Explanation(
        "TypeError ValueError",
        (
            r"dot_general requires contracting dimensions to have the same shape, got \((?P<left>[\d, ]*?),?\) and "
            r"\((?P<right>[\d, ]*?),?\)"
        ),
        text=(
            "A product a @ b needs the last axis of a and the second-to-last axis of b to have the same length; "
            "here they have {left} and {right}. Print both shapes on the line above: transpose or reshape one, or "
            "swap them."
        ),
    ),
    Explanation(
        "TypeError ValueError",
        r"[Ii]ncompatible shapes for broadcasting: (?:shapes=\[)?(?P<shapes>.*[^\].])[\].]*$",
        text=(
            "The shapes {shapes} do not fit together: from the right, each pair of lengths must be equal or one of "
            "them 1. Add an axis of length 1 with x[:, None] where values should repeat; or transpose or reshape "
            "one of them."
        ),
    ),
    Explanation(
        "TypeError",
        (
            r"cannot reshape array of shape (?P<old>\(.*?\)) \(size (?P<have>\d+)\) into shape (?P<new>\(.*?\)) "
            r"\(size (?P<want>\d+)\)"
        ),
        text=(
            "Reshaping keeps every value: {old} holds {have} and {new} would hold {want}. Choose lengths whose "
            "product is {have}; or let JAX work one out with -1."
        ),
    ),
    Explanation(
        "TypeError ValueError",
        r"Cannot concatenate arrays with shapes|All input arrays must have the same shape",
        text=(
            "The arrays do not fit together: apart from the axis along which they are joined, all lengths must be "
            "equal. Check the axis argument; or reshape them first."
        ),
    ),
    Explanation(
        "TypeError",
        r"scan body function carry input and carry output must have equal types",
        text=(
            "scan passes the carry from iteration to iteration in one fixed buffer, so it must keep its shape and "
            "dtype. Start with a value of the final type, for example jnp.zeros(shape, dtype); or convert it at the "
            "end of the body. A growing array is an output of the step, not a carry."
        ),
        lesson="carry_of_a_scan",
    ),
    Explanation(
        "TypeError",
        r"(?:body_fun output and input|while_loop).* must have (?:equal|identical) types",
        text=(
            "A loop carries its value from iteration to iteration in one fixed buffer, so the value must keep its "
            "shape and dtype. Start with a value of the final type; or convert it at the end of the body."
        ),
    ),
    Explanation(
        "TypeError",
        r"(?:cond|switch) branches must have equal output types",
        text=(
            "Only one branch runs, but the program after it is fixed, so all branches must return the same shapes "
            "and dtypes. Convert one of them with astype or jnp.broadcast_to; or use jnp.where on values of one "
            "shape."
        ),
    ),
    Explanation(
        "TypeError",
        r"(?:cond branch|switch branch) outputs must have the same pytree structure",
        text=(
            "Only one branch runs, but the program after it is fixed, so all branches must return the same "
            "structure: the same number of values, in the same tuples or dicts. Let each branch return the same "
            "kind of thing."
        ),
    ),
    Explanation(
        "TypeError",
        r"scan body function carry input and carry output must have the same pytree structure",
        text=(
            "The body of a scan must return (carry, output), and this carry must have the same structure as the one "
            "passed in: the same number of values, in the same tuples or dicts. Return the whole carry."
        ),
        lesson="carry_of_a_scan",
    ),
    Explanation(
        "TypeError",
        r"cond_fun must return a boolean scalar",
        text=(
            "The condition of a while loop must return one True or False. Compare, for example x > 0; and reduce an "
            "array to one answer with .any() or .all()."
        ),
    ),
    Explanation(
        "ValueError",
        r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<rank>\d+)",
        text=(
            "There is no axis {axis}: this array has rank {rank}, and its axes are counted from 0, or from -1 at "
            "the end."
        ),
    ),
    Explanation(
        "ValueError",
        (
            r"Size of label '(?P<label>.)' for operand \d+ \((?P<one>\d+)\) does not match previous terms "
            r"\((?P<other>\d+)\)"
        ),
        text=(
            "In einsum one letter stands for one length, and {label} would be {other} and {one}. Check the order of "
            "the letters; or give each axis its own letter."
        ),
    ),
    Explanation(
        "TypeError",
        r"Gradient only defined for scalar-output functions. Output had shape: (?P<shape>\(.*?\))",
        text=(
            "grad differentiates one number, and the function returns an array of shape {shape}. Reduce it to a "
            "loss with .sum() or .mean(); or use jax.jacobian for the derivative of every entry."
        ),
        lesson="gradient_of_many",
    ),
    Explanation(
        "TypeError",
        r"grad requires real- or complex-valued inputs.*got (?P<dtype>\w+)",
        text=(
            "A value of dtype {dtype} cannot change by a small amount, so there is no gradient with respect to it. "
            "Pass a float, for example 3.0; or choose another argument with argnums."
        ),
    ),
    Explanation(
        "ValueError",
        r"pytree structure error: [^\n]*\s+tree_map tree",
        text=(
            "jax.tree.map calls the function with the leaves at the same position of each tree, so the trees must have "
            "the same structure: lists of the same length, dicts with the same keys. Make the structures equal; or say "
            "with is_leaf which part counts as one leaf."
        ),
        lesson="trees",
    ),
    Explanation(
        "ValueError",
        r"Reverse-mode differentiation does not work for lax\.while_loop",
        text=(
            "The backward pass goes through the iterations from the last to the first, and JAX cannot know beforehand "
            "how many a while loop has. Use jax.lax.scan, or fori_loop between two plain Python numbers; or "
            "differentiate in forward mode, with jax.jvp or jax.jacfwd."
        ),
    ),
    Explanation(
        "TypeError",
        r"Custom VJP bwd rule must produce an output with the same container",
        text=(
            "The backward rule of jax.custom_vjp must return a tuple with one gradient for each argument of the "
            "function, in their order. Return one for each; None stands for a gradient of zero."
        ),
    ),
    Explanation(
        "TypeError",
        r"JAX arrays are immutable",
        text=(
            "JAX arrays are immutable, because other parts of the program may rely on their values. Make a changed "
            "copy with x = x.at[i].set(value). Inside jit XLA usually writes in place, unless x is an argument of "
            "jit or is used again."
        ),
        lesson="written_in_place",
    ),
)
