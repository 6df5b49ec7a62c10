"""`choose` over HTTP: whole responses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from service.kinds.scorecard.variant import ScoreCard
from service.variants.dice_poker import VARIANT as DICE_POKER
from service.variants.roll_a_royal import ROYAL
from service.variants.yahtzee_deluxe import VARIANT as YAHTZEE_DELUXE
from tests.advice.test_choosing import rolls_that_open
from tests.api.operations.test_scorecard_advice import BEHIND, CHANCE
from tests.live import Service

LAYOUT = "/v1/variants/roll-a-royal/choose"
FLUSH = [{"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0}]
CARD = "/v1/variants/dice-poker/choose"
LAST = {"card": CHANCE, "dice": [6, 5, 4, 3, 2], "rolls_left": 0}
"""The chance is open: it is scored, or crossed out for 20 points less."""


def test_the_best_play_on_a_card(service: Service) -> None:
    """The action as in sessions, and why, in the language of the request."""
    body = {**LAST, "strength": "best"}
    answer = {
        "variant": "dice-poker",
        "strength": "best",
        "action": {"action": "score", "box": "chance"},
        "reason": "The best play: it brings 195.0 points on average.",
        "because": {"decided_by": "best_play", "expected": 195.0},
    }
    assert service.post(CARD, body).json == answer
    assert service.post(CARD, body, Accept_Language="de").json == {
        **answer,
        "reason": "Der beste Zug: Er bringt im Durchschnitt 195,0 Punkte.",
    }


def test_the_goal_to_win(service: Service) -> None:
    """`best` takes the option that wins most often; the others play for points all the same."""
    assert service.post(CARD, {**BEHIND, "strength": "best", "target": 200}).json == {
        "variant": "dice-poker",
        "strength": "best",
        "action": {"action": "roll", "keep": [0, 4]},
        "reason": "The best chance to win: 3%.",
        "because": {"decided_by": "best_chance", "percent": 3},
    }
    weaker = {"strength": "hard", "seed": 1}
    points = {name: value for name, value in BEHIND.items() if name not in ("goal", "others")}
    chosen = service.post(CARD, {**BEHIND, **weaker})
    assert chosen.status == 200
    assert chosen.body == service.post(CARD, {**points, **weaker}).body


def test_seeds(service: Service) -> None:
    """The same seed makes the same choice; others make an easy player lose something, too."""
    asked = {"card": CHANCE, "dice": [6, 1, 4, 3, 6], "rolls_left": 1, "strength": "easy"}
    chosen = [service.post(CARD, {**asked, "seed": seed}).json for seed in range(20)]
    assert chosen == [service.post(CARD, {**asked, "seed": seed}).json for seed in range(20)]
    assert {
        "variant": "dice-poker",
        "strength": "easy",
        "action": {"action": "roll", "keep": [0, 2, 3, 4]},
        "reason": "It brings 197.5 points on average, 0.5 fewer than the best play.",
        "because": {"decided_by": "worse_play", "expected": 197.5, "loss": 0.5},
    } in chosen


def test_holdem(service: Service) -> None:
    """A pair of sixes bets the limit, or raises it; with a bad hand a dear bet is folded."""
    path = "/v1/variants/texas-holdem-dice/choose"
    strong = {"pocket": ["6r", "6b"], "strength": "hard"}
    assert service.post(path, strong).json["action"] == {"action": "bet", "amount": 10}
    facing = {"pot": 40, "to_call": 20, "community": ["6w", "6y", "2r", "3b"]}
    raised = service.post(path, {**strong, **facing}).json
    assert raised["action"] == {"action": "raise", "amount": 20}
    weak = {"pocket": ["1r", "2b"], "community": ["6w", "6y", "6r", "5b", "4b"], "strength": "hard"}
    folded = service.post(path, {**weak, "pot": 40, "to_call": 40}).json
    assert (folded["action"], folded["because"]["decided_by"]) == ({"action": "fold"}, "by_price")


def test_the_strategy_for_holdem(service: Service) -> None:
    """`best` follows the strategy with the pockets; later it goes by the equity, as the request
    doesn't say what was bet before.
    """
    pocket: dict[str, Any] = {"pocket": ["6r", "6b"], "strength": "best", "seed": 1}
    turn = {"community": ["6w", "6y", "2r", "3b"]}
    for decided_by, asked in (
        ("by_strategy", {"pot": 20, "to_call": 0}),
        ("by_strategy", {"pot": 30, "to_call": 10}),
        ("by_price", {"pot": 50, "to_call": 10}),
        ("by_equity", {"pot": 60, "to_call": 0, **turn}),
        ("by_price", {"pot": 80, "to_call": 20, **turn}),
        ("by_equity", {"pot": 20, "to_call": 0, "house_rules": {"kickers": False}}),
    ):
        reply = service.post("/v1/variants/texas-holdem-dice/choose", {**pocket, **asked})
        assert reply.json["because"]["decided_by"] == decided_by


def test_other_games(service: Service) -> None:
    """What players do with dice and cards, as actions of sessions."""
    dice = {"dice": [6, 2, 6, 1, 6], "rolls_left": 1, "to_beat": [5, 5, 5, 5, 6]}
    asked = {**dice, "strength": "best"}
    assert service.post("/v1/variants/poker-dice/choose", asked).json == {
        "variant": "poker-dice",
        "strength": "best",
        "action": {"action": "roll", "keep": [0, 2, 4]},
        "reason": "The best chance to win: 31%.",
        "because": {"decided_by": "best_chance", "percent": 31},
    }
    for rolls, further, action, reason in (
        (ROYAL[:1], {}, {"action": "roll"}, "Further cards never make the best layout worse."),
        (ROYAL, {"layout": FLUSH, "need": 8000}, {"action": "bank"},
         "The best chance to win: 100%."),
        (ROYAL, {"layout": FLUSH}, {"action": "risk"},
         "Worth 13333.3 on average, and nothing else is worth more."),
    ):  # fmt: skip
        answer = service.post(LAYOUT, {"rolls": rolls, **further, "strength": "best"}).json
        assert (answer["action"], answer["reason"]) == (action, reason)
    answer = service.post(LAYOUT, {"rolls": ROYAL, "strength": "hard"}).json
    laid = service.post(
        LAYOUT.replace("choose", "score"), {"rolls": ROYAL, "layout": answer["action"]["layout"]}
    ).json
    assert laid["points"] == answer["because"]["points"]


def on_card(variant: ScoreCard, source: Random) -> dict[str, Any]:
    """A random card with few open boxes, and dice: for that no table of a whole game is needed."""
    open_boxes = source.sample([*variant.possible], source.randint(1, 3))
    card = {
        box: source.choice([*scores])
        for box, scores in variant.possible.items()
        if box not in open_boxes
    }
    dice = source.choices(range(1, 7), k=variant.dice.count)
    return {"card": card, "dice": dice, "rolls_left": source.randrange(variant.rolls)}


def of_ranking(source: Random) -> dict[str, Any]:
    """Random dice of poker dice, hand to beat, and players after."""
    hands = [source.choices(range(1, 7), k=5) for _ in range(2)]
    to_beat = source.choice([None, hands[1]])
    others = {"to_beat": to_beat, "players_after": source.randrange(4)}
    return {"dice": hands[0], "rolls_left": source.randrange(3), **others}


def of_layout(source: Random) -> dict[str, Any]:
    """A random turn of Roll-a-Royal after the last roll, and perhaps the points that it needs."""
    need = source.choice([{}, {"need": source.randrange(100, 5000)}])
    return {"rolls": rolls_that_open(source), **need}


def in_holdem(source: Random) -> dict[str, Any]:
    """Random dice of Hold'em against one opponent."""
    suits = source.sample([*"rbwy" * 5], 7)
    dice = [f"{source.randint(1, 6)}{suit}" for suit in suits]
    return {"pocket": dice[:2], "community": dice[2 : 2 + source.choice([0, 3, 4, 5])]}


