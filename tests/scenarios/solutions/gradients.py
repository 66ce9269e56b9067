# == gradient_of_a_loss
# %% right 1: each by itself
def two_arguments(w, b, x, y):
    slope_w, slope_b = jax.grad(loss, argnums=(0, 1))(w, b, x, y)
    return w - 0.05 * slope_w, b - 0.05 * slope_b

# %% wrong 1: the numbers themselves
def two_arguments(w, b, x, y):
    jax.grad(loss, argnums=(0, 1))(w, b, x, y)
    return jnp.float32(1.6), jnp.float32(0.4)

# %% right 2: 1.0
def whole_number(x, y):
    return jax.grad(loss)(1.0, 0.0, x, y)

# %% wrong 2: another number
def whole_number(x, y):
    return jax.grad(loss)(2.0, 0.0, x, y)

# == from_pytorch
# %% right 1: the mode as a static argument
def mode_in_an_attribute(x, w, seed):
    net = Model(w)

    def run(x, key, training):
        net.training = training
        return net(x, key)

    forward = jax.jit(run, static_argnames="training")
    first, second = jax.random.split(jax.random.key(seed))
    return forward(x, first, training=True), forward(x, second, training=False)

# %% wrong 1: without jit
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    key = jax.random.key(seed)
    first = model(x, key)
    model.training = False
    return first, model(x, key)

# %% wrong 1: as it was
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    forward = jax.jit(lambda x, key: model(x, key))
    key = jax.random.key(seed)
    first = forward(x, key)
    model.training = False
    return first, forward(x, key)

# %% wrong 1: second call without jit
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    forward = jax.jit(lambda x, key: model(x, key))
    first, second = jax.random.split(jax.random.key(seed))
    trained = forward(x, first)
    model.training = False
    return trained, model(x, second)

# %% wrong 1: evaluation from the start
def mode_in_an_attribute(x, w, seed):
    model = Model(w)
    model.training = False
    forward = jax.jit(lambda x, key: model(x, key))
    first, second = jax.random.split(jax.random.key(seed))
    return forward(x, first), forward(x, second)

# == a_training_step
# %% right 1: both are kept
def nothing_kept(x, y, steps):
    w, state = start()
    losses = []
    for _ in range(steps):
        w, state = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}

# %% wrong 1: the state is dropped
def nothing_kept(x, y, steps):
    w, state = start()
    losses = []
    for _ in range(steps):
        w, _ = step(w, state, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}

# %% right 2: plain descent
def train(x, y, steps):
    w, _ = start()
    losses = []
    for _ in range(steps):
        w = w - 0.1 * jax.value_and_grad(loss)(w, x, y)[1]
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}

# start() has the squares of Adam.
def start():
    return jnp.zeros(3), {}

# %% wrong 2: twice as far
def train(x, y, steps):
    w, losses = jnp.zeros(3), []
    for _ in range(steps):
        w = w - 0.2 * jax.grad(loss)(w, x, y)
        losses.append(loss(w, x, y))
    return {"loss": jnp.stack(losses), "w": w}

# == stop_gradient
# %% right 1: around the estimate
def with_stop_gradient(theta, state, next_state, reward):
    def loss(theta):
        target = reward + value(theta, next_state)
        return (jax.lax.stop_gradient(value(theta, state)) - target) ** 2

    return jax.grad(loss)(theta)

# %% wrong 1: around both
def with_stop_gradient(theta, state, next_state, reward):
    def loss(theta):
        target = reward + value(theta, next_state)
        return jax.lax.stop_gradient(value(theta, state) - target) ** 2

    return jax.grad(loss)(theta)

# %% wrong 1: the numbers themselves
def with_stop_gradient(theta, state, next_state, reward):
    return jnp.array([4.8, 2.4, 0.0])

# == gradient_of_many
# %% right 1: an index in a lambda
def grad_of_many(x, leak):
    return jax.grad(lambda x: results(x, leak)[2])(x)

# %% wrong 1: the second result
def grad_of_many(x, leak):
    return jax.grad(lambda x: results(x, leak)[1])(x)

# %% wrong 1: the numbers themselves
def grad_of_many(x, leak):
    return jnp.array([leak, leak, 4.0 + leak])

# %% right 2: the Jacobian of a gradient
def jacobian(x, leak):
    return jax.jacobian(jax.grad(lambda x: jnp.sum(results(x, leak))))(x)

# %% wrong 2: of each result
def jacobian(x, leak):
    return jax.hessian(results)(x, leak)

# %% wrong 2: the numbers themselves
def jacobian(x, leak):
    return 2.0 * jnp.eye(3)

