"""The glossary: complete in both languages, leading nowhere that is not there, and found by words of code."""

from __future__ import annotations

from collections import Counter

import pytest

from explorer.library import library
from explorer.text.languages import known_languages
from views.help.glossary_window import found, term_at, terms


def test_every_term_is_explained_in_both_languages_and_leads_to_what_is_there() -> None:
    known, lessons = terms(), {scenario.id for scenario in library.built_in()}
    assert len(known) > 35
    for term in known.values():
        assert [set(each.by_language()) for each in (term.title, term.text)] == [set(known_languages())] * 2, term.id
        assert len(set(term.text)) == len(known_languages())
        assert len({text.count("`") for text in term.text}) == 1, term.id
        assert set(term.see) <= set(known) - {term.id}, term.id
        assert not term.lesson or term.lesson in lessons, term.id
    words = Counter(word for term in known.values() for word in term.words)
    names = [Counter(term.title.text(language) for term in known.values()) for language in known_languages()]
    assert max(max(each.values()) for each in (words, *names)) == 1


@pytest.mark.parametrize(
    ("line", "word", "term"),
    [
        ("keys = jax.random.split(key, n)", "split", "split"),
        ("keys = jax.random.split(key, n)", "random", ""),
        ("keys = jax.random.split(key, n)", "key, n", "key"),
        ("key = self.key", "key", "key"),
        ("jax.vmap(f, in_axes=(0, None))", "in_axes", "in_axes"),
        ("b:u32[3] = random_bits[bit_width=32] a", "random_bits", "draw"),
        ("a:key<fry>[]", "fry", "prng_implementation"),
        # The same word of someone else means something else.
        ("words = line.split()", "split", ""),
        ("np.random.normal(0, 1)", "normal", ""),
        ("monkey = donkey", "key", ""),
    ],
)
def test_a_word_of_code_or_of_a_jaxpr_is_found_by_what_it_means(line: str, word: str, term: str) -> None:
    here = term_at(line, line.index(word) + 1)
    assert (here.id if here else "") == term


def test_a_search_finds_names_first_in_either_language() -> None:
    assert next(term.id for term in found("SEED", "ko")) == "seed"
    assert next(term.id for term in found("시드", "ko")) == "seed"
    assert "shared_key" in [term.id for term in found("same noise", "en")]
    assert found("nothing of the sort", "en") == []
