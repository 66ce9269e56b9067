"""The command line: opens the window, or checks, times, lists, exports and examines without one."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.commands import parser as cli_parser
from explorer.commands.in_ci.output import OutputOptions, as_json

# Each command imports what it needs: a program under `run` should find none of it loaded.
if TYPE_CHECKING:
    from pathlib import Path

    from explorer.commands.repository import ChangedLines
    from explorer.link.remotes.remote import Remote
    from explorer.messages import Value
    from explorer.scenario.scenario import Scenario

USAGE_ERROR = 2
LONGEST_BUDGET_S = 600.0
LONGEST_TIMEOUT_S = 86_400.0
RUNS_OPTIONS = ("-o", "--save", "--json", "--format", "--output", "--diff")
"""The options of ``run`` with a value in the next word."""


class BadArgument(Exception):
    """A wrong argument; the message gives the reason."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute the command line and return the exit code: 0 fine, 1 a bug was found, 2 not possible."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # A first word that is no command is a target to open.
    words = [word for word in given if not word.startswith("-")]
    if not (set(given) & {"-h", "--help", "--version"}) and (not words or words[0] not in COMMANDS):
        given.insert(0, "open")
    parser = cli_parser.run_parser() if given[:1] == ["run"] else cli_parser.parser()
    given, rest = _cut_behind_script(given)
    options, unknown = parser.parse_known_args(given)
    if unknown:
        import difflib

        too_many = any(not word.startswith("-") for word in unknown)
        near = difflib.get_close_matches(words[0], COMMANDS, n=1) if too_many and words[0] not in COMMANDS else []
        hint = f"there is no command {words[0]}; did you mean {near[0]}?" if near else ""
        parser.error(hint or f"unrecognized arguments: {' '.join(unknown)}")
    options.arguments = rest
    run: Callable[[argparse.Namespace], int] = COMMANDS[options.command]
    if options.command != "run" and isinstance(sys.stdout, io.TextIOWrapper):
        # The name of a file may be no text; the streams of a program that is run are its own.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BadArgument as error:
        _say(f"jax-explorer: {error}")
    except ImportError:
        from explorer import qt_libraries

        if not (problem := qt_libraries.problem()):
            raise
        _say(f"jax-explorer: {problem}")
    except OSError as error:
        # The reader of our output may have closed the pipe; a full disk deserves a message.
        if not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            _say(f"jax-explorer: {where}{error.strerror or error}.")
        _write_nothing_more()
    return USAGE_ERROR


