"""`forecast` over HTTP: whole responses, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.operations.posting import violations
from tests.api.operations.test_scorecard_advice import CHANCE
from tests.live import Service

CARD = "/v1/variants/dice-poker/forecast"
DICE = "/v1/variants/poker-dice/forecast"
LAYOUT = "/v1/variants/roll-a-royal/forecast"
TWICE = "shows As, and so does /players/{}; the set has each card once (R20)"
ELEVEN = ["--"] * 11
HOLDEM = "/v1/variants/texas-holdem-dice/forecast"
FULL = {**CHANCE, "chance": 20}


def test_cards(service: Service) -> None:
    """Against a finished card of 195, the chance must bring 21 more: with 15 and one die to roll,
    that takes a 6.
    """
    acting = {"id": "ann", "card": CHANCE, "dice": [6, 4, 3, 2, 1], "rolls_left": 0}
    asked = {"players": [acting, {"id": "ben", "card": FULL}], "to_act": "ann"}
    assert service.post(CARD, asked).json == {
        "variant": "dice-poker",
        "players": [
            {"id": "ann", "win": 0.0, "share": 0.0, "expected": 191.0, "deviation": 0.0},
            {"id": "ben", "win": 1.0, "share": 0.0, "expected": 195.0, "deviation": 0.0},
        ],
        "exact": True,
        "standard_error": 0.0,
    }
    rolling = {"id": "ann", "card": CHANCE, "dice": [6, 5, 4, 4, 1], "rolls_left": 1}
    reply = service.post(CARD, {**asked, "players": [rolling, {"id": "ben", "card": FULL}]})
    ann, ben = reply.json["players"]
    kept = 19  # and one die: 1 shares with 20, more wins
    assert (ann["win"], ann["share"]) == (pytest.approx(5 / 6), pytest.approx(1 / 6))
    assert (ben["win"], ben["share"]) == (0.0, pytest.approx(1 / 6))
    assert (ann["expected"], ann["deviation"]) == (
        pytest.approx(175 + kept + 3.5),
        pytest.approx((35 / 12) ** 0.5),
    )


@pytest.mark.usefixtures("solved_dice_poker")
def test_cards_with_many_open_boxes(service: Service) -> None:
    """The chances of all add up to what they share, with the error of approximations."""
    asked = {"players": [{"id": "ann", "card": {}}, {"id": "ben", "card": {"ones": 0}}]}
    answer = service.post(CARD, asked).json
    ann, ben = answer["players"]
    assert (answer["exact"], answer["standard_error"]) == (False, 0.004)
    assert ann["win"] + ben["win"] + ann["share"] == pytest.approx(1, abs=1e-6)
    assert ann["win"] > 0.5 > ben["win"]
    assert ann["expected"] == pytest.approx(245.9, abs=0.1)


def test_rounds(service: Service) -> None:
    """With one roll for two dice, a further six beats four fives: 11 in 36."""
    asked = {
        "players": [
            {"id": "ann", "dice": [5, 5, 5, 5, 6], "rolled": True},
            {"id": "cleo", "rolled": True},
            {"id": "ben", "dice": [6, 2, 6, 1, 6], "rolls_left": 1},
        ]
    }
    chances = {"ann": 25 / 36, "cleo": 0.0, "ben": 11 / 36}
    assert service.post(DICE, asked).json == {
        "variant": "poker-dice",
        "players": [
            {
                "id": name,
                "win": pytest.approx(chance, abs=1e-9),
                "share": 0.0,
                "expected": pytest.approx(chance, abs=1e-9),
                "deviation": pytest.approx((chance * (1 - chance)) ** 0.5, abs=1e-9),
            }
            for name, chance in chances.items()
        ],
        "exact": True,
        "standard_error": 0.0,
    }


def test_hands(service: Service) -> None:
    """Ann's three sixes win unless the last die is a 5: that makes a straight with Ben's threes.
    Who has folded keeps the other chips.
    """
    asked = {
        "community": ["1r", "2b", "6w", "4y"],
        "players": [
            {"id": "ann", "pocket": ["6r", "6b"], "stack": 200},
            {"id": "ben", "pocket": ["3r", "3b"], "stack": 300},
            {"id": "cleo", "folded": True, "stack": 500},
        ],
        "pot": 120,
    }
    cleo = {"id": "cleo", "win": 0.0, "share": 0.0, "expected": 500.0, "deviation": 0.0}
    answer = service.post(HOLDEM, asked).json
    ann, ben, last = answer.pop("players")
    assert answer == {"variant": "texas-holdem-dice", "exact": True, "standard_error": 0.0}
    assert last == cleo
    assert (ann["share"], ben["share"]) == (0.0, 0.0)
    assert ann["win"] + ben["win"] == pytest.approx(1)
    assert ben["win"] == pytest.approx(1 / 6)
    assert ann["expected"] == pytest.approx(200 + 120 * 5 / 6)
    assert ben["expected"] == pytest.approx(300 + 120 / 6)
    assert ann["deviation"] == ben["deviation"] == pytest.approx(120 * (5 / 36) ** 0.5)


def test_layouts(service: Service) -> None:
    """Without turns left, the totals decide; with turns left, games are simulated."""
    players = [{"id": name, "total": 900, "turns_left": 0} for name in ("ann", "ben")]
    ended = {"win": 0.0, "share": 1.0, "expected": 900.0, "deviation": 0.0}
    assert service.post(LAYOUT, {"players": players}).json == {
        "variant": "roll-a-royal",
        "players": [{"id": "ann", **ended}, {"id": "ben", **ended}],
        "exact": True,
        "standard_error": 0.0,
    }
    players[0]["turns_left"] = 1
    answer = service.post(LAYOUT, {"players": players}).json
    assert answer["players"][0]["win"] > 0.5  # any turn that opens wins
    assert answer["players"][1]["win"] == 0
    assert not answer["exact"]
    assert 0 < answer["standard_error"] < 0.01


@pytest.mark.parametrize(
    ("path", "asked", "errors"),
    [
        (CARD, {"players": [], "to_act": 3}, [
            ("/players", "must hold 1 to 20 players, not 0"),
            ("/to_act", "must be a string of 1 to 64 characters"),
        ]),
        (CARD, {
            "players": [
                {"id": "ann", "card": FULL, "dice": [1, 1, 1, 1, 1]},
                {"id": "ben", "card": CHANCE, "rolls_left": 1},
                {"id": "cleo", "card": CHANCE, "dice": [1, 1, 1, 1, 1]},
            ],
            "to_act": "ben",
        }, [
            ("/players/0/dice", "must be left out, because the card is full"),
            ("/players/1/rolls_left", "is allowed only with dice"),
            ("/players/2/dice", "is allowed only for the player whose turn it is: ben"),
        ]),
        (CARD, {"players": [{"id": "ann", "card": CHANCE}], "to_act": "ben"}, [
            ("/to_act", "must be one of ann"),
        ]),
        (DICE, {
            "players": [
                {"id": "ann", "dice": [1, 1, 1, 1, 1], "rolled": True, "rolls_left": 1},
                {"id": "ben"},
                {"id": "cleo", "dice": [1, 1, 1, 1, 1]},
            ]
        }, [
            ("/players/0/rolls_left", "is allowed only with dice"),
            ("/players/2/dice", "is allowed only for the player whose turn it is: ben"),
        ]),
        (LAYOUT, {"players": [
            {"id": "ann", "total": 0},
            {"id": "ben", "total": 0, "turns_left": 1, "rolls": [["As", "As", *ELEVEN]]},
        ]}, [
            ("/players/0/turns_left", "is missing"),
            ("/players/1/rolls/0/0", TWICE.format("1/rolls/0/1")),
            ("/players/1/rolls/0/1", TWICE.format("1/rolls/0/0")),
        ]),
        (LAYOUT, {"players": [
            {"id": "ann", "total": 0, "turns_left": 1, "rolls": []},
            {"id": "ben", "total": 0, "turns_left": 1, "rolls": [["As", "Ah", *ELEVEN]]},
            {"id": "cleo", "total": 0, "turns_left": 1, "points": 0},
            {"id": "dan", "total": 0, "turns_left": 1, "rolls": [["As", "Ah", *ELEVEN]]},
        ]}, [
            ("/players/2/points", "is allowed only for the player whose turn it is: ben"),
            ("/players/3/rolls", "is allowed only for the player whose turn it is: ben"),
        ]),
        (HOLDEM, {
            "community": ["1r", "2r", "3r"],
            "players": [
                {"id": "ann", "pocket": ["4r", "5r"]},
                {"id": "ben", "pocket": ["6r", "6b"]},
            ],
        }, [
            ("/players/1/pocket/0",
             "is red die number 6 on this table; the set has 5 (H24)"),
        ]),
        (HOLDEM, {"community": "1r", "players": [{"id": "ann"}, {"id": "ben"}]}, [
            ("/community", "must be a list of dice"),
        ]),
        (HOLDEM, {"community": ["1r"], "players": [{"id": "ann"}, {"id": "ben"}]}, [
            ("/community", "must hold 0, 3, 4 or 5 dice, not 1"),
        ]),
        (HOLDEM, {"players": [{"id": name, "folded": True} for name in ("ann", "ben")]}, [
            ("/players", "must hold at least one player who has not folded"),
        ]),
        (LAYOUT, {"players": [{"id": "ann", "total": -1, "turns_left": 101}]}, [
            ("/players/0/total", "must be a whole number between 0 and 10000000"),
            ("/players/0/turns_left", "must be a whole number between 0 and 100"),
        ]),
    ],
)  # fmt: skip
def test_refused(
    service: Service, path: str, asked: dict[str, Any], errors: list[tuple[str, str]]
) -> None:
    """Every violation at once, each with its code."""
    assert violations(service, path, asked) == errors
