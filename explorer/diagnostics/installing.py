"""The command that installs imported packages into this Python; ``KNOWN``, packages that programs with JAX import."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.util import find_spec

_OTHER_NAMES = {
    "absl": "absl-py",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "haiku": "dm-haiku",
    "IPython": "ipython",
    "orbax": "orbax-checkpoint",
    "ott": "ott-jax",
    "PIL": "pillow",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "tensorflow_datasets": "tensorflow-datasets",
    "tensorflow_probability": "tensorflow-probability",
    "tree": "dm-tree",
    "umap": "umap-learn",
    "yaml": "pyyaml",
}
"""The names of packages whose name in an import is another one."""
_SAME_NAMES = (
    "arviz blackjax brax chex clu datasets diffrax distrax einops equinox evosax flax gymnasium gymnax h5py ipywidgets "
    "jaxopt jaxtyping jraph keras lineax matplotlib networkx numpyro optax optimistix pandas plotly pytest rlax scipy "
    "seaborn sympy tensorflow tinygp torch tqdm transformers wandb"
)
KNOWN = frozenset({*_OTHER_NAMES, *_SAME_NAMES.split()})
"""Packages that programs with JAX import: no misspelt names of others."""


def install_command(names: tuple[str, ...]) -> str:
    """Return the shell command that installs the packages imported by `names` into this Python."""
    # Environments of uv have no pip.
    installer = [sys.executable, "-m", "pip", "install"]
    if find_spec("pip") is None:
        installer = ["uv", "pip", "install", "--python", sys.executable]
    words = [*installer, *(_OTHER_NAMES.get(name, name) for name in names)]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
