"""Policies with a name that nothing has, as layers of public models are checkpointed, in our own words.

After the policies of MaxText (https://github.com/AI-Hypercomputer/maxtext/pull/489), of Pax and Transformer Engine
(https://github.com/NVIDIA/TransformerEngine/pull/542), patterns of names that should be checked against the activations
(https://github.com/apple/axlearn/pull/898), and the guide to policies (https://github.com/jax-ml/jax/pull/30177).
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


def a_letter_too_few():
    policy = POLICIES.save_only_these_names("atention_out")  # bug: unknown-checkpoint-name
    return slope(policy)


def a_hyphen():
    return slope(POLICIES.save_only_these_names("attention-out"))  # bug: unknown-checkpoint-name


def another_case():
    return slope(POLICIES.save_only_these_names("Mlp_out"))  # bug: unknown-checkpoint-name


def one_of_two():
    return slope(POLICIES.save_only_these_names("attention_out", "mlp_ou"))  # bug: unknown-checkpoint-name


def of_another_model():
    return slope(POLICIES.save_only_these_names("query_proj"))  # bug: unknown-checkpoint-name


def nothing_has_a_name():
    def layer(x):
        return jnp.sum(jnp.sin(jnp.exp(x)))

    return slope(POLICIES.save_only_these_names("hidden"), layer)  # bug: unknown-checkpoint-name


def the_name_of_a_variable():
    def layer(x):
        activations = jnp.tanh(x)
        return jnp.sum(activations**2)

    return slope(POLICIES.save_only_these_names("activations"), layer)  # bug: unknown-checkpoint-name


def named_outside_of_the_function():
    def layer(x):
        return jnp.sum(jnp.sin(x))

    named = checkpoint_name(jnp.exp(X), "input")
    policy = POLICIES.save_only_these_names("input")  # bug: unknown-checkpoint-name
    return jax.grad(jax.checkpoint(layer, policy=policy))(named)


def named_by_another_function():
    def layer(x):
        return jnp.sum(jnp.cos(x))

    policy = POLICIES.save_only_these_names("mlp_out")  # bug: unknown-checkpoint-name
    return jax.grad(lambda x: jax.checkpoint(layer, policy=policy)(block(x)))(X)


def excludes_a_wrong_one():
    return slope(POLICIES.save_any_names_but_these("mlpout"))  # bug: unknown-checkpoint-name


def excludes_one_right_and_one_wrong():
    return slope(POLICIES.save_any_names_but_these("attention_out", "mlp_outs"))  # bug: unknown-checkpoint-name


def as_a_decorator():
    @functools.partial(jax.checkpoint, policy=POLICIES.save_only_these_names("hiden"))  # bug: unknown-checkpoint-name
    def layer(x):
        return jnp.sum(checkpoint_name(jnp.exp(x), "hidden"))

    return jax.grad(layer)(X)


def by_remat():
    layer = jax.remat(total, policy=POLICIES.save_only_these_names("mlp_out_"))  # bug: unknown-checkpoint-name
    return jax.grad(layer)(X)


def forward_only():
    policy = POLICIES.save_only_these_names("mlpOut")  # bug: unknown-checkpoint-name
    return jax.checkpoint(total, policy=policy)(X)


def in_jit():
    @jax.jit
    def step(x):
        policy = POLICIES.save_only_these_names("attention_outs")  # bug: unknown-checkpoint-name
        return x - jax.grad(jax.checkpoint(total, policy=policy))(x)

    return step(X)


def each_layer_of_a_scan():
    policy = POLICIES.save_only_these_names("atten_out")  # bug: unknown-checkpoint-name
    layer = jax.checkpoint(lambda x, w: (block(x, w), None), policy=policy)
    return jax.grad(lambda x: lax.scan(layer, x, WS)[0].sum())(X)


def each_layer_of_a_scan_without_cse():
    policy = POLICIES.save_only_these_names("mlp_output_")  # bug: unknown-checkpoint-name
    layer = jax.checkpoint(lambda x, w: (block(x, w), None), prevent_cse=False, policy=policy)
    return jax.grad(lambda x: lax.scan(layer, x, WS)[0].sum())(X)


def each_layer_of_a_loop():
    policy = POLICIES.save_only_these_names("mlp-out")  # bug: unknown-checkpoint-name

    def model(x):
        for w in WS:
            x = jax.checkpoint(block, policy=policy)(x, w)
        return x.sum()

    return jax.grad(model)(X)


def a_policy_for_each_layer():
    def model(x):
        for w in WS:
            policy = POLICIES.save_only_these_names("mpl_out")  # bug: unknown-checkpoint-name
            x = jax.checkpoint(block, policy=policy)(x, w)
        return x.sum()

    return jax.grad(model)(X)


def a_model_as_a_class():
    class Layer:
        def __init__(self):
            self.policy = POLICIES.save_only_these_names("hidden_state")  # bug: unknown-checkpoint-name

        def __call__(self, x):
            return jnp.sum(checkpoint_name(jnp.tanh(x), "hidden_states"))

    layer = Layer()
    return jax.grad(jax.checkpoint(layer, policy=layer.policy))(X)


def a_policy_from_a_table():
    policies = {
        "full": POLICIES.nothing_saveable,
        "minimal": POLICIES.save_only_these_names("attention_put"),  # bug: unknown-checkpoint-name
    }
    return slope(policies["minimal"])


def a_policy_from_a_function():
    def policy_of(kind):
        if kind == "minimal":
            return POLICIES.save_only_these_names("out_proj", "qkv_proj")  # bug: unknown-checkpoint-name
        return None

    return slope(policy_of("minimal"))


def either_of_two_policies():
    names = POLICIES.save_only_these_names("mlp_outt")  # bug: unknown-checkpoint-name
    return slope(POLICIES.save_from_both_policies(POLICIES.dots_with_no_batch_dims_saveable, names))


def either_of_two_policies_of_names():
    one = POLICIES.save_only_these_names("attention_out")
    two = POLICIES.save_only_these_names("mlp_0ut")  # bug: unknown-checkpoint-name
    return slope(POLICIES.save_from_both_policies(one, two))


def moved_to_the_host():
    policy = POLICIES.save_and_offload_only_these_names(
        names_which_can_be_saved=[],
        names_which_can_be_offloaded=["attention_ou"],  # bug: unknown-checkpoint-name
        offload_src="device",
        offload_dst="pinned_host",
    )
    return jax.make_jaxpr(lambda x: jax.checkpoint(total, policy=policy)(x))(X)


def saved_or_moved_to_the_host():
    policy = POLICIES.save_and_offload_only_these_names(
        names_which_can_be_saved=["mlp_oute"],  # bug: unknown-checkpoint-name
        names_which_can_be_offloaded=["attention_out"],
        offload_src="device",
        offload_dst="pinned_host",
    )
    return jax.make_jaxpr(lambda x: jax.checkpoint(total, policy=policy)(x))(X)


def names_in_a_list():
    names = ["attention_outt", "mlp_out"]  # bug: unknown-checkpoint-name
    return slope(POLICIES.save_only_these_names(*names))


def names_by_keyword():
    def layer(x):
        return jnp.sum(checkpoint_name(jnp.exp(x), name="scores"))

    return slope(POLICIES.save_only_these_names("score"), layer)  # bug: unknown-checkpoint-name


def a_name_in_an_inner_jit():
    inner = jax.jit(lambda x: checkpoint_name(jnp.exp(x), "softmax_in"))
    policy = POLICIES.save_only_these_names("softmax_inn")  # bug: unknown-checkpoint-name
    return slope(policy, lambda x: jnp.sum(jnp.sin(inner(x))))


def a_name_in_an_inner_scan():
    def layer(x):
        return lax.scan(lambda c, w: (checkpoint_name(jnp.sin(w @ c), "state"), None), x, WS)[0].sum()

    return slope(POLICIES.save_only_these_names("states"), layer)  # bug: unknown-checkpoint-name


def a_name_in_an_inner_checkpoint():
    inner = jax.checkpoint(lambda x: checkpoint_name(jnp.exp(x), "inner_out"))
    policy = POLICIES.save_only_these_names("inner_outs")  # bug: unknown-checkpoint-name
    return slope(policy, lambda x: jnp.sum(jnp.sin(inner(x))))


def two_policies_of_which_one_is_wrong():
    right = slope(POLICIES.save_only_these_names("mlp_out"))
    return right + slope(POLICIES.save_only_these_names("mlp__out"))  # bug: unknown-checkpoint-name


def under_vmap():
    policy = POLICIES.save_only_these_names("attention_o")  # bug: unknown-checkpoint-name
    return jax.vmap(jax.grad(jax.checkpoint(total, policy=policy)))(jnp.ones((2, 4)))


def with_value_and_grad():
    policy = POLICIES.save_only_these_names("mlp out")  # bug: unknown-checkpoint-name
    return jax.jit(jax.value_and_grad(jax.checkpoint(total, policy=policy)))(X)


def names_of_a_tree():
    def layer(x):
        return sum(jax.tree.leaves(checkpoint_name({"q": jnp.sin(x).sum(), "k": jnp.cos(x).sum()}, "qk_proj")))

    return slope(POLICIES.save_only_these_names("q_proj"), layer)  # bug: unknown-checkpoint-name


def a_name_with_a_number():
    def layer(x):
        for number, w in enumerate(WS):
            x = checkpoint_name(jnp.tanh(w @ x), f"layer_{number}")
        return x.sum()

    return slope(POLICIES.save_only_these_names("layer_3", "layer_0", "layer_1"), layer)  # bug: unknown-checkpoint-name


def an_attention():
    def attention(q):
        scores = checkpoint_name(jnp.outer(q, q), "attention_scores")
        return (jax.nn.softmax(scores) @ q).sum()

    return slope(POLICIES.save_only_these_names("attn_scores"), attention)  # bug: unknown-checkpoint-name


def experts():
    def layer(x):
        dispatched = checkpoint_name(x * 2.0, "moe_dispatch")
        return checkpoint_name(jnp.sin(dispatched), "moe_hidden").sum()

    return slope(POLICIES.save_only_these_names("moe_dispatched"), layer)  # bug: unknown-checkpoint-name


def names_in_a_tuple():
    saved = (
        "attention_out",
        "mlp_ot",  # bug: unknown-checkpoint-name
    )
    return slope(POLICIES.save_only_these_names(*saved))


def a_seen_step_of_training():
    policy = POLICIES.save_only_these_names("attention_oot")  # bug: unknown-checkpoint-name
    loss, w = jax.checkpoint(lambda w: (block(X, w) ** 2).sum(), policy=policy), WS[0]
    for _ in range(3):
        w = w - 0.1 * jax.grad(loss)(w)
    return w


def keyword_of_the_function():
    policy = POLICIES.save_only_these_names("mlp_out.")  # bug: unknown-checkpoint-name
    return jax.grad(lambda x: jax.checkpoint(block, policy=policy)(x, w=WS[1]).sum())(X)
