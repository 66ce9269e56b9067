"""The measures of lessons: each on a hand-made snapshot, and conditions over them."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import numpy as np
import pytest

from explorer.messages import (
    SILENT,
    Array,
    CheckerAnswer,
    Cost,
    Equation,
    Failure,
    Finding,
    FunctionTraces,
    JaxChecker,
    Measurement,
    Note,
    Parameter,
    Picture,
    PictureRole,
    Program,
    Report,
    Snapshot,
    Transform,
    Value,
)
from explorer.scenario import conditions, measures
from explorer.scenario.measure_words import figure, figure_text, fill_in, two_digits
from explorer.scenario.measures import MEASURES, Evidence, measure
from explorer.scenario.questions import answer_words, cannot_tell, choice_labels, right_choices, times_words
from explorer.scenario.scenario import Question
from explorer.scenario.texts import Reason, Texts
from tests.figures.measured import measured, sampled
from tests.views.keys.key_notation import key_graph


def picture(values: object, name: str = "output", role: PictureRole = "output", keep: int | None = None) -> Picture:
    """Return a picture of `values`; only the first `keep` rows were sent."""
    array = np.asarray(values)
    rows = array.reshape(len(array), -1) if array.ndim else array.reshape(1, 1)
    _, groups = np.unique(rows, axis=0, return_inverse=True)
    return Picture(
        role,
        name,
        array.shape,
        str(array.dtype),
        Array.of(array[:keep] if array.ndim else array),
        0,
        Array.of(groups.reshape(-1) if array.ndim else [], np.int32),
        len(np.unique(groups)),
        "",
        low=float(array.min()),
        high=float(array.max()),
    )


ROWS = [[0.5, 1.0], [0.25, -2.0], [0.5, 1.0]]
MASK = picture([[True, False]], "output[1]")
STEEP = picture([np.inf, np.nan], "steep")
DRAW = picture([[1.0], [2.0], [1.0]], "normal, line 4", "draw")
PROGRAM = Program("jaxpr", "", tuple(Equation(name, None, 0, 0, 0, "f32[]") for name in ("mul", "add", "add")))
FINDINGS = (Finding("key-reuse", "bug", "Twice."), Finding("unused-key", "note", "Never."))
FULL = Report(
    "bug",
    "ok",
    printed="one\ntwo\n",
    program=PROGRAM,
    keys=key_graph("seed 0 > split 2 > [-, draw]"),
    pictures=(picture(ROWS), MASK, STEEP, DRAW),
    findings=FINDINGS,
)


def evidence(*reports: Report, failure: Failure | None = None, measurements: tuple[Measurement, ...] = ()) -> Evidence:
    shown = Snapshot(1, "cpu:0", True, (Parameter("batch", 3, 32),), reports=reports, failure=failure)
    return Evidence(shown, "bug", measurements)


SEEN = evidence(FULL)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("rows", 3),
        ("rows output[1]", 1),
        ("rows draw", 3),
        ("distinct_rows", 2),
        ("distinct_rows normal, line 4", 2),
        ("distinct_rows difference", None),
        ("distinct_rows nothing", None),
        ("rows_equal 0 -1", True),
        ("rows_equal 0 1", False),
        ("rows_equal draw 0 2", True),
        ("rows_equal normal, line 4 0 1", False),
        ("rows_equal 0 3", None),
        ("rows_equal -4 0", None),
        ("value 1 -1", -2.0),
        ("value output[1] 0 1", False),
        ("value normal, line 4 1 0", 2.0),
        ("value 1", None),
        ("value 3 0", None),
        ("mean output[1]", 0.5),
        ("spread output[1]", 0.5),
        ("draws", 1),
        ("seeds", 1),
        ("splits", 1),
        ("keys", 3),
        ("keys unused", 1),
        ("findings", 2),
        ("findings unused-key", 1),
        ("findings shared-noise", 0),
        ("bugs", 1),
        ("equations", 3),
        ("equations add", 2),
        ("error", ""),
        ("printed", 2),
    ],
)
def test_a_measure_is_read_off_the_selected_report(text: str, value: Value | None) -> None:
    found = measure(text, SEEN)
    assert (found, type(found)) == (value, type(value))


def test_traces_and_compiles_are_counted_over_all_functions() -> None:
    report = Report("bug", traces=(FunctionTraces("f", None, 3, 2), FunctionTraces("g", None, 1, 1)))
    assert (measure("traces", evidence(report)), measure("compiles", evidence(report))) == (4, 3)
    assert measure("traces", evidence(Report("bug", traces=()))) == 0


@pytest.mark.parametrize(
    ("static", "runtime", "objects"),
    [
        (SILENT, SILENT, False),
        (CheckerAnswer("alarm", "Argument 0 is reused."), SILENT, True),
        (SILENT, CheckerAnswer("failed", "cannot look at it: OSError"), False),
    ],
)
def test_jaxs_checker_objects_where_one_of_its_two_checks_raises_an_alarm(
    static: CheckerAnswer, runtime: CheckerAnswer, objects: bool
) -> None:
    assert measure("jax_objects", evidence(Report("bug", jax_checker=JaxChecker(static, runtime, "")))) is objects


def test_exchanges_are_those_of_several_devices() -> None:
    def compiled(cost: Cost) -> Evidence:
        return evidence(Report("bug", program=Program("hlo", "", cost=cost)))

    four = compiled(Cost(devices=4, exchanges={"all-gather": 2, "all-reduce": 1}))
    assert [measure(text, four) for text in ("exchanges", "exchanges all-reduce")] == [3, 1]
    assert measure("exchanges", compiled(Cost(devices=4))) == 0
    assert measure("exchanges", compiled(Cost())) is None


def test_each_measure_is_not_known_before_anything_has_run() -> None:
    arguments = {"rows_equal": " 0 1", "time": " f:jit", "ratio": " f:jit g:jit"}
    arguments |= {"compile": arguments["time"], "compile_ratio": arguments["ratio"]}
    for name in MEASURES:
        assert measure(name + arguments.get(name, ""), Evidence()) is None
        assert measure(name + arguments.get(name, ""), evidence(Report("bug"))) is None


def test_an_element_that_was_not_sent_is_not_known_and_a_number_alone_has_no_indices() -> None:
    cropped = evidence(Report("bug", "ok", pictures=(picture(ROWS, keep=1),)))
    assert measure("value 0 1", cropped) == 1.0
    assert measure("value -1 1", cropped) is None
    alone = evidence(Report("bug", "ok", pictures=(picture(7),)))
    assert measure("value", alone) == 7
    assert measure("rows", alone) is None


def test_what_is_known_of_a_part_only_is_not_reported_for_the_whole() -> None:
    whole = picture(ROWS)
    first_two = msgspec.structs.replace(whole, groups=Array.of([0, 1], np.int32), distinct=2)
    unseen = msgspec.structs.replace(whole, groups=Array.of([], np.int32), distinct=0)
    for partly in (first_two, unseen):
        known = evidence(Report("bug", "ok", pictures=(partly,)))
        assert [measure(text, known) for text in ("distinct_rows", "rows_equal 0 -1")] == [None, None]
        assert measure("rows", known) == 3


@pytest.mark.parametrize(("other", "equal"), [(ROWS, None), (np.array(ROWS) + 0.1, False)])
def test_outputs_of_which_a_part_is_here_are_equal_only_where_that_is_known(other: object, equal: bool | None) -> None:
    bug, fix = (Report(name, "ok", pictures=(picture(each, keep=2),)) for name, each in (("bug", ROWS), ("fix", other)))
    assert measure("same_outputs", evidence(bug, fix)) is equal
    together = evidence(Report("bug", "ok", pictures=(picture(ROWS, keep=2), picture(other, "output[1]", keep=2))))
    assert measure("correlation output output[1]", together) is None


@pytest.mark.parametrize(
    ("other", "equal"),
    [(ROWS, True), (np.array(ROWS) * (1 + 1e-7), True), (np.array(ROWS) + 0.1, False), ([[0.5, 1.0]], False)],
)
def test_outputs_of_two_variants_are_equal_up_to_rounding(other: object, equal: bool) -> None:
    second = Report("fix", "ok", pictures=(picture(other), DRAW))
    assert measure("same_outputs", evidence(Report("bug", "ok", pictures=(picture(ROWS),)), second)) is equal


def test_a_condition_on_what_a_failed_run_does_not_have_is_not_met() -> None:
    failed, running = evidence(Report("bug", "error", Failure("TypeError", "no"))), evidence(Report("bug"))
    asked = ("equations cond == 1", "value == 6", "traces != 1")
    assert [conditions.truth(each, failed) for each in asked] == [False] * 3
    assert [conditions.truth(each, running) for each in asked] == [None] * 3


def test_the_error_is_that_of_variant_or_program_and_equations_are_counted_in_the_jaxpr_only() -> None:
    assert measure("error", evidence(Report("bug", "error", Failure("TypeError", "no")))) == "TypeError"
    assert measure("error", evidence(failure=Failure("SyntaxError", "no"))) == "SyntaxError"
    assert measure("equations", evidence(Report("bug", "ok", program=Program("hlo", "text")))) is None


def timed(variant: str, transform: Transform, batch: int, median_s: float | None) -> Measurement:
    return Measurement(1, variant, (transform,), {"batch": batch}, "cpu:0", median_s)


def test_times_are_those_of_the_largest_parameter_that_both_curves_have() -> None:
    seen = evidence(
        measurements=(
            timed("f", "eager", 8, 8e-6),
            timed("f", "eager", 64, 64e-6),
            timed("f", "eager", 512, 512e-6),
            timed("g", "jit", 8, 1e-6),
            timed("g", "jit", 64, 4e-6),
            timed("g", "jit", 512, None),
        )
    )
    assert measure("time f:eager", seen) == 512e-6
    assert measure("ratio f:eager g:jit", seen) == pytest.approx(16)
    assert measure("time f:jit", seen) is None
    assert measure("time f:eager at 64", seen) == 64e-6
    assert measure("ratio f:eager g:jit at 8", seen) == pytest.approx(8)
    assert measure("time f:eager at 9", seen) is None


def test_compiling_is_that_of_the_same_points() -> None:
    points = [timed(name, "jit", batch, 1e-6) for name in "fg" for batch in (8, 64)]
    times = zip(points, (0.1, 3.0, 0.1, 0.1), strict=True)
    seen = evidence(measurements=tuple(msgspec.structs.replace(each, compile_s=time) for each, time in times))
    assert measure("compile f:jit", seen) == 3.0
    assert measure("compile_ratio f:jit g:jit", seen) == pytest.approx(30)
    assert measure("compile_ratio f:jit g:jit", evidence(measurements=tuple(points))) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rwos", "no measure `rwos`"),
        ("", "no measure"),
        ("bugs 1", "write `bugs` alone"),
        ("rows_equal 0", "numbers of two rows"),
        ("keys spent", "one state: fresh, split"),
        ("findings a b", "one kind"),
        ("time f", "VARIANT:TRANSFORM"),
        ("time f:fast", "transforms are eager, jit, vmap"),
        ("ratio f:jit", "V1:T1 V2:T2"),
    ],
)
def test_a_wrong_measure_is_reported_with_what_to_write(text: str, words: str) -> None:
    assert words in measures.complaint(text)
    assert measure(text, SEEN) is None


# -- conditions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("bugs == 1", True),
        ("bugs != 1", False),
        ("rows == batch", True),
        ("distinct_rows == rows", False),
        ("distinct_rows < rows", True),
        ("equations add >= 2", True),
        ("draws > 1", False),
        ("rows_equal 0 -1 == true", True),
        ("rows_equal 0 -1 != false", True),
        ("value 0 0 == 0.5001", True),
        ("value 0 0 == 0.51", False),
        ('error == ""', True),
        ("error == TypeError", False),
        ("time bug:jit > 0", False),
        ("bugs == error", False),
        ("value steep 0 == 0", False),
        ("value steep 0 == inf", True),
        ("value steep 1 == inf", False),
    ],
)
def test_a_condition_holds_or_does_not(text: str, met: bool) -> None:
    assert conditions.holds(text, SEEN) is met


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bugs==0", "MEASURE OPERATOR VALUE"),
        ("bgus == 0", "no measure `bgus`"),
        ("rows == bacth", "bacth is neither a parameter of `inputs` (there is batch) nor a measure"),
        ("rows_equal 0 1 > 0", "has no order"),
        ("rows_equal 0 1 == 1", "true or false, not 1"),
        ("bugs == true", "is a number, not true"),
        ("draws == -1", "a whole number from 0"),
        ("draws == 1.5", "a whole number from 0"),
        ("error == 3", "is a word, not 3"),
        ("ratio f:eager f:jit > -2", "is above 0"),
        ("rows == batch", ""),
        ("distinct_rows == rows", ""),
        ("error == TypeError", ""),
    ],
)
def test_a_condition_that_can_never_hold_is_reported(text: str, words: str) -> None:
    found = conditions.complaint(text, ["batch"])
    assert words in found
    assert bool(words) == bool(found)


# -- questions and words ----------------------------------------------------------------------


def asked(answer: str, *choices: Value) -> Question:
    return Question(Texts("?"), answer, choices)


@pytest.mark.parametrize(
    ("question", "labels", "right"),
    [
        (asked("rows_equal 0 -1", True, False), ("Yes", "No"), (True, False)),
        (asked("distinct_rows", 1, 2, "batch"), ("1", "2", "3"), (False, True, False)),
        (asked("value 1 1", 2.0, -2.0), ("2", "-2"), (False, True)),
        (asked("error", "", "TypeError"), ("No error", "TypeError"), (True, False)),
        (asked("traces", 1, 2), ("1", "2"), None),
    ],
)
def test_the_answer_to_a_question_comes_from_the_snapshot(
    question: Question, labels: tuple[str, ...], right: tuple[bool, ...] | None
) -> None:
    assert choice_labels(question, SEEN, "en") == labels
    assert right_choices(question, SEEN) == right


WHY = Question(
    Texts("Why?"),
    reasons=(
        Reason("{{batch}} draws", holds="draws == batch"),
        Reason("two rows alike", ko="두 행이 같으므로", holds="distinct_rows == 2"),
    ),
)


def test_of_reasons_that_one_is_right_whose_condition_is_met() -> None:
    assert choice_labels(WHY, SEEN, "en") == ("3 draws", "two rows alike")
    assert right_choices(WHY, SEEN) == (False, True)
    assert answer_words(WHY, SEEN, "ko") == "두 행이 같으므로"
    assert right_choices(WHY, Evidence()) is None
    assert answer_words(WHY, Evidence(), "en") == ""


def test_a_choice_that_names_a_parameter_says_its_value_or_that_it_is_not_known_yet() -> None:
    question = asked("draws", 1, "batch")
    assert choice_labels(question, SEEN, "en") == ("1", "3")
    assert choice_labels(question, Evidence(), "en") == ("1", "…")


def test_the_choice_nearest_to_a_ratio_is_right() -> None:
    seen = evidence(measurements=(measured("f", "eager", 8, 7e-6), measured("f", "jit", 8, 1e-6)))
    question = asked("ratio f:eager f:jit", 1, 2, 10, 100)
    assert choice_labels(question, seen, "en") == ("About the same", "2 times", "10 times", "100 times")
    assert right_choices(question, seen) == (False, False, True, False)


UNSTABLE = {"notes": (Note("unstable", "after 12 samples the median is known to 9 % only"),)}
TOO_FEW = {"repeats": 3}
SLOWER = Question(
    Texts("Which is slower?"),
    reasons=(Reason("eager", holds="ratio f:eager f:jit > 1"), Reason("jit", holds="ratio f:eager f:jit < 1")),
)
BY_RATIO, BY_TIME = asked("ratio f:eager f:jit", 1, 10, 100), asked("time f:eager", 1e-6, 1e-5)
BY_COMPILING = asked("compile_ratio f:eager f:jit", 1, 10)


@pytest.mark.parametrize(
    ("question", "times", "figures", "right"),
    [
        (BY_RATIO, 8.0, {}, (False, True, False)),
        (BY_RATIO, 3.0, {}, None),
        (BY_RATIO, 25.4, {}, None),
        (BY_RATIO, 8.0, UNSTABLE, None),
        (BY_RATIO, 8.0, TOO_FEW, None),
        (BY_RATIO, 900.0, UNSTABLE, (False, False, True)),
        (BY_RATIO, 900.0, TOO_FEW, (False, False, True)),
        (SLOWER, 1.5, {}, (True, False)),
        (SLOWER, 0.5, {}, (False, True)),
        (SLOWER, 1.1, {}, None),
        (SLOWER, 0.95, {}, None),
        (SLOWER, 3.0, UNSTABLE, None),
        (BY_TIME, 9.0, {}, (False, True)),
        (BY_TIME, 3.5, {}, None),
        (BY_COMPILING, 8.0, {}, (False, True)),
        (BY_COMPILING, 4.0, {}, None),
    ],
)
def test_a_question_by_times_is_graded_where_they_are_stable_and_far_from_another_choice(
    question: Question, times: float, figures: dict[str, Any], right: tuple[bool, ...] | None
) -> None:
    eager, jit = (
        measured("f", transform, 8, median_s, compile_s=median_s, **figures)
        for transform, median_s in (("eager", times * 1e-6), ("jit", 1e-6))
    )
    seen = evidence(measurements=(eager, jit))
    assert right_choices(question, seen) == right
    assert cannot_tell(question, seen) == (right is None)


def test_times_that_cannot_decide_are_reported_as_far_as_they_are_known() -> None:
    eager, jit = measured("f", "eager", 8, 1.1e-6), measured("f", "jit", 8, 1e-6)
    near = (eager, msgspec.structs.replace(jit, samples_s=Array.of(np.linspace(0.9e-6, 1.1e-6, 12)[::-1])))
    seen = evidence(measurements=near)
    assert times_words(SLOWER, seen, "en").startswith("f (eager) 1.10 µs, f (jit) 1.00 µs: 1.0")
    assert times_words(SLOWER, seen, "ko").endswith("배")
    assert not cannot_tell(SLOWER, Evidence())
    assert not cannot_tell(WHY, seen)


@pytest.mark.parametrize(
    ("text", "english", "korean"),
    [
        ("rows_equal 0 -1", "rows 0 and 2 are equal", "0번 행과 2번 행은 같습니다"),
        ("distinct_rows", "2 distinct rows", "서로 다른 행 2개"),
        ("draws", "1 draw", "난수를 1번 뽑음"),
        ("keys unused", "1 unused key", "끝까지 안 쓰인 key 1개"),
        ("keys", "3 keys", "key 3개"),
        ("value 1 1", "-2", "-2"),
        ("error", "no error", "오류 없음"),
        ("traces", "…", "…"),
    ],
)
def test_an_answer_is_reported_in_words(text: str, english: str, korean: str) -> None:
    assert figure_text(text, measure(text, SEEN), SEEN, "en") == english
    assert figure_text(text, measure(text, SEEN), SEEN, "ko") == korean


def test_figures_inside_a_story_are_those_of_the_snapshot_and_begin_no_list() -> None:
    story = "{{distinct_rows}} of {{ batch }}, equal: {{rows_equal 0 -1}}, traced {{traces}}, {{nonsense}}"
    assert fill_in(story, SEEN, "en") == "2 of 3, equal: yes, traced …, …"
    assert fill_in("{{distinct_rows}}. Of\n{{rows}}.", SEEN, "en") == "2\\. Of\n3\\."
    assert fill_in("1. There are {{rows}}.", SEEN, "en") == "1. There are 3."


@pytest.mark.parametrize(("most", "said"), [(1.6, r"0\.\d+ to 1\.\d+ times"), (16.0, "11 times")])
def test_a_ratio_on_both_sides_of_one_is_told_as_an_interval(most: float, said: str) -> None:
    times = most * np.linspace(0.4, 1.0, 12) * 1e-6
    eager = sampled(times)
    seen = evidence(measurements=(eager, measured("f", "jit", 8, 1e-6)))
    assert re.fullmatch(said, fill_in("{{ratio f:eager f:jit}}", seen, "en"))


@pytest.mark.parametrize(
    ("measure", "value", "words"),
    [
        ("time f:jit", 0.00312, "3.12 ms"),
        ("ratio f:eager f:jit", 8.66, "8.7 times"),
        ("rows", 1000, "1,000"),
        ("value 0", float("nan"), "NaN"),
    ],
)
def test_figures_are_written_for_people(measure: str, value: Value, words: str) -> None:
    assert figure(measure, value, "en") == words


@pytest.mark.parametrize(
    ("number", "words"), [(173.2, "170"), (1234.0, "1,200"), (0.4567, "0.46"), (9.96, "10"), (1, "1.0")]
)
def test_ratios_have_two_digits(number: float, words: str) -> None:
    assert two_digits(number) == words


# -- conditions as answers, estimates, parameters ---------------------------------------------


def test_correlation_is_taken_value_by_value() -> None:
    first, second = picture([1.0, 2.0, 3.0], "output[0]"), picture([2.0, 4.0, 6.0], "output[1]")
    evidence = Evidence(Snapshot(1, "", True, reports=(Report("bug", "ok", pictures=(first, second)),)), "bug")
    assert measure("correlation output[0] output[1]", evidence) == pytest.approx(1)
    assert measure("correlation output[0] output[2]", evidence) is None
    assert measure("correlation output[0]", evidence) is None


def test_a_condition_can_be_the_answer_of_a_question() -> None:
    evidence = Evidence(Snapshot(1, "", True, (Parameter("batch", 8, 8),), reports=(FULL,)), "bug")
    for text, value in [("bugs > 0", True), ("draws == 1000", False), ("parameter batch == 8", True)]:
        question = Question(Texts("?"), text, (True, False))
        assert conditions.answer(text, evidence) is value
        assert right_choices(question, evidence) == (value, not value)
    assert figure_text("bugs > 0", True, evidence, "en") == "yes, 1 bug"
    assert figure_text("parameter batch == 9", False, evidence, "ko") == "아니요"
    assert conditions.answer("bugs > 0", Evidence()) is None


def test_a_rounded_figure_is_right_for_a_measured_number() -> None:
    array = picture([0.977], "output")
    evidence = Evidence(Snapshot(1, "", True, reports=(Report("bug", "ok", pictures=(array,)),)), "bug")
    assert right_choices(Question(Texts("?"), "value 0", (0, 0.5, 0.98)), evidence) == (False, False, True)
