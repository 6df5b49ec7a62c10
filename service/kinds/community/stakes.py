"""The house rules of games with community dice, the chips that they ask for, and the least and most
of a bet or raise (H9, H11, H36).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.rules.breaches import Breach
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.violations import Violation

LIMIT, POT_LIMIT, NO_LIMIT = "limit", "pot_limit", "no_limit"
UP_TO, FIXED = "up_to", "fixed"

KNOWN_RULES = (
    KnownRule("ante", default=1, chips=True),
    KnownRule("small_limit", default=1, minimum=1, chips=True),
    KnownRule("big_limit", default=2, minimum=1, chips=True),
    KnownRule("max_raises", default=3),
    KnownRule("starting_chips", default=50, minimum=1, chips=True),
    KnownRule("total_chips", default=None, minimum=1, chips=True),
    KnownRule("betting", default=LIMIT, choices=(LIMIT, POT_LIMIT, NO_LIMIT)),
    KnownRule("bet_size", default=UP_TO, choices=(UP_TO, FIXED)),
    KnownRule("small_blind", default=0, chips=True),
    KnownRule("big_blind", default=0, chips=True),
    KnownRule("hands", default=None, minimum=1),
    KnownRule("blinds_up", default=None, minimum=1),
    KnownRule("flop_rerolls", default=0, nullable=True),
)

MOST_DOUBLINGS = 30
"""How often ante and blinds double at most: then nobody has as many chips, and JSON holds them."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The house rules that the games read; all chips are multiples of `chip` (H27)."""

    chip: int
    ante: int
    small_limit: int
    big_limit: int
    max_raises: int
    starting_chips: int
    total_chips: int | None
    betting: str
    bet_size: str
    small_blind: int
    big_blind: int
    hands: int | None
    blinds_up: int | None
    flop_rerolls: int | None

    @classmethod
    def of(cls, rules: HouseRules, chip: int) -> Stakes:
        """The stakes under `rules`, with defaults for house rules that the variant doesn't have."""
        return cls(chip, **{known.name: known.of(rules, chip) for known in KNOWN_RULES})

    def share(self, players: int) -> int:
        """The chips that each of the `players` starts with (H18); those of the box are divided in
        whole chips, and the rest is out of the game (H35).
        """
        if self.total_chips is None:
            return self.starting_chips
        return self.total_chips // players // self.chip * self.chip

    def forced(self, hand: int) -> tuple[int, int, int]:
        """The ante, the small blind and the big blind of a hand, which is counted from 1 (H37)."""
        doublings = (hand - 1) // self.blinds_up if self.blinds_up else 0
        times = 2 ** min(doublings, MOST_DOUBLINGS)
        return self.ante * times, self.small_blind * times, self.big_blind * times

    def bounds(self, limit: int, pot: int, beyond: int, least: int) -> tuple[int, int]:
        """The least and the most of a bet, or of a raise beyond a call; the most is below the least
        if a player has only `beyond` chips beyond the call, too few (H11, H36).

        `limit` is that of the round, `pot` has the call in it, `least` is the last bet or raise.
        """
        if self.betting == LIMIT:
            most = min(limit, beyond)
            return (most if self.bet_size == FIXED else self.chip), most
        return least, beyond if self.betting == NO_LIMIT else min(max(pot, least), beyond)

    def contradictions(self, players: int, clauses: Mapping[str, str]) -> Iterator[Violation]:
        """Two violations for any two settings that contradict each other: each names the other.

        `clauses` are those of the house rules.
        """
        if self.bet_size == FIXED and self.betting != LIMIT:
            yield from _both("bet_size", "betting", Breach.FIXED_BETS_NEED_LIMIT, clauses)
        if self.small_blind > self.big_blind:
            yield from _both("small_blind", "big_blind", Breach.SMALL_BLIND_ABOVE_BIG, clauses)
        if self.share(players) < self.chip:
            detail = Breach.CHIPS_TOO_FEW(
                minimum=players * self.chip, other="/players", clause=clauses["total_chips"]
            )
            yield Violation(("house_rules", "total_chips"), detail)


def _both(one: str, other: str, breach: Breach, clauses: Mapping[str, str]) -> Iterator[Violation]:
    """A violation at each of two house rules that contradict each other, with the clause of one."""
    for name, named in ((one, other), (other, one)):
        detail = breach(other=f"/house_rules/{named}", clause=clauses[one])
        yield Violation(("house_rules", name), detail)
