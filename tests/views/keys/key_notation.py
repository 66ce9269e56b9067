"""Key graphs for tests, written on one line: ``seed 42 > split 3 > [draw, draw x2, -]``.

A path is what happens to one key, step by step; paths of several roots are separated by ``;``:

    seed 42, outside    a root
    split 3 > [..]      split, with the path of each child
    split 32 > each ..  split, with one path for every child; its draws serve the example of the child's number
    fold_in 7           a number folded in; the path goes on with the child
    chain 5 > ..        so many times: split in two, draw from the second; the path goes on with the last first one
    chain x2 5 > ..     the same, each second one drawn from twice
    draw, draw x3       drawn from, once or so many times
    draw for 32         drawn from once for so many examples
    inside 3            a library sampler's own split into so many keys, each drawn once
    inside 3 for 5      the same, each draw for so many examples; inside 3 x2, the sampler called twice
    -                   unused
"""

from __future__ import annotations

import numpy as np

from explorer.messages import KEY_STATES, ORIGINS, Array, KeyGraph, KeyOrigin, KeyState, Site, Span

LINES, SHUFFLED_ON = (3, 9, 4), 7
SAMPLER = "permutation"


def key_graph(notation: str, notes: tuple[str, ...] = (), lines: tuple[int, int, int] = LINES) -> KeyGraph:
    """Return the graph of a line of the notation, in a program that makes, splits and draws on these `lines`."""
    table = _Table(lines)
    for path in notation.split(";"):
        table.follow(-1, _parts(path, ">"), -1)
    return table.graph(notes)


