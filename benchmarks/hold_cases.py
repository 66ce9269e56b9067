"""The longest delays of the window's event loop, by action and by program: ``python -m benchmarks holds``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks import holds
from benchmarks.compare import Comparison
from benchmarks.window import HOLD_S, NO_TIME, WatchedWindow, use_own_folders

LESSONS = (
    "one_key_for_the_batch",
    "split_tree",
    "first_jaxpr",
    "gradient_of_many",
    "over_devices",
    "first_call_and_later",
)
HEAD = "import jax\nimport jax.numpy as jnp\n\n"
PROGRAMS = {
    "200 variants": HEAD + "".join(f"def f{place}():\n    return jnp.ones(3) * {place}\n\n" for place in range(200)),
    "2,000 equations": HEAD
    + "def inputs():\n    return dict(x=jnp.ones((32, 10)), key=jax.random.key(0))\n\ndef f(x, key):\n    y = x\n"
    + "".join(f"    y = jnp.sin(y) * {line}.25\n" for line in range(1000))
    + "    return y\n",
    "an array of 1e7": HEAD + "def f():\n    return jnp.sin(jnp.arange(10_000_000, dtype=jnp.float32))\n",
    "1e7 in rows": HEAD + "def f():\n    return jax.random.normal(jax.random.key(0), (1000, 10_000))\n",
    "a tree of 3,000 branches": HEAD
    + "def f():\n    key = jax.random.key(0)\n    total = 0.0\n    for place in range(3000):\n"
    + "        total = total + jax.random.normal(jax.random.fold_in(key, place))\n    return total\n",
    "a tree 3,000 deep": HEAD
    + "def f():\n    key = jax.random.key(0)\n    total = 0.0\n    for place in range(3000):\n"
    + "        key, one = jax.random.split(key)\n        total = total + jax.random.normal(one)\n    return total\n",
    "50,000 lines printed": "def f():\n    for i in range(50_000):\n        print('line', i)\n    return 1.0\n",
    "1e5 keys": HEAD
    + "def f():\n    return jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), 100_000))\n",
}
REPEATS = 1


def compare(_repeats: int) -> Iterator[Comparison]:
    """Yield the longest delay of each action, after once that does not count."""
    with tempfile.TemporaryDirectory() as folder:
        use_own_folders(Path(folder))
        window = WatchedWindow(Path(folder))
        try:
            for what, acts in _actions(window).items():
                yield _row(what, window, acts)
        finally:
            window.close()


def _actions(window: WatchedWindow) -> dict[str, list[partial[None]]]:
    """Return for each row what is done in turns; the last of them restores the window."""
    desk, appearance = window.desk, window.desk.appearance
    files = {what: window.written(f"case_{place}", source) for place, (what, source) in enumerate(PROGRAMS.items())}
    home = partial(window.open, LESSONS[0])
    return {
        "text size": [partial(appearance.step_scale, step) for step in (1, 1, 0)],
        "language": [partial(appearance.choose_language, language) for language in ("ko", "en")],
        "theme": [partial(appearance.choose_theme, name) for name in ("dark", "projector", "light")],
        **{what: [partial(window.open, file), home] for what, file in files.items()},
        "a new file": [partial(desk.on_command, "new_file"), home],
        "a switch of lesson": [partial(window.open, lesson) for lesson in (*LESSONS[1:], LESSONS[0])],
        "text size, with 1e7 in rows": [
            partial(window.open, files["1e7 in rows"]),
            *(partial(appearance.step_scale, step) for step in (1, 0)),
        ],
        "text size, with 2,000 equations": [
            partial(window.open, files["2,000 equations"]),
            *(partial(appearance.step_scale, step) for step in (1, 0)),
        ],
    }


def _row(what: str, window: WatchedWindow, acts: list[partial[None]]) -> Comparison:
    taken: list[holds.Hold] = []
    for turn in range(REPEATS + 1):
        found = [window.during(act) for act in acts]
        taken += [holds.longest(found)] * (turn > 0)
    print(f"  {what}: {holds.summary(taken)}", flush=True)
    worst = max(holds.longest(taken).busy_s, NO_TIME)
    return Comparison(f"{what}, longest hold / 50 ms", [worst], [HOLD_S], 1.0)
