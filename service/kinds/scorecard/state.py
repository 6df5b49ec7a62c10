"""The state of a game on score cards, what a turn writes that is written in one step (G4), and what
everyone sees: cards, places and news.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from service.engine.actions import News
from service.engine.turns import TurnState
from service.kinds.scorecard.card import ZEROS_LAST, BoxEntry, Card, ScoredPlayer, Totals
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.house_rules import HouseRules
from service.rules.places import places_json
from service.rules.reasons import Because, Reason
from service.rules.violations import InvalidInput, Violation


@dataclass(frozen=True, slots=True)
class ScoreCardState(TurnState):
    """All cards, and the current turn.

    `cards` and `repeated` are by seat; a card has its scores in card order. `turns` counts the
    turns that ended. `rolls` counts the rolls of the current turn, and `dice` are its dice.
    """

    cards: tuple[tuple[int | None, ...], ...]
    repeated: tuple[int, ...]
    turns: int = 0
    rolls: int = 0
    dice: tuple[int, ...] = ()


def written_turn(
    variant: ScoreCard, rules: HouseRules, card: Card, entry: BoxEntry, points: object
) -> Card:
    """The card after a turn: `points` in the box of `entry`, or if they are None its dice (G4).

    Raises `InvalidInput` for points that the box can't have, and for a zero that is refused (D17).
    """
    if points is None:
        wrong = variant.refused_zero(entry, rules, card.open_boxes, crossed_out=False)
        if wrong:
            raise InvalidInput(Violation(("box",), wrong))
        return variant.written(card, entry, rules)
    number, possible = whole_number(points), reachable(variant, rules, card, entry.box)
    if number not in possible:
        detail = Breach.IMPOSSIBLE_POINTS(numbers=possible)
        raise InvalidInput(Violation(("points",), detail))
    return variant.with_score(card, entry, number, rules)


def reachable(variant: ScoreCard, rules: HouseRules, card: Card, box: str) -> list[int]:
    """The points that a turn can bring in an open box of `card`: those of each roll, and a zero
    unless it is refused for every roll (D12, D17, G4).
    """
    rolls, open_boxes = variant.rolls_of_dice, card.open_boxes
    no_zero = ZEROS_LAST.of(rules) and all(
        variant.must_score(dice, rules, open_boxes) for dice in rolls
    )
    return [*([] if no_zero else [0]), *_scored(variant, rules, box)]


@lru_cache(maxsize=256)
def _scored(variant: ScoreCard, rules: HouseRules, box: str) -> Sequence[int]:
    """What rolls bring in a box, but for zero. A joker brings no other points than other rolls."""
    return sorted({variant.box_scores(dice, rules)[box] for dice in variant.rolls_of_dice} - {0})


def worth(variant: ScoreCard, rules: HouseRules, entry: BoxEntry, written: Card) -> Because:
    """What the dice of a turn scored in their box, with the clause (D3, D4, Y4)."""
    score = written.scores[entry.box]
    dice = " ".join(map(str, variant.dice.named(entry.dice)))
    reason = Reason.SCORED
    clause = next(box.clause for box in variant.boxes if box.id == entry.box)
    if variant.repeats and score != variant.scores(entry.dice, rules)[entry.box]:
        reason, clause = Reason.JOKER, variant.repeats.clause
    return reason.because(dice=dice, box=entry.box, score=score, clause=clause)


def earned(
    variant: ScoreCard, rules: HouseRules, player: str, before: Card, written: Card
) -> list[News]:
    """The news of bonuses that a turn earned besides its box (D3, D10, Y4)."""
    news: list[News] = []
    bonus, repeats = variant.upper_bonus, variant.repeats
    totals = variant.added_up(written, rules)
    points = totals.bonus - variant.added_up(before, rules).bonus
    if bonus and points:
        because = Reason.UPPER_BONUS.because(
            upper=totals.upper,
            bonus=totals.bonus,
            threshold=bonus.reached(totals.upper),
            clause=bonus.clause,
        )
        entry = {"player": player, "points": points, "because": because}
        news.append({"what": "upper_bonus", **entry})
    if repeats and written.repeated > before.repeated:
        box, points = repeats.box.id, repeats.points(rules)
        because = Reason.REPEAT_BONUS.because(
            box=box, score=before.scores[box], bonus=points, clause=repeats.clause
        )
        entry = {"player": player, "points": points, "because": because}
        news.append({"what": "repeat_bonus", **entry})
    return news


def card_json(variant: ScoreCard, rules: HouseRules, totals: Totals) -> dict[str, Any]:
    """A card added up, as JSON, with its repeats if they earn anything (D3, D4, D10, Y4)."""
    card: dict[str, Any] = {
        "scores": totals.card.scores,
        "upper": totals.upper,
        "bonus": totals.bonus,
        "lower": totals.lower,
    }
    repeats = variant.repeats
    if repeats and repeats.points(rules):
        card[repeats.counter] = totals.card.repeated
        card[f"{repeats.counter}_points"] = totals.repeats
    return {**card, "total": totals.total}


def final_places(
    variant: ScoreCard, players: Sequence[str], totals: Sequence[Totals], left: Collection[int]
) -> list[dict[str, Any]]:
    """The places of `players` by total, each with its reason, as JSON (D6, Y7, Y11).

    Those at the seats in `left` come last, unless all have left (G2).
    """
    scored = [
        ScoredPlayer(player, added, stayed=seat not in left)
        for seat, (player, added) in enumerate(zip(players, totals, strict=True))
    ]
    return places_json(variant.placed(scored), lambda player: player.totals.total)