def _parts(text: str, separator: str) -> list[str]:
    """Return the parts of `text` between separators outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


class _Table:
    """The columns of a graph while its line is read."""

    def __init__(self, lines: tuple[int, int, int]) -> None:
        self.made_on, self.split_on, self.drawn_on = lines
        self.sites: list[Site] = []
        self.keys: list[tuple[int, KeyOrigin, int, int]] = []
        self.draws: list[tuple[int, int, int, int]] = []
        self.splits: list[tuple[int, int]] = []
        self.unused: set[int] = set()

    def follow(self, key: int, steps: list[str], example: int) -> None:
        """Let the rest of a path happen to `key`."""
        if not steps or not steps[0]:
            return
        word, _, rest = steps[0].partition(" ")
        if word in ("seed", "outside"):
            origin: KeyOrigin = "seed" if word == "seed" else "input"
            site = self._site("seed", "key", self.made_on) if word == "seed" else -1
            self.follow(self._add(-1, origin, int(rest or 0), site), steps[1:], example)
        elif word == "fold_in":
            self.follow(self._child(key, "fold_in", int(rest), ()), steps[1:], example)
        elif word == "split":
            self._split(key, int(rest), " > ".join(steps[1:]))
        elif word == "chain":
            *twice, count = rest.split()
            for _ in range(int(count)):
                key, drawn = (self._child(key, "split", number, (2,)) for number in range(2))
                for _ in range(2 if twice else 1):
                    self._draw(drawn, -1, 1)
            self.follow(key, steps[1:], example)
        else:
            self._end(key, word, rest, example)

    def _end(self, key: int, word: str, rest: str, example: int) -> None:
        if word == "-":
            self.unused.add(key)
        elif word == "draw" and rest.startswith("for"):
            self._draw(key, -1, int(rest.removeprefix("for")))
        elif word == "draw":
            for _ in range(int(rest.removeprefix("x") or 1)):
                self._draw(key, example, 1)
        elif word == "inside":
            self._inside(key, rest, example)
        else:
            raise ValueError(f"not a step: {word} {rest}")

    def _inside(self, key: int, rest: str, example: int) -> None:
        count, *how = rest.split()
        children = [self._child(key, "split", number, (int(count),), SAMPLER) for number in range(int(count))]
        if how == ["x2"]:
            self.splits.append(next(each for each in reversed(self.splits) if each[0] == key))
        for child in children * (2 if how == ["x2"] else 1):
            shared = how[:1] == ["for"]
            self._draw(child, -1 if shared else example, int(how[1]) if shared else 1, SAMPLER)

    def _split(self, key: int, count: int, then: str) -> None:
        children = [self._child(key, "split", number, (count,)) for number in range(count)]
        paths = [then.removeprefix("each")] * count if then.startswith("each") else _parts(then[1:-1], ",")
        for number, (child, path) in enumerate(zip(children, paths, strict=True)):
            self.follow(child, _parts(path, ">"), number if then.startswith("each") else -1)

    def _add(self, parent: int, origin: KeyOrigin, number: int, site: int) -> int:
        self.keys.append((parent, origin, number, site))
        return len(self.keys) - 1

    def _child(self, key: int, operation: KeyOrigin, number: int, shape: tuple[int, ...], inside: str = "") -> int:
        site = self._site(operation, operation, SHUFFLED_ON if inside else self.split_on, shape, inside)
        if operation == "fold_in" or number == 0:
            self.splits.append((key, site))
        return self._add(key, operation, number, site)

    def _draw(self, key: int, example: int, serves: int, inside: str = "") -> None:
        site = self._site("draw", inside or "normal", SHUFFLED_ON if inside else self.drawn_on, (), inside)
        self.draws.append((key, site, example, serves))

    def _site(self, operation: str, name: str, line: int, shape: tuple[int, ...] = (), inside: str = "") -> int:
        site = Site(operation, name, Span(line, 4, line, 20), shape, inside=inside)  # type: ignore[arg-type]
        if site not in self.sites:
            self.sites.append(site)
        return self.sites.index(site)

    def _states(self) -> list[KeyState]:
        states: list[KeyState] = ["orphan" if origin == "input" else "fresh" for _, origin, _, _ in self.keys]
        for key in self.unused:
            states[key] = "unused"
        for key, site in self.splits:
            spent = states[key] in ("split", "drawn") and self.sites[site].operation == "split"
            states[key] = "reused" if spent else "drawn" if self.sites[site].inside else "split"
        for key, _, _, serves in self.draws:
            spent = states[key] in ("split", "drawn", "shared", "reused")
            states[key] = "reused" if spent else "shared" if serves > 1 else "drawn"
        return states

    def graph(self, notes: tuple[str, ...]) -> KeyGraph:
        count = len(self.keys)
        parent, origin, number, site = zip(*self.keys, strict=True) if self.keys else ((),) * 4
        draws = np.array(self.draws, np.int32).reshape(-1, 4)
        spent = [each for each in self.splits if self.sites[each[1]].operation == "split"]
        splits = np.array(spent, np.int32).reshape(-1, 2)
        times = np.bincount(np.concatenate([draws[:, 0], splits[:, 0]]), minlength=count)
        return KeyGraph(
            data=Array.of(np.arange(2 * count, dtype=np.uint32).reshape(count, 2) * np.uint32(2654435761)),
            implementation=Array.of(np.zeros(count, np.uint8)),
            implementations=("threefry2x32",),
            parent=Array.of(parent, np.int32),
            origin=Array.of([ORIGINS.index(each) for each in origin], np.uint8),
            index=Array.of(number, np.int64),
            site=Array.of(site, np.int32),
            state=Array.of([KEY_STATES.index(state) for state in self._states()], np.uint8),
            times=Array.of(times, np.int32),
            draw_key=Array.of(draws[:, 0]),
            draw_site=Array.of(draws[:, 1]),
            draw_example=Array.of(draws[:, 2]),
            draw_serves=Array.of(draws[:, 3]),
            split_key=Array.of(splits[:, 0]),
            split_site=Array.of(splits[:, 1]),
            other_parents=Array.of(np.zeros((0, 2), np.int32)),
            sites=tuple(self.sites),
            seeds=sum(each == "seed" for each in origin),
            splits=len(self.splits),
            draws=len(self.draws),
            notes=notes,
        )
