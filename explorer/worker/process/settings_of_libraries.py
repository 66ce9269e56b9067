"""The process-wide settings of libraries, and restoring these and Python's for the next program."""

from __future__ import annotations

import decimal
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.worker.internals import jax_settings
from explorer.worker.process.exits import EXITS
from explorer.worker.process.settings_of_python import PYTHON, Setting


def _numbers() -> tuple[Any, ...]:
    name, keys, *rest = np.random.get_state()
    return name, np.asarray(keys).tobytes(), *rest


def _put_numbers(wanted: tuple[Any, ...]) -> None:
    name, keys, *rest = wanted
    np.random.set_state((name, np.frombuffer(keys, np.uint32), *rest))


def _numpy() -> tuple[Any, ...]:
    return np.get_printoptions(), np.geterr(), np.geterrcall(), np.getbufsize()


def _put_numpy(wanted: tuple[Any, ...]) -> None:
    printing, errors, called, size = wanted
    np.set_printoptions(**printing)
    np.seterr(**errors)
    np.seterrcall(called)
    np.setbufsize(size)


def _loggers() -> dict[str, logging.Logger]:
    known = logging.root.manager.loggerDict
    return {"": logging.root, **{name: each for name, each in known.items() if isinstance(each, logging.Logger)}}


def _logging() -> tuple[Any, ...]:
    """Return the loggers with non-default settings."""
    loggers = {name: _logger(each) for name, each in _loggers().items()}
    set_up = {name: each for name, each in loggers.items() if name == "" or each != _NEW}
    return logging.root.manager.disable, {level: logging.getLevelName(level) for level in range(0, 60, 10)}, set_up


def _logger(each: logging.Logger) -> tuple[Any, ...]:
    return each.level, tuple(each.handlers), tuple(each.filters), each.propagate, each.disabled


_NEW: tuple[Any, ...] = (logging.NOTSET, (), (), True, False)


def _put_logging(wanted: tuple[Any, ...]) -> None:
    disabled, levels, set_up = wanted
    logging.disable(disabled)
    for level, name in levels.items():
        if logging.getLevelName(level) != name:
            logging.addLevelName(level, name)
    for name, each in _loggers().items():
        own = set_up.get(name, _NEW)
        if _logger(each) != own:
            level, handlers, filters, each.propagate, each.disabled = own
            each.handlers[:], each.filters[:] = handlers, filters
            each.setLevel(level)


def _decimal() -> tuple[Any, ...]:
    own = decimal.getcontext()
    numbers = own.prec, own.rounding, own.Emin, own.Emax, own.capitals, own.clamp
    return (
        *numbers,
        [each for each, raised in own.flags.items() if raised],
        [each for each, on in own.traps.items() if on],
    )


def _put_decimal(wanted: tuple[Any, ...]) -> None:
    decimal.setcontext(decimal.Context(*wanted))


def _matplotlib() -> tuple[dict[str, Any], list[int]]:
    module, drawing = sys.modules.get("matplotlib"), sys.modules.get("matplotlib.pyplot")
    if module is None or not isinstance(getattr(module, "rcParams", None), dict):
        return {}, []
    return dict(module.rcParams), drawing.get_fignums() if drawing and hasattr(drawing, "get_fignums") else []


def _put_matplotlib(wanted: tuple[dict[str, Any], list[int]]) -> None:
    module, drawing = sys.modules["matplotlib"], sys.modules.get("matplotlib.pyplot")
    look = wanted[0] or {name: value for name, value in module.rcParamsDefault.items() if name != "backend"}
    for name, value in look.items():
        dict.__setitem__(module.rcParams, name, value)
    if drawing is not None:
        for number in drawing.get_fignums():
            if number not in wanted[1]:
                drawing.close(number)


LIBRARIES = {
    "the settings of JAX": Setting(jax_settings.now, jax_settings.put),
    "the settings of NumPy": Setting(_numpy, _put_numpy),
    "the numbers of NumPy": Setting(_numbers, _put_numbers),
    "the logging": Setting(_logging, _put_logging),
    "the context of decimal": Setting(_decimal, _put_decimal),
    "the settings of Matplotlib": Setting(_matplotlib, _put_matplotlib),
}


ALL = {**PYTHON, **LIBRARIES, "what is called at the end": EXITS}


@dataclass(frozen=True)
class ProcessSettings:
    """Settings of JAX, NumPy and Python that a program may change."""

    values: dict[str, Any]
    """By name."""

    @classmethod
    def now(cls) -> ProcessSettings:
        """Return the current settings."""
        return cls({name: setting.read() for name, setting in ALL.items()})

    def restore(self) -> list[str]:
        """Restore these settings; return the names of those that failed."""
        left = []
        for name, setting in ALL.items():
            wanted = self.values[name]
            try:
                if setting.always or not _same(setting.read(), wanted):
                    setting.put(wanted)
            except Exception:  # a deleted folder, or a generator of another kind
                left.append(name)
        return left


def _same(one: object, other: object) -> bool:
    # Settings may hold any object: failed comparisons count as different.
    with suppress(Exception):
        return bool(one == other)
    return False
