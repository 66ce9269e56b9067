"""``KeySentences``: words on a key, a fan of keys and a whole graph; key data as hexadecimal digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.layout import KeyLayout
from explorer.figures.key_tally import FAULTS, counted
from explorer.messages import KeyState, Site

Translate = Callable[[str], str]
"""Returns one of the English texts of KeySentences in the reader's language."""
HEX_DIGITS = 4
"""Digits at each end of the key data in a short label."""
NAMED_USES = 3
"""Number of uses named in a story; the rest is only counted."""


def full_hex(index: KeyIndex, key: int) -> str:
    """Return the key data as hexadecimal digits, eight per word."""
    return "".join(f"{word:08x}" for word in index.words_of(key))


def short_hex(index: KeyIndex, key: int) -> list[str]:
    """Return the short forms of the key data: first and last digits, ``6d3a…91f2``, and last digits, ``…91f2``."""
    digits = full_hex(index, key)
    end = f"…{digits[-HEX_DIGITS:]}"
    return [digits[:HEX_DIGITS] + end, end]


class FanWords(msgspec.Struct, frozen=True):
    """Sentences on a fan of keys."""

    states: list[str]
    """The number of keys per state, in several forms, longest first."""
    draws: list[str]
    """The single site that drew from them, in several forms; empty for several sites."""
    faulty: bool


