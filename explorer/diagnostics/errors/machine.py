"""Memory, backends and devices (https://docs.jax.dev/en/latest/gpu_memory_allocation.html)."""

from __future__ import annotations

from explorer.diagnostics.explanation import Explanation

EXPLANATIONS = (
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
)
