"""Programs that prepare JAX's start see in our worker what they see in Python."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from explorer.link import preparation
from explorer.link.pipe import WorkerPipe
from explorer.messages import Prepare, Printed, Request, Snapshot

SAYS = """
import jax, jax.numpy as jnp
names = "jax_enable_x64 jax_platforms jax_default_matmul_precision jax_numpy_dtype_promotion jax_debug_nans".split()
print(jax.device_count(), jax.default_backend(), jnp.ones(2).dtype, jax.random.key(0).dtype, jnp.arange(3.0).device.id)
print([getattr(jax.config, each) for each in names], jnp.ones((2, 2)) @ jnp.ones((2, 2)), os.environ.get("XLA_FLAGS"))
"""
XLA = "--xla_force_host_platform_device_count"
IMPORTS = "import os\n"
OF_JAX_AND_GPUS = {
    "JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu", "JAX_DEBUG_NANS": "1", "JAX_DEFAULT_PRNG_IMPL": "rbg",
    "JAX_DEFAULT_MATMUL_PRECISION": "highest", "JAX_NUMPY_DTYPE_PROMOTION": "strict", "JAX_NUM_CPU_DEVICES": "3",
    "XLA_PYTHON_CLIENT_MEM_FRACTION": ".5", "CUDA_VISIBLE_DEVICES": "",
}  # fmt: skip
ONE_OF_A_KIND = {
    "variables": [f"os.environ['{name}'] = '{value}'" for name, value in OF_JAX_AND_GPUS.items()],
    "functions of the environment": (
        f"os.environ.update({{'XLA_FLAGS': '{XLA}=2', 'JAX_DEFAULT_PRNG_IMPL': 'rbg'}})",
        "os.environ.update(JAX_ENABLE_X64='1')",
        "os.environ.setdefault('JAX_DEBUG_NANS', '1')",
        "os.environ.pop('JAX_NUMPY_DTYPE_PROMOTION', None)",
        "from os import environ\nenviron['JAX_DEFAULT_MATMUL_PRECISION'] = 'highest'",
    ),
    "statements around": (
        "if 'NOWHERE' not in os.environ:\n    os.environ['JAX_ENABLE_X64'] = '1'",
        f"try:\n    import no_such\nexcept ImportError:\n    os.environ['XLA_FLAGS'] = '{XLA}=2'",
        "for name, value in {'JAX_DEBUG_NANS': '1'}.items():\n    os.environ[name] = value",
    ),
    "flags": (
        "import jax\njax.config.update('jax_platforms', 'cpu')",
        "jax.config.update('jax_platform_name', 'cpu')",
        "from jax import config\nconfig.update('jax_num_cpu_devices', 2)",
    ),
}
"""Several changes in one program, each of which alone makes a process of its own necessary."""
WAYS = {
    **{name: "\n".join(changes) for name, changes in ONE_OF_A_KIND.items()},
    "XLA_FLAGS": f"os.environ['XLA_FLAGS'] = '{XLA}=4'",
    "XLA_FLAGS, added to": f"os.environ['XLA_FLAGS'] = os.environ.get('XLA_FLAGS', '') + ' {XLA}=3'",
    "XLA_FLAGS, from a variable": f"n = 3\nos.environ['XLA_FLAGS'] = f'{XLA}={{n}}'",
    "XLA_FLAGS, from a function": f"def flags(n):\n    return f'{XLA}={{n}}'\n\nos.environ['XLA_FLAGS'] = flags(5)",
    "XLA_FLAGS after the import of jax": f"import jax\nos.environ['XLA_FLAGS'] = '{XLA}=4'",
    "XLA_FLAGS after the first array": f"import jax.numpy as jnp\njnp.ones(1)\nos.environ['XLA_FLAGS'] = '{XLA}=4'",
    "putenv": f"os.putenv('XLA_FLAGS', '{XLA}=2')",
    "JAX_ENABLE_X64 too late": "import jax\nos.environ['JAX_ENABLE_X64'] = '1'",
    "jax_num_cpu_devices": "import jax\njax.config.update('jax_num_cpu_devices', 2)",
    "jax_num_cpu_devices too late": "import jax\njax.numpy.ones(1)\ntry:\n"
    "    jax.config.update('jax_num_cpu_devices', 2)\nexcept RuntimeError:\n    print('too late')",
    "jax_enable_x64": "import jax\njax.config.update('jax_enable_x64', True)",
    "a default device and a mesh": "import jax\njax.config.update('jax_num_cpu_devices', 2)\n"
    "jax.config.update('jax_default_device', jax.devices()[1])\nprint(jax.make_mesh((2,), ('x',)))",
    "a module beside it": "import set_up",
    "a package beside it": "from kit import start",
    "a cell of a notebook": f"# %%\nos.environ['XLA_FLAGS'] = '{XLA}=2'\n# %%\nimport jax",
}
BESIDE = {
    "set_up.py": f"import os\nos.environ['XLA_FLAGS'] = '{XLA}=6'\nimport jax\n",
    "kit/__init__.py": "",
    "kit/start.py": "import jax\njax.config.update('jax_num_cpu_devices', 3)\n",
}
QUICK = ("XLA_FLAGS", "jax_num_cpu_devices", "a module beside it")


def written(folder: Path, way: str) -> Path:
    for name, code in BESIDE.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(code, encoding="utf-8")
    path = folder / "program.py"
    path.write_text(f"{IMPORTS}{WAYS[way]}\n{SAYS}", encoding="utf-8")
    return path


def printed_here(path: Path) -> str:
    source = path.read_text(encoding="utf-8")
    prepare = preparation.of(source, str(path))
    text, failure = "", None
    with WorkerPipe(prepare=prepare) as worker:
        worker.hello()
        for message in worker.ask(Request(1, source, str(path))):
            if isinstance(message, Printed):
                text += message.text
            elif isinstance(message, Snapshot):
                failure = message.failure
    assert failure is None, failure
    return text


@pytest.mark.process
@pytest.mark.parametrize("way", [pytest.param(each, marks=[pytest.mark.rest] * (each not in QUICK)) for each in WAYS])
def test_a_program_that_prepares_jax_prints_what_it_prints_in_python(way: str, tmp_path: Path) -> None:
    path = written(tmp_path, way)
    plain = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert printed_here(path) == plain.stdout


@pytest.mark.parametrize("change", [each for changes in ONE_OF_A_KIND.values() for each in changes])
def test_a_program_that_prepares_jax_has_a_process_of_its_own_for_its_whole_beginning(change: str) -> None:
    code = f"{IMPORTS}{change}"
    assert preparation.of(f"{code}\nimport jax\n", "program.py") == Prepare("program.py", code)


@pytest.mark.parametrize(
    "line", ["import jax", "os.environ['HOME'] = 'x'", "def f():\n    os.environ['XLA_FLAGS'] = ''"]
)
def test_a_program_that_prepares_nothing_needs_no_process_of_its_own(line: str) -> None:
    assert preparation.of(line, "program.py") is None


def test_an_edit_below_the_beginning_keeps_the_process_and_one_in_it_does_not() -> None:
    head = f"import os\nos.environ['XLA_FLAGS'] = '{XLA}=4'\n"
    edits = (f"{head}x = 1\n", f"{head}x = 2\n", head.replace("4", "2"))
    found = [preparation.of(each, "program.py") for each in edits]
    assert [one == other for one, other in pairwise(found)] == [True, False]
    assert preparation.of(f"{head}x = (", "program.py", found[0]) == found[0]
