"""The options ``--jax-keys`` and the mark for pytest; nothing more is imported until the option is given."""

from __future__ import annotations

import pytest

MARK = "jax_keys_allow(*kinds): findings of --jax-keys do not fail this test: those of these kinds, or all"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("jax-explorer", "what tests do with JAX's random keys")
    group.addoption(
        "--jax-keys",
        action="store_true",
        help="record each test, and fail it if it uses a random key twice, shares one, or has another bug that "
        "JAX Explorer finds ([tool.jax-explorer] in pyproject.toml: levels, paths, allow, values); a test that uses a "
        "key from its own seed twice gets a warning",
    )
    # An option of its own. One with a value that may be left out takes the path that follows it as its value.
    group.addoption(
        "--jax-keys=strict",
        action="store_const",
        const="strict",
        dest="jax_keys",
        help="the same, and fail a test that uses a key from its own seed twice",
    )
    group.addoption(
        "--jax-keys-save",
        metavar="FOLDER",
        help="with --jax-keys: write a recording of each test that findings fail into FOLDER; jax-explorer opens it",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Record the tests if the option is given."""
    config.addinivalue_line("markers", MARK)
    if config.getoption("jax_keys"):
        from explorer.recording.in_pytest import session

        config.pluginmanager.register(session.of(config), "jax-keys")
