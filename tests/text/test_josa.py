"""Particles fit the word before them, however that is written."""

from __future__ import annotations

import pytest

from explorer.text.josa import filled, josa


@pytest.mark.parametrize(
    ("words", "particles"),
    [
        ("샘플 행렬 기울 일 1 7 8 3.1 bool while example jaxpr shape[7]", "은 이 을 과 로"),
        (
            "행 값 10 3 6 100 1.50 jit split vmap scan stack one line n HLM dropout dtype x.item() key(0) f(3.0) (3,)",
            "은 이 을 과 으로",
        ),
        ("key 개수 2 4 5 9 log2 float32 cond grad print mask float loop HLO rng x 12% 9.5% …", "는 가 를 와 로"),
        ("ValueError f(x) set(9) `f` data['x'] self.key_ 기울기(gradient) normal(key)[2]", "는 가 를 와 로"),
    ],
)
def test_a_particle_goes_by_the_last_sound_of_the_word(words: str, particles: str) -> None:
    for word in words.split():
        assert " ".join(josa(word, each) for each in ("은", "이", "을", "과", "으로")) == particles, word


@pytest.mark.parametrize("word", ["3.1 ms", "20 µs", "1 s", "10 %", "28.6 MiB", "3 B"])
def test_units_are_read_out(word: str) -> None:
    assert josa(word, "이") == "가"


def test_a_template_names_the_particle_and_the_word_gets_it() -> None:
    assert (
        filled("{name:을} {:은} {time:이} {count:,}", "key", name="jit", time="3 ms", count=1000)
        == "jit을 key는 3 ms가 1,000"
    )
