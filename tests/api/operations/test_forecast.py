"""`forecast` over HTTP: whole responses."""

from __future__ import annotations

import pytest

from tests.api.operations.test_scorecard_advice import CHANCE
from tests.live import Service

CARD = "/v1/variants/dice-poker/forecast"
DICE = "/v1/variants/poker-dice/forecast"
LAYOUT = "/v1/variants/roll-a-royal/forecast"
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