POSITIONS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "dice-poker": partial(on_card, DICE_POKER),
    "yahtzee-deluxe": partial(on_card, YAHTZEE_DELUXE),
    "poker-dice": of_ranking,
    "roll-a-royal": of_layout,
    "texas-holdem-dice": in_holdem,
}


@pytest.mark.parametrize("count", [8, pytest.param(2_000, marks=pytest.mark.proof)])
@pytest.mark.parametrize("variant", POSITIONS)
def test_the_best_player_follows_the_advice(service: Service, variant: str, count: int) -> None:
    """In random positions, `best` does what `advise` lists first, and lays what it shows. In
    Hold'em there is no such list, but the reason has the same equity.
    """
    source, path = Random(f"{variant} {count}"), f"/v1/variants/{variant}"
    for _ in range(count):
        asked = POSITIONS[variant](source)
        advised = service.post(f"{path}/advise", asked).json
        chosen = service.post(f"{path}/choose", {**asked, "strength": "best"}).json
        action = chosen["action"]
        if variant == "texas-holdem-dice":
            assert abs(chosen["because"]["equity"] - 100 * advised["equity"]) < 1
            continue
        if variant == "roll-a-royal":
            shown = [
                {name: line[name] for name in each}
                for each, line in zip(action["layout"] or (), advised["layout"], strict=True)
            ]
            assert action == {"action": "lay", "layout": shown or None}
            if not shown:  # no points that could be risked
                continue
            asked["layout"] = shown
            action = service.post(f"{path}/choose", {**asked, "strength": "best"}).json["action"]
        first = advised["options"][0]
        assert action == {name: first[name] for name in action}
