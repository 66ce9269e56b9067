"""The argument parser of the command line; ``run_parser`` for ``run`` alone, which loads almost nothing."""

from __future__ import annotations

import argparse
from typing import Any

from explorer.commands.in_ci.output import FORMATS, version


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; `command` is the chosen command, the rest its options."""
    whole = argparse.ArgumentParser(
        prog="jax-explorer",
        description="See what JAX hides: random keys, the noise of each example, the jaxpr, and honest timings.",
        epilog="Without a command the window opens: jax-explorer [TARGET] [--device cpu:0] [--lang ko] [--present]. "
        "TARGET is the id of a lesson (see `jax-explorer list`), a Python file, a notebook, or a lesson's folder. "
        "Exit codes: 0 fine, 1 a bug was found or something does not work, 2 the command could not run.",
    )
    whole.add_argument(
        "--version", action="version", version=f"jax-explorer {version() or 'from its sources, not installed'}"
    )
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)

    opening = commands.add_parser("open", help="open the window (also without the word open)")
    opening.add_argument(
        "target", nargs="?", default="", help=("a lesson, a file or a folder (default: the last one that was open)")
    )
    _add_device(opening)
    opening.add_argument("--lang", type=_language, default="", help="language of the window")
    opening.add_argument("--present", action="store_true", help="full screen, large text")

    listing = commands.add_parser("list", help="list the lessons, and courses of them")
    _add_json(listing)

    _add_check(commands)

    _add_run(commands)

    timing = commands.add_parser("time", help="time a program's variants")
    _add_target(timing)
    _add_choices(timing)
    timing.add_argument(
        "--sweep", metavar="NAME=V,V,...", default="", help=("the parameter of inputs to vary, and its values")
    )
    timing.add_argument(
        "--transform", action="append", choices=("eager", "jit", "vmap", "jit(vmap)"), help="may be repeated"
    )
    timing.add_argument(
        "--budget", type=float, metavar="SECONDS", help="time for the samples of one point (default: 0.25 per curve)"
    )

    exporting = commands.add_parser("export", help="write the window's pictures and data into a folder")
    _add_target(exporting)
    exporting.add_argument("directory", help="created if it does not exist")
    exporting.add_argument("--variant", default="", metavar="NAME", help="the one to show (default: the first)")
    exporting.add_argument("--lang", type=_language, default="en", help="language of the window (default: en)")
    exporting.add_argument("--theme", choices=("light", "dark", "projector"), default="light", help="default: light")
    exporting.add_argument(
        "--size", default="1280x800", metavar="WIDTHxHEIGHT", help="size of the window (default: 1280x800)"
    )
    exporting.add_argument("--types", action="store_true", help="with the types of each traced line at its end")
    _add_device(exporting)
    _add_remote(exporting)

    _add_handout(commands)

    showing = commands.add_parser("show", help="write a recording as a page for the browser")
    showing.add_argument("recording", metavar="FILE.jaxrec", help="as written by run -o")
    showing.add_argument("-o", "--output", required=True, metavar="FILE.html", help="the page")
    showing.add_argument("--lang", type=_language, default="en", help="language (default: en)")

    explaining = commands.add_parser("explain", help="explain a kind of finding: what it is, and how to fix it")
    explaining.add_argument(
        "kind", nargs="?", default="", metavar="KIND", help=("such as key-reuse (default: list all kinds)")
    )
    explaining.add_argument("--lang", type=_language, default="en", help="language (default: en)")
    explaining.add_argument("--all", action="store_true", help="every kind, one below the other")

    doctor = commands.add_parser("doctor", help="report what works on this machine or a remote, and what does not")
    _add_remote(doctor)
    _add_json(doctor)
    return whole


def run_parser() -> argparse.ArgumentParser:
    """Return the parser for ``run`` alone, which loads almost nothing before a user's program runs."""
    whole = argparse.ArgumentParser(prog="jax-explorer")
    _add_run(whole.add_subparsers(dest="command", metavar="COMMAND", required=True))
    return whole


