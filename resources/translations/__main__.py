"""Bring the translations up to date: ``python -m resources.translations`` reads the code and writes .ts, .po, .qm, .mo.

With names of languages (``python -m resources.translations ja``) it begins their files.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel import Locale

from explorer.text.languages import known_languages
from resources.translations import FOLDER, window, worker


def main() -> None:
    """Collect the texts, compile their translations, and print those without a translation."""
    for language in dict.fromkeys((*known_languages()[1:], *sys.argv[1:])):
        begin(FOLDER / f"{language}.toml")
        for texts, translation, compiled in (
            (window, FOLDER / f"jax-explorer_{language}.ts", FOLDER / f"jax-explorer_{language}.qm"),
            (worker, FOLDER / f"worker_{language}.po", FOLDER / f"worker_{language}.mo"),
        ):
            texts.read_code(translation)
            texts.compile_file(translation, compiled)
            missing = texts.missing(translation)
            sys.stdout.write(f"{translation.name}: {len(missing)} texts have no translation yet\n")
            sys.stdout.writelines(f"    {text!r}\n" for text in missing)


def begin(about: Path) -> None:
    """Write the properties of a language into the file `about`, unless it exists."""
    if not about.exists():
        locale = Locale.parse(about.stem)
        names = f'name = "{locale.get_display_name()}"\nenglish = "{locale.get_display_name("en")}"\n'
        about.write_text(names, encoding="utf-8")


if __name__ == "__main__":
    main()
