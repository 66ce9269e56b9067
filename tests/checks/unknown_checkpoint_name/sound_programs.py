"""Policies whose names are there, or that are for several models, in our own words.

After the policies of MaxText, which list more names than one model has (https://github.com/AI-Hypercomputer/maxtext/pull/489),
residuals that a derivative of its own names (https://github.com/apple/axlearn/pull/925), and the guide to policies
(https://github.com/jax-ml/jax/pull/30177).
"""

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name

POLICIES = jax.checkpoint_policies
X = jnp.linspace(0.1, 1.0, 4)
WS = jnp.ones((3, 4, 4)) / 4


def block(x, w=WS[0]):
    h = checkpoint_name(jnp.tanh(w @ x), "attention_out")
    return checkpoint_name(jnp.sin(h), "mlp_out")


def total(x):
    return jnp.sum(block(x))


def slope(policy, function=total):
    return jax.grad(jax.checkpoint(function, policy=policy))(X)


def one_name():
    return slope(POLICIES.save_only_these_names("mlp_out"))


def both_names():
    return slope(POLICIES.save_only_these_names("mlp_out", "attention_out"))


def all_but_one():
    return slope(POLICIES.save_any_names_but_these("mlp_out"))


def all_but_what_is_not_there():
    return slope(POLICIES.save_any_names_but_these("logits"))


def names_for_several_models():
    names = ("query_proj", "key_proj", "value_proj", "qkv_proj", "attention_out")
    return slope(POLICIES.save_only_these_names(*names))


def no_name():
    return slope(POLICIES.save_only_these_names())


def policies_without_names():
    return slope(POLICIES.dots_saveable) + slope(POLICIES.nothing_saveable) + slope(POLICIES.everything_saveable)


def no_policy():
    return slope(None)


def a_policy_of_ones_own():
    def policy(prim, *_, **params):
        return prim.name == "tanh" or params.get("name") == "nothing"

    return slope(policy)


def a_name_that_is_not_saved():
    return jax.grad(lambda x: jnp.sum(checkpoint_name(jnp.exp(x), "exp")))(X)


def a_policy_that_is_not_used():
    POLICIES.save_only_these_names("unused")
    return slope(None)


def one_policy_for_two_sorts_of_layers():
    policy = POLICIES.save_only_these_names("conv_out", "dense_out")
    conv = jax.checkpoint(lambda x: checkpoint_name(jnp.convolve(x, x, "same"), "conv_out"), policy=policy)
    dense = jax.checkpoint(lambda x: checkpoint_name(WS[0] @ x, "dense_out"), policy=policy)
    return jax.grad(lambda x: dense(conv(x)).sum())(X)


def one_policy_of_which_a_layer_has_nothing():
    policy = POLICIES.save_only_these_names("mlp_out")
    plain = jax.checkpoint(jnp.sin, policy=policy)
    return jax.grad(lambda x: jax.checkpoint(total, policy=policy)(plain(x)))(X)


def policies_made_alike():
    def policy():
        return POLICIES.save_only_these_names("mlp_out")

    plain = jax.checkpoint(jnp.sin, policy=policy())
    return jax.grad(lambda x: jax.checkpoint(total, policy=policy())(plain(x)))(X)


def either_of_two_policies():
    names = POLICIES.save_only_these_names("mlp_out")
    return slope(POLICIES.save_from_both_policies(POLICIES.dots_with_no_batch_dims_saveable, names))


def the_input_of_a_pipeline():
    one = POLICIES.save_only_these_names("iteration_input", "decoder_layer_input")
    two = POLICIES.save_only_these_names("attention_out")
    return slope(POLICIES.save_from_both_policies(one, two))


def moved_to_the_host():
    policy = POLICIES.save_and_offload_only_these_names(
        names_which_can_be_saved=["mlp_out"],
        names_which_can_be_offloaded=["attention_out"],
        offload_src="device",
        offload_dst="pinned_host",
    )
    return jax.make_jaxpr(lambda x: jax.checkpoint(total, policy=policy)(x))(X)


