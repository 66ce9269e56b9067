from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.commands.programs import saved_run
from explorer.library import recording_file
from explorer.recording import recording


def add_noise(row: jax.Array, key: jax.Array) -> jax.Array:
    return row + jax.random.normal(key, row.shape)


def test_a_block_that_uses_each_key_once_has_no_bug() -> None:
    with recording() as keys:
        jax.vmap(add_noise)(jnp.zeros((4, 3)), jax.random.split(jax.random.key(0), 4))
    assert not keys.bugs
    assert keys.report().startswith("Keys: clean · ")
    assert keys.report().endswith(" · Values: not checked (5 keys, 4 draws)")


def test_a_bug_is_reported_with_the_code_of_its_own_file() -> None:
    with recording() as keys:
        key = jax.random.key(0)
        jax.random.normal(key)
        jax.random.uniform(key)
    assert [bug.kind for bug in keys.bugs] == ["key-reuse"]
    assert all(span.file == __file__ for span in keys.bugs[0].spans)
    lines = keys.report().splitlines()
    assert any(line.endswith("|         jax.random.normal(key)") for line in lines)
    assert lines[-1].startswith("Keys: 1 bug · ")
    assert lines[-1].endswith(" (1 key, 2 draws)")


def test_functions_that_were_compiled_before_the_block_are_seen_in_it() -> None:
    noisy = jax.jit(jax.vmap(add_noise, in_axes=(0, None)))
    x, key = jnp.zeros((4, 3)), jax.random.key(0)
    before = noisy(x, key)
    with recording() as keys:
        inside = noisy(x, key)
    assert [bug.kind for bug in keys.bugs] == ["shared-noise"]
    np.testing.assert_array_equal(before, inside)


def test_what_the_block_raises_goes_on_and_what_was_recorded_stays() -> None:
    def draw(key: jax.Array) -> None:
        for divisor in (1, 1, 0):
            jax.random.normal(key, (1 // divisor,))

    with pytest.raises(ZeroDivisionError), recording() as keys:
        draw(jax.random.key(0))
    assert [bug.kind for bug in keys.bugs] == ["key-reuse"]
    assert "error[ZeroDivisionError]" in keys.report()


@pytest.mark.parametrize("error", [None, ValueError, KeyboardInterrupt])
def test_jax_is_afterwards_as_it_was(error: type[BaseException] | None) -> None:
    from jax.experimental.key_reuse import _core

    def state() -> object:
        return jax.config.jax_debug_key_reuse, _core.call_impl_with_key_reuse_checks, _core.check_key_reuse_jaxpr

    before = state()
    with suppress(ValueError, KeyboardInterrupt), recording():
        assert jax.config.jax_debug_key_reuse
        if error:
            raise error
    assert state() == before


def test_a_key_that_the_block_leaves_unused_may_be_used_after_it() -> None:
    with recording() as keys:
        jax.random.split(jax.random.key(0), 5)
    assert keys.findings == ()


def test_what_threads_of_the_block_do_is_seen() -> None:
    key = jax.random.key(0)
    with recording() as keys:
        for _ in range(2):
            thread = threading.Thread(target=lambda: jax.random.normal(key))
            thread.start()
            thread.join()
    assert [bug.kind for bug in keys.bugs] == ["key-reuse"]


def test_a_block_inside_a_block_gets_what_happens_in_it() -> None:
    key = jax.random.key(0)
    with recording() as outer:
        jax.random.normal(key)
        with recording() as inner:
            jax.random.normal(key)
        jax.random.normal(key)
    assert not inner.bugs
    assert [bug.kind for bug in outer.bugs] == ["key-reuse"]


def test_nothing_can_be_read_while_the_block_runs() -> None:
    with recording() as keys, pytest.raises(RuntimeError, match="below the with block"):
        _ = keys.bugs
    assert not keys.bugs


@pytest.mark.rest
@pytest.mark.parametrize("ending", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_process_that_is_killed_leaves_what_was_known(ending: str, tmp_path: Path) -> None:
    if "SIGKILL" in ending and sys.platform == "win32":
        pytest.skip("Windows has no SIGKILL")
    program = tmp_path / "train.py"
    program.write_text(
        "from explorer.commands.programs import saved_run\nimport os, signal\n"
        "saved_run.EVERY_S = saved_run.PAUSES = 0\n"
        "import jax\nkey = jax.random.key(0)\nprint('begun', __file__, flush=True)\nprint('this waits')\n"
        "for _ in range(9):\n    jax.random.normal(key)\n" + ending + "\n"
    )
    path = tmp_path / "train.jaxrec"
    command = [sys.executable, "-m", "jax_explorer", "run", "-o", str(path), str(program)]
    held_back = {**os.environ, "PYTHONUNBUFFERED": ""}
    subprocess.run(command, timeout=120, check=False, cwd=Path(__file__).parents[2], env=held_back)
    run = recording_file.read(path)
    assert run.about.left_out == (saved_run.SO_FAR,)
    assert run.source == program.read_text()
    assert run.report.printed == f"begun {program}\n"
    assert run.report.keys.draw_key.shape == (9,)
    assert [each.kind for each in run.report.findings or ()] == ["key-reuse"]
    assert [each.extent for each in run.report.coverage] == ["ended", "no", "no"]


def test_a_block_is_in_its_file_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_run, "EVERY_S", 0)
    monkeypatch.setattr(saved_run, "PAUSES", 0)
    path, drawn = tmp_path / "kept.jaxrec", []
    with recording(save=path):
        for seed in range(3):
            sys.stdout.write(f"seed {seed}\n")
            jax.random.normal(jax.random.key(seed))
            keys = recording_file.read(path).report.keys
            drawn.append(keys and keys.draw_key.shape)
            assert recording_file.read(path).report.printed.endswith(f"seed {seed}\n")
    assert drawn == [(1,), (2,), (3,)]
    run = recording_file.read(path)
    assert run.about.left_out == ()
    assert run.report.printed == "seed 0\nseed 1\nseed 2\n"
    with pytest.raises(ValueError, match=r"ends in \.jaxrec"), recording(save=tmp_path / "kept.txt"):
        raise AssertionError("The name is refused before the block runs.")


def twice_and_over(key: jax.Array) -> float:
    return float(jax.random.normal(key) + jax.random.normal(key)) / 0


def test_a_block_that_raises_is_kept_in_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "kept.jaxrec"
    with pytest.raises(ZeroDivisionError), recording(save=path) as keys:
        twice_and_over(jax.random.key(0))
    run = recording_file.read(path)
    assert run.about.program == Path(__file__).name
    assert run.report.status == "error"
    assert [each.kind for each in run.report.findings or ()] == [each.kind for each in keys.bugs] == ["key-reuse"]
    assert str(Path.home()) not in str(run.report)
    with pytest.raises(ValueError, match=r"ends in \.jaxrec"):
        keys.save(tmp_path / "kept.txt")