# == gradient_of_each
# %% right 1: jacobian of the losses
def of_each(w, x, y):
    losses = lambda w: (x @ w - y) ** 2
    return jnp.linalg.norm(jax.jacobian(losses)(w), axis=1)

# %% wrong 1: the losses
def of_each(w, x, y):
    return jax.vmap(loss_of_one, in_axes=(None, 0, 0))(w, x, y)

# %% right 2: instead of grad
def of_each(w, x, y):
    both = jax.value_and_grad(loss_of_one)
    return jax.vmap(both, in_axes=(None, 0, 0))(w, x, y)

# %% wrong 2: of the mean
def of_each(w, x, y):
    return jax.value_and_grad(mean_loss)(w, x, y)

# == nan_from_nowhere
# %% right 1: a safe number under the root
def loss(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(safe), 0.0))

# %% wrong 1: no root any more
def loss(x):
    return 0.25 * jnp.sum(jnp.where(x > 0, x, 0.0))

# %% wrong 1: where after the gradient
def slope(x):
    return jnp.where(x > 0, jax.grad(loss)(x), 0.0)

# %% right 2: as the exercise says
def loss(x):
    return jnp.sum(jnp.sqrt(x + 1e-12))

# %% wrong 2: the where is still there
def loss(x):
    return jnp.sum(jnp.where(x > 0, jnp.sqrt(x + 1e-12), 0.0))

# %% wrong 2: the numbers themselves
def slope(x):
    return jnp.array([500000.0, 1.0, 0.5, 0.25])

# == when_the_loss_became_nan
# %% right 1: the logarithm of the sigmoid
def loss(w, x, labels):
    z = w * x
    return -jnp.mean(labels * jax.nn.log_sigmoid(z) + (1 - labels) * jax.nn.log_sigmoid(-z))

# %% wrong 1: a large number under the logarithm
def loss(w, x, labels):
    p = jax.nn.sigmoid(w * x)
    return -jnp.mean(labels * jnp.log(p + 0.01) + (1 - labels) * jnp.log(1.01 - p))

# %% wrong 1: the other loss
def loss(w, x, labels):
    return loss_of_logits(w, x, labels)

# %% right 2: a where around the new weight
def trained(loss, x, labels, rate):
    def step(w, _):
        value, slope = jax.value_and_grad(loss)(w, x, labels)
        return jnp.where(jnp.isfinite(slope), w - rate * slope, w), value

    return jax.lax.scan(step, 0.1, length=STEPS)

# %% wrong 2: the weight set to 5
def trained(loss, x, labels, rate):
    def step(w, _):
        value, slope = jax.value_and_grad(loss)(w, x, labels)
        return jnp.where(jnp.isfinite(slope), w - rate * slope, 5.0), value

    return jax.lax.scan(step, 0.1, length=STEPS)

# == a_gradient_to_trust
# %% right 1: the part of the denominator
def rule_a(kept, slope):
    x, sharp, ramp = kept
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, (jnp.sum(on * x) - jnp.sum(slope * ramp)) / sharp

# %% wrong 1: the sign
def rule_a(kept, slope):
    x, sharp, ramp = kept
    on = slope * jax.nn.sigmoid(sharp * x)
    return on, jnp.sum(on * x + slope * ramp) / sharp

# %% wrong 1: the differences twice
def side_by_side(x, sharp):
    step = 0.01
    more_x = (with_rule_a(x + step, sharp) - with_rule_a(x - step, sharp)) / (2 * step)
    more = (with_rule_a(x, sharp + step) - with_rule_a(x, sharp - step)) / (2 * step)
    return jnp.array([[more_x, more_x], [more, more]])

# %% wrong 1: rule B
def rule_a(kept, slope):
    return rule_b(kept, slope)

# %% right 2: as the exercise says
import jax.test_util

def with_rule_a(x, sharp):
    jax.test_util.check_grads(ramp_a, (x, sharp), order=1, modes=["rev"])
    return jnp.sum(ramp_a(x, sharp))

# %% wrong 2: an error of one's own
def with_rule_a(x, sharp):
    assert jnp.sum(x) == 0, "not equal"
    return jnp.sum(ramp_a(x, sharp))

# == your_own_gradient
# %% right 1: logaddexp
def softplus(x):
    return jnp.logaddexp(x, 0.0)

# %% wrong 1: x
def softplus(x):
    return 1.0 * x

# == keep_or_recompute
# %% right 1: import of the policies
from jax import checkpoint_policies as cp
def with_policy(ws, x):
    return loss_of(jax.checkpoint(block, policy=cp.everything_saveable), ws, x)

# %% wrong 1: nothing may be kept
def with_policy(ws, x):
    policy = jax.checkpoint_policies.nothing_saveable
    return loss_of(jax.checkpoint(block, policy=policy), ws, x)

