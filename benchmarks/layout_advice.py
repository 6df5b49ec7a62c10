"""Advice for a turn of roll-a-royal: how long it takes, and how large its error is.

Times are those of the library, in milliseconds of one core, beside `evaluate` of the same dice.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from service.advice.layout.turn import LayoutAdvice, advise
from service.kinds.layout.cards import Turn
from service.variants.roll_a_royal import DICE_SET, VARIANT, RollARoyalRules

RULES = RollARoyalRules()
TURNS = 40

HARD = {
    "nine spades in sequence, four blanks": "As Ks Qs Js Ts 9s 8s 7s 6s -- -- -- --",
    "ten spades, three blanks": "As Ks Qs Js Ts 9s 8s 7s 6s 4s -- -- --",
    "two suits over six ranks, one blank": "2s 2h 4s 4h 6s 6h 8s 8h Ts Th Qs Qh --",
}
"""Turns with long searches."""


def timed(act: Callable[[], object]) -> float:
    """How many milliseconds of the processor `act` takes."""
    started = time.process_time()
    act()
    return (time.process_time() - started) * 1e3


def of_turn(turn: Turn | None, rules: RollARoyalRules = RULES) -> tuple[float, LayoutAdvice]:
    """The milliseconds that advice for `turn` takes, and the advice."""
    made: list[LayoutAdvice] = []
    taken = timed(lambda: made.append(advise(VARIANT, turn, rules)))
    return taken, made[0]


def report(name: str, advised: Sequence[tuple[float, LayoutAdvice]]) -> None:
    """Prints the times and errors of advice."""
    times = [taken for taken, _ in advised]
    exact = sum(given.exact for _, given in advised)
    errors = [
        given.standard_error / given.expected
        for _, given in advised
        if given.simulated and given.expected
    ]
    error = f", error {statistics.median(errors):.1%} of the mean" if errors else ""
    print(
        f"{name:40} p50 {statistics.median(times):6.1f}   max {max(times):6.1f} ms"
        f"   exact {exact} of {len(advised)}{error}"
    )


def main() -> None:
    """Prints all figures."""
    source = random.Random(7)
    by_blanks: dict[int, list[tuple[float, LayoutAdvice]]] = {}
    over: list[tuple[float, LayoutAdvice]] = []
    evaluated: list[float] = []
    while sum(map(len, by_blanks.values())) < TURNS:
        rolls = [[source.choice(die) for die in DICE_SET]]
        turn = VARIANT.read_rolls(rolls)
        if VARIANT.lacks(turn, RULES) is None:
            blanks = rolls[0].count("--")
            by_blanks.setdefault(min(blanks, 6), []).append(of_turn(turn))
            last = VARIANT.read_rolls([*rolls, ["--"] * blanks, ["--"] * blanks])
            over.append(of_turn(last))
            evaluated.append(timed(partial(VARIANT.evaluate, last, RULES)))
    report("before the first roll", [of_turn(None)])
    for blanks, advised in sorted(by_blanks.items()):
        more = " or more" if blanks == 6 else ""
        report(f"after the first roll, blanks: {blanks}{more}", advised)
    report("after the last roll", over)
    ratio = statistics.median(taken for taken, _ in over) / statistics.median(evaluated)
    print(f"   so it takes {ratio:.1f} times as long as `evaluate`")
    for name, roll in HARD.items():
        report(name, [of_turn(VARIANT.read_rolls([roll.split()]))])
    report("a die may lie in four hands", [of_turn(None, RollARoyalRules(max_uses=4))])


if __name__ == "__main__":
    main()
