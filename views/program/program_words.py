"""verdict(), cost_in_words(): the size of a program and the cost of one call, in words with units."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import bytes_text
from explorer.messages import Cost, Failure, Program
from explorer.text.languages import about
from explorer.text.text import chosen_language


def verdict(program: Program, failure: Failure | None) -> str:
    """Return the keys that `program` draws from, or its size; empty when there is none."""
    if failure is not None:
        return QCoreApplication.translate("ProgramHalf", "none: {}").format(failure.name)
    if not program.text:
        return ""
    if program.form != "jaxpr":
        return QCoreApplication.translate("ProgramHalf", "{} lines").format(f"{len(program.text.splitlines()):,}")
    keys = dict.fromkeys(equation.key for equation in program.equations if equation.key)
    if keys:
        return QCoreApplication.translate("ProgramHalf", "draws from {}").format(", ".join(keys))
    top = sum(equation.depth == 0 for equation in program.equations)
    words = QCoreApplication.translate("ProgramHalf", "{} equations").format(f"{top:,}")
    words = QCoreApplication.translate("ProgramHalf", "1 equation") if top == 1 else words
    inner = len(program.equations) - top
    return (
        QCoreApplication.translate("ProgramHalf", "{words} ({inner} more inside)").format(
            words=words, inner=f"{inner:,}"
        )
        if inner
        else words
    )


def cost_in_words(cost: Cost) -> str:
    """Return sentences on work and on memory, with several devices on communication first."""
    if cost == Cost():
        return QCoreApplication.translate(
            "program_cost", "The compiler for this device does not report the cost of a call."
        )
    return " ".join(filter(None, (_exchanges(cost), _work(cost), _memory(cost))))


def cost_explained() -> str:
    """Return the caveats about the figures."""
    return QCoreApplication.translate(
        "program_cost",
        "The compiler's own estimate for one call, not a measurement. The body of a loop counts once. Bytes read and "
        "written include every operation, even in a cache. With a loop, they are not known.",
    )


def _exchanges(cost: Cost) -> str:
    if cost.devices == 1:
        return ""
    if not cost.exchanges:
        return QCoreApplication.translate("program_cost", "The {} devices exchange no data.").format(cost.devices)
    kinds = ", ".join(f"{count} {operation}" for operation, count in cost.exchanges.items())
    return QCoreApplication.translate("program_cost", "The {devices} devices exchange data: {kinds}.").format(
        devices=cost.devices, kinds=kinds
    )


def _work(cost: Cost) -> str:
    if cost.uncounted == "library":
        return QCoreApplication.translate(
            "program_cost", "The work of a call is not known: a library outside XLA does part of it."
        )
    if cost.flops is None and cost.accessed_bytes is None:
        return QCoreApplication.translate("program_cost", "The compiler does not report how much work a call is.")
    if cost.flops is None:
        flops = QCoreApplication.translate("program_cost", "no floating-point operations reported")
    else:
        flops = QCoreApplication.translate("program_cost", "{} floating-point operations").format(counted(cost.flops))
    if cost.transcendentals:
        more = QCoreApplication.translate("program_cost", "{} values of exp, sqrt and the like").format(
            counted(cost.transcendentals)
        )
        flops = f"{flops}, {more}"
    accessed = ""
    if cost.accessed_bytes is not None:
        accessed = QCoreApplication.translate("program_cost", ", {} read and written").format(
            bytes_text(cost.accessed_bytes)
        )
    words = QCoreApplication.translate("program_cost", "One call: {work}.")
    if cost.uncounted == "loop":
        words = QCoreApplication.translate("program_cost", "One call: {work}. The body of a loop counts once.")
    return words.format(work=flops + accessed)


def _memory(cost: Cost) -> str:
    kinds = (
        (QCoreApplication.translate("program_cost", "arguments {}"), cost.argument_bytes),
        (QCoreApplication.translate("program_cost", "outputs {}"), cost.output_bytes),
        (QCoreApplication.translate("program_cost", "temporary {}"), cost.temporary_bytes),
    )
    parts = ", ".join(words.format(bytes_text(size)) for words, size in kinds if size is not None)
    if cost.peak_bytes:
        most = QCoreApplication.translate("program_cost", "Memory at most {} at one time").format(
            bytes_text(cost.peak_bytes)
        )
        return f"{most} ({parts})." if parts else f"{most}."
    if parts:
        return QCoreApplication.translate("program_cost", "Memory: {}.").format(parts)
    return QCoreApplication.translate("program_cost", "The compiler does not report how much memory it takes.")


def counted(number: float) -> str:
    """Return `number` with at most four digits: 640, 49,997, 1.25 million; in Korean 125만, 12.5억."""
    if number < 100_000:
        return f"{number:,.0f}"
    for size, words in about(chosen_language()).large_numbers or about("en").large_numbers:
        if number >= size:
            return words.format(f"{number / size:.3g}" if number < 1000 * size else f"{number / size:,.0f}")
    return f"{number:,.0f}"
