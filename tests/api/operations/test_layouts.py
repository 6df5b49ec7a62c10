"""Roll-a-Royal over HTTP: whole responses, and invalid layouts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.live import Service

PATH = "/v1/variants/roll-a-royal"

ROLLS = [
    ["As", "Ks", "Qs", "Js", "10s", "Ah", "--", "--", "--", "--", "--", "--", "--"],
    ["9s", "--", "--", "--", "--", "--", "--"],
]
ROYAL = {
    "hand": "royal_flush",
    "dice": [0, 1, 2, 3, 4, 6],
    "cards": ["As", "Ks", "Qs", "Js", "Ts", "9s"],
    "points": 8400,
    "first_roll": True,
    "reason": "Royal flush: 4,000 doubled on the first roll, and 400 for 1 further card (R9, R24).",
    "because": {
        "decided_by": "line_doubled_further",
        "hand": "royal_flush",
        "points": 4000,
        "further": 400,
        "cards": 1,
        "clause": "R9",
        "doubles": "R24",
    },
    "clause": "R9",
}
PAIR = {
    "hand": "pair", "dice": [5, 0], "cards": ["Ah", "As"], "points": 50, "first_roll": False,
    "reason": "Pair: 50 (R9).", "clause": "R9",
    "because": {"decided_by": "line", "hand": "pair", "points": 50, "clause": "R9"},
}  # fmt: skip
NOWHERE = {"direction": None, "row": None, "column": None}
SCORED = {"variant": "roll-a-royal", "opened": True, "all_dice_bonus": 0, "wins_game": False}
UNPROVEN: dict[str, Any] = {
    "rolls": [["As"] * 7 + ["Ah"] * 6],
    "house_rules": {"repeated_cards": True, "max_uses": 4},
}
"""A turn whose search stops at its limit."""


def answer(service: Service, operation: str, body: dict[str, Any]) -> Any:
    """The response to a valid request."""
    reply = service.post(f"{PATH}/{operation}", body)
    assert reply.status == 200, reply.json
    return reply.json


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            {"rolls": ROLLS, "risk": 2},
            {
                **SCORED,
                "hands": [
                    {**ROYAL, "direction": "across", "row": 1, "column": 0},
                    {**PAIR, "direction": "down", "row": 0, "column": 0},
                ],
                "points": 8450, "score": 16900,
                "grid": [
                    *({"die": die, "card": card, "row": 1, "column": die}
                      for die, card in enumerate(["As", "Ks", "Qs", "Js", "Ts"])),
                    {"die": 5, "card": "Ah", "row": 0, "column": 0},
                    {"die": 6, "card": "9s", "row": 1, "column": 5},
                ],
                "proven": True,
            },
        ),
        (
            {"rolls": ROLLS, "house_rules": {"max_uses": 3}},
            {
                **SCORED,
                "hands": [
                    {**ROYAL, **NOWHERE},
                    {**PAIR, "dice": [0, 5], "cards": ["As", "Ah"], **NOWHERE},
                ],
                "points": 8450, "score": 8450, "grid": None, "proven": True,
                "house_rules": {
                    "layout": "connected", "max_uses": 3, "opening": "jacks_or_better",
                    "repeated_cards": False, "turns": 10, "target_score": None,
                    "finish_round": True,
                    "turn_seconds": None,
                },
            },
        ),
        (
            {"rolls": [["2s", "2h", *["--"] * 11]], "risk": 4},
            {
                **SCORED,
                "opened": False,
                "missing": "A pair of jacks or better opens; the best here is a pair of twos "
                "(R25).",
                "lacks": {"decided_by": "low_pair", "pair": "twos", "clause": "R25"},
                "hands": [], "points": 0, "score": 0, "grid": [], "proven": True,
            },
        ),
    ],
    ids=["a grid and a risk die", "free directions", "unopened"],
)  # fmt: skip
def test_evaluate(service: Service, body: dict[str, Any], expected: dict[str, Any]) -> None:
    """The best layout with every die's place, its points, and the score after the risk die.

    Above two uses hands have no place, and there is no grid; changed rules come back (R27). A turn
    that doesn't open scores zero, and the response says what was missing (R31).
    """
    assert answer(service, "evaluate", body) == expected


def test_evaluate_at_the_limit(service: Service) -> None:
    """A search that stopped early says so, with a bound that no layout exceeds (R32)."""
    found = answer(service, "evaluate", UNPROVEN)
    assert found["proven"] is False
    assert found["points"] < found["upper_bound"]
    assert found == answer(service, "evaluate", UNPROVEN)


def test_rank(service: Service) -> None:
    """Players are ordered by score, a super royal first, with points before the risk die."""
    spades = [[f"{rank}s" for rank in "23456789TJQKA"]]
    players = [
        {"id": "ann", "rolls": ROLLS, "risk": 2},
        {"id": "ben", "rolls": spades, "risk": 0},
        {"id": "cat", "rolls": ROLLS, "risk": 2.0},
    ]
    assert answer(service, "rank", {"players": players}) == {
        "variant": "roll-a-royal",
        "places": [
            {
                "place": 1, "players": ["ben"], "strength": 1_000_000,
                "reason": "A super royal wins the game at once (R9).",
                "because": {"decided_by": "super_royal", "clause": "R9"},
                "points": [16500], "score": 0, "wins_game": True, "proven": True,
            },
            {
                "place": 2, "players": ["ann", "cat"], "strength": 16900,
                "reason": "The lowest score here: 16,900.",
                "because": {"decided_by": "lowest_score", "score": 16900},
                "points": [8450, 8450], "score": 16900, "wins_game": False, "proven": True,
            },
        ],
        "winners": ["ben"],
    }  # fmt: skip


def test_unproven_places(service: Service) -> None:
    """An unproven place has the bound of each of its players (R32)."""
    rolls, rules = UNPROVEN["rolls"], UNPROVEN["house_rules"]
    players = [{"id": name, "rolls": rolls} for name in ("ann", "ben")]
    (place,) = answer(service, "rank", {"players": players, "house_rules": rules})["places"]
    assert (place["players"], place["proven"]) == (["ann", "ben"], False)
    assert place["upper_bound"] == [place["upper_bound"][0]] * 2
    assert place["upper_bound"][0] > place["points"][0] == place["score"]


def test_score(service: Service) -> None:
    """A player's own layout, and by how much the best one beats it (R32)."""
    laid = {"dice": [4, 3, 2, 1, 0], "direction": "down", "row": -2, "column": 7}
    assert answer(service, "score", {"rolls": ROLLS, "layout": [laid], "risk": 3}) == {
        **SCORED,
        "hands": [
            {
                **ROYAL,
                **laid,
                "cards": ["Ts", "Js", "Qs", "Ks", "As"],
                "points": 8000,
                "reason": "Royal flush: 4,000 doubled on the first roll (R9, R24).",
                "because": {
                    "decided_by": "line_doubled",
                    "hand": "royal_flush",
                    "points": 4000,
                    "clause": "R9",
                    "doubles": "R24",
                },
            }
        ],
        "points": 8000,
        "score": 24000,
        "best": {"points": 8450, "beats_by": 450, "proven": True},
    }


