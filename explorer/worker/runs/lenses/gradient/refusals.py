"""Reasons why JAX refuses to differentiate a program, in words."""

from __future__ import annotations

import re

from explorer.messages import Failure
from explorer.text.text import Text, say

_NO_REVERSE = "Reverse-mode differentiation does not work for lax.while_loop"
_NO_ARRAY = re.compile(r"returned a value of type <class '(?:[\w.]*\.)?(\w+)'>(?: at output component (\S+?))?, which")
_NO_RULE = re.compile(r"(?:Differentiation|Transpose) rule (?:\(for reverse-mode differentiation\) )?for '([\w-]+)'")
_CALLBACKS = ("Pure callbacks do not support JVP", "IO callbacks do not support JVP")


def sentence(failure: Failure) -> Text:
    """Return a sentence on `failure`, which occurred during the trace of both passes."""
    text = f"{failure.original} {failure.message}"
    if _NO_REVERSE in text:
        return say(
            "The program runs a while loop, and the backward pass would have to go through its iterations from the "
            "last to the first. JAX does not know beforehand how many it must keep. Use jax.lax.scan, or fori_loop "
            "between two plain Python numbers."
        )
    if any(each in text for each in _CALLBACKS):
        return say(
            "The program calls back into Python, and JAX cannot differentiate Python code. Give that step its own "
            "rule with jax.custom_vjp, or put stop_gradient around its input."
        )
    if found := _NO_RULE.search(text):
        return say("JAX has no derivative of {primitive}.", primitive=found[1])
    if found := _NO_ARRAY.search(text):
        return say(
            "The program returns something that is not an array ({type}{place}), so JAX cannot trace it. Return "
            "arrays and numbers only.",
            type=found[1],
            place=f" {found[2]}" if found[2] else "",
        )
    return say("JAX cannot take this gradient: {what}", what=f"{failure.type}: {failure.message}".split("\n")[0])
