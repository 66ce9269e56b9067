"""An argument that should be a random key and is not, or a key in place of a number."""

from __future__ import annotations

from explorer.diagnostics.explanation import Explanation

EXPLANATIONS = (
    Explanation(
        "ValueError TypeError",
        r"\b(?P<call>\w+) accepts a single key, but was given a key array of shape (?P<shape>\([^)]*\))",
        text=(
            "{call} takes one key, and this is an array of keys of shape {shape}. To call it for each of them, map "
            "it: jax.vmap(lambda key: jax.random.{call}(key, ...))(keys). To call it once, pick one: keys[0]."
        ),
        lesson="nested_vmap",
    ),
    Explanation(
        "TypeError",
        r"unexpected PRNG key type <class 'NoneType'>",
        text=(
            "This argument must be a random key, but it is None: a key was not passed, or a function that should "
            "return one returns nothing. Pass one; or make one with jax.random.key(0)."
        ),
    ),
    Explanation(
        "TypeError",
        r"invalid PRNG key data: expected key_data.shape to end with \((?P<words>\d+),\); got shape=(?P<shape>\(.*?\))",
        text=(
            "This argument must be a random key, or key data whose last axis has length {words}, but it has shape "
            "{shape}. Make a key with jax.random.key(0); and check the order of the arguments: the key comes first."
        ),
    ),
    Explanation(
        "TypeError",
        r"invalid PRNG key data",
        text=(
            "This argument must be a random key, but it is a number or another kind of array. Make a key with "
            "jax.random.key(0); and check the order of the arguments: the key comes first."
        ),
    ),
    Explanation(
        "TypeError",
        r"does not accept dtypes .*key<",
        text=(
            "A random key is not a number: JAX refuses to calculate with it. To get another key use "
            "jax.random.split or jax.random.fold_in; to get numbers draw them, for example with "
            "jax.random.normal(key)."
        ),
    ),
    Explanation(
        "TypeError",
        r"PRNGKey dtype cannot be converted to a NumPy array",
        text=(
            "A random key is not a number, so NumPy cannot hold it. jax.random.key_data(key) gives its words as "
            "integers; to print a key, print it as it is."
        ),
    ),
    Explanation(
        "KeyReuseError",
        text=(
            "The same key was used twice, so the two results are not independent. Split it and use each part once: "
            "key_a, key_b = jax.random.split(key)."
        ),
        lesson="seed_and_key",
    ),
)
