"""Requests that are refused: each violation, with its pointer and what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from service.variants.dice_poker import VARIANT
from tests.api.operations.posting import violations
from tests.api.operations.test_scorecard_advice import CHANCE, USED
from tests.live import Service

BOXES = [*VARIANT.possible]
FULL = {**CHANCE, "chance": 20}
FULL_CARD = "must have an open box: the card is full"
NO_BONUS = "must be 0 without the house rule extra_five_bonus (D10)"
ROLL = [6, 1, 4, 3, 6]
ONLY_SIXES = (
    "must be a score that a roll can give there (0, 6, 12, 18, 24, 30), or null while the box is "
    "open"
)
SUITED = "must be a number from 1 to 6 and a suit letter (r, b, w, y), such as 6r"

ROLLS = [["As", "Ks", "Qs", "Js", "10s", "Ah", *["--"] * 7], ["9s", *["--"] * 6]]
TWICE = [["As", "As", *["--"] * 11]]
NO_RISK = "must be a whole number between 0 and 4"
NEEDED = "is missing: hands run across or down unless max_uses is above 2 (R26)"
SQUARE = "must be a whole number between -1000 and 1000, or null"


def shown_twice(card: str, place: str) -> str:
    """The detail for a card that `place` shows, too."""
    return f"shows {card}, and so does {place}; the set has each card once (R20)"


ADVICE: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("poker-dice/advise",
     {"dice": [1, 2, 3, 4, 7], "rolls_left": 3, "to_beat": [1, 2], "players_after": 20, "limit": 0},
     {"/dice/4": "must be between 1 and 6",
      "/rolls_left": "must be a whole number between 0 and 2",
      "/to_beat": "must hold 5 dice, not 2",
      "/players_after": "must be a whole number between 0 and 19",
      "/limit": "must be a whole number between 1 and 500"}),
    ("texas-holdem-dice/advise",
     {"pocket": ["1r"], "community": ["1r", "2g"], "opponents": 6,
      "known": [["1r", "2r"], ["1r", 2, "3r"]], "pot": 15},
     {"/pocket": "must hold 2 dice, not 1",
      "/community": "must hold 0, 3, 4 or 5 dice, not 2",
      "/community/1": SUITED,
      "/opponents": "must be a whole number between 1 and 5",
      "/known/1": "must hold 2 dice, not 3",
      "/known/1/1": SUITED,
      "/pot": "must be a whole number between 10 and 1000000000 and a multiple of 10"}),
    ("texas-holdem-dice/advise",
     {"pocket": ["1r", "2r"], "community": ["3r", "3r", "4b"], "opponents": 1,
      "known": [["1r", "2y"], ["6w", "6r"]], "pot": 100},
     {"/to_call": "is missing: it is given together with /pot",
      "/opponents": "must be at least 2, because as many pockets are known",
      "/known/1/1": "is red die number 6 on this table; the set has 5 (H24)"}),
    ("texas-holdem-dice/advise", {"pocket": ["1r", "2r"], "pot": 20, "to_call": "20"},
     {"/to_call": "must be a whole number between 0 and 1000000000 and a multiple of 10"}),
    ("roll-a-royal/advise", {}, {"/rolls": "is missing"}),
    ("roll-a-royal/advise", {"rolls": [["--"] * 13] * 4},
     {"/rolls": "must be a list of 0 to 3 rolls (R3)"}),
    ("roll-a-royal/advise", {"rolls": [[*ROLLS[0][:6], *["2c"] * 2, *["--"] * 5]]},
     {"/rolls/0/6": shown_twice("2c", "/rolls/0/7"),
      "/rolls/0/7": shown_twice("2c", "/rolls/0/6")}),
    ("roll-a-royal/advise",
     {"rolls": [], "layout": [{"dice": [0, 1], "direction": "down", "row": 0, "column": 0}]},
     {"/layout": "is allowed only after the first roll"}),
    ("dice-poker/advise", {}, {"/card": "is missing"}),
    ("dice-poker/advise", {"card": FULL}, {"/card": FULL_CARD}),
    ("dice-poker/advise", {"card": USED, "rolls_left": 1},
     {"/rolls_left": "is allowed only with dice"}),
    ("dice-poker/advise", {"card": USED, "dice": [1, 2, 3, 4, 5], "rolls_left": 3},
     {"/rolls_left": "must be a whole number between 0 and 2"}),
    ("dice-poker/advise", {"card": USED, "dice": [1, 2, 3, 4], "limit": 501},
     {"/dice": "must hold 5 dice, not 4", "/limit": "must be a whole number between 1 and 500"}),
    ("dice-poker/advise", {"card": USED, "goal": "win"},
     {"/others": "is missing: it is given together with /goal"}),
    ("dice-poker/advise", {"card": USED, "others": [{"card": USED}]},
     {"/others": "is allowed only with the goal win"}),
    ("dice-poker/advise", {"card": USED, "goal": "lose", "others": [{"card": {}}, {"cards": {}}]},
     {"/goal": "must be one of points, win",
      "/others/1/card": "is missing",
      "/others/1/cards": "is not a known field; the fields are card"}),
    ("dice-poker/advise",
     {"card": FULL, "goal": "win", "others": [{"card": {**USED, "extra_fives": 1}}]},
     {"/others/0/card/extra_fives": NO_BONUS, "/card": FULL_CARD}),
    ("dice-poker/advise", {"card": USED, "goal": "win", "others": [{"card": {}}] * 20},
     {"/others": "must be a list of up to 19 players"}),
    ("dice-poker/choose", {"card": USED, "goal": "win", "strength": "best"},
     {"/others": "is missing: it is given together with /goal"}),
    ("dice-poker/advise", {"card": {"sixes": 17}},
     {"/card/sixes": ONLY_SIXES}),
    ("dice-poker/advise", {"card": USED, "extra_fives": 1}, {"/extra_fives": NO_BONUS}),
    ("dice-poker/advise", {"card": {**USED, "extra_fives": 1}}, {"/card/extra_fives": NO_BONUS}),
    ("dice-poker/advise",
     {"card": {**USED, "five_of_a_kind": 50, "extra_fives": 1}, "extra_fives": 2,
      "house_rules": {"extra_five_bonus": 100}},
     {"/extra_fives": "must be 1, as in the card"}),
    ("dice-poker/advise", {"card": FULL, "rolls_left": 1, "colour": 1},
     {"/colour": "is not a known field; the fields are card, extra_fives, dice, rolls_left, "
                 "target, goal, others, limit, house_rules",
      "/rolls_left": "is allowed only with dice",
      "/card": FULL_CARD}),
]  # fmt: skip

REVIEWS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {"/turns": "is missing"}),
    ({"turns": {}}, {"/turns": "must be a list of up to 13 turns"}),
    ({"turns": [{}] * 14}, {"/turns": "must be a list of up to 13 turns"}),
    ({"turns": [1]}, {"/turns/0": "must be an object"}),
    ({"turns": [{"rolls": [[1, 2, 3, 4, 7]], "box": "yahtzee"}]},
     {"/turns/0/rolls/0/4": "must be between 1 and 6",
      "/turns/0/box": "must be one of " + ", ".join(BOXES)}),
    ({"turns": [{"rolls": [ROLL] * 4}]}, {"/turns/0/rolls": "must be a list of up to 3 lists"}),
    ({"turns": [{"rolls": [ROLL, ROLL], "keeps": [[0, "1"]], "box": "chance"}]},
     {"/turns/0/keeps/0": "must be a list of indexes of dice"}),
    ({"turns": [{"rolls": [ROLL, ROLL], "box": "chance"}]},
     {"/turns/0/keeps": "must hold 1, one for each roll but the last, not 0"}),
    ({"turns": [{"rolls": [ROLL, [1, 1, 4, 3, 6]], "keeps": [[0]], "box": "chance"}]},
     {"/turns/0/rolls/1/0": "must stay 6, because that die was kept"}),
    ({"turns": [{"rolls": [ROLL]}, {"rolls": [ROLL], "box": "chance"}]},
     {"/turns/0/box": "is required in each turn but the last"}),
    ({"card": CHANCE, "turns": [{"rolls": [ROLL], "box": "sixes"}]},
     {"/turns/0/box": "is already used; open boxes: chance"}),
    ({"turns": [{"rolls": [ROLL], "box": "ones"}, {"rolls": [[1, 2, 3]], "box": "twos"}, 5,
                {"rolls": [ROLL], "keeps": [[0]], "box": "ones"}, {"rolls": [ROLL]}]},
     {"/turns/1/rolls/0": "must hold 5 dice, not 3", "/turns/2": "must be an object",
      "/turns/3/keeps": "must hold 0, one for each roll but the last, not 1",
      "/turns/3/box": "is already used; open boxes: " + ", ".join(BOXES[1:])}),
    ({"card": FULL, "turns": []}, {"/card": FULL_CARD}),
    ({"turns": [{"rolls": [ROLL, ROLL], "keeps": [[0, 0, 5]], "box": "chance"}]},
     {"/turns/0/keeps/0/1": "repeats die 0",
      "/turns/0/keeps/0/2": "must be the index of a die, from 0 to 4"}),
    ({"turns": [{"rolls": [ROLL, ROLL], "keeps": [[0, 1, 2, 3, 4]]}]},
     {"/turns/0/keeps/0": "must be a list of up to 4 dice, by their indexes from 0"}),
    ({"turns": [{"rolls": [], "box": "ones"}]},
     {"/turns/0/rolls": "must hold a roll, unless the box is crossed out"}),
    ({"turns": [{"rolls": [ROLL], "crossed_out": True}]},
     {"/turns/0/crossed_out": "is allowed only with a box"}),
    ({"card": {**CHANCE, "ones": None},
      "turns": [{"rolls": [ROLL], "box": "chance"}, {"rolls": [ROLL], "box": "ones"},
                {"rolls": [ROLL]}]},
     {"/turns": "must hold at most 2 turns, one for each open box"}),
    ({"card": CHANCE, "turns": [{"rolls": [ROLL], "box": "chance"}, {"rolls": [ROLL]}]},
     {"/turns": "must hold at most 1 turn, one for each open box"}),
]  # fmt: skip

LAYOUTS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("roll-a-royal/evaluate", {}, {"/rolls": "is missing"}),
    ("roll-a-royal/evaluate", {"rolls": {}}, {"/rolls": "must be a list of 1 to 3 rolls (R3)"}),
    ("roll-a-royal/evaluate", {"rolls": [*ROLLS, ["--"] * 6, ["--"] * 6]},
     {"/rolls": "must be a list of 1 to 3 rolls (R3)"}),
    ("roll-a-royal/evaluate", {"rolls": ROLLS, "risk": -1}, {"/risk": NO_RISK}),
    ("roll-a-royal/evaluate", {"rolls": ROLLS, "risk": True}, {"/risk": NO_RISK}),
    ("roll-a-royal/evaluate", {"rolls": TWICE, "risk": 5},
     {"/risk": NO_RISK,
      "/rolls/0/0": shown_twice("As", "/rolls/0/1"),
      "/rolls/0/1": shown_twice("As", "/rolls/0/0")}),
    ("roll-a-royal/evaluate",
     {"rolls": [[*ROLLS[0], "2c"]],
      "house_rules": {"layout": "both", "max_uses": 5, "opening": "queens"}},
     {"/rolls/0": "must hold 13 faces, not 14 (R1)",
      "/house_rules/layout": "must be one of connected, unconnected, either",
      "/house_rules/max_uses": "must be a whole number between 2 and 4",
      "/house_rules/opening": "must be one of jacks_or_better, none"}),
    ("roll-a-royal/rank",
     {"players": [{"id": "ann", "rolls": ROLLS}, {"id": "ben", "rolls": TWICE}]},
     {"/players/1/rolls/0/0": shown_twice("As", "/players/1/rolls/0/1"),
      "/players/1/rolls/0/1": shown_twice("As", "/players/1/rolls/0/0")}),
    ("roll-a-royal/rank", {"players": [{"id": str(n), "rolls": ROLLS} for n in range(101)]},
     {"/players": "must hold 1 to 100 players, not 101"}),
    ("roll-a-royal/score",
     {"rolls": ROLLS,
      "layout": [{"dice": [0, 1, 1, 13], "direction": "diagonal", "row": 0.5, "column": 1001},
                 3, {"dice": [1], "colour": "red"}, {}]},
     {"/layout/0/dice/2": "repeats die 1",
      "/layout/0/dice/3": "must be the number of a die in the first roll, from 0 to 12",
      "/layout/0/direction": "must be one of across, down",
      "/layout/0/row": SQUARE,
      "/layout/0/column": SQUARE,
      "/layout/1": "must be an object",
      "/layout/2/dice": "must be a list of 2 to 13 dice",
      "/layout/2/colour": "is not a known field; the fields are dice, direction, row, column",
      "/layout/3/dice": "is missing"}),
    ("roll-a-royal/score", {"rolls": ROLLS, "layout": [{"dice": [0, 5]}]},
     {"/layout/0/direction": NEEDED, "/layout/0/row": NEEDED, "/layout/0/column": NEEDED,
      "/layout/0": "is a pair that crosses no other hand, so it doesn't count (R7)"}),
    ("roll-a-royal/score", {"rolls": ROLLS, "layout": [{"dice": [0, 5]}] * 27},
     {"/layout": "must be a list of up to 26 lines"}),
]  # fmt: skip


ELEVEN = ["--"] * 11
OVER = ["2h", "3d", "5c", "7s", "9h", *["--"] * 8]
"""A roll that doesn't open."""

