"""JAX settings that a program may change: process-wide flags, this thread's values and contexts, and listeners."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
from jax._src import config, dispatch, mesh, monitoring


class JaxSettings(NamedTuple):
    """A snapshot of the settings."""

    flags: dict[str, Any]
    """Settings of the whole process."""
    own: dict[str, Any]
    """Settings of this thread, inside a context such as ``jax.enable_x64(True)``."""
    contexts: dict[str, Any]
    """Contexts of this thread, such as the mesh of ``jax.set_mesh``."""
    listeners: dict[str, list[Any]]
    """The listeners of ``jax.monitoring``."""
    awaited: list[Any]
    """The tokens of ``jax.effects_barrier``. A GPU's failed callback stays here: each wait raises its error."""


def now() -> JaxSettings:
    """Return the settings in force."""
    own = {name: state.get_local() for name, state in config.config_states.items()}
    contexts = {name: each.get_local() for name, each in _contexts().items()}
    return JaxSettings(
        _flags(),
        own,
        contexts,
        {name: list(each) for name, each in _listeners().items()},
        [*dispatch.runtime_tokens.current_tokens.values(), *dispatch.runtime_tokens.output_runtime_tokens.values()],
    )


def put(wanted: JaxSettings) -> None:
    """Restore the settings `wanted`."""
    for name, value in _flags().items():
        if value != wanted.flags.get(name, value):
            jax.config.update(name, wanted.flags[name])
    for name, state in config.config_states.items():
        value = wanted.own.get(name, _UNSET)
        if state.get_local() is not value:
            state.set_local(value)
            if state._update_thread_local_hook:
                state._update_thread_local_hook(None if value is _UNSET else value)
    for name, each in _contexts().items():
        if each.get_local() is not wanted.contexts[name]:
            each.set_local(wanted.contexts[name])
    for name, called in _listeners().items():
        called[:] = wanted.listeners.get(name, called)
    if not wanted.awaited:
        dispatch.runtime_tokens.clear()


def _flags() -> dict[str, Any]:
    """Return the process-wide flags, even where this thread overrides them."""
    return {**jax.config.values, **{name: state.get_global() for name, state in config.config_states.items()}}


def _contexts() -> dict[str, Any]:
    # Since JAX 0.11, the contexts of meshes are in `config`, too.
    found = {**vars(config), **vars(mesh)}.items()
    return {name: each for name, each in found if isinstance(each, config.config_ext.Config)}


def _listeners() -> dict[str, list[Any]]:
    found = vars(monitoring).items()
    return {name: each for name, each in found if name.endswith("_listeners") and isinstance(each, list)}


_UNSET = config.config_ext.unset
"""Value of a flag in a thread without its own value."""
