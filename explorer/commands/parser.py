"""What may stand on the command line."""

from __future__ import annotations

import argparse
from typing import Any, get_args

from explorer.commands.in_ci.output import FORMATS


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; `command` is what is wanted, the rest its options."""
    from explorer.messages import WrongWay

    whole = argparse.ArgumentParser(
        prog="jax-explorer",
        description="See what JAX hides: random keys, the noise of each example, the jaxpr, and honest timings.",
        epilog="Without a command the window opens: jax-explorer [TARGET] [--device cpu:0] [--lang ko] [--present]. "
        "TARGET is the id of a scenario (see `jax-explorer list`), a Python file, a scenario's folder, or a "
        ".jaxlesson file. "
        "Exit codes: 0 fine, 1 a bug was found or something does not work, 2 it could not be done.",
    )
    whole.add_argument("--version", action="version", version=f"jax-explorer {_version()}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)

    opening = commands.add_parser("open", help="open the window (also without the word open)")
    opening.add_argument("target", nargs="?", default="", help="what was open last, where it is left out")
    _add_device(opening)
    opening.add_argument("--lang", type=_language, default="", help="language of the window")
    opening.add_argument("--present", action="store_true", help="full screen, large text")

    listing = commands.add_parser("list", help="list the scenarios")
    _add_json(listing)

    _add_check(commands)

    _add_run(commands)

    timing = commands.add_parser("time", help="time a program's variants")
    _add_target(timing)
    _add_choices(timing)
    timing.add_argument("--sweep", metavar="NAME=V,V,...", default="", help="vary one parameter of inputs")
    timing.add_argument(
        "--transform", action="append", choices=("eager", "jit", "vmap", "jit(vmap)"), help="may be repeated"
    )
    timing.add_argument("--budget", type=float, metavar="SECONDS", help="sampling of one point (0.25 a curve)")
    timing.add_argument("--wrong-way", choices=get_args(WrongWay)[1:], default="", help="make a classic mistake too")
    timing.add_argument("--compare", metavar="OLD.json", default="", help="say what changed since OLD.json was written")

    exporting = commands.add_parser("export", help="write pictures and data of a scenario into a folder")
    _add_target(exporting)
    exporting.add_argument("directory", help="is made where it is not there")
    exporting.add_argument("--variant", default="", metavar="NAME", help="the one to show (the first)")
    exporting.add_argument("--lang", type=_language, default="en", help="language of the window (en)")
    exporting.add_argument("--theme", choices=("light", "dark", "projector"), default="light", help="(light)")
    exporting.add_argument("--size", default="1280x800", metavar="WIDTHxHEIGHT", help="of the window (1280x800)")
    _add_device(exporting)
    _add_place(exporting, sends=True)

    _add_handout(commands)

    explaining = commands.add_parser("explain", help="tell of a kind of finding what it is, and how to fix it")
    explaining.add_argument("kind", nargs="?", default="", metavar="KIND", help="such as key-reuse (the list of all)")
    explaining.add_argument("--lang", type=_language, default="en", help="language (en)")
    explaining.add_argument("--all", action="store_true", help="every kind, one below the other")

    doctor = commands.add_parser("doctor", help="tell what works on this machine, or at a place, and what does not")
    _add_place(doctor)
    _add_json(doctor)
    return whole


def run_parser() -> argparse.ArgumentParser:
    """Return the parser for ``run`` alone, which loads next to nothing before a person's program runs."""
    whole = argparse.ArgumentParser(prog="jax-explorer")
    _add_run(whole.add_subparsers(dest="command", metavar="COMMAND", required=True))
    return whole


