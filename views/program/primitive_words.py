"""The operations of a jaxpr, in one plain sentence each."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

_SENTENCES: dict[str, Any] = {
    # -- calls and control flow ------------------------------------------------------------------------------
    "jit": QT_TRANSLATE_NOOP(
        "primitives", "Calls a function that jit compiles as one piece; the jaxpr inside is its body."
    ),
    "closed_call": QT_TRANSLATE_NOOP("primitives", "Calls a jaxpr as one piece."),
    "custom_jvp_call": QT_TRANSLATE_NOOP(
        "primitives", "Calls a function that brings its own rule for forward derivatives, such as jax.nn.relu."
    ),
    "custom_vjp_call": QT_TRANSLATE_NOOP("primitives", "Calls a function that brings its own rule for gradients."),
    "custom_vmap_call": QT_TRANSLATE_NOOP("primitives", "Calls a function that brings its own rule for vmap."),
    "custom_lin": QT_TRANSLATE_NOOP(
        "primitives", "Stands for a custom derivative rule while JAX linearizes the function."
    ),
    "remat2": QT_TRANSLATE_NOOP(
        "primitives", "jax.checkpoint: computes its body again in the backward pass instead of keeping the values."
    ),
    "scan": QT_TRANSLATE_NOOP(
        "primitives",
        ("Runs its body once for each element along the first axis and passes a carry from iteration to iteration."),
    ),
    "while": QT_TRANSLATE_NOOP(
        "primitives", "Repeats its body as long as its condition holds; comes from while_loop and fori_loop."
    ),
    "cond": QT_TRANSLATE_NOOP(
        "primitives", "Runs one of its branches, chosen by a number; comes from cond and switch."
    ),
    "shard_map": QT_TRANSLATE_NOOP(
        "primitives", "Runs its body once on each device, on that device's part of the arrays."
    ),
    "custom_linear_solve": QT_TRANSLATE_NOOP(
        "primitives", "Solves a linear system by a function that the library gave, with a derivative rule."
    ),
    "pure_callback": QT_TRANSLATE_NOOP("primitives", "Calls back into Python and reads its result."),
    "io_callback": QT_TRANSLATE_NOOP("primitives", "Calls back into Python for its effect."),
    "debug_callback": QT_TRANSLATE_NOOP(
        "primitives", "Calls back into Python to print or inspect values; comes from jax.debug."
    ),
    "debug_print": QT_TRANSLATE_NOOP(
        "primitives", "Calls back into Python to print or inspect values; comes from jax.debug."
    ),
    "optimization_barrier": QT_TRANSLATE_NOOP("primitives", "Keeps the compiler from moving operations across it."),
    # -- random keys -----------------------------------------------------------------------------------------
    "random_seed": QT_TRANSLATE_NOOP("primitives", "Makes a key from a seed; comes from jax.random.key."),
    "random_split": QT_TRANSLATE_NOOP("primitives", "Makes new keys from one key; comes from jax.random.split."),
    "random_fold_in": QT_TRANSLATE_NOOP(
        "primitives", "Makes a new key from a key and a number; comes from jax.random.fold_in."
    ),
    "random_bits": QT_TRANSLATE_NOOP(
        "primitives", "Draws random bits from a key: this spends the key. All samplers begin here."
    ),
    "random_gamma": QT_TRANSLATE_NOOP("primitives", "Draws from a gamma distribution with a key: this spends the key."),
    "random_wrap": QT_TRANSLATE_NOOP("primitives", "Takes an array of integers as a key; comes from old-style keys."),
    "random_unwrap": QT_TRANSLATE_NOOP(
        "primitives", "Takes the integers out of a key; comes from key_data and old-style keys."
    ),
    "random_clone": QT_TRANSLATE_NOOP(
        "primitives", "Marks a key as meant to be used once more; comes from jax.random.clone."
    ),
    "rng_bit_generator": QT_TRANSLATE_NOOP(
        "primitives", "Draws bits with XLA's own generator, for rbg and unsafe_rbg keys or for a state of integers."
    ),
    "threefry2x32": QT_TRANSLATE_NOOP(
        "primitives", "One round of the Threefry generator, which turns a key and counters into bits."
    ),
    # -- arithmetic ------------------------------------------------------------------------------------------
    "add": QT_TRANSLATE_NOOP("primitives", "Adds element by element."),
    "add_any": QT_TRANSLATE_NOOP("primitives", "Adds two contributions to one gradient."),
    "sub": QT_TRANSLATE_NOOP("primitives", "Subtracts element by element."),
    "mul": QT_TRANSLATE_NOOP("primitives", "Multiplies element by element."),
    "div": QT_TRANSLATE_NOOP("primitives", "Divides element by element."),
    "rem": QT_TRANSLATE_NOOP("primitives", "The remainder of a division, with the sign of the first operand."),
    "neg": QT_TRANSLATE_NOOP("primitives", "Changes the sign."),
    "sign": QT_TRANSLATE_NOOP("primitives", "-1, 0 or 1 for each element."),
    "abs": QT_TRANSLATE_NOOP("primitives", "The absolute value."),
    "max": QT_TRANSLATE_NOOP("primitives", "The larger of two values, element by element."),
    "min": QT_TRANSLATE_NOOP("primitives", "The smaller of two values, element by element."),
    "pow": QT_TRANSLATE_NOOP("primitives", "Raises to a power, element by element."),
    "integer_pow": QT_TRANSLATE_NOOP("primitives", "Raises to a fixed whole power; comes from x ** 2."),
    "square": QT_TRANSLATE_NOOP("primitives", "Multiplies each element with itself."),
    "sqrt": QT_TRANSLATE_NOOP("primitives", "The square root."),
    "rsqrt": QT_TRANSLATE_NOOP("primitives", "One over the square root."),
    "cbrt": QT_TRANSLATE_NOOP("primitives", "The cube root."),
    "exp": QT_TRANSLATE_NOOP("primitives", "e to the power of each element."),
    "exp2": QT_TRANSLATE_NOOP("primitives", "2 to the power of each element."),
    "expm1": QT_TRANSLATE_NOOP("primitives", "exp(x) - 1, exact for small x."),
    "log": QT_TRANSLATE_NOOP("primitives", "The natural logarithm."),
    "log1p": QT_TRANSLATE_NOOP("primitives", "log(1 + x), exact for small x."),
    "sin": QT_TRANSLATE_NOOP("primitives", "The sine."),
    "cos": QT_TRANSLATE_NOOP("primitives", "The cosine."),
    "tan": QT_TRANSLATE_NOOP("primitives", "The tangent."),
    "asin": QT_TRANSLATE_NOOP("primitives", "The arcsine."),
    "acos": QT_TRANSLATE_NOOP("primitives", "The arccosine."),
    "atan": QT_TRANSLATE_NOOP("primitives", "The arctangent."),
    "atan2": QT_TRANSLATE_NOOP("primitives", "The angle of the point (x, y)."),
    "sinh": QT_TRANSLATE_NOOP("primitives", "The hyperbolic sine."),
    "cosh": QT_TRANSLATE_NOOP("primitives", "The hyperbolic cosine."),
    "tanh": QT_TRANSLATE_NOOP("primitives", "The hyperbolic tangent, a common activation."),
    "asinh": QT_TRANSLATE_NOOP("primitives", "The inverse hyperbolic sine."),
    "acosh": QT_TRANSLATE_NOOP("primitives", "The inverse hyperbolic cosine."),
    "atanh": QT_TRANSLATE_NOOP("primitives", "The inverse hyperbolic tangent."),
    "logistic": QT_TRANSLATE_NOOP("primitives", "1 / (1 + exp(-x)), the sigmoid."),
    "erf": QT_TRANSLATE_NOOP("primitives", "The error function, inside gelu and the normal distribution."),
    "erfc": QT_TRANSLATE_NOOP("primitives", "One minus the error function."),
    "erf_inv": QT_TRANSLATE_NOOP(
        "primitives",
        "The inverse of the error function: jax.random.normal turns uniform numbers into normal ones with it.",
    ),
    "lgamma": QT_TRANSLATE_NOOP("primitives", "The logarithm of the gamma function."),
    "digamma": QT_TRANSLATE_NOOP("primitives", "The derivative of lgamma."),
    "floor": QT_TRANSLATE_NOOP("primitives", "Rounds down."),
    "ceil": QT_TRANSLATE_NOOP("primitives", "Rounds up."),
    "round": QT_TRANSLATE_NOOP("primitives", "Rounds to the nearest whole number."),
    "clamp": QT_TRANSLATE_NOOP("primitives", "Limits each element to a range; comes from clip."),
    "nextafter": QT_TRANSLATE_NOOP("primitives", "The next floating-point number towards another."),
    "is_finite": QT_TRANSLATE_NOOP("primitives", "True where a value is neither infinite nor NaN."),
    "real": QT_TRANSLATE_NOOP("primitives", "The real part."),
    "imag": QT_TRANSLATE_NOOP("primitives", "The imaginary part."),
    "complex": QT_TRANSLATE_NOOP("primitives", "A complex number from its two parts."),
    "conj": QT_TRANSLATE_NOOP("primitives", "The complex conjugate."),
    # -- bits and comparisons --------------------------------------------------------------------------------
    "and": QT_TRANSLATE_NOOP("primitives", "And, bit by bit or for truth values."),
    "or": QT_TRANSLATE_NOOP("primitives", "Or, bit by bit or for truth values."),
    "xor": QT_TRANSLATE_NOOP("primitives", "Exclusive or, bit by bit."),
    "not": QT_TRANSLATE_NOOP("primitives", "Inverts each bit or truth value."),
    "shift_left": QT_TRANSLATE_NOOP("primitives", "Shifts bits to the left."),
    "shift_right_logical": QT_TRANSLATE_NOOP("primitives", "Shifts bits to the right and fills with zeros."),
    "shift_right_arithmetic": QT_TRANSLATE_NOOP("primitives", "Shifts bits to the right and keeps the sign."),
    "population_count": QT_TRANSLATE_NOOP("primitives", "Counts the bits that are 1."),
    "clz": QT_TRANSLATE_NOOP("primitives", "Counts the leading bits that are 0."),
    "eq": QT_TRANSLATE_NOOP("primitives", "True where two values are equal."),
    "ne": QT_TRANSLATE_NOOP("primitives", "True where two values differ."),
    "lt": QT_TRANSLATE_NOOP("primitives", "True where the first value is smaller."),
    "le": QT_TRANSLATE_NOOP("primitives", "True where the first value is smaller or equal."),
    "gt": QT_TRANSLATE_NOOP("primitives", "True where the first value is larger."),
    "ge": QT_TRANSLATE_NOOP("primitives", "True where the first value is larger or equal."),
    "select_n": QT_TRANSLATE_NOOP(
        "primitives", "Takes each element from one of several arrays, chosen by a mask; comes from jnp.where."
    ),
    # -- shapes and types ------------------------------------------------------------------------------------
    "broadcast_in_dim": QT_TRANSLATE_NOOP("primitives", "Repeats an array along new axes so that shapes fit."),
    "reshape": QT_TRANSLATE_NOOP("primitives", "The same values in another shape."),
    "squeeze": QT_TRANSLATE_NOOP("primitives", "Removes axes of length 1."),
    "transpose": QT_TRANSLATE_NOOP("primitives", "Puts the axes in another order."),
    "rev": QT_TRANSLATE_NOOP("primitives", "Reverses the order along an axis."),
    "concatenate": QT_TRANSLATE_NOOP("primitives", "Joins arrays along an axis."),
    "pad": QT_TRANSLATE_NOOP("primitives", "Pads an array with one value at its edges."),
    "slice": QT_TRANSLATE_NOOP("primitives", "Cuts out a part with fixed bounds."),
    "dynamic_slice": QT_TRANSLATE_NOOP("primitives", "Cuts out a part of fixed size that starts at a computed index."),
    "dynamic_update_slice": QT_TRANSLATE_NOOP(
        "primitives", "A copy in which a part is replaced; comes from .at[].set."
    ),
    "gather": QT_TRANSLATE_NOOP("primitives", "Picks elements or rows by index; comes from x[indices]."),
    "scatter": QT_TRANSLATE_NOOP("primitives", "A copy with values put in by index; comes from x.at[i].set."),
    "scatter-add": QT_TRANSLATE_NOOP(
        "primitives", "A copy with values added in by index; comes from x.at[i].add and from gradients of indexing."
    ),
    "scatter-mul": QT_TRANSLATE_NOOP("primitives", "A copy with values multiplied in by index."),
    "scatter-min": QT_TRANSLATE_NOOP("primitives", "A copy with smaller values put in by index."),
    "scatter-max": QT_TRANSLATE_NOOP("primitives", "A copy with larger values put in by index."),
    "stack": QT_TRANSLATE_NOOP("primitives", "Stacks arrays along a new axis."),
    "tile": QT_TRANSLATE_NOOP("primitives", "Repeats an array along its axes."),
    "get": QT_TRANSLATE_NOOP("primitives", "Reads from a mutable array."),
    "swap": QT_TRANSLATE_NOOP("primitives", "Writes to a mutable array and returns what was there."),
    "addupdate": QT_TRANSLATE_NOOP("primitives", "Adds to a mutable array in place."),
    "split": QT_TRANSLATE_NOOP("primitives", "Cuts an array into parts along an axis."),
    "unstack": QT_TRANSLATE_NOOP("primitives", "Takes an array apart along an axis."),
    "convert_element_type": QT_TRANSLATE_NOOP("primitives", "Changes the dtype, for example from int32 to float32."),
    "bitcast_convert_type": QT_TRANSLATE_NOOP("primitives", "Reads the same bits as another dtype."),
    "iota": QT_TRANSLATE_NOOP("primitives", "The numbers 0, 1, 2, ...; comes from jnp.arange."),
    "copy": QT_TRANSLATE_NOOP("primitives", "A copy."),
    "name": QT_TRANSLATE_NOOP("primitives", "Gives a value a name for jax.checkpoint policies."),
    "stop_gradient": QT_TRANSLATE_NOOP("primitives", "Passes the value on and lets no gradient through."),
    "reshard": QT_TRANSLATE_NOOP("primitives", "Lays an array out over devices in another way."),
    "sharding_constraint": QT_TRANSLATE_NOOP("primitives", "Says how an array should be laid out over devices."),
    "device_put": QT_TRANSLATE_NOOP("primitives", "Moves an array to a device."),
    # -- sums, products, order -------------------------------------------------------------------------------
    "dot_general": QT_TRANSLATE_NOOP("primitives", "A matrix or tensor product; comes from @, dot, matmul and einsum."),
    "conv_general_dilated": QT_TRANSLATE_NOOP("primitives", "A convolution."),
    "reduce_sum": QT_TRANSLATE_NOOP("primitives", "Adds up along axes."),
    "reduce_max": QT_TRANSLATE_NOOP("primitives", "The largest value along axes."),
    "reduce_min": QT_TRANSLATE_NOOP("primitives", "The smallest value along axes."),
    "reduce_prod": QT_TRANSLATE_NOOP("primitives", "Multiplies along axes."),
    "reduce_and": QT_TRANSLATE_NOOP("primitives", "Whether all are true along axes; comes from jnp.all."),
    "reduce_or": QT_TRANSLATE_NOOP("primitives", "Whether any is true along axes; comes from jnp.any."),
    "reduce_precision": QT_TRANSLATE_NOOP("primitives", "Rounds to fewer bits."),
    "argmax": QT_TRANSLATE_NOOP("primitives", "The index of the largest value."),
    "argmin": QT_TRANSLATE_NOOP("primitives", "The index of the smallest value."),
    "cumsum": QT_TRANSLATE_NOOP("primitives", "Running sums along an axis."),
    "cumprod": QT_TRANSLATE_NOOP("primitives", "Running products along an axis."),
    "cummax": QT_TRANSLATE_NOOP("primitives", "Running maxima along an axis."),
    "cummin": QT_TRANSLATE_NOOP("primitives", "Running minima along an axis."),
    "cumlogsumexp": QT_TRANSLATE_NOOP("primitives", "Running log-sum-exp along an axis."),
    "reduce_window_sum": QT_TRANSLATE_NOOP("primitives", "Sums over a sliding window; comes from average pooling."),
    "reduce_window_max": QT_TRANSLATE_NOOP("primitives", "Maxima over a sliding window; comes from max pooling."),
    "select_and_scatter_add": QT_TRANSLATE_NOOP("primitives", "The gradient of max pooling."),
    "sort": QT_TRANSLATE_NOOP("primitives", "Puts values in order along an axis."),
    "top_k": QT_TRANSLATE_NOOP("primitives", "The k largest values and their indices."),
    "approx_top_k": QT_TRANSLATE_NOOP("primitives", "About the k largest values, faster."),
    "cholesky": QT_TRANSLATE_NOOP("primitives", "The Cholesky factor of a matrix."),
    "triangular_solve": QT_TRANSLATE_NOOP("primitives", "Solves a linear system with a triangular matrix."),
    "lu": QT_TRANSLATE_NOOP("primitives", "The LU factors of a matrix."),
    "qr": QT_TRANSLATE_NOOP("primitives", "The QR factors of a matrix."),
    "eig": QT_TRANSLATE_NOOP("primitives", "Eigenvalues and vectors of a matrix."),
    "eigh": QT_TRANSLATE_NOOP("primitives", "Eigenvalues and vectors of a symmetric matrix."),
    "svd": QT_TRANSLATE_NOOP("primitives", "The singular value decomposition of a matrix."),
    "fft": QT_TRANSLATE_NOOP("primitives", "A Fourier transform."),
    # -- several devices -------------------------------------------------------------------------------------
    "psum": QT_TRANSLATE_NOOP("primitives", "Adds up over devices or over a named vmap axis."),
    "psum_invariant": QT_TRANSLATE_NOOP("primitives", "Adds up over devices or over a named vmap axis."),
    "pmax": QT_TRANSLATE_NOOP("primitives", "The largest value over devices or over a named axis."),
    "pmin": QT_TRANSLATE_NOOP("primitives", "The smallest value over devices or over a named axis."),
    "all_gather": QT_TRANSLATE_NOOP("primitives", "Collects the parts of all devices on each of them."),
    "reduce_scatter": QT_TRANSLATE_NOOP("primitives", "Adds up over devices and leaves each with its part."),
    "pvary": QT_TRANSLATE_NOOP("primitives", "Marks a value as differing from device to device."),
    "all_to_all": QT_TRANSLATE_NOOP("primitives", "Exchanges parts between all devices."),
    "ppermute": QT_TRANSLATE_NOOP("primitives", "Sends parts from device to device."),
    "axis_index": QT_TRANSLATE_NOOP("primitives", "The number of this device or of this example along a named axis."),
}


def about_primitive(name: str) -> str:
    """Return a sentence about the effect of the primitive `name`; "" for one that is not in the table."""
    return QCoreApplication.translate("primitives", _SENTENCES[name]) if name in _SENTENCES else ""
