from __future__ import annotations

import pytest

from explorer.diagnostics.registry import lesson_of
from explorer.library import library
from explorer.messages import ERRORS, lesson_of_error

KNOWN = {scenario.id for scenario in library.everything() if scenario.origin == "built-in"}


def test_a_reason_that_has_no_lesson_of_its_own_has_that_of_the_kind() -> None:
    assert lesson_of("shared-noise", "devices") == "many_devices"
    assert lesson_of("shared-noise", "another one") == lesson_of("shared-noise") == "one_key_for_the_batch"
    assert lesson_of("recompiles", "new dtype") == lesson_of("a kind of tomorrow") == ""


@pytest.mark.parametrize(("which", "lesson"), ERRORS.items())
def test_every_lesson_that_an_error_leads_to_is_there(which: tuple[str, str], lesson: str) -> None:
    assert lesson in KNOWN, which


def test_an_error_leads_to_the_lesson_that_fits_its_message_best() -> None:
    concrete = ("ConcretizationTypeError", "TypeError")
    assert lesson_of_error(concrete, "The size argument of jnp.nonzero must be given") == "boolean_masks"
    assert lesson_of_error(concrete, "Abstract tracer value encountered") == "concrete_value_needed"
    assert lesson_of_error(("ValueError",), "no words of JAX") == ""