NOT_BENS = "is allowed only for the player whose turn it is: ben"
ONLY_WITH_DICE = "is allowed only with dice"

FORECASTS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("dice-poker/forecast", {"players": [], "to_act": 3},
     {"/players": "must hold 1 to 20 players, not 0",
      "/to_act": "must be a string of 1 to 64 characters"}),
    ("dice-poker/forecast",
     {"players": [{"id": "ann", "card": FULL, "dice": [1, 1, 1, 1, 1]},
                  {"id": "ben", "card": CHANCE, "rolls_left": 1},
                  {"id": "cleo", "card": CHANCE, "dice": [1, 1, 1, 1, 1]}],
      "to_act": "ben"},
     {"/players/0/dice": "must be left out, because the card is full",
      "/players/1/rolls_left": ONLY_WITH_DICE,
      "/players/2/dice": NOT_BENS}),
    ("dice-poker/forecast", {"players": [{"id": "ann", "card": CHANCE}], "to_act": "ben"},
     {"/to_act": "must be one of ann"}),
    ("poker-dice/forecast",
     {"players": [{"id": "ann", "dice": [1, 1, 1, 1, 1], "rolled": True, "rolls_left": 1},
                  {"id": "ben"}, {"id": "cleo", "dice": [1, 1, 1, 1, 1]}]},
     {"/players/0/rolls_left": ONLY_WITH_DICE, "/players/2/dice": NOT_BENS}),
    ("roll-a-royal/forecast",
     {"players": [{"id": "ann", "total": 0},
                  {"id": "ben", "total": 0, "turns_left": 1, "rolls": [["As", "As", *ELEVEN]]}]},
     {"/players/0/turns_left": "is missing",
      "/players/1/rolls/0/0": shown_twice("As", "/players/1/rolls/0/1"),
      "/players/1/rolls/0/1": shown_twice("As", "/players/1/rolls/0/0")}),
    ("roll-a-royal/forecast",
     {"players": [{"id": "ann", "total": 0, "turns_left": 1, "rolls": []},
                  {"id": "ben", "total": 0, "turns_left": 1, "rolls": [["As", "Ah", *ELEVEN]]},
                  {"id": "cleo", "total": 0, "turns_left": 1, "points": 0},
                  {"id": "dan", "total": 0, "turns_left": 1, "rolls": [["As", "Ah", *ELEVEN]]}]},
     {"/players/2/points": NOT_BENS, "/players/3/rolls": NOT_BENS}),
    ("roll-a-royal/forecast", {"players": [{"id": "ann", "total": -1, "turns_left": 101}]},
     {"/players/0/total": "must be a whole number between 0 and 10000000",
      "/players/0/turns_left": "must be a whole number between 0 and 100"}),
    ("texas-holdem-dice/forecast",
     {"community": ["1r", "2r", "3r"],
      "players": [{"id": "ann", "pocket": ["4r", "5r"]}, {"id": "ben", "pocket": ["6r", "6b"]}]},
     {"/players/1/pocket/0": "is red die number 6 on this table; the set has 5 (H24)"}),
    ("texas-holdem-dice/forecast", {"community": "1r", "players": [{"id": "ann"}, {"id": "ben"}]},
     {"/community": "must be a list of dice"}),
    ("texas-holdem-dice/forecast", {"community": ["1r"], "players": [{"id": "ann"}, {"id": "ben"}]},
     {"/community": "must hold 0, 3, 4 or 5 dice, not 1"}),
    ("texas-holdem-dice/forecast",
     {"players": [{"id": name, "folded": True} for name in ("ann", "ben")]},
     {"/players": "must hold at least one player who has not folded"}),
]  # fmt: skip

