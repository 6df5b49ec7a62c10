"""`review` of score cards: what each choice cost, and how lucky each roll was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from service.advice.scorecard.accuracy import HALVING_LOSS, WORDS
from service.advice.scorecard.played import PlayedTurn, check_turns
from service.api.operations.advise.fields import LOSS, NUMBER
from service.api.operations.advise.review_fields import decision, played_turn
from service.api.operations.advise.scorecard import check_open, option_json, points
from service.api.operations.advise.tables import table_for
from service.api.operations.operation import Answer, Operation
from service.api.schemas.fields import Objects
from service.api.schemas.scorecard import card
from service.api.schemas.shared import (
    AnswerField,
    answer_schema,
    changed_rules,
    listed,
    nested,
    request_schema,
)
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.variant import ScoreCard
from service.settings import Settings

if TYPE_CHECKING:
    from service.advice.scorecard.review import Review

_WORDS = ", ".join(f"{word} from {least:g}" for least, word in [*WORDS.items()][1:])

DESCRIPTION = (
    "Returns what each choice of a player lost against the best one, and the luck of each roll: by "
    "how much it changed the expected total. `total` is `start` + `luck` - `loss`. The words for a "
    f"loss in points are: {_WORDS}, and otherwise good. `accuracy` is the mean of "
    f"100 * 2^(-loss / {HALVING_LOSS:g}) over all choices."
)


def review(variant: ScoreCard[Any], settings: Settings) -> Operation:
    """The operation `review` of a score card."""
    begin = card(variant, metadata={"description": "The card before the first turn. Null: empty."})
    turns = Objects(played_turn(variant), len(variant.boxes), "turns", required=True)
    return Operation(
        variant=variant,
        name="review",
        summary=f"{variant.name}: review turns as they were played",
        description=DESCRIPTION,
        request=request_schema(variant, "ReviewRequest", {"turns": turns, "card": begin}),
        response=answer_schema(
            variant,
            "ReviewAnswer",
            {
                "start": AnswerField(NUMBER, "The expected total before the first turn."),
                "total": AnswerField(
                    NUMBER, "The final total; the expected one if the card isn't full."
                ),
                "luck": AnswerField(NUMBER, "The luck of all rolls, in points."),
                "loss": AnswerField(LOSS, "The loss of all choices, in points."),
                "accuracy": AnswerField({"type": "number", "minimum": 0, "maximum": 100}),
                "decisions": listed(nested(decision(variant))),
            },
        ),
        answer=lambda given: _review(settings, variant, given),
        check=lambda given: _check(variant, given),
        by_item=("turns",),
        waits=True,
    )


def _card(variant: ScoreCard[Any], given: Mapping[str, Any]) -> Card:
    """The card before the first turn of a request."""
    return given.get("card") or Card(dict.fromkeys(variant.possible))


def _played(turn: Mapping[str, Any]) -> PlayedTurn:
    return PlayedTurn(turn["rolls"], turn["keeps"], turn.get("box"), turn["crossed_out"])


def _check(variant: ScoreCard[Any], given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` if the rules don't allow the card or the turns that were parsed."""
    card = _card(variant, given)
    check_open(variant, card, given["house_rules"])
    check_turns(variant, card, [turn and _played(turn) for turn in given["turns"]])


def _review(settings: Settings, variant: ScoreCard[Any], given: Mapping[str, Any]) -> Answer:
    from service.advice.scorecard.review import review  # NumPy takes long to import

    rules = given["house_rules"]
    _check(variant, given)
    card, turns = _card(variant, given), [_played(turn) for turn in given["turns"]]
    table, _ = table_for(settings, variant, rules, card)
    found = review(table, variant, rules, turns, card)
    decisions = [*_decisions(variant, found)]
    start, total = points(found.start), points(found.total)
    loss = points(sum(each["loss"] for each in decisions))
    return {
        "variant": variant.id,
        "start": start,
        "total": total,
        "luck": points(total - start + loss),
        "loss": loss,
        "accuracy": points(found.accuracy),
        "decisions": decisions,
        **changed_rules(variant, rules),
    }


def _decisions(variant: ScoreCard[Any], found: Review) -> Iterator[Answer]:
    """The decisions; luck and losses are differences of the totals shown, so that they add up."""
    before = points(found.start)
    for each in found.decisions:
        best, played = points(each.best.expected_total), points(each.played.expected_total)
        yield {
            "turn": each.turn,
            "roll": each.roll,
            "dice": variant.dice.named(each.dice),
            "luck": points(best - before),
            "played": option_json(variant, each.played, best),
            "best": option_json(variant, each.best, best),
            "loss": points(best - played),
            "word": each.word,
        }
        before = played
