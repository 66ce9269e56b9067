"""An exercise is done if its conditions hold in further runs too: other parameters, and the author's own variants."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.messages import Array, Failure, Parameter, Picture, Report, Request, Snapshot
from explorer.scenario import sheet_check
from explorer.scenario.code_inputs import variant_code
from explorer.scenario.exercise_trials import missing, on_screen, requests
from explorer.scenario.measures import Evidence, measure
from explorer.scenario.scenario import Exercise
from explorer.scenario.texts import Texts
from explorer.text.text import say
from tests.scenario.lessons import CODE, LESSON, changed

EDITED = CODE.replace("def fix(): ...", "def fix(): return 7")
WANTED = Request(5, EDITED, "lesson.py", parameters={"batch": 4}, variants=("fix",))


def exercise(*done: str, **again: int) -> Exercise:
    return Exercise(Texts("Fix it."), done, "fix", again=dict(again))


def ran(name: str, *values: float) -> Snapshot:
    """Return the snapshot of a variant that returned `values`."""
    array = np.array(values, np.float32)
    groups = Array.of(np.arange(len(values), dtype=np.int32))
    picture = Picture(
        "output", "output", array.shape, "float32", Array.of(array), 0, groups, len(values), say("seen"), high=9.0
    )
    return Snapshot(
        1, "", True, (Parameter("batch", 4, 4),), (), (Report(name, "ok", pictures=(picture,), printed=""),)
    )


def test_where_the_screen_shows_everything_nothing_more_runs() -> None:
    assert requests(exercise("printed == 0"), LESSON, WANTED) == ()


def test_the_learners_code_runs_again_with_other_parameters_and_beside_it_the_authors() -> None:
    asked = requests(exercise("same_as bug == true", batch=7), LESSON, WANTED)
    assert [(each.source, each.variants, dict(each.parameters)) for each in asked] == [
        (EDITED, ("fix",), {"batch": 4}),
        (CODE, ("bug",), {"batch": 4}),
        (EDITED, ("fix",), {"batch": 7}),
        (CODE, ("bug",), {"batch": 7}),
    ]


def test_a_default_that_the_learner_changed_is_a_parameter_of_the_authors_run() -> None:
    edited = EDITED.replace("batch=4", "batch=5")
    task, wanted = exercise("same_as bug == true", batch=7), replace(WANTED, source=edited, parameters={})
    assert [(each.source, dict(each.parameters)) for each in requests(task, LESSON, wanted)] == [
        (edited, {}),
        (CODE, {"batch": 5}),
        (edited, {"batch": 7}),
        (CODE, {"batch": 7}),
    ]


def test_a_number_that_fits_on_screen_only_is_told_apart() -> None:
    task = exercise("value 0 == 3", batch=7)
    asked = requests(task, LESSON, WANTED)
    assert missing(task, asked, [ran("fix", 3.0), ran("fix", 3.0)], "en") == ""
    assert missing(task, asked, [ran("fix", 3.0), ran("fix", 4.0)], "en") == (
        "`value 0 == 3` does not hold: 4, with batch = 7"
    )


@pytest.mark.parametrize(
    ("theirs", "words"), [((1.0, 2.0), ""), ((1.0, 3.0), "it does not return what `bug` returns"), ((1.0,), "it does")]
)
def test_the_result_is_compared_with_that_of_the_authors_variant(theirs: tuple[float, ...], words: str) -> None:
    task = exercise("same_as bug == true")
    found = missing(task, requests(task, LESSON, WANTED), [ran("fix", 1.0, 2.0), ran("bug", *theirs)], "en")
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_a_program_that_fails_in_a_trial_is_not_done() -> None:
    task = exercise("value 0 == 3", batch=7)
    failed = Snapshot(1, "", True, reports=(Report("fix", "error", failure=Failure("ValueError", "no")),))
    found = missing(task, requests(task, LESSON, WANTED), [ran("fix", 3.0), failed], "en")
    assert found == "it raises ValueError, with batch = 7"


USES = '''
import jax
@jax.jit
def f_by_scan(x, scan):
    """Say vmap."""
    return g(x)  # grad
def g(x):
    return jax.lax.cond(x > LIMIT, lambda: 1, lambda: 0)
g = jax.checkpoint(g)
g.defjvp(rule)
LIMIT = 7
def other(x):
    return jax.pmap(x)
other.defvjp(g)
'''


@pytest.mark.parametrize(
    ("text", "stands_there"),
    [(text, True) for text in ("jax.jit", "lax.cond", "x>LIMIT", "LIMIT = 7", "return g(x)", "checkpoint", "defjvp")]
    + [(text, False) for text in ("vmap", "grad", "pmap", "scan", "defvjp")],
)
def test_what_a_variant_mentions_is_looked_for_in_its_code_and_in_what_it_uses(text: str, stands_there: bool) -> None:
    assert measure(f"mentions {text}", Evidence(None, "f_by_scan", source=USES)) is stands_there


def test_nothing_is_known_of_a_variant_that_is_not_there() -> None:
    assert variant_code(USES, "nowhere") is variant_code("def f(:", "f") is None
    assert measure("mentions jit", Evidence(None, "nowhere", source=USES)) is None
    assert measure("same_as bug", Evidence(ran("fix", 1.0), "fix")) is None


def test_a_sheet_names_parameters_and_variants_that_exist() -> None:
    task = exercise("same_as nowhere == true", seeds=1)
    found = " ".join(sheet_check.complaints(changed(exercises=(task,))))
    assert "it sets seeds, but `inputs` has no such parameter" in found
    assert "there is no variant `nowhere`" in found
    assert on_screen(task) == ()