def _write_nothing_more() -> None:
    """Discard the remaining output: Python would try to write it again at exit, and complain."""
    with contextlib.suppress(OSError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _cut_behind_script(words: list[str]) -> tuple[list[str], list[str]]:
    """Return `words` up to the script of ``run``, and the words after it, which belong to the script."""
    if words[:1] != ["run"]:
        return words, []
    end = 1
    while end < len(words) and words[end].startswith("-"):
        end += 2 if words[end] in RUNS_OPTIONS else 1
    return words[: end + 1], words[end + 1 :]


def _open(options: argparse.Namespace) -> int:
    from explorer.window import quick_imports

    quick_imports.begin()

    from explorer import app

    if reason := app.missing_display():
        _say(app.NO_DISPLAY.format(reason=reason))
        return 2
    try:
        return app.main(options.target, device=options.device, language=options.lang, present=options.present)
    except Exception as error:
        # Not above: reading lessons is no part of what the worker's start should wait for.
        from explorer.library import library

        if isinstance(error, library.UnknownTarget | library.UnreadableCode):
            raise BadArgument(str(error)) from None
        raise


def _opened(target: str) -> Scenario:
    """Return the scenario of `target`."""
    from explorer.library import library, notebook, recording_file
    from explorer.messages.recorded_run import is_recording

    if is_recording(target):
        raise BadArgument(recording_file.DOES_NOT_RUN.format(target))
    try:
        scenario = library.open_target(target)
    except (library.UnknownTarget, library.UnreadableCode) as error:
        raise BadArgument(str(error)) from None
    if notebook.is_notebook(scenario.path) and (words := notebook.left_out_words(scenario.source)):
        _say(f"jax-explorer: left out, because it is IPython: {words}.")
    return scenario


def _list(options: argparse.Namespace) -> int:
    from explorer.library import courses, library

    scenarios = library.everything()
    if options.json:
        print(as_json([_scenario_record(scenario) for scenario in scenarios]), end="")
        return 0
    width = max((len(scenario.id) for scenario in scenarios), default=0)
    heading = ""
    for scenario in scenarios:
        if (group := _group(scenario)) != heading:
            print(f"\n{group}" if heading else group)
            heading = group
        note = f"  ({scenario.problem})" if scenario.problem else ""
        print(f"  {scenario.id:{width}}  {scenario.title.text('en')}{note}")
    print("\nCourses")
    for course in courses.built_in():
        print(f"  {course.id:{width}}  {course.title.text('en')}")
    return 0


def _group(scenario: Scenario) -> str:
    """Return the heading that `scenario` is listed under."""
    from explorer.scenario.scenario import CHAPTERS

    if scenario.origin == "mine":
        return "My lessons"
    if scenario.chapter in CHAPTERS:
        return CHAPTERS[scenario.chapter].in_language("en")
    return "From packages" if scenario.origin == "package" else "More"


def _scenario_record(scenario: Scenario) -> dict[str, Any]:
    return {
        "id": scenario.id,
        "chapter": scenario.chapter,
        "title": scenario.title.text("en"),
        "origin": scenario.origin,
        "variants": [{"name": plan.name, "expects": list(plan.expects)} for plan in scenario.variants],
        "requires": list(scenario.requires),
        "problem": scenario.problem,
    }


def _check(options: argparse.Namespace) -> int:
    from explorer.commands import check, code_excerpts, findings_report, targets
    from explorer.commands.in_ci import problems
    from explorer.figures import json_records

    target, timeout_s = options.target[0], options.timeout
    if not 0 < timeout_s <= LONGEST_TIMEOUT_S:
        raise BadArgument(f"--timeout {timeout_s:g} is not a number of seconds from 0 to {LONGEST_TIMEOUT_S:g}.")
    if len(options.target) > 1 or options.lesson or options.csv or targets.is_many(target):
        return _check_many(options)
    if options.types and options.format not in ("", "text"):
        raise BadArgument("--types prints text; it does not go with another --format.")
    scenario = _opened(target)
    if scenario.problem:
        raise BadArgument(scenario.problem)
    output, changed = _output(options)
    checked = check.check(
        scenario,
        variants=tuple(options.variant),
        parameters=_settings(options.set, scenario),
        device=options.device,
        timeout_s=timeout_s,
        jax_checker=options.jax_checker,
        line_types=options.types,
        worker=check.CheckWorker(scenario.devices, remote=_remote(options.on)),
        changed=changed,
    )
    record = json_records.check_record(target, checked.jax, checked.snapshot)
    text, plain = (findings_report.text(scenario, checked, colour=each) for each in (sys.stdout.isatty(), False))
    content = output.formatted(plain, record, problems.of_check(scenario, checked))
    if options.types:
        print(code_excerpts.with_types(scenario.source, checked.snapshot.reports), end="\n\n")
    print(text if output.is_text else content, end="\n" if output.is_text else "")
    output.write(content)
    if not output.is_text or scenario.variants:
        # For other code the text is complete.
        for complaint in checked.complaints:
            _say(complaint)
    return output.code(checked.exit_code)


def _output(options: argparse.Namespace) -> tuple[OutputOptions, ChangedLines | None]:
    """Return the form of the report, and the lines whose findings count; both are known before anything runs."""
    from pathlib import Path

    from explorer.commands import repository

    file = Path(options.output).absolute() if options.output else None
    if file is not None:
        _hold_to_writable(file, options.output)
    try:
        changed = repository.changed(options.diff) if options.diff else None
    except repository.NoDifference as error:
        raise BadArgument(f"--diff {options.diff}: {error}") from None
    return OutputOptions(options.format, file, options.exit_zero), changed


def _hold_to_writable(file: Path, word: str) -> None:
    if file.is_dir() or not os.access(file.parent, os.W_OK):
        raise BadArgument(f"{word} cannot be written.")


def _check_many(options: argparse.Namespace) -> int:
    from pathlib import Path

    from explorer.commands import homework, targets
    from explorer.library import library
    from explorer.scenario import packages

    if options.types:
        raise BadArgument("--types is for one file.")
    lesson = _opened(options.lesson) if options.lesson else None
    if lesson is not None and (problem := lesson.problem or packages.sentence(lesson)):
        raise BadArgument(problem)
    if lesson is not None and not lesson.exercises:
        raise BadArgument(f"{options.lesson} has no exercises.")
    table = Path(options.csv).absolute() if options.csv else None
    if table is not None:
        _hold_to_writable(table, options.csv)
    output, changed = _output(options)
    try:
        found = targets.read(options.target, handed_in=lesson is not None)
    except library.UnknownTarget as error:
        raise BadArgument(str(error)) from None
    if not found:
        raise BadArgument(f"There is no Python file in {' or '.join(options.target)}.")
    settings: dict[str, Value] = {}
    for scenario in [lesson] if lesson is not None else [each.scenario for each in found]:
        settings |= _settings(options.set, scenario)
    wanted = homework.Options(
        lesson,
        variants=tuple(options.variant),
        parameters=settings,
        device=options.device,
        remote=_remote(options.on),
        timeout_s=options.timeout,
        jax_checker=options.jax_checker,
        changed=changed,
        colour=sys.stdout.isatty() and not (output.file and output.form == "text"),
    )
    return homework.run(found, wanted, output=output, table=table)


def _run(options: argparse.Namespace) -> int:
    from explorer.commands.programs import run as run_command
    from explorer.commands.programs import script

    if options.format in ("json", "sarif") and not options.output:
        raise BadArgument(f"--format {options.format} needs --output FILE, because the program prints to the terminal.")
    output, changed = _output(options)
    if options.script.lower().endswith(".ipynb") and not options.is_module:
        raise BadArgument(f"{options.script} is a notebook, no program: `jax-explorer check` runs its cells.")
    program = script.Script(options.script, tuple(options.arguments), options.is_module)
    if options.types and options.is_module:
        raise BadArgument("--types is for a file.")
    if options.save and not options.save.lower().endswith(".jaxrec"):
        raise BadArgument(f"{options.save} is no name of a recording: it must end in .jaxrec.")
    try:
        return run_command.run(
            program,
            options.json,
            save_to=options.save,
            values=options.values,
            types=options.types,
            output=output,
            changed=changed,
        )
    except script.NoSuchProgram as error:
        raise BadArgument(str(error)) from None
    except OSError as error:
        raise BadArgument(f"{error.filename or options.json} cannot be written: {error.strerror}.") from None


def _time(options: argparse.Namespace) -> int:
    from explorer.commands import timing

    scenario = _opened(options.target)
    name, values = _sweep(options.sweep, scenario)
    if options.budget is not None and not 0 <= options.budget <= LONGEST_BUDGET_S:
        raise BadArgument(f"--budget {options.budget:g} is not a number of seconds from 0 to {LONGEST_BUDGET_S:g}.")
    return timing.run(
        scenario,
        options.target,
        variants=tuple(options.variant),
        parameters=_settings(options.set, scenario),
        device=options.device,
        transforms=tuple(options.transform or ()),
        sweep_name=name,
        sweep_values=values,
        budget_s=options.budget,
        as_json=options.json,
        remote=_remote(options.on),
    )


def _export(options: argparse.Namespace) -> int:
    from explorer.commands.export import pictures

    width, _, height = options.size.partition("x")
    if not (width.isdigit() and height.isdigit() and 320 <= int(width) <= 7680 and 240 <= int(height) <= 4320):
        raise BadArgument(f"--size {options.size} is not a size such as 1280x800 (320x240 to 7680x4320).")
    scenario = _opened(options.target)
    return pictures.run(
        scenario,
        options.directory,
        variant=options.variant,
        language=options.lang,
        theme_name=options.theme,
        size=(int(width), int(height)),
        device=options.device,
        remote=_remote(options.on),
        line_types=options.types,
    )


def _handout(options: argparse.Namespace) -> int:
    from pathlib import Path

    from explorer.commands.export import handout

    file = Path(options.output).absolute()
    if file.suffix.lower() not in handout.ENDINGS:
        raise BadArgument(f"{options.output} must end in {', '.join(handout.ENDINGS[:-1])} or {handout.ENDINGS[-1]}.")
    lessons, title = _lessons(options.lessons, options.lang)
    if len(lessons) > 1 and file.suffix.lower() == handout.NOTEBOOK:
        raise BadArgument("A notebook holds one lesson: give one, or write a .html.")
    return handout.run(
        lessons,
        file,
        title=options.title or title,
        language=options.lang,
        with_notes=options.notes,
        code=Path(options.code).read_text("utf-8") if options.code else "",
        variant=options.variant,
        remote=_remote(options.on),
    )


def _show(options: argparse.Namespace) -> int:
    from pathlib import Path

    from explorer.commands.export import recording_page
    from explorer.library import own_file, recording_file
    from explorer.library.code_files import UnreadableCode

    target = Path(options.output).absolute()
    if target.suffix.lower() not in (".html", ".htm"):
        raise BadArgument(f"{options.output} must end in .html.")
    try:
        run = recording_file.read(Path(options.recording).absolute())
    except UnreadableCode as error:
        raise BadArgument(str(error)) from None
    if options.lang != "en":
        from PySide6.QtCore import QCoreApplication

        from explorer.window import languages

        languages.install(QCoreApplication.instance() or QCoreApplication([]), options.lang)
    own_file.write_atomically(target, recording_page.page(run).encode())
    return 0


def _lessons(words: Sequence[str], language: str) -> tuple[list[Scenario], str]:
    """Return the lessons that `words` name, those of a course in its order, and the title of all of them."""
    from explorer.library import courses

    found: dict[str, Scenario] = {}
    titles = []
    for word in words:
        course = courses.find(word)
        if course is not None and (course.problem or not course.lessons):
            raise BadArgument(course.problem or f"{word} is a course without lessons.")
        lessons = course.lessons if course is not None else (_opened(word),)
        titles.append((course or lessons[0]).title.text(language))
        found |= {each.id: each for each in lessons}
    return list(found.values()), ", ".join(titles)


def _explain(options: argparse.Namespace) -> int:
    import difflib

    from explorer.diagnostics import page
    from explorer.diagnostics.registry import checks

    known = checks()
    if options.all:
        print(page.document(known.values(), options.lang), end="")
    elif not options.kind:
        print(page.listing(known.values(), options.lang))
    elif options.kind in known:
        print(page.page(known[options.kind], options.lang), end="")
    else:
        near = difflib.get_close_matches(options.kind, known, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"There is {', '.join(known)}."
        raise BadArgument(f"There is no kind of finding {options.kind!r}. {hint}")
    return 0


def _doctor(options: argparse.Namespace) -> int:
    from explorer.commands import doctor

    found = doctor.examine(_remote(options.on))
    if options.json:
        print(as_json(found), end="")
    else:
        print(doctor.text(found))
    return 0 if found["ok"] else 1


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "open": _open,
    "list": _list,
    "check": _check,
    "run": _run,
    "time": _time,
    "export": _export,
    "handout": _handout,
    "show": _show,
    "explain": _explain,
    "doctor": _doctor,
}


def _remote(words: str) -> Remote:
    from explorer.library import own_file, settings
    from explorer.link.remotes.remote import NoRemote, remote_of

    try:
        known = settings.load().remotes if words else ()
        for each in own_file.newly_put_aside():
            message = f"{each.path} could not be read; it is kept as {each.now or each.path}."
            print(f"jax-explorer: {message}", file=sys.stderr)
        return remote_of(words, known)
    except NoRemote as error:
        raise BadArgument(str(error)) from None


def _settings(words: Sequence[str], scenario: Scenario) -> dict[str, Value]:
    from explorer.scenario import conditions

    settings = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name:
            raise BadArgument(f"--set {word} is not of the form NAME=VALUE.")
        _hold_to_inputs(name, scenario)
        settings[name] = conditions.literal(text)
    return settings


def _sweep(word: str, scenario: Scenario) -> tuple[str, tuple[Value, ...]]:
    from explorer.scenario import conditions

    if not word:
        return "", ()
    name, equals, text = word.partition("=")
    values = tuple(conditions.literal(part) for part in text.split(",") if part)
    if not equals or not name or not values:
        raise BadArgument(f"--sweep {word} is not of the form NAME=VALUE,VALUE,...")
    _hold_to_inputs(name, scenario)
    return name, values


def _hold_to_inputs(name: str, scenario: Scenario) -> None:
    """Raise BadArgument where ``inputs`` in the code of `scenario` has no parameter `name`."""
    from explorer.scenario import code_inputs

    known = code_inputs.input_names(scenario.source) if "inputs" in scenario.source else frozenset()
    if known is not None and name not in known:
        has = f"It has {', '.join(sorted(known))}." if known else "There is none that can be set."
        raise BadArgument(f"`inputs` has no parameter {name}. {has}")


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