LAST = {"card": CHANCE, "dice": [6, 5, 4, 3, 2], "rolls_left": 0}

CHOICES: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    ("dice-poker/choose", {**LAST, "card": FULL, "strength": "best"}, {"/card": FULL_CARD}),
    ("dice-poker/choose", LAST, {"/strength": "is missing"}),
    ("dice-poker/choose", {**LAST, "strength": "strong", "seed": -1},
     {"/strength": "must be one of easy, medium, hard, best",
      "/seed": "must be a whole number between 0 and 9007199254740991"}),
    ("roll-a-royal/choose", {"rolls": [OVER], "strength": "best"},
     {"/rolls": "must leave something to decide: the turn is over"}),
]  # fmt: skip

FOURS = {"dice": [4, 4, 4, 4, 4]}
OPEN_BOXES = {"open_boxes": ["full_house", "chance"]}
MUST_BE_USED = "is allowed only with open_boxes that exclude five_of_a_kind (D15)"
ONLY_WITHOUT_CARD = "is allowed only without card"

CARDS: list[tuple[str, dict[str, Any], dict[str, str]]] = [
    *(("dice-poker/evaluate", {**FOURS, "five_of_a_kind": holds, **given},
       {"/five_of_a_kind": MUST_BE_USED})
      for holds in (0, 50) for given in ({}, {"open_boxes": ["five_of_a_kind", "chance"]})),
    *(("dice-poker/evaluate", {**FOURS, **OPEN_BOXES, "five_of_a_kind": holds},
       {"/five_of_a_kind": "must be 50 or 0"})
      for holds in (25, -50, 50.5, True, "50", [50])),
    ("dice-poker/evaluate", {**FOURS, "open_boxes": ["chnce"], "five_of_a_kind": 50},
     {"/open_boxes/0": "must be one of " + ", ".join(BOXES)}),
    ("dice-poker/evaluate",
     {**FOURS, "card": CHANCE, "open_boxes": ["chance"], "five_of_a_kind": 50},
     {"/open_boxes": ONLY_WITHOUT_CARD, "/five_of_a_kind": ONLY_WITHOUT_CARD}),
    ("dice-poker/evaluate", {**FOURS, "card": FULL, "open_boxes": ["chance"]},
     {"/open_boxes": ONLY_WITHOUT_CARD, "/card": FULL_CARD}),
    ("dice-poker/evaluate", {**FOURS, "card": {**USED, "five_of_a_kind": 50, "extra_fives": 1}},
     {"/card/extra_fives": NO_BONUS}),
    ("dice-poker/evaluate", {**FOURS, "card": {"sixes": 17}, "five_of_a_kind": 50},
     {"/card/sixes": ONLY_SIXES}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body", "errors"),
    [
        *ADVICE, *LAYOUTS, *FORECASTS, *CHOICES, *CARDS,
        *(("dice-poker/review", *review) for review in REVIEWS),
    ],
)  # fmt: skip
def test_refused(service: Service, path: str, body: dict[str, Any], errors: dict[str, str]) -> None:
    """All violations of the schema and the rules are in one response, in order."""
    path = f"/v1/variants/{path}"
    assert violations(service.post(path, body), path) == [*errors.items()]