def _add_check(commands: Any) -> None:
    checking = commands.add_parser(
        "check",
        help="run the variants of programs and report what is wrong with them",
        description="Run the variants of each TARGET and report what is wrong with them. Several targets, and the "
        "files and lessons of a folder or a course, run two at a time, each in its own process and "
        "folder.",
    )
    checking.add_argument(
        "target",
        nargs="+",
        metavar="TARGET",
        help="a lesson's id, a Python file, a notebook, a lesson's folder, a folder of files or lessons, a pattern "
        "such as 'src/**/*.py', or a course",
    )
    _add_choices(checking, is_formatted=True)
    limit = "limit for one variant; with several targets, for each target (default: 60)"
    checking.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help=limit)
    checking.add_argument("--jax-checker", action="store_true", help="ask JAX's own checker too, and compare")
    checking.add_argument(
        "--types", action="store_true", help="first print the program with the types of each traced line as comments"
    )
    checking.add_argument(
        "--lesson", metavar="ID", default="", help=("report which exercises of this lesson each file has done")
    )
    checking.add_argument("--csv", metavar="FILE", default="", help="write a line for each file into FILE")


def _add_handout(commands: Any) -> None:
    writing = commands.add_parser(
        "handout",
        help="write lessons as a page for the browser and the printer, or a notebook",
        description="Run the lessons and write what they show into one file: the story with its pictures and answers, "
        "the code, the exercises. Its ending says what it becomes: .html (opens anywhere, without network, and "
        "prints well) or .ipynb (for Jupyter). A course stands for its lessons.",
    )
    writing.add_argument("lessons", nargs="+", metavar="LESSON", help="a lesson's id, a file, a folder, or a course")
    writing.add_argument("-o", "--output", required=True, metavar="FILE", help="FILE.html or FILE.ipynb")
    writing.add_argument("--title", default="", help="title of the handout (default: that of the lesson or course)")
    writing.add_argument("--notes", action="store_true", help="include the lecturer's notes")
    writing.add_argument("--lang", type=_language, default="en", help="language (default: en)")
    # For the window: its unsaved code, which runs next to the modules of the lesson or file, and the variant in sight.
    writing.add_argument("--code", default="", help=argparse.SUPPRESS)
    writing.add_argument("--variant", default="", help=argparse.SUPPRESS)
    _add_remote(writing)


def _add_run(commands: Any) -> None:
    running = commands.add_parser("run", help="run any program unchanged and report what is wrong with it")
    running.add_argument("--json", metavar="FILE", default="", help="write the report to FILE too")
    running.add_argument(
        "-o", "--save", metavar="FILE", default="", help="write a recording to FILE (.jaxrec), which the window opens"
    )
    running.add_argument(
        "--values", action="store_true", help="also check for indices out of bounds, NaN and narrowed types"
    )
    running.add_argument(
        "--types", action="store_true", help="also print the program with the types of its lines, which takes longer"
    )
    _add_output(running)
    running.add_argument("-m", dest="is_module", action="store_true", help="SCRIPT is the name of a module")
    running.add_argument("script", metavar="SCRIPT", help="the program; everything after it is passed to it")


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help="a lesson's id, a Python file, a notebook, or a lesson's folder")


def _add_choices(parser: argparse.ArgumentParser, *, is_formatted: bool = False) -> None:
    if is_formatted:
        _add_output(parser)
        parser.add_argument(
            "--json", dest="format", action="store_const", const="json", help="the same as --format json"
        )
    else:
        _add_json(parser)
    parser.add_argument("--variant", action="append", default=[], metavar="NAME", help="may be repeated")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of inputs")
    _add_device(parser)
    _add_remote(parser)


def _add_output(parser: argparse.ArgumentParser) -> None:
    forms = "github: annotations of a workflow, sarif: for code scanning (default: text)"
    parser.add_argument("--format", choices=FORMATS, default="text", help=forms)
    parser.add_argument(
        "--output", metavar="FILE", default="", help=("write this format into FILE; the text is still printed")
    )
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if a bug was found")
    parser.add_argument("--diff", metavar="REF", default="", help="only findings on lines changed since git's REF")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")


def _add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="", metavar="PLATFORM:ID", help="for example cpu:0 (default: JAX's)")


def _add_remote(parser: argparse.ArgumentParser) -> None:
    words = (
        "where to run: a known remote, a Python or its environment's folder, or a command such as 'ssh HOST' "
        "(default: this Python)"
    )
    parser.add_argument("--on", default="", metavar="REMOTE", help=words)


def _language(text: str) -> str:
    """Return `text`; raise ArgumentTypeError where the window does not have that language."""
    from explorer.text.languages import known_languages

    if text and text not in known_languages():
        raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(known_languages())})")
    return text