def a_residual_that_a_rule_names():
    @jax.custom_vjp
    def attention(x):
        return jnp.sin(x)

    def forward(x):
        out = jnp.sin(x)
        return out, checkpoint_name(jnp.cos(x), "flash_residuals")

    attention.defvjp(forward, lambda kept, g: (kept * g,))
    return slope(POLICIES.save_only_these_names("flash_residuals"), lambda x: jnp.sum(attention(x) ** 2))


def a_residual_that_a_rule_would_name():
    @jax.custom_vjp
    def attention(x):
        return jnp.sin(x)

    def forward(x):
        return jnp.sin(x), checkpoint_name(jnp.cos(x), "context")

    attention.defvjp(forward, lambda kept, g: (kept * g,))
    policy = POLICIES.save_only_these_names("context")
    return jax.checkpoint(lambda x: jnp.sum(attention(x)), policy=policy)(X)


def each_layer_of_a_scan():
    policy = POLICIES.save_only_these_names("attention_out")
    layer = jax.checkpoint(lambda x, w: (block(x, w), None), policy=policy)
    return jax.grad(lambda x: lax.scan(layer, x, WS)[0].sum())(X)


def each_layer_of_a_loop():
    policy = POLICIES.save_any_names_but_these("attention_out")

    def model(x):
        for w in WS:
            x = jax.checkpoint(block, policy=policy)(x, w)
        return x.sum()

    return jax.jit(jax.grad(model))(X)


def a_name_in_an_inner_jit():
    inner = jax.jit(lambda x: checkpoint_name(jnp.exp(x), "softmax_in"))
    return slope(POLICIES.save_only_these_names("softmax_in"), lambda x: jnp.sum(jnp.sin(inner(x))))


def a_name_in_a_branch():
    def layer(x):
        return lax.cond(x[0] > 0, lambda x: checkpoint_name(jnp.exp(x), "branch"), jnp.sin, x).sum()

    return slope(POLICIES.save_only_these_names("branch"), layer)


def a_name_in_an_inner_scan():
    def layer(x):
        return lax.scan(lambda c, w: (checkpoint_name(jnp.sin(w @ c), "state"), None), x, WS)[0].sum()

    return slope(POLICIES.save_only_these_names("state"), layer)


def a_name_in_an_inner_checkpoint():
    inner = jax.checkpoint(lambda x: checkpoint_name(jnp.exp(x), "inner_out"))
    return slope(POLICIES.save_only_these_names("inner_out"), lambda x: jnp.sum(jnp.sin(inner(x))))


def names_with_numbers():
    def layer(x):
        for number, w in enumerate(WS):
            x = checkpoint_name(jnp.tanh(w @ x), f"layer_{number}")
        return x.sum()

    return slope(POLICIES.save_only_these_names("layer_0", "layer_2"), layer)


def as_a_decorator():
    @functools.partial(jax.checkpoint, policy=POLICIES.save_only_these_names("hidden"))
    def layer(x):
        return jnp.sum(checkpoint_name(jnp.exp(x), "hidden"))

    return jax.grad(layer)(X)


def under_vmap():
    policy = POLICIES.save_only_these_names("attention_out")
    return jax.vmap(jax.grad(jax.checkpoint(total, policy=policy)))(jnp.ones((2, 4)))


def names_of_a_tree():
    def layer(x):
        return sum(jax.tree.leaves(checkpoint_name({"q": jnp.sin(x).sum(), "k": jnp.cos(x).sum()}, "qk")))

    return slope(POLICIES.save_only_these_names("qk"), layer)


def a_slope_of_a_slope():
    policy = POLICIES.save_only_these_names("mlp_out")
    return jax.hessian(jax.checkpoint(total, policy=policy))(X)


def a_model_that_names_by_a_setting():
    def layer(x, name="hidden"):
        x = jnp.exp(x)
        return jnp.sum(checkpoint_name(x, name) if name else x)

    return slope(POLICIES.save_only_these_names("hidden"), layer)


def the_same_word_elsewhere():
    settings = {"mlp_out": 3}
    return slope(POLICIES.save_only_these_names("mlp_out")) * settings["mlp_out"]
