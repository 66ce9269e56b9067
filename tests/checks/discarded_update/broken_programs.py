"""Updates of arrays whose result is thrown away, as they are met in public code, in our own words.

After https://github.com/reservoirpy/reservoirpy/issues/234 (features, delay buffers, predictions and signs are not
written), https://github.com/jax-ml/jax/issues/2287 (a trajectory), https://github.com/jax-ml/jax/pull/7783 (a jitted
function that returns nothing), and replay buffers, masks, boundaries and counters of simulations.
"""

import jax
import jax.numpy as jnp
from jax import lax

X = jnp.zeros((4, 3))


def a_number():
    x = jnp.zeros(3)
    x.at[0].set(1.0)  # bug: discarded-update
    return x


def a_row():
    x = X
    x.at[1].set(jnp.ones(3))  # bug: discarded-update
    return x


def a_column():
    x = X
    x.at[:, 1].set(5.0)  # bug: discarded-update
    return x


def a_slice():
    x = X
    x.at[1:3].add(2.0)  # bug: discarded-update
    return x


def every_second():
    x = X
    x.at[::2].multiply(3.0)  # bug: discarded-update
    return x


def where_a_mask_is_true():
    x = jnp.arange(4.0)
    x.at[x > 1].set(0.0)  # bug: discarded-update
    return x


def at_several_places():
    x = jnp.zeros(5)
    x.at[jnp.array([0, 3])].set(jnp.array([1.0, 2.0]))  # bug: discarded-update
    return x


def on_the_diagonal():
    x = jnp.zeros((3, 3))
    x.at[jnp.diag_indices(3)].set(1.0)  # bug: discarded-update
    return x


def the_last_axis():
    x = X
    x.at[..., -1].set(1.0)  # bug: discarded-update
    return x


def divided():
    x = jnp.ones(3)
    x.at[0].divide(2.0)  # bug: discarded-update
    return x


def a_power():
    x = 2 * jnp.ones(3)
    x.at[0].power(3.0)  # bug: discarded-update
    return x


def the_smaller_one():
    x = jnp.ones(3)
    x.at[2].min(0.5)  # bug: discarded-update
    return x


def the_larger_one():
    x = jnp.ones(3)
    x.at[2].max(1.5)  # bug: discarded-update
    return x


def a_function_of_it():
    x = jnp.ones(3)
    x.at[1].apply(jnp.sin)  # bug: discarded-update
    return x


def with_a_mode():
    x = jnp.ones(3)
    x.at[7].set(0.0, mode="drop")  # bug: discarded-update
    return x


def over_several_lines():
    x = X
    x.at[  # bug: discarded-update
        0,
        1,
    ].set(
        9.0,
    )
    return x


def twice():
    x = jnp.zeros(3)
    x.at[0].set(1.0)  # bug: discarded-update
    x.at[1].set(2.0)  # bug: discarded-update
    return x


def one_kept_and_one_not():
    x = jnp.zeros(3)
    x = x.at[0].set(1.0)
    x.at[1].set(2.0)  # bug: discarded-update
    return x


def a_chain():
    x = jnp.zeros(3)
    x.at[0].set(1.0).at[1].set(2.0)  # bug: discarded-update
    return x


def in_a_branch():
    x = jnp.zeros(3)
    if x.sum() == 0:
        x.at[0].set(1.0)  # bug: discarded-update
    return x


def in_a_loop():
    x = jnp.zeros(3)
    for index in range(3):
        x.at[index].set(index)  # bug: discarded-update
    return x


def a_trajectory():
    position, velocity, path = 1.5, 0.0, jnp.zeros(4)
    for index in range(4):
        velocity -= 0.1 * position
        position += 0.1 * velocity
        path.at[index].set(position)  # bug: discarded-update
    return path


def in_a_with_block():
    x = jnp.zeros(3)
    with jax.named_scope("written"):
        x.at[0].set(1.0)  # bug: discarded-update
    return x


def in_a_try_block():
    x = jnp.zeros(3)
    try:
        x.at[0].set(1.0)  # bug: discarded-update
    finally:
        total = x.sum()
    return total


def in_jit():
    @jax.jit
    def step(x):
        x.at[0].set(1.0)  # bug: discarded-update
        return x

    return step(jnp.zeros(3))


