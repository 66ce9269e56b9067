"""JAX's devices: their names, those present or absent, running on one of them, and which a program used."""

from __future__ import annotations

import functools
import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import jax

from explorer.messages import Device
from explorer.text.text import TextError, say, sentences
from explorer.worker.code.trees import leaves

PLATFORMS = ("cpu", "cuda", "rocm", "tpu", "METAL")

ABSENT = ("nknown backend", "Failed to open libtpu.so")
"""Parts of JAX's messages for backends that are not installed."""


class UnknownDevice(TextError):
    """There is no such device; the message names the existing ones."""


def put_cpu_first() -> None:
    """Make the CPU the default if it has several virtual devices, before a backend starts: a mesh expects them."""
    if int(os.environ.get("JAX_NUM_CPU_DEVICES") or 1) > 1:
        jax.config.update("jax_platform_name", "cpu")


def identifier(device: jax.Device) -> str:
    """Return ``platform:id``, for example ``cpu:0`` or ``gpu:0``."""
    return f"{device.platform}:{device.id}"


@functools.cache
def all_devices() -> tuple[list[jax.Device], list[str]]:
    """Return the devices of every backend, default backend first, and notes on backends that failed to start.

    Cached: the devices of a process never change, and probing absent backends takes time.
    """
    notes: list[str] = []
    try:
        found = list(jax.devices())
    except Exception as error:
        # A broken accelerator must not disable the CPU. An AssertionError here has no text.
        notes.append(f"JAX's default backend did not start: {str(error).strip() or type(error).__name__}")
        found = []
    for platform in PLATFORMS:
        try:
            found += [device for device in jax.devices(platform) if device not in found]
        except Exception as error:
            if not any(each in str(error) for each in ABSENT):
                notes.append(f"The {platform} backend did not start: {str(error).strip() or type(error).__name__}")
    return found, notes


def described(devices: list[jax.Device]) -> tuple[Device, ...]:
    """Return `devices` as records for the window."""
    return tuple(Device(identifier(device), str(device.device_kind)) for device in devices)


def find(name: str) -> jax.Device:
    """Return the device ``platform:id``, or JAX's default device for an empty name. Raises UnknownDevice."""
    devices, notes = all_devices()
    if not devices:
        raise UnknownDevice(sentences(say("JAX has no device that works."), *notes))
    if not name:
        return devices[0]
    wanted = name if ":" in name else f"{name}:0"
    for device in devices:
        # "cuda" and "gpu" are two names for one platform.
        if wanted in (identifier(device), identifier(device).replace("gpu", "cuda")):
            return device
    known = ", ".join(identifier(device) for device in devices)
    raise UnknownDevice(say("There is no device {name} here. JAX has {known}.", name=name, known=known))


def running_on(device: jax.Device) -> AbstractContextManager[Any]:
    """Return a context that places uncommitted arrays and computations on `device`.

    Where that is the default anyway, a program may set another one with ``jax_default_device``.
    """
    return nullcontext() if device is find("") else jax.default_device(device)


def used_by(tree: Any) -> tuple[str, ...]:
    """Return the devices of the arrays in `tree`, sorted."""
    arrays = [each for each in leaves(tree) if isinstance(each, jax.Array) and not isinstance(each, jax.core.Tracer)]
    return tuple(sorted({identifier(device) for each in arrays for device in each.devices()}))
