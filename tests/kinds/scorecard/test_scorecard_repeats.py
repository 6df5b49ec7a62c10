"""Further fives of a kind in the game of score cards: bonuses and jokers (D10, D15)."""

from __future__ import annotations

import pytest

from service.api.operations.registry import operations
from service.kinds.scorecard.card import RESERVED, BoxEntry, Card
from service.variants import dice_poker
from service.variants.dice_poker import DicePokerRules
from tests.kinds.scorecard.scorecard_play import NO_CLOCK, ONE, POKER_BOXES, poker, turn
from tests.reasons import said
from tests.trial_games import two_boxes


@pytest.mark.parametrize("name", ["score", "cross_out"])
def test_further_fives_and_jokers(name: str) -> None:
    """A further five earns the bonus, crossed out or not, and may be a joker (D10, D15)."""
    game = poker(ONE, DicePokerRules(extra_five_bonus=100, joker=True, turn_seconds=None))
    state = turn(game, game.start(0), [4] * 5, "five_of_a_kind")
    assert len(state.news) == 1
    state = turn(game, state, [4, 4, 1, 2, 3], "fours")
    assert len(state.news) == 1
    state = turn(game, state, [4] * 5, "large_straight", name)
    score = 40 if name == "score" else 0
    written = "4 4 4 4 4 scores 40 in large straight, as a joker (D10)."
    reason = "A further five of a kind while that box holds 50 earns 100 more (D10)."
    assert said(state.news) == (
        {
            "what": "written" if score else "crossed_out",
            "player": "ann",
            "dice": [4] * 5,
            "box": "large_straight",
            "score": score,
            "reason": written if score else "ann crosses out large straight (D12).",
        },
        {"what": "repeat_bonus", "player": "ann", "points": 100, "reason": reason},
    )
    card = game.view(state, None)["cards"]["ann"]
    used = {"fours": 8, "five_of_a_kind": 50, "large_straight": score}
    assert card == {
        "scores": {**dict.fromkeys(POKER_BOXES), **used},
        "upper": 8,
        "bonus": 0,
        "lower": 50 + score,
        "extra_fives": 1,
        "extra_fives_points": 100,
        "total": 158 + score,
    }


@pytest.mark.parametrize("rules", [NO_CLOCK, DicePokerRules(extra_five_bonus=100)])
def test_no_bonus_for_a_five_without_fifty(rules: DicePokerRules) -> None:
    """Nothing extra without the house rule, or once the box is crossed out (D10, D15)."""
    game = poker(ONE, rules)
    name = "cross_out" if rules.extra_five_bonus else "score"
    state = turn(game, game.start(0), [4] * 5, "five_of_a_kind", name)
    state = turn(game, state, [4] * 5, "full_house")
    entry = {"what": "written", "player": "ann", "dice": [4] * 5, "box": "full_house", "score": 0}
    assert said(state.news) == ({**entry, "reason": "4 4 4 4 4 scores 0 in full house (D4)."},)


def test_reserved_names_are_the_other_fields() -> None:
    """No box or counter of repeats can have the name of a field that might be beside it."""
    repeats = dice_poker.VARIANT.repeats
    assert repeats
    fields: set[str] = set()
    for operation in operations([dice_poker.VARIANT]):
        if operation.name not in (
            "rank",
            "review",
            "forecast",
        ):  # they have these names only within cards
            fields |= operation.request.fields.keys()
            fields |= operation.response.schema["properties"].keys()
    game = poker(ONE, DicePokerRules(extra_five_bonus=100))
    fields |= game.view(game.start(0), None)["cards"]["ann"].keys()
    assert fields - {repeats.box.id, repeats.counter, repeats.points_field} == RESERVED


def test_no_repeats_in_a_game_without_them() -> None:
    """A card of a game that has no bonus for repeats never counts one, whatever the dice."""
    card = two_boxes.VARIANT.read_card({"sixes": None, "pair": None})
    entry, rules = BoxEntry((6, 6), "sixes"), two_boxes.VARIANT.house_rules()
    assert two_boxes.VARIANT.play(card, entry, rules) == Card({"sixes": 12, "pair": None}, 0)
    assert two_boxes.VARIANT.crossed_out(card, entry, rules) == Card({"sixes": 0, "pair": None}, 0)
