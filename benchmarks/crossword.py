"""The best layout of a turn: natural turns, beside CP-SAT, and the hardest turns that are found.

Times are those of the whole `evaluate` of the library: lines, search, proof, placement on the grid.
CP-SAT gets the lines for nothing; its time is that of stating the problem and proving the optimum
with one worker (`tests.reference.crossword`). Its check of the grid is the slowest part of that, so
it is also timed without. Both take turns on each position.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from service.kinds.layout.cards import Turn
from service.kinds.layout.lines import lines_of
from service.kinds.layout.solver.grid import arrange, lay, placeable
from service.kinds.layout.variant import LayoutRules
from service.variants.roll_a_royal import DICE_SET, HANDS, VARIANT
from tests.reference.crossword import best
from tests.reference.turns import CARDS, RANKS, SUITS, Rolls, in_rolls, natural

TURNS = 1000
TURNS_ON_GRID = 200
STALE = 40
LAYOUTS = ("connected", "unconnected", "either")

Faces = list[str]


def forget() -> None:
    """Empties what the solver remembers of shapes on the grid."""
    for remembered in (placeable, lay, arrange):
        remembered.cache_clear()


def seconds(act: Callable[[], object]) -> float:
    """How long `act` takes."""
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def solving(turn: Turn, rules: LayoutRules) -> float:
    """The seconds that the best layout of `turn` takes."""
    return seconds(lambda: VARIANT.evaluate(turn, rules))


def summary(times: Sequence[float]) -> str:
    """Median, 99th percentile and maximum in milliseconds."""
    ordered = sorted(times)
    p99 = ordered[len(ordered) * 99 // 100]
    middle = statistics.median(ordered)
    return f"p50 {middle * 1e3:7.2f}   p99 {p99 * 1e3:7.2f}   max {ordered[-1] * 1e3:7.2f} ms"


def percentile(times: Sequence[float], percent: int) -> float:
    """The value that `percent` of `times` stay below."""
    return sorted(times)[len(times) * percent // 100]


def natural_turns(turns: Sequence[Turn]) -> None:
    """Prints how long natural turns take in each layout."""
    for layout in LAYOUTS:
        forget()
        rules = LayoutRules(layout, opening="none")
        print(
            f"{len(turns)} natural turns, {layout:12} {summary([solving(t, rules) for t in turns])}"
        )


def beside_cp_sat(turns: Sequence[Turn], *, grid: bool) -> None:
    """Prints the times of both on the same turns, and their ratios.

    Without `grid`, CP-SAT skips the placement: it only proves which lines would be best.
    """
    forget()
    rules = LayoutRules(opening="none")
    own: list[float] = []
    other: list[float] = []
    for turn in turns:
        lines = {
            frozenset(die for die in range(13) if mask >> die & 1): line.points
            for mask, line in lines_of(turn, HANDS).items()
        }
        own.append(solving(turn, rules))
        other.append(seconds(partial(best, lines, "connected", grid=grid)))
    what = "with the grid" if grid else "lines alone"
    print(f"{len(turns)} of them, connected          {summary(own)}")
    print(f"CP-SAT, {what:22} {summary(other)}")
    median = statistics.median(other) / statistics.median(own)
    p99 = percentile(other, 99) / percentile(own, 99)
    print(f"   so the median is 1/{median:.0f} of CP-SAT's, the p99 1/{p99:.0f}")


def hard_turns() -> Iterator[tuple[str, Faces]]:
    """Positions with as many lines as there are."""
    yield "13 of a suit", [rank + "s" for rank in RANKS]
    yield "12 of a suit", [*(rank + "s" for rank in RANKS[1:]), "2h"]
    yield "11 of a suit, and 5 and 10", [*(rank + "s" for rank in "2346789JQKA"), "5h", "Th"]
    yield "10 of a suit, no sequence", [*(rank + "s" for rank in "234678TJQA"), "5h", "9h", "Kh"]
    yield "two suits over seven ranks", [rank + suit for rank in "2468TQA" for suit in "sh"][:13]
    yield "two suits, seven in sequence", [rank + suit for rank in "3456789" for suit in "sh"][:13]
    yield "all even, two suits", [rank + suit for rank in "2468TQ" for suit in "sh"] + ["2d"]
    yield "four of each rank", [rank + suit for rank in "2345" for suit in SUITS][:13]
    yield "three of five ranks", [rank + suit for rank in "56789" for suit in "shd"][:13]
    yield "13 in sequence, mixed", [r + s for r, s in zip(RANKS, "shdc" * 4, strict=False)]


def hard(source: random.Random) -> None:
    """Prints how long hard positions take, with nothing remembered."""
    for name, faces in hard_turns():
        times = []
        for layout in LAYOUTS:
            for first in ([True] * 13, [source.random() < 0.5 for _ in range(13)]):
                forget()
                turn = VARIANT.read_rolls(in_rolls(faces, first))
                times.append(solving(turn, LayoutRules(layout, opening="none")))
        print(f"{name:30} {max(times) * 1e3:7.1f} ms at most")


def climb(source: random.Random, rules: Sequence[LayoutRules], repeated: bool) -> tuple[float, str]:
    """Changes dice while that makes a turn slower; returns the seconds and the turn."""
    rule = source.choice(rules)
    pool = CARDS
    kind = source.randrange(4)
    if kind == 1:
        two = source.sample(SUITS, 2)
        pool = [rank + suit for rank in RANKS for suit in two]
    elif kind == 2:
        suit = source.choice(SUITS)
        pool = source.sample([rank + suit for rank in RANKS], source.randint(9, 12))
        pool += source.sample([card for card in CARDS if card not in pool], 13 - len(pool))
    elif kind == 3:
        pool = [rank + suit for rank in source.sample(RANKS, 5) for suit in SUITS]
    if repeated:
        few = source.sample(pool, source.randint(1, 8))
        faces = [source.choice(few) for _ in range(13)]
    else:
        faces = source.sample(pool, 13)
    first = [source.random() < 0.7 for _ in range(13)]
    slowest, stale = 0.0, 0
    while stale < STALE:
        tried = list(faces)
        for _ in range(source.choice([0, 1, 1, 2])):
            other = tried if repeated and source.random() < 0.7 else CARDS
            card = source.choice([card for card in other if repeated or card not in tried])
            tried[source.randrange(13)] = card
        forget()
        turn = VARIANT.read_rolls(in_rolls(tried, first))
        # the faster of two, or the climb would follow the machine's moods
        taken = min(solving(turn, rule) for _ in range(2))
        if taken > slowest:
            slowest, faces, stale = taken, tried, 0
        else:
            stale += 1
    return slowest, f"{rule.layout}, {rule.max_uses} uses: {' '.join(faces)}"


def hunts(source: random.Random) -> None:
    """Prints the slowest turns that hill climbing finds."""
    exact = [LayoutRules(layout, opening="none") for layout in LAYOUTS]
    uses = [LayoutRules(layout, uses, "none") for layout in LAYOUTS for uses in (3, 4)]
    equal = [LayoutRules(layout, n, "none", True) for layout in LAYOUTS for n in (2, 3, 4)]
    for name, rules, repeated, climbs in (
        ("different cards, two uses", exact, False, 150),
        ("different cards, more uses", uses, False, 15),
        ("repeated cards", equal, True, 10),
    ):
        slowest, turn = max(climb(source, rules, repeated) for _ in range(climbs))
        print(f"slowest found, {name}: {slowest * 1e3:.0f} ms ({turn})")


def main() -> None:
    """Prints all figures."""
    source = random.Random(7)
    rolls: list[Rolls] = [natural(source, DICE_SET) for _ in range(TURNS)]
    turns = [VARIANT.read_rolls(turn) for turn in rolls]
    natural_turns(turns)
    beside_cp_sat(turns, grid=False)
    beside_cp_sat(turns[:TURNS_ON_GRID], grid=True)
    hard(source)
    hunts(source)


if __name__ == "__main__":
    main()
