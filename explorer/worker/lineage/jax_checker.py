"""The answers of JAX's own key checker for a program, and the reasons for differences from our findings.

The checker: https://docs.jax.dev/en/latest/jax.experimental.key_reuse.html.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
from jax.errors import KeyReuseError

from explorer.messages import SILENT, CheckerAnswer, Finding, JaxChecker
from explorer.text.text import Text, joined, say
from explorer.worker.code import calls
from explorer.worker.code.trees import waited_for
from explorer.worker.lineage.lineage import Lineage

Prepare = Callable[[], tuple[Callable[..., Any], Mapping[str, Any]]]


def ask(prepare: Prepare) -> tuple[CheckerAnswer, CheckerAnswer]:
    """Return the answers of JAX's static check and of its check at run time.

    `prepare` makes the function and its arguments anew for each check: JAX marks a used key as consumed.
    """
    function, given = prepare()
    static = _answer(lambda: jax.jit(lambda: calls.call(function, given)).trace())

    def run() -> None:
        function, given = prepare()
        waited_for(calls.call(function, given))

    return static, _answer(run)


def _answer(check: Callable[[], object]) -> CheckerAnswer:
    try:
        with jax.debug_key_reuse(True):
            check()
    except KeyReuseError as error:
        return CheckerAnswer("alarm", str(error).splitlines()[0])
    except Exception as error:
        return CheckerAnswer("failed", f"cannot look at it: {type(error).__name__}")
    return SILENT


def compared(answers: tuple[CheckerAnswer, CheckerAnswer], found: Sequence[Finding], known: Lineage) -> JaxChecker:
    """Return the `answers` of `ask`, with a sentence that compares them with our findings `found`."""
    static, runtime = answers
    reused = [finding for finding in found if finding.kind == "key-reuse" and finding.level == "bug"]
    shared = any(finding.kind == "shared-noise" for finding in found)
    names = (say("JAX's static check"), say("JAX's check of the run"))
    finds = [name for name, answer in zip(names, answers, strict=True) if answer.kind == "alarm"]
    who = say("JAX's checker") if len(finds) != 1 else finds[0]
    words = _alarm_words(who, bool(reused), shared) if finds else _silence_words(reused, shared, known)
    return JaxChecker(static, runtime, words)


def _alarm_words(who: Text, reused: bool, shared: bool) -> Text:
    if reused and shared:
        return say(
            "{who} agrees on the reuse, but does not see the sharing: it does not look along the axes of a batch.",
            who=who,
        )
    if reused:
        return say("{who} agrees.", who=who)
    if shared:
        return say(
            "{who} reports reuse, but this run uses no key twice: it counts reading a key as a use, and counts "
            "branches that are not taken. It does not see the sharing.",
            who=who,
        )
    return say(
        "{who} reports reuse, but this run uses no key twice: it counts reading a key as a use, and counts branches "
        "that are not taken.",
        who=who,
    )


def _silence_words(reused: Sequence[Finding], shared: bool, known: Lineage) -> Text:
    if not reused and not shared:
        return say("JAX's checker agrees: it finds nothing either.")
    if not reused:
        return say(
            "JAX's checker finds nothing: it does not look along the axes of a batch, where many examples use one key."
        )
    why = joined(say(" and "), dict.fromkeys(_blind_spot(finding.keys[0], known) for finding in reused))
    return say("JAX's checker finds nothing: {why}.", why=why)


def _blind_spot(key: int, known: Lineage) -> Text:
    root = key
    while (parent := int(known.family.parent[root])) >= 0:
        root = parent
    site = int(known.site_of[known.family.use[root]])
    if site >= 0 and known.sites[site].name == "PRNGKey":
        return say("it does not follow raw keys, which are plain arrays of integers")
    if known.family.times[key] > 1:
        return say("it follows variables, and here one key value is made more than once")
    return say("it follows variables, and here several of them hold one key value")
