"""Keys under derivatives and other transformations, in samplers, and in Python that compiled programs call."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.experimental import io_callback

X = jnp.ones((4, 3))


def key():
    return random.key(7)


def add_noise(x, key):
    return x + random.normal(key, x.shape)


def on_the_host(words):
    return np.asarray(random.normal(random.wrap_key_data(jnp.asarray(words)), (3,)))


def called_back(key):
    return jax.pure_callback(on_the_host, jax.ShapeDtypeStruct((3,), jnp.float32), random.key_data(key))


# -- derivatives and other transformations -----------------------------------------------------


def backward_pass_called_twice():
    noise_key = key()
    _, backward = jax.vjp(lambda x: jnp.sin(x * random.normal(noise_key)), 1.0)
    return backward(1.0), backward(2.0)


def compiled_ahead_of_time_and_called_twice():
    noise_key = key()
    draw = jax.jit(random.normal).lower(noise_key).compile()
    return draw(noise_key), draw(noise_key)  # bug: key-reuse


def compiled_ahead_of_time_with_one_key_for_all():  # bug: shared-noise
    # shared along axis 0 by 4 examples, 1 key
    one_key = key()
    noisy = jax.jit(jax.vmap(add_noise, in_axes=(0, None))).lower(X, one_key).compile()
    return noisy(X, one_key)


def compiled_ahead_of_time_and_called_with_keys_of_a_loop():
    noise_key, some = key(), []
    draw = jax.jit(random.normal).lower(noise_key).compile()
    for _ in range(3):
        noise_key, this = random.split(noise_key)
        some.append(draw(this))
    return some


def drawn_in_a_function_and_again_in_its_derivative():
    noise_key = key()

    def loss(x):
        return x * x * random.normal(noise_key)  # bug: key-reuse

    return loss(1.0), jax.grad(loss)(1.0)


def hessian():
    noise_key = key()
    return jax.hessian(lambda x: (x**3 * random.normal(noise_key, x.shape)).sum())(X[0])


def rematerialised_in_a_scan():
    def body(x, key):
        return jnp.sin(x * random.normal(key)), None

    keys = random.split(key(), 3)
    return jax.grad(lambda x: lax.scan(jax.checkpoint(body), x, keys)[0])(1.0)


def mask_made_again_by_the_backward_pass():
    @jax.custom_vjp
    def drop(x, key):
        return x * random.bernoulli(key, 0.5, x.shape)

    drop.defvjp(
        lambda x, key: (drop(x, key), key),
        lambda key, slope: (slope * random.bernoulli(key, 0.5, slope.shape), None),
    )
    noise_key = key()
    return jax.grad(lambda x: drop(x, noise_key).sum())(X)


# -- samplers ----------------------------------------------------------------------------------


def permutation_and_choice_from_one_key():
    # at "random.permutation(noise_key, 5)", "random.choice(noise_key, 5, (2,))"
    noise_key = key()
    return random.permutation(noise_key, 5), random.choice(noise_key, 5, (2,))  # bug: key-reuse


def inputs_and_targets_shuffled_alike():
    # On purpose: another key would destroy the pairs.
    noise_key = key()
    return random.permutation(noise_key, X), random.permutation(noise_key, jnp.arange(4))


def gamma_with_a_parameter_for_each_example():
    # shared along axis 0 by 4 examples, 1 key
    noise_key = key()
    return jax.vmap(lambda shape: random.gamma(noise_key, shape))(jnp.arange(1.0, 5.0))  # bug: shared-noise


# -- Python that compiled programs call --------------------------------------------------------


def drawn_and_drawn_in_a_callback():  # bug: key-reuse
    noise_key = key()
    return jax.jit(called_back)(noise_key), random.uniform(noise_key)


def drawn_in_a_callback_with_a_key_of_its_own():
    first, second = random.split(key())
    return jax.jit(called_back)(first), random.uniform(second)


def drawn_in_an_effect_and_after_it():  # bug: key-reuse
    noise_key = key()
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    noise = jax.jit(lambda key: io_callback(on_the_host, shape, random.key_data(key)))(noise_key)
    return noise + random.normal(noise_key, (3,))


def drawn_to_be_printed_and_drawn():  # bug: key-reuse
    noise_key = key()

    @jax.jit
    def shown(key):
        jax.debug.callback(lambda words: on_the_host(words).sum(), random.key_data(key))
        return random.normal(key)

    return shown(noise_key)
