"""Bring the translations up to date: ``python -m resources.translations`` reads the code and writes .ts, .po, .qm, .mo.

With names of languages (``python -m resources.translations ja``) it begins their files.
"""

from __future__ import annotations

import sys

from resources.translations import FOLDER, known_languages, window, worker


def main() -> None:
    """Collect the texts, compile their translations, and tell which have none."""
    for language in dict.fromkeys((*known_languages()[1:], *sys.argv[1:])):
        for texts, translation, compiled in (
            (window, FOLDER / f"jax-explorer_{language}.ts", FOLDER / f"jax-explorer_{language}.qm"),
            (worker, FOLDER / f"worker_{language}.po", FOLDER / f"worker_{language}.mo"),
        ):
            texts.read_code(translation)
            texts.compile_file(translation, compiled)
            missing = texts.missing(translation)
            sys.stdout.write(f"{translation.name}: {len(missing)} texts have no translation yet\n")
            sys.stdout.writelines(f"    {text!r}\n" for text in missing)


if __name__ == "__main__":
    main()