def in_a_jitted_function_that_returns_nothing():
    @jax.jit
    def write(x, index, value):
        x.at[index].set(value)  # bug: discarded-update

    x = jnp.ones(3)
    write(x, 0, -1.0)
    return x


def in_vmap():
    def clipped(x):
        x.at[0].min(0.0)  # bug: discarded-update
        return x

    return jax.vmap(clipped)(X + 1)


def in_grad():
    def loss(w):
        w.at[0].set(0.0)  # bug: discarded-update
        return (w**2).sum()

    return jax.grad(loss)(jnp.ones(3))


def in_a_scan():
    def step(carry, x):
        carry.at[0].add(x)  # bug: discarded-update
        return carry, x

    return lax.scan(step, jnp.zeros(2), jnp.arange(3.0))[0]


def in_a_fori_loop():
    def body(index, x):
        x.at[index].set(1.0)  # bug: discarded-update
        return x

    return lax.fori_loop(0, 3, body, jnp.zeros(3))


def in_a_cond():
    def written(x):
        x.at[0].set(1.0)  # bug: discarded-update
        return x

    return lax.cond(True, written, lambda x: x, jnp.zeros(3))


def of_an_argument():
    def fill(x):
        x.at[:].set(7.0)  # bug: discarded-update

    x = jnp.zeros(3)
    fill(x)
    return x


def of_an_attribute():
    class Reservoir:
        def __init__(self):
            self.state = jnp.zeros(3)

        def write(self, value):
            self.state.at[0].set(value)  # bug: discarded-update

    reservoir = Reservoir()
    reservoir.write(1.0)
    return reservoir.state


def of_a_delay_buffer():
    buffers = {"edge": jnp.zeros((3, 2))}
    for value in (1.0, 2.0):
        buffers["edge"] = jnp.roll(buffers["edge"], 1, axis=0)
        buffers["edge"].at[0].set(value)  # bug: discarded-update
    return buffers["edge"]


def of_features_that_are_written():
    store, features = jnp.arange(6.0).reshape(3, 2), jnp.zeros(4)
    features.at[:2].set(store[0])  # bug: discarded-update
    features.at[2:].set(store[0] * store[1])  # bug: discarded-update
    return features


def of_predictions_of_each_step():
    weights, predictions = jnp.ones(2), jnp.zeros(3)
    for step in range(3):
        predictions.at[step].set(weights @ jnp.ones(2))  # bug: discarded-update
        weights = weights * 0.9
    return predictions


def of_signs_of_columns():
    weights = jnp.ones((3, 3))
    weights.at[:, jnp.array([0, 2])].multiply(-1)  # bug: discarded-update
    return weights


def of_a_replay_buffer():
    buffer = jnp.zeros((4, 2))
    for count, observation in enumerate((jnp.ones(2), 2 * jnp.ones(2))):
        buffer.at[count % 4].set(observation)  # bug: discarded-update
    return buffer


def of_a_boundary():
    field = jnp.ones((4, 4))
    field.at[0, :].set(0.0)  # bug: discarded-update
    field.at[-1, :].set(0.0)  # bug: discarded-update
    return field


def of_a_histogram():
    counts = jnp.zeros(4, int)
    counts.at[jnp.array([0, 1, 1, 3])].add(1)  # bug: discarded-update
    return counts


def of_a_causal_mask():
    scores = jnp.zeros((3, 3))
    scores.at[jnp.triu_indices(3, 1)].set(-jnp.inf)  # bug: discarded-update
    return jax.nn.softmax(scores)


def of_what_a_function_returns():
    def made():
        return jnp.zeros(3)

    made().at[0].set(1.0)  # bug: discarded-update
    return made()


def of_keys():
    keys = jax.random.split(jax.random.key(0), 3)
    keys.at[0].set(jax.random.key(1))  # bug: discarded-update
    return keys


def in_a_comprehension_s_function():
    def marked(x):
        x.at[0].set(1.0)  # bug: discarded-update
        return x

    return [marked(jnp.zeros(2)) for _ in range(2)]


def before_a_return():
    def written(x):
        if x.ndim == 1:
            x.at[0].set(1.0)  # bug: discarded-update
            return x
        return -x

    return written(jnp.zeros(2))