class KeySentences:
    """The words for one graph, translated by `tr`."""

    def __init__(self, index: KeyIndex, tr: Translate = str) -> None:
        self.index = index
        self.tr = tr
        self.on_paper = False
        """Whether the picture is static, without clicks."""
        self._fans: dict[tuple[int, int], FanWords] = {}

    # -- labels: several forms each, longest first -----------------------------------------------

    def edge(self, key: int) -> list[str]:
        """Return the key's derivation from its parent, as in code: ``split 5/32``, ``fold_in(7)``, ``seed 42``."""
        number, origin = self.index.number_of(key), self.index.origin_of(key)
        if origin == "input":
            return [self.tr("from outside")]
        if origin == "split":
            count = self.index.siblings_in_split(key)
            return [f"split {number}/{count}", f"{number}/{count}"] if count else [f"split {number}", str(number)]
        return [f"seed {number}"] if origin == "seed" else [f"fold_in({number})"]

    def draws(self, key: int) -> list[list[str]]:
        """Return the draws from the key itself, by site."""
        sites = dict.fromkeys(self.index.draw_sites_of(key))
        return [[self.place(site), site.inside or site.name] for site in sites]

    def draws_by_site(self, key: int) -> list[list[int]]:
        """Return the draws from the key itself, grouped by site in the order of `draws`."""
        groups: dict[Site, list[int]] = {}
        for draw, site in zip(self.index.draws.of(key).tolist(), self.index.draw_sites_of(key), strict=True):
            groups.setdefault(site, []).append(draw)
        return list(groups.values())

    def draws_in_line(self, key: int) -> list[str]:
        """Return all draws from the key itself on one line; empty without any."""
        draws = self.draws(key)
        if not draws:
            return []
        number = self.tr("{count} draws").format(count=f"{self.index.draws.count(key):,}")
        return [" · ".join(forms) for forms in zip(*draws, strict=True)] + ([number] if len(draws) > 1 else [])

    def split(self, key: int) -> list[str]:
        """Return the split of the key, ``split into 32 on line 9``; empty without one."""
        for site in self.index.split_sites_of(key):
            if site.operation == "split" and not site.inside and site.shape:
                count = int(np.prod(site.shape, dtype=np.int64))
                words = self.tr("split into {count}").format(count=f"{count:,}")
                return [self._on_line(words, site), words]
        return []

    def shared_by(self, key: int) -> list[str]:
        """Return the label of a shared key."""
        count = f"{self.serves(key):,}"
        who = self._shared_by(self.tr("{count} examples share it"), self.tr("{count} devices share it"))
        forms = [who, self.tr("{count} share it")]
        return [form.format(count=count) for form in forms]

    def steps(self, count: int) -> list[str]:
        """Return the label of folded chain steps."""
        return [self.tr("× {count} steps").format(count=f"{count:,}"), f"× {count:,}"]

    def inside(self, key: int, count: int) -> list[str]:
        """Return the label of the keys that a library sampler derived internally; empty without any."""
        made = [*self.index.split_sites_of(key), *self.index.fold_sites_of(key)]
        samplers = dict.fromkeys(site.inside for site in made if site.inside)
        if not count or not samplers:
            return []
        name = ", ".join(samplers)
        words = self.tr("{sampler}, {count} keys inside").format(sampler=name, count=f"{count:,}")
        return [words, self.tr("{count} keys: {each}").format(count=f"{count:,}", each=name), name]

    # -- parts of labels -------------------------------------------------------------------------

    def place(self, site: Site) -> str:
        """Return a description of a site: ``normal, line 4``."""
        name = site.inside or site.name
        if site.span is None:
            return name
        return self.tr("{name}, line {line}").format(name=name, line=site.span.line)

    def draw(self, draw: int) -> str:
        """Return a description of one draw: ``normal, line 4, for example 5``."""
        site = int(self.index.draw_site[draw])
        words = self.place(self.index.graph.sites[site]) if site >= 0 else self.tr("a draw")
        example = int(self.index.draw_example[draw])
        if example < 0:
            return words
        return self.tr("{words}, for example {number}").format(words=words, number=example)

    def repeats(self, key: int) -> str:
        """Return the label of a reused key: its uses, or those of the most used key inside it."""
        return f"×{int(self.index.repeats[key]):,}"

    def uses(self, key: int) -> int:
        """Return how often the key was consumed by draws and splits; fold_in does not consume it."""
        return int(self.index.times[key])

    def serves(self, key: int) -> int:
        """Return the largest number of examples served by one draw of the key, 0 without a draw."""
        return int(self.index.tally.serves[key])

    def state(self, state: KeyState) -> str:
        """Return the word for a state."""
        words = {
            "fresh": self.tr("fresh"),
            "split": self.tr("split"),
            "drawn": self.tr("drawn from") if self.index.tally.inside else self.tr("drawn once"),
            "reused": self.tr("reused"),
            "shared": self._shared_by(self.tr("shared by examples"), self.tr("shared by devices")),
            "unused": self.tr("unused"),
            "orphan": self.tr("from outside"),
        }
        return words[state]

    # -- fans -----------------------------------------------------------------------------------

    def fan(self, keys: npt.NDArray[np.int32]) -> FanWords:
        """Return the words for a fan of childless siblings `keys`, int32[k]; cached, because it inspects all keys."""
        place = (int(keys[0]), len(keys))
        if place not in self._fans:
            counts = counted(self.index.state[keys])
            faulty = bool(counts.keys() & set(FAULTS))
            self._fans[place] = FanWords(self._fan_states(counts), self._fan_draws(keys), faulty)
        return self._fans[place]

    def opens(self) -> list[str]:
        """Return the hint to click; empty for a static picture."""
        return [] if self.on_paper else [self.tr("click for details")]

    def _fan_states(self, counts: dict[KeyState, int]) -> list[str]:
        total = f"{sum(counts.values()):,}"
        short = self.tr("{count} keys").format(count=total)
        if len(counts) == 1:
            return [self._fan_of_one(next(iter(counts))).format(count=total), short, total]
        return [self.tr("{count} keys: {each}").format(count=total, each=self._each(counts)), short, total]

    def _fan_draws(self, keys: npt.NDArray[np.int32]) -> list[str]:
        among = np.zeros(self.index.nodes, bool)
        among[keys] = True
        sites = self.index.draw_site[among[self.index.draw_key]]
        if not sites.size or sites.min() != sites.max() or sites[0] < 0:
            return []
        site = self.index.graph.sites[int(sites[0])]
        return [self.place(site), site.inside or site.name]

    def _shared_by(self, examples: str, devices: str) -> str:
        """Return the form for shared keys in this run: `examples` or `devices`."""
        return devices if self.index.graph.shared_by == "devices" else examples

    def _fan_of_one(self, state: KeyState) -> str:
        words = {
            "fresh": self.tr("{count} keys, not used"),
            "split": self.tr("{count} keys, each split"),
            "drawn": self.tr("{count} keys, each drawn once"),
            "reused": self.tr("{count} keys, each used more than once"),
            "shared": self._shared_by(
                self.tr("{count} keys, each shared by examples"), self.tr("{count} keys, each shared by devices")
            ),
            "unused": self.tr("{count} keys, none of them used"),
            "orphan": self.tr("{count} keys from outside"),
        }
        return words[state]

    # -- the story of one key -------------------------------------------------------------------

    def story_at(self, layout: KeyLayout, place: int) -> str:
        """Return the story of the keys at a place of `layout`, with the key data of a single one."""
        key, steps = int(layout.node[place]), layout.steps(place)
        if steps:
            return self.chain_story(key, steps, layout.members(place))
        return self.with_data(self.story(key), key)

    def story(self, key: int) -> str:
        """Return the story of a key in one sentence."""
        parts = [self._birth(key), self._life(key)]
        others = int((self.index.other_parents[:, 0] == key).sum())
        if others:
            parts.append(self.tr("the program makes this key in {count} ways").format(count=others + 1))
        return "; ".join(parts) + "."

    def with_data(self, story: str, key: int) -> str:
        """Return `story` followed by the key data."""
        return self.tr("{story} Key data: {data}.").format(story=story, data=full_hex(self.index, key))

    def chain_story(self, key: int, steps: int, members: npt.NDArray[np.intp]) -> str:
        """Return the story of a folded chain with the keys `members`, int[k], including their faults."""
        words = self.tr("{count} equal steps of a chain, the first: {story}")
        story = words.format(count=f"{steps:,}", story=self.story(key))
        own = members[~self.index.tally.folded[members]]
        faults = {state: count for state, count in counted(self.index.state[own]).items() if state in FAULTS}
        return (
            self.tr("{story} Among its keys: {each}.").format(story=story, each=self._each(faults)) if faults else story
        )

    def _birth(self, key: int) -> str:
        number, origin, site = self.index.number_of(key), self.index.origin_of(key), self.index.site_of(key)
        if origin == "input":
            return self.tr("Key from outside the program")
        if origin == "seed":
            words = self.tr("Key made from seed {number}").format(number=number)
        elif origin == "fold_in":
            words = self.tr("Key made by folding in {number}").format(number=number)
        elif count := self.index.siblings_in_split(key):
            words = self.tr("Child {number} of {count} of a split").format(number=number, count=f"{count:,}")
        else:
            words = self.tr("Child {number} of a split").format(number=number)
        if site is None:
            return words
        if site.inside:
            words = self.tr("{words} inside {sampler}").format(words=words, sampler=site.inside)
        return self._on_line(words, site)

    def _life(self, key: int) -> str:
        words = self._uses_in_words(key)
        serves, state = self.serves(key), self.index.state_of(key)
        if serves > 1:
            shared = self._shared_by(
                self.tr("{words}, and shared by {count} examples"), self.tr("{words}, and shared by {count} devices")
            )
            words = shared.format(words=words, count=f"{serves:,}")
        if state == "reused" and self.uses(key) < 2:
            words = self.tr("{words}; some keys made from it inside are used more than once").format(words=words)
        elif state != "reused" and self.uses(key) > 1:
            words = self.tr("{words}, as intended").format(words=words)
        return words

    def _uses_in_words(self, key: int) -> str:
        draws, splits = self.index.draw_sites_of(key), self.index.split_sites_of(key)
        if self.uses(key) > 1:
            return self._many_uses(key, draws + splits)
        if draws:
            return self._drawn_once(key, draws[0])
        if not splits:
            return self._folded_into(key)
        if splits[0].inside:
            return self.tr("used once, {place}").format(place=self.place(splits[0]))
        return next(iter(self.split(key)), self._on_line(self.tr("split"), splits[0]))

    def _drawn_once(self, key: int, site: Site) -> str:
        words = self.tr("drawn once, {place}").format(place=self.place(site))
        examples = self.index.draw_example[self.index.draws.of(key)]
        if len(examples) == 1 and examples[0] >= 0:
            return self.tr("{words}, for example {number}").format(words=words, number=int(examples[0]))
        return words

    def _folded_into(self, key: int) -> str:
        """Return the use of a key that was neither drawn from nor split."""
        sites = self.index.fold_sites_of(key)
        if not sites:
            unused = self.index.state_of(key) == "unused"
            return self.tr("nothing used it") if unused else self.tr("not used")
        if len(sites) == 1:
            words = self.tr("folded into once")
        else:
            words = self.tr("folded into {count} times").format(count=f"{len(sites):,}")
        return self._on_line(words, sites[0])

    def _many_uses(self, key: int, sites: list[Site]) -> str:
        count = self.uses(key)
        # An operation on several examples at once is one use at one site.
        listed = sites if len(sites) == count else list(dict.fromkeys(sites))
        named = "; ".join(self.place(site) for site in listed[:NAMED_USES])
        if len(listed) > NAMED_USES:
            more = f"{len(listed) - NAMED_USES:,}"
            named = self.tr("{named}; and {more} more").format(named=named, more=more)
        return self.tr("used {count} times: {named}").format(count=f"{count:,}", named=named)

    def _on_line(self, words: str, site: Site) -> str:
        if site.span is None:
            return words
        return self.tr("{words} on line {line}").format(words=words, line=site.span.line)

    # -- the whole graph ------------------------------------------------------------------------

    @cached_property
    def verdict(self) -> str:
        """Return the verdict on the whole graph in a few words."""
        tally = self.index.tally
        spent = tally.spent
        if spent:
            words = self._count(self.tr("1 key spent"), self.tr("{count} keys spent"), spent)
        elif tally.is_faulty:
            words = self._count(self.tr("1 key, not drawn from"), self.tr("{count} keys, none drawn from"), tally.keys)
        else:
            words = self._count(self.tr("1 key, not spent"), self.tr("{count} keys, none spent"), tally.keys)
        return ", ".join([words, *(self._faults(spent) or self._per_example(spent))])

    def description(self) -> str:
        """Return a description of the picture for screen readers."""
        tally = self.index.tally
        keys = self._count(self.tr("1 key in all"), self.tr("{count} keys in all"), tally.keys)
        if tally.inside:
            words = self.tr("{keys} (without the {inside} that libraries made from them)")
            keys = words.format(keys=keys, inside=f"{tally.inside:,}")
        draws = self._count(self.tr("1 draw"), self.tr("{count} draws"), self.index.graph.draws)
        return f"{self.verdict}. {keys}: {self._each(tally.counts)}. {draws}."

    def _each(self, counts: dict[KeyState, int]) -> str:
        return ", ".join(f"{count:,} {self.state(state)}" for state, count in counts.items())

    def _faults(self, spent: int) -> list[str]:
        counts = self.index.tally.counts
        shared, reused = counts.get("shared", 0), counts.get("reused", 0)
        most = f"{int(self.index.draw_serves.max(initial=0)):,}"
        faults = []
        if shared and spent == 1:
            words = self._shared_by(self.tr("shared by {most} examples"), self.tr("shared by {most} devices"))
            faults.append(words.format(most=most))
        elif shared:
            words = self._shared_by(
                self.tr("{count} shared by {most} examples"), self.tr("{count} shared by {most} devices")
            )
            faults.append(words.format(count=f"{shared:,}", most=most))
        if (
            reused
            and self.index.tally.keys == 1
            and (times := int(self.index.repeats[~self.index.tally.folded][0])) > 1
        ):
            faults.append(self.tr("{count} times").format(count=f"{times:,}"))
        elif reused:
            # Keys that are only split twice are not counted as spent.
            unspent = self.index.tally.reused_unspent
            how = self.tr("{count} more than once"), self.tr("{count} split more than once")
            faults += [
                each.format(count=f"{count:,}")
                for each, count in zip(how, (reused - unspent, unspent), strict=True)
                if count
            ]
        return faults

    def _per_example(self, spent: int) -> list[str]:
        served = self.index.draw_example
        examples = np.bincount(served[served >= 0], minlength=1)
        uneven = examples.size < 2 or (served < 0).any() or examples.min() != examples.max()
        if not uneven and spent == examples.size:
            return [self.tr("one for each example")]
        if uneven or spent < examples.size or self._draws_again(served):
            # A key may have made several inside.
            once = self.tr("no key twice") if self.index.tally.inside else self.tr("each once")
            return [once] if spent > 1 else []
        return [self.tr("{count} for each example").format(count=f"{spent / examples.size:g}")]

    def _draws_again(self, served: npt.NDArray[np.int32]) -> bool:
        """Return whether one call draws several times per example, as in nested vmaps."""
        calls = np.column_stack([self.index.draw_site, served])
        return len(np.unique(calls, axis=0)) < len(calls)

    def _count(self, one: str, many: str, count: int) -> str:
        return one if count == 1 else many.format(count=f"{count:,}")