# %% wrong 1: plain keeps less instead
def plain(ws, x):
    return with_policy(ws, x)

# %% right 2: block twice
def two_blocks(h, pair):
    return block(block(h, pair[0]), pair[1])

def checkpointed(ws, x):
    return loss_of(jax.checkpoint(two_blocks), ws.reshape(len(ws) // 2, 2, *ws.shape[1:]), x)

# %% wrong 2: every second layer is left out
def checkpointed(ws, x):
    pairs = ws.reshape(len(ws) // 2, 2, *ws.shape[1:])
    return loss_of(jax.checkpoint(lambda h, pair: block(h, pair[0])), pairs, x)

# %% wrong 2: four layers at a time
def checkpointed(ws, x):
    @jax.checkpoint
    def four_layers(h, four):
        for w in four:
            h = block(h, w)
        return h

    return loss_of(four_layers, ws.reshape(len(ws) // 4, 4, *ws.shape[1:]), x)

# == where_the_memory_goes
# %% right 1: the mean of the products from the mean of the keys
def attend_with_mean(q, k, v):
    return attend(q, k, v), (q @ k.mean(axis=0)).mean() / q.shape[1] ** 0.5

# %% wrong 1: the same line, earlier
def attend_with_mean(q, k, v):
    scores = q @ k.T / q.shape[1] ** 0.5
    mean = scores.mean()
    weights = jax.nn.softmax(scores)
    return weights @ v, mean

# %% wrong 1: another function is measured
def with_mean(q, k, v):
    return measured(attend, q, k, v)

# %% right 2: a checkpoint of one
def attend_in_blocks(q, k, v):
    def one(row):
        return attend(row[None], k, v)[0]

    return jax.lax.map(jax.checkpoint(one), q, batch_size=128)

# %% wrong 2: smaller blocks
def attend_in_blocks(q, k, v):
    def one(row):
        return attend(row[None], k, v)[0]

    return jax.lax.map(one, q, batch_size=32)

# == what_lowers_the_peak
# %% right 1: a checkpoint around an inner scan
def in_a_scan(layer, ws, x):
    @jax.checkpoint
    def four(x, group):
        return jax.lax.scan(lambda x, w: (layer(x, w), None), x, group)[0], None

    x, _ = jax.lax.scan(four, x, ws.reshape(4, 4, *ws.shape[1:]))
    return jnp.mean(jnp.sum(x**2, axis=1))

# %% wrong 1: groups without a checkpoint
def in_a_scan(layer, ws, x):
    def four(x, group):
        return jax.lax.scan(lambda x, w: (layer(x, w), None), x, group)[0], None

    x, _ = jax.lax.scan(four, x, ws.reshape(4, 4, *ws.shape[1:]))
    return jnp.mean(jnp.sum(x**2, axis=1))

# %% right 2: a scan that adds
def in_parts(ws, x):
    def add(total, part):
        return total + jax.grad(lambda ws: in_a_loop(block, ws, part))(ws), None

    total, _ = jax.lax.scan(add, jnp.zeros_like(ws), x.reshape(4, -1, x.shape[1]))
    return ws - 0.01 * total / 4

def plain(ws, x):
    return measured(jax.jit(in_parts), ws, x)

# %% wrong 2: a Python loop over the parts
def in_parts(ws, x):
    parts = x.reshape(4, -1, x.shape[1])
    return ws - 0.01 * sum(jax.grad(lambda ws: in_a_loop(block, ws, part))(ws) for part in parts) / 4

def plain(ws, x):
    return measured(jax.jit(in_parts), ws, x)

# == forward_and_reverse
# %% right 1: the other cotangent
def backward(x, weights):
    values, pull = jax.vjp(lambda x: results(x, weights), x)
    return values, *pull(jnp.array([1.0, 0.0]))

# %% wrong 1: both results
def backward(x, weights):
    values, pull = jax.vjp(lambda x: results(x, weights), x)
    return values, *pull(jnp.array([1.0, 1.0]))

# %% wrong 1: by hand
def backward(x, weights):
    return results(x, weights), 2 * x

# %% right 2: reverse over reverse
def whole_hessian(x, direction):
    return jax.grad(lambda x: jnp.vdot(jax.grad(loss)(x), direction))(x)

# %% wrong 2: jacfwd builds it as well
def whole_hessian(x, direction):
    return jax.jacfwd(jax.grad(loss))(x) @ direction

# %% wrong 2: the gradient itself
def whole_hessian(x, direction):
    return jax.grad(loss)(x)

# %% wrong 2: columns by vmap
def whole_hessian(x, direction):
    push = lambda v: jax.jvp(jax.grad(loss), (x,), (v,))[1]
    return jax.vmap(push)(jnp.eye(len(x))) @ direction