def test_catalogue(service: Service) -> None:
    """The catalogue has what a screen needs: hands with points, dice, risk die, house rules."""
    entry = service.get(PATH).json
    names = ("id", "points", "further", "doubles")
    assert [tuple(hand[name] for name in names) for hand in entry["hands"]] == [
        ("royal_flush", 4000, 400, True),
        ("straight_flush", 2000, 200, True),
        ("four_of_a_kind", 500, 0, True),
        ("full_house", 400, 0, False),
        ("flush", 300, 100, False),
        ("straight", 200, 50, False),
        ("three_of_a_kind", 150, 0, False),
        ("pair", 50, 0, False),
    ]
    suits = ("spades", "hearts", "diamonds", "clubs")
    assert entry["dice"] == {
        "count": 13, "faces": 6, "names": [], "colours": [],
        "suits": [{"id": name, "letter": name[0], "name": name} for name in suits],
        "notation": "a rank (2 3 4 5 6 7 8 9 T J Q K A; the ten also as 10), then a suit letter: "
        "s h d c; a blank is --",
    }  # fmt: skip
    assert (entry["rolls"], entry["players"]) == (3, {"min": 1, "max": None})
    assert (entry["all_dice_bonus"], entry["risk_faces"]) == (500, [1, 2, 3, 4, 0, 0])
    assert len(entry["dice_set"]) == 13
    assert entry["dice_set"][0] == ["2s", "5h", "8d", "Jc", "--", "--"]
    assert entry["tie_breaks"] == [
        {
            "id": "score",
            "text": "The game lasts an agreed number of turns, or goes to an agreed score. The "
            "highest score wins.",
            "clause": "R5",
        }
    ]
    names = ("name", "type", "default", "choices")
    assert [tuple(rule[name] for name in names) for rule in entry["house_rules"]] == [
        ("layout", "string", "connected", ["connected", "unconnected", "either"]),
        ("max_uses", "integer", 2, []),
        ("opening", "string", "jacks_or_better", ["jacks_or_better", "none"]),
        ("repeated_cards", "boolean", False, []),
        ("turns", "integer", 10, []),
        ("target_score", "integer", None, []),
        ("finish_round", "boolean", True, []),
        ("turn_seconds", "integer", None, []),
    ]
