"""`review` of score cards over HTTP: what each choice cost, and what it refuses."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import orjson
import pytest

from service.kinds.scorecard.card import BoxEntry, Card
from service.variants.dice_poker import VARIANT, DicePokerRules
from tests.api.operations.test_scorecard_advice import ADVISE, CHANCE
from tests.live import Service

REVIEW = "/v1/variants/dice-poker/review"


def test_last_box(service: Service) -> None:
    """Each decision has what was played and what would have been best, with luck and loss."""
    turn = {"rolls": [[6, 1, 4, 3, 6], [6, 5, 4, 6, 6]], "keeps": [[0, 2, 4]], "box": "chance"}
    found = service.post(REVIEW, {"card": CHANCE, "turns": [turn]})
    assert found.status == 200
    start = round(175 + 5 * 14 / 3, 9)
    keep = {"action": "roll", "keep": [0, 2, 4], "dice": [6, 4, 6], "expected_total": 199.5,
            "loss": 0.25}  # fmt: skip
    best = {"action": "roll", "keep": [0, 4], "dice": [6, 6], "expected_total": 199.75,
            "loss": 0.0}  # fmt: skip
    scored = {"action": "score", "box": "chance", "score": 27, "expected_total": 202.0, "loss": 0.0}
    assert found.json == {
        "variant": "dice-poker",
        "start": start,
        "total": 202.0,
        "luck": round(202 - start + 0.25, 9),
        "loss": 0.25,
        "accuracy": pytest.approx((100 * 2 ** (-0.25 / 5) + 100) / 2, abs=1e-9),
        "reason": "The rolls were worth 3.9 points against the average, and the choices cost 0.2; "
        "the costliest one, in turn 1, cost 0.2.",
        "because": {"decided_by": "losses", "luck": 3.9, "loss": 0.2, "turn": 1, "most": 0.2},
        "decisions": [
            {
                "turn": 1, "roll": 1, "dice": [6, 1, 4, 3, 6], "luck": round(199.75 - start, 9),
                "played": keep, "best": best, "loss": 0.25, "word": "good",
            },
            {
                "turn": 1, "roll": 2, "dice": [6, 5, 4, 6, 6], "luck": 2.5,
                "played": scored, "best": scored, "loss": 0.0, "word": "good",
            },
        ],
    }  # fmt: skip


def test_a_loss_at_a_threshold(service: Service) -> None:
    """A loss that is shown as half a point has the word of half a point."""
    card = {**CHANCE, "ones": None, "sixes": 24, "chance": 20}
    roll = [6, 2, 3, 4, 1]
    turn = {"rolls": [roll] * 3, "keeps": [[4], [1, 2, 3, 4]], "box": "ones"}
    found = service.post(REVIEW, {"card": card, "turns": [turn]}).json
    words = [(each["loss"], each["word"]) for each in found["decisions"]]
    assert words == [(0.0, "good"), (0.5, "inaccuracy"), (0.0, "good")]


def random_game(source: Random) -> tuple[list[dict[str, Any]], int]:
    """A game played at random, and its total."""
    rules, card = DicePokerRules(), Card(dict.fromkeys(VARIANT.possible))
    turns: list[dict[str, Any]] = []
    while card.open_boxes:
        rolls, keeps = [source.choices(range(1, 7), k=5)], []
        for _ in range(source.randrange(3)):
            keep = sorted(source.sample(range(5), source.randrange(5)))
            again = [source.randint(1, 6) for _ in range(5)]
            rolls.append([rolls[-1][die] if die in keep else again[die] for die in range(5)])
            keeps.append(keep)
        box, crossed_out = source.choice(card.open_boxes), source.random() < 0.1
        turns.append({"rolls": rolls, "keeps": keeps, "box": box, "crossed_out": crossed_out})
        write = VARIANT.crossed_out if crossed_out else VARIANT.written
        card = write(card, BoxEntry(tuple(rolls[-1]), box), rules)
    return turns, VARIANT.added_up(card, rules).total


@pytest.mark.usefixtures("solved_dice_poker")
def test_luck_and_loss_add_up(service: Service) -> None:
    """The total is the start, plus the luck of every roll, minus the loss of every choice, exact to
    the last digit shown.
    """
    for seed in range(20):
        turns, total = random_game(Random(seed))
        found = orjson.loads(service.post(REVIEW, {"turns": turns}).body)
        names = ("start", "total", "luck", "loss")
        start, shown, luck, loss = (Decimal(str(found[name])) for name in names)
        assert start == Decimal("245.870774514")
        assert shown == total == start + luck - loss
        decisions = found["decisions"]
        assert luck == sum(Decimal(str(each["luck"])) for each in decisions)
        assert loss == sum(Decimal(str(each["loss"])) for each in decisions)
        assert len(decisions) == sum(len(turn["rolls"]) for turn in turns)


def test_a_turn_that_isnt_over(service: Service) -> None:
    """The last turn may lack its box; the total is then what its dice are worth."""
    asked = {"card": CHANCE, "turns": [{"rolls": [[6, 6, 6, 5, 1]]}]}
    found = service.post(REVIEW, asked).json
    advice = service.post(ADVISE, {"card": CHANCE, "dice": [6, 6, 6, 5, 1]}).json
    assert found["total"] == advice["expected_total"]
    assert (found["decisions"], found["loss"], found["accuracy"]) == ([], 0.0, 100.0)
    assert found["luck"] == round(found["total"] - found["start"], 9)


def test_nothing_played(service: Service) -> None:
    """Without turns, the total is the start."""
    found = service.post(REVIEW, {"card": CHANCE, "turns": []}).json
    assert found == {
        "variant": "dice-poker", "start": found["start"], "total": found["start"], "luck": 0.0,
        "loss": 0.0, "accuracy": 100.0, "decisions": [],
        "reason": "The rolls were worth 0.0 points against the average, and no choice cost any.",
        "because": {"decided_by": "no_loss", "luck": 0.0},
    }  # fmt: skip
