"""Explanations of errors on layouts over an explicit mesh, memory, devices and Python.

With explicit mesh axes the sharding is part of an array's type: https://docs.jax.dev/en/latest/notebooks/explicit-sharding.html
Memory of GPUs: https://docs.jax.dev/en/latest/gpu_memory_allocation.html
"""

from __future__ import annotations

from explorer.diagnostics.check import Explanation

EXPLANATIONS = (
    Explanation(
        "ShardingTypeError",
        r"requires contracting dimensions to have consistent sharding, got (?P<left>\(.*?\)) and (?P<right>\(.*?\))",
        text=(
            "The axes that a product sums over must be cut over the same mesh axis; here they are cut over {left} and "
            "{right}. Move one operand to the layout of the other with jax.sharding.reshard(x, jax.P(...))."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"incompatible shardings|should have the same sharding|must have the same sharding",
        text=(
            "On a mesh with explicit axes the sharding is part of an array's type, and these arrays have different "
            "ones. Move one of them to the layout of the other with jax.sharding.reshard(x, jax.P(...))."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"must be unsharded",
        text=(
            "This operation needs a whole axis on each device, and here the axis is cut over the mesh. Gather it "
            "first with jax.sharding.reshard(x, jax.P(None)); or work along an axis that is not cut."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ShardingTypeError",
        r"out_?[ _]?sharding",
        text=(
            "JAX cannot work out how the result is laid out over the mesh. Say it with out_sharding=jax.P(...): "
            "jnp.matmul(a, b, out_sharding=...), x.at[i].get(out_sharding=...); or gather x first with "
            "jax.sharding.reshard."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "RuntimeError",
        r"RESOURCE_EXHAUSTED|[Oo]ut of memory",
        text=(
            "{size}The device has too little free memory for this array. Make the batch or the array smaller, and "
            "del arrays that you no longer need; or take a few examples at a time with jax.lax.map(f, xs, "
            "batch_size=...) instead of vmap, or keep less for grad with jax.checkpoint. If another program shares "
            "the GPU, set XLA_PYTHON_CLIENT_PREALLOCATE=false for both."
        ),
        lesson="what_keeps_memory",
    ),
    Explanation(
        "RuntimeError",
        r"Unknown backend:? '?(?P<name>\w+)'?",
        text=(
            "JAX sees no {name} on this machine. Choose another device; or install the JAX build and the driver for it."
        ),
    ),
    Explanation(
        "ValueError",
        r"Number of devices (?P<there>\d+) must .* the product of mesh_shape \((?P<asked>[\d, ]+)\)",
        text=(
            "A mesh of shape ({asked}) needs one device for each of its positions, and there are {there} devices "
            "here. Make the mesh as large as jax.device_count(); or begin with "
            '`jax.config.update("jax_num_cpu_devices", 8)`.'
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ValueError",
        r"Received incompatible devices for jitted computation",
        text=(
            "One program runs on one set of devices, and these arguments are on different ones. Put them on the same "
            "devices with jax.device_put before the call; or pass NumPy arrays, which are on none."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ValueError IndivisibleError",
        r"array axis (?P<axis>\d+) is partitioned (?P<parts>\d+) times.*dimension size (?:is )?(?P<size_there>\d+)",
        text=(
            "The sharding cuts axis {axis} into {parts} equal parts, but its length is {size_there}. Give it a "
            "length that {parts} divides; or leave this axis whole, with None in its PartitionSpec."
        ),
        lesson="many_devices",
    ),
    Explanation(
        "ValueError",
        r"was given out_specs which require replication which can't be statically inferred",
        text=(
            "out_specs says that this output is the same on all devices of a mesh axis, but nothing in the function "
            "makes it so. Combine the values with jax.lax.pmean or psum over that axis; or name the axis in "
            "out_specs, which joins the pieces."
        ),
    ),
    Explanation(
        "MemoryError",
        text=(
            "The computer has too little free memory for this. Make the arrays smaller; or work on them piece by piece."
        ),
    ),
    Explanation(
        "SyntaxError",
        r"expected an indented block|unexpected indent|unindent does not match|inconsistent use of tabs",
        text=(
            "Python could not read the program, so nothing ran. Lines of one block must begin in the same column, "
            "and a block follows each colon. Check the spaces of the marked line, and of the line above."
        ),
    ),
    Explanation(
        "SyntaxError",
        text=(
            "Python could not read the program, so nothing ran. Check the marked line: often a bracket or quote is "
            "left open just before it, or a colon or comma is missing."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>jax\.experimental\.(?:maps|shard_map|pjit|xmap)\b.*)'",
        text=(
            "JAX {version} has no module {name}: it was removed. Its contents are in jax itself now: jax.shard_map "
            "instead of shard_map and xmap, jax.jit instead of pjit, jax.make_mesh for a mesh."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>jax\..+?)'",
        text=(
            "JAX {version} has no module {name}: it was removed or renamed. Look for it in the changelog of JAX; or"
            " check the spelling."
        ),
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named 'google(\.colab)?'",
        text="google.colab exists only where Colab runs a notebook. Remove this import and what needs it.",
    ),
    Explanation(
        "ModuleNotFoundError",
        r"No module named '(?P<name>(?P<package>\w+)\..+?)'",
        text=(
            "{package} is installed, but it has no module {name}: another version may have it, under this name or "
            "another. Look in the changelog of {package}; or check the spelling."
        ),
    ),
    Explanation(
        "RecursionError",
        text=(
            "A function called itself until Python's limit was reached. Give it a case in which it stops; or write "
            "it as a loop (inside jit: jax.lax.fori_loop or scan)."
        ),
    ),
    Explanation(
        "SystemExit",
        text=(
            "The program asked Python to quit, so there is no result. Remove the call of exit; or move it under if "
            '__name__ == "__main__".'
        ),
    ),
    Explanation(
        "AttributeError",
        r"module 'jax' has no attribute 'tree_(?P<name>map|leaves|flatten|unflatten|structure|reduce|transpose|all)'",
        text=(
            "jax.tree_{name} was removed from JAX. Use jax.tree.{name}; or jax.tree_util.tree_{name}, which old "
            "versions have, too."
        ),
    ),
    Explanation(
        "AttributeError",
        r"ArrayImpl' object has no attribute 'numpy'",
        text=(
            "A JAX array has no method numpy(), unlike a PyTorch tensor. Convert it with np.asarray(x); or keep it a "
            "JAX array, which most NumPy functions take as it is."
        ),
    ),
    Explanation(
        "FloatingPointError",
        r"invalid value \((?P<what>\w+)\) encountered in (?P<name>\w+)",
        text=(
            "jax_debug_nans or jax_debug_infs is on, so JAX stops at the first {what}, which {name} returned. Check "
            "the inputs of {name}; or turn the flag off, and the program runs on with {what}."
        ),
    ),
    Explanation(
        "OverflowError",
        r"out of bounds for u?int32|too large to convert to u?int32|parsing an argument to a jitted computation",
        text=(
            "JAX integers have 32 bits unless jax_enable_x64 is on, and this Python number needs more: int32 ends at "
            "2**31 - 1. Turn on 64 bits and use int64; or use a float, if rounding does no harm."
        ),
    ),
)