def _add_check(commands: Any) -> None:
    checking = commands.add_parser(
        "check",
        help="run the variants of a program, or of many, and tell what is wrong with them",
        description="Run the variants of each TARGET and tell what is wrong with them. Several targets, and the files "
        "and lessons of a folder or a course, run two at a time, each in a process and a folder of its own.",
    )
    checking.add_argument(
        "target",
        nargs="+",
        metavar="TARGET",
        help="a scenario's id, a Python file, a scenario's folder, a folder of files or of lessons, a pattern such as "
        "'src/**/*.py', or a course",
    )
    _add_choices(checking, is_formatted=True)
    limit = "for one variant, or of several targets for each of them (60)"
    checking.add_argument("--timeout", type=float, default=60.0, metavar="SECONDS", help=limit)
    checking.add_argument("--jax-checker", action="store_true", help="ask JAX's own checker too, and compare")
    checking.add_argument("--lesson", metavar="ID", default="", help="which of its exercises are done in each file")
    checking.add_argument("--csv", metavar="FILE", default="", help="write a line for each file into FILE")


def _add_handout(commands: Any) -> None:
    writing = commands.add_parser(
        "handout",
        help="write lessons as a page for the browser, a PDF or a notebook",
        description="Run the lessons and write what they show into one file: the story with its pictures and answers, "
        "the code, the exercises. Its ending says what it becomes: .html (opens anywhere, without network), .pdf, "
        ".ipynb (for Jupyter). A course stands for its lessons.",
    )
    writing.add_argument("lessons", nargs="+", metavar="LESSON", help="a scenario's id, a file, a folder, or a course")
    writing.add_argument("-o", "--output", required=True, metavar="FILE", help="FILE.html, FILE.pdf or FILE.ipynb")
    writing.add_argument("--pdf", action="store_true", help="write a PDF beside FILE too")
    writing.add_argument("--title", default="", help="of the handout (that of the lesson or course)")
    writing.add_argument("--notes", action="store_true", help="with the notes that a lecturer wrote for the hall")
    writing.add_argument("--lang", type=_language, default="en", help="language (en)")
    _add_place(writing)


def _add_run(commands: Any) -> None:
    running = commands.add_parser("run", help="run any program of one's own and tell what is wrong with it")
    running.add_argument("--json", metavar="FILE", default="", help="write the report to FILE too")
    running.add_argument(
        "--values", action="store_true", help="look for indices beyond the end, NaN and narrowed types too"
    )
    _add_output(running)
    _add_place(running, sends=True)
    running.add_argument("-m", dest="is_module", action="store_true", help="SCRIPT is the name of a module")
    running.add_argument(
        "script",
        metavar="SCRIPT",
        help="what follows belongs to it; a folder, or a pattern in quotes, stands for all of its files",
    )


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", help="a scenario's id, a Python file, or a scenario's folder")


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
    _add_place(parser, sends=True)


def _add_output(parser: argparse.ArgumentParser) -> None:
    forms = "github: annotations of a workflow, sarif: for code scanning (text)"
    parser.add_argument("--format", choices=FORMATS, default="text", help=forms)
    parser.add_argument("--output", metavar="FILE", default="", help="write that into FILE, and the text as ever")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 also where a bug was found")
    parser.add_argument("--diff", metavar="REF", default="", help="only findings on lines changed since git's REF")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for scripts")


def _add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="", metavar="PLATFORM:ID", help="for example cpu:0 (JAX's default)")


def _add_place(parser: argparse.ArgumentParser, *, sends: bool = False) -> None:
    words = "a known place, a Python or its environment's folder, or a command such as 'ssh HOST' (this Python)"
    parser.add_argument("--on", default="", metavar="PLACE", help=words)
    if sends:
        wish = "let the files beside the program travel to the place too; they are taken away there at the end"
        parser.add_argument("--send-folder", action="store_true", help=wish)


def _language(text: str) -> str:
    """Return `text`; raise ArgumentTypeError where the window does not speak it."""
    from explorer.text.languages import known_languages

    if text and text not in known_languages():
        raise argparse.ArgumentTypeError(f"invalid choice: {text!r} (choose from {', '.join(known_languages())})")
    return text


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("jax-explorer")
    except PackageNotFoundError:
        return "from its sources, not installed"
