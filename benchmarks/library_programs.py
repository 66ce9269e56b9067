"""Small programs as people write them with flax and optax, to be timed where these are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

STEPS = 300
BATCH = 128


def programs() -> dict[str, Callable[[], Any]]:
    """Return the programs by description; none where the libraries are missing."""
    if any(importlib.util.find_spec(name) is None for name in ("flax", "optax")):
        return {}
    return {
        f"flax.linen, optax: {STEPS} steps with dropout": _linen(),
        f"flax.nnx, optax: {STEPS} steps with dropout": _nnx(),
    }


def _data() -> tuple[Any, Any]:
    import jax

    inputs = jax.random.normal(jax.random.key(1), (BATCH, 64))
    return inputs, inputs[:, 0] > 0


def _linen() -> Callable[[], Any]:
    """Return the training of a network of flax.linen with a state of flax's own, its key folded with the step."""
    import jax
    import optax
    from flax import linen
    from flax.training.train_state import TrainState

    class Network(linen.Module):
        @linen.compact
        def __call__(self, inputs: Any, *, is_training: bool) -> Any:
            for _ in range(2):
                inputs = linen.relu(linen.Dense(256)(inputs))
                inputs = linen.Dropout(0.2, deterministic=not is_training)(inputs)
            return linen.Dense(1)(inputs)[:, 0]

    network, data = Network(), _data()

    def step(state: Any, inputs: Any, labels: Any, key: Any) -> tuple[Any, Any]:
        key = jax.random.fold_in(key, state.step)

        def loss(weights: Any) -> Any:
            outputs = state.apply_fn({"params": weights}, inputs, is_training=True, rngs={"dropout": key})
            return optax.sigmoid_binary_cross_entropy(outputs, labels).mean()

        value, slopes = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=slopes), value

    jitted = jax.jit(step)

    def run() -> Any:
        first, second = jax.random.split(jax.random.key(0))
        weights = network.init(first, data[0], is_training=False)["params"]
        state = TrainState.create(apply_fn=network.apply, params=weights, tx=optax.adam(1e-3))
        for _ in range(STEPS):
            state, value = jitted(state, *data, second)
        return jax.block_until_ready(value)

    return run


def _nnx() -> Callable[[], Any]:
    """Return the training of a network of flax.nnx, which keeps its keys and counters in itself."""
    import jax
    import optax
    from flax import nnx

    class Network(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self, rngs: Any) -> None:
            self.first, self.last = nnx.Linear(64, 256, rngs=rngs), nnx.Linear(256, 1, rngs=rngs)
            self.dropout = nnx.Dropout(0.2, rngs=rngs)

        def __call__(self, inputs: Any) -> Any:
            return self.last(self.dropout(nnx.relu(self.first(inputs))))[:, 0]

    data = _data()

    @nnx.jit
    def step(network: Any, optimizer: Any, inputs: Any, labels: Any) -> Any:
        def loss(network: Any) -> Any:
            return optax.sigmoid_binary_cross_entropy(network(inputs), labels).mean()

        value, slopes = nnx.value_and_grad(loss)(network)
        optimizer.update(network, slopes)
        return value

    def run() -> Any:
        network = Network(nnx.Rngs(0))
        optimizer = nnx.Optimizer(network, optax.adam(1e-3), wrt=nnx.Param)
        for _ in range(STEPS):
            value = step(network, optimizer, *data)
        return jax.block_until_ready(value)

    return run
