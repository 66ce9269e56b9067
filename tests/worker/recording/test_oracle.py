"""The recorder's results for random programs, compared with plain Python that handles one key at a time."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator

import jax
import numpy as np
import pytest

from explorer.worker.lineage.key_graph import key_lineage
from explorer.worker.recording import recorder
from tests.worker.recording import programs


def recorded_uses(recording: recorder.Recording) -> Counter[programs.Use]:
    """Return every draw, split and fold_in of a recording, as (operation, key data)."""
    known = key_lineage(recording)
    found: Counter[programs.Use] = Counter()
    for key, use in zip(known.consumed.keys.tolist(), known.consumed.use.tolist(), strict=True):
        found[known.book.uses[use].event.operation, known.book.words[key].tobytes()] += 1
    for uses, draws in zip(known.book.uses, known.draws, strict=True):
        operation = uses.event.operation
        if operation == "draw":
            once = np.setdiff1d(draws.keys, known.consumed.keys)
            assert (known.times[once] == 1).all()
        elif operation == "fold_in" and not uses.again:
            once = uses.spent
        else:
            continue
        found.update((operation, known.book.words[key].tobytes()) for key in once)
    return found


def differences(seed: int, depth: int) -> Iterator[str]:
    """Yield the errors in the recording of random program number `seed`."""
    program = programs.make(seed, depth)
    function = programs.as_jax(program)
    key = jax.random.key(seed)
    expected = Counter(programs.as_python(program, key))
    for form in (function, jax.jit(function)):
        plain = form(key, 1.0)
        recording = recorder.record(lambda form=form: form(key, 1.0))
        if recording.error is not None:
            yield f"raised {recording.error!r} for {program}"
            continue
        if np.asarray(plain).tobytes() != np.asarray(recording.result).tobytes():
            yield f"{plain!r} became {recording.result!r} for {program}"
        if recording.log.notes:
            yield f"{recording.log.notes} for {program}"
        found = recorded_uses(recording)
        if found != expected:
            yield f"{sorted((found - expected).values())} too many, {(expected - found)} missing for {program}"


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_use_keys_as_plain_python_says(seed: int) -> None:
    assert list(differences(seed, depth=2)) == []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Hold many more random programs against plain Python.")
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--depth", type=int, default=3)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.first, options.first + options.seeds):
        for each in differences(seed, options.depth):
            wrong += 1
            print(seed, each, flush=True)  # noqa: T201
        if seed % 20 == 0:
            print(f"up to {seed}", flush=True)  # noqa: T201
            jax.clear_caches()
    print(f"{options.seeds} programs, {wrong} differences")  # noqa: T201
