"""The whole responses of each operation over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from service.variants import dice_poker
from tests.api.operations.posting import violations
from tests.live import Service

HOUSE_RULES = {
    "ante": 10, "small_limit": 10, "big_limit": 20, "max_raises": 3, "starting_chips": 500,
    "total_chips": None, "betting": "limit", "bet_size": "up_to", "small_blind": 0, "big_blind": 0,
    "hands": None, "blinds_up": None, "flop_rerolls": None, "yahtzee_flush": "off",
    "kickers": True, "suits_break_ties": True, "turn_seconds": None,
}  # fmt: skip

EVALUATE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "poker-dice",
        {"dice": [3.0, 3, 2, 2, 1], "house_rules": {"pairs_rank": True}},
        {
            "rank": "two_pair", "clause": "P11", "strength": 59, "best": [3, 3, 2, 2, 1],
            "tie_break": {"numbers": [3, 2, 1]},
            "house_rules": {"pairs_rank": True, "starting_chips": 100, "stakes": "smallest_stack",
                            "rounds": 10, "turn_seconds": None},
        },
    ),
    (
        "texas-holdem-dice",
        {"pocket": ["5r", "5b"], "community": ["1w", "2y", "6r"]},
        {
            "rank": "one_pair", "clause": "H22", "winning": False, "strength": 145,
            "best": ["5r", "5b", "6r", "2y", "1w"],
            "tie_break": {"numbers": [5, 6, 2, 1], "most_of_one_suit": 2},
            "holds": None, "wins_game": False,
        },
    ),
    (
        "texas-holdem-dice",
        {"pocket": ["3r", "3r"], "community": ["3r", "3r", "3r"],
         "house_rules": {"yahtzee_flush": "off"}},
        {
            "rank": "yahtzee_flush", "clause": "H4", "winning": True, "strength": 1005,
            "best": ["3r", "3r", "3r", "3r", "3r"],
            "tie_break": {"numbers": [3], "most_of_one_suit": 5},
            "holds": None, "wins_game": False, "house_rules": HOUSE_RULES,
        },
    ),
    (
        "dice-poker",
        {"dice": [2, 3, 4, 5, 5], "open_boxes": ["chance", "sixes"]},
        {"scores": {"sixes": 0, "chance": 19}, "best": {"box": "chance", "score": 19}},
    ),
    (
        "yahtzee-deluxe",
        {"dice": [2, 2, 2, 2, 2, 2], "open_boxes": ["twos", "small_yahtzee", "chance"]},
        {
            "scores": {"twos": 12, "small_yahtzee": 12, "chance": 12},
            "best": {"box": "twos", "score": 12},
        },
    ),
]  # fmt: skip
"""Requests besides the examples of the contract, and their responses, apart from the variant."""


@pytest.mark.parametrize(("variant", "request_", "answer"), EVALUATE)
def test_evaluate(
    service: Service, variant: str, request_: dict[str, Any], answer: dict[str, Any]
) -> None:
    """`evaluate` returns the hand, the dice that count, and the faces that break ties."""
    reply = service.post(f"/v1/variants/{variant}/evaluate", request_)
    assert (reply.status, reply.json) == (200, {"variant": variant, **answer})


def test_rank_poker_dice(service: Service) -> None:
    """`rank` returns places, with equal hands in the same place, and what separates them."""
    players = [
        {"id": "ann", "dice": [1, 2, 3, 4, 5]},
        {"id": "ben", "dice": [5, 5, 3, 3, 3]},
        {"id": "cat", "dice": [3, 5, 3, 5, 3]},
    ]
    full_house = {"clause": "P3", "best": [3, 3, 3, 5, 5], "tie_break": {"numbers": [3, 5]}}
    straight = {"clause": "P3", "best": [5, 4, 3, 2, 1], "tie_break": {"numbers": [5]}}
    assert service.post("/v1/variants/poker-dice/rank", {"players": players}).json == {
        "variant": "poker-dice",
        "places": [
            {
                "place": 1, "players": ["ben", "cat"], "strength": 200, "rank": "full_house",
                "reason": "Full house beats straight (P3).",
                "because": {
                    "decided_by": "rank", "better": "full_house", "worse": "straight",
                    "clause": "P3",
                },
                **full_house,
            },
            {
                "place": 3, "players": ["ann"], "strength": 185, "rank": "straight",
                "reason": "The lowest hand here: straight.",
                "because": {"decided_by": "lowest_hand", "rank": "straight"}, **straight,
            },
        ],
        "winners": ["ben", "cat"],
    }  # fmt: skip


@pytest.mark.parametrize("of_dan", [{"pocket": ["1r", "1b"]}, {}], ids=["known", "unknown"])
def test_rank_holdem_with_pots(service: Service, of_dan: dict[str, Any]) -> None:
    """The showdown has places, dice, every pot and what each player gets (H14, H15, H25).

    Whether anyone knows the pocket of a player who folded makes no difference (H32).
    """
    reply = service.post(
        "/v1/variants/texas-holdem-dice/rank",
        {
            "community": ["3b", "4b", "4w", "2y", "6y"],
            "players": [
                {"id": "ann", "pocket": ["5r", "6r"], "paid": 50},
                {"id": "ben", "pocket": ["3r", "3w"], "paid": 120},
                {"id": "cat", "pocket": ["4r", "1w"], "paid": 120},
                {"id": "dan", **of_dan, "paid": 10, "folded": True},
            ],
        },
    )
    assert reply.json == {
        "variant": "texas-holdem-dice",
        "places": [
            {
                "place": 1, "players": ["ann"], "strength": 646, "rank": "straight",
                "clause": "H4", "reason": "Straight beats full house (H4).",
                "because": {
                    "decided_by": "rank", "better": "straight", "worse": "full_house",
                    "clause": "H4",
                },
                "tie_break": {"numbers": [6], "most_of_one_suit": 2},
                "hands": [{"id": "ann", "best": ["6r", "5r", "4b", "3b", "2y"]}],
            },
            {
                "place": 2, "players": ["ben"], "strength": 589, "rank": "full_house",
                "clause": "H4", "reason": "Full house beats three of a kind (H4).",
                "because": {
                    "decided_by": "rank", "better": "full_house", "worse": "three_of_a_kind",
                    "clause": "H4",
                },
                "tie_break": {"numbers": [3, 4], "most_of_one_suit": 2},
                "hands": [{"id": "ben", "best": ["3r", "3b", "3w", "4b", "4w"]}],
            },
            {
                "place": 3, "players": ["cat"], "strength": 487, "rank": "three_of_a_kind",
                "clause": "H4", "reason": "The lowest hand here: three of a kind.",
                "because": {"decided_by": "lowest_hand", "rank": "three_of_a_kind"},
                "tie_break": {"numbers": [4, 6, 3], "most_of_one_suit": 2},
                "hands": [{"id": "cat", "best": ["4r", "4b", "4w", "6y", "3b"]}],
            },
        ],
        "winners": ["ann"],
        "wins_game": False,
        "pots": [
            {"amount": 160, "eligible": ["ann", "ben", "cat"], "payouts": {"ann": 160}},
            {"amount": 140, "eligible": ["ben", "cat"], "payouts": {"ben": 140}},
        ],
        "payouts": {"ann": 160, "ben": 140, "cat": 0, "dan": 0},
        "returned": {},
    }  # fmt: skip


def test_score_a_turn(service: Service) -> None:
    """A turn fills its box, and the card is added up, repeats included (D2, D3, D10)."""
    card = {"five_of_a_kind": 50, "sixes": 30, "fives": 25, "chance": 0}
    rules = {"extra_five_bonus": 100}
    turn = {"dice": [4, 4, 4, 4, 4], "box": "fours"}
    asked = {"card": card, "turn": turn, "house_rules": rules}
    filled = {**dict.fromkeys(dice_poker.VARIANT.possible), **card, "fours": 20}
    assert service.post("/v1/variants/dice-poker/score", asked).json == {
        "variant": "dice-poker",
        "card": {**filled, "extra_fives": 1},
        "upper": 75, "bonus": 35, "lower": 50, "total": 260, "extra_fives_points": 100,
        "open_boxes": [box for box, score in filled.items() if score is None],
        "complete": False,
        "house_rules": {**rules, "joker": False, "five_alike_is_full_house": False,
                        "turn_seconds": 30, "throw_to_begin": False,
                        "zero_only_if_nothing_fits": False},
    }  # fmt: skip


def test_score_a_zero_while_the_dice_score(service: Service) -> None:
    """Under zero_only_if_nothing_fits a turn with a zero is refused while its dice score in an open
    box, and the boxes where they do are named; otherwise it is written (D17).
    """
    path = "/v1/variants/dice-poker/score"
    used = {box: 0 for box in dice_poker.VARIANT.possible if box not in ("ones", "twos", "sixes")}
    turn = {"dice": [2, 2, 3, 3, 6], "box": "ones"}
    asked = {"card": used, "turn": turn, "house_rules": {"zero_only_if_nothing_fits": True}}
    detail = "must be twos or sixes, where the dice score: a zero is refused (D17)"
    assert violations(service.post(path, asked), path) == [("/turn/box", detail)]
    nothing = {**asked, "turn": {**turn, "dice": [3, 3, 4, 4, 5]}}
    for allowed in (nothing, {**asked, "house_rules": {}}):
        written = service.post(path, allowed)
        assert (written.status, written.json["card"]["ones"]) == (200, 0)


def test_score_a_full_card(service: Service) -> None:
    """A card with every box used is complete, zeros included (Y3, Y4)."""
    card = {
        "ones": 4, "twos": 8, "threes": 12, "fours": 16, "fives": 20, "sixes": 24,
        "three_pairs": 20, "two_triplets": 0, "full_house": 40, "straight": 0, "yahtzee": 0,
        "small_straight": 21, "small_yahtzee": 0, "chance": 30,
    }  # fmt: skip
    assert service.post("/v1/variants/yahtzee-deluxe/score", {"card": card}).json == {
        "variant": "yahtzee-deluxe", "card": card, "upper": 84, "bonus": 50, "lower": 111,
        "total": 245, "open_boxes": [], "complete": True,
    }  # fmt: skip


TABLE = {
    "community": ["3r", "3b", "4w", "5y", "6y"],
    "players": [{"id": "ann", "pocket": ["1r", "1b"]}, {"id": "b", "pocket": ["2r", "2b"]}],
}


@pytest.mark.parametrize(
    ("variant", "asked", "changed", "in_force"),
    [
        ("poker-dice", {"players": [{"id": "ann", "dice": [1, 2, 3, 4, 5]}]}, {"pairs_rank": True},
         {"pairs_rank": True, "starting_chips": 100, "stakes": "smallest_stack", "rounds": 10,
          "turn_seconds": None}),
        ("dice-poker", {"players": [{"id": "ann", "card": {}}]}, {"joker": True},
         {"extra_five_bonus": 0, "joker": True, "five_alike_is_full_house": False,
          "turn_seconds": 30, "throw_to_begin": False, "zero_only_if_nothing_fits": False}),
        ("texas-holdem-dice", TABLE, {"yahtzee_flush": "off"}, HOUSE_RULES),
    ],
)  # fmt: skip
def test_changed_house_rules_are_echoed(
    service: Service,
    variant: str,
    asked: dict[str, Any],
    changed: dict[str, Any],
    in_force: dict[str, Any],
) -> None:
    """A response has all house rules in force when one differs from its default."""
    path = f"/v1/variants/{variant}/rank"
    assert service.post(path, {**asked, "house_rules": changed}).json["house_rules"] == in_force
    defaults = {name: not value for name, value in changed.items()}
    for unchanged in ({}, defaults):
        assert "house_rules" not in service.post(path, {**asked, "house_rules": unchanged}).json


@pytest.mark.parametrize(
    ("variant", "order", "tie"), [("dice-poker", "D6", "D6"), ("yahtzee-deluxe", "Y7", "Y11")]
)
def test_the_reasons_of_totals(service: Service, variant: str, order: str, tie: str) -> None:
    """Places by totals say by how much one is ahead, or that all are equal."""
    cards = [{"id": name, "card": {"ones": ones}} for name, ones in (("ann", 2), ("ben", 4))]

    def reasons(*players: Any) -> list[Any]:
        places = service.post(f"/v1/variants/{variant}/rank", {"players": players}).json["places"]
        return [(place["reason"], place["because"]) for place in places]

    assert reasons(*cards) == [
        (
            f"A total of 4 is 2 more than 2 ({order}).",
            {"decided_by": "total", "total": 4, "ahead": 2, "next": 2, "clause": order},
        ),
        ("The lowest total here: 2.", {"decided_by": "lowest_total", "total": 2}),
    ]
    assert reasons(cards[0], {**cards[0], "id": "cat"}) == [
        (
            f"A total of 2 each; equal totals tie ({tie}).",
            {"decided_by": "equal_totals", "total": 2, "clause": tie},
        )
    ]
    assert reasons(cards[0]) == [
        ("A total of 2, and nobody else to compare with.", {"decided_by": "only_total", "total": 2})
    ]


def test_a_player_alone(service: Service) -> None:
    """The last player who has not folded takes the pot, with nobody to compare with (H15)."""
    reply = service.post(
        "/v1/variants/texas-holdem-dice/rank",
        {
            "community": ["1b", "2w", "3y", "5y", "6y"],
            "players": [
                {"id": "ann", "pocket": ["4r", "4b"], "paid": 50},
                {"id": "ben", "pocket": ["4w", "1y"], "paid": 70, "folded": True},
            ],
        },
    ).json
    assert [place["reason"] for place in reply["places"]] == [
        "Straight, and nobody else to compare with."
    ]
    assert (reply["winners"], reply["payouts"]) == (["ann"], {"ann": 120, "ben": 0})


@pytest.mark.parametrize("seen", [{}, {"community": ["1b", "2w", "3y", "5y", "6y"]}], ids=str)
def test_a_hand_that_ended_by_folds(service: Service, seen: dict[str, Any]) -> None:
    """The last player left takes the pots without showing, whether or not the community is known;
    the chips that nobody called are told apart (H15).
    """
    asked = {"players": [{"id": "ann", "paid": 20, "folded": True}, {"id": "ben", "paid": 90}]}
    assert service.post("/v1/variants/texas-holdem-dice/rank", {**asked, **seen}).json == {
        "variant": "texas-holdem-dice",
        "places": [
            {
                "place": 1, "players": ["ben"], "strength": None, "rank": None, "clause": None,
                "reason": "Everyone else has folded, so ben takes the pot without showing (H15).",
                "because": {"decided_by": "without_showing", "player": "ben", "clause": "H15"},
                "tie_break": None, "hands": [{"id": "ben", "best": []}],
            }
        ],
        "winners": ["ben"],
        "wins_game": False,
        "pots": [{"amount": 110, "eligible": ["ben"], "payouts": {"ben": 110}}],
        "payouts": {"ann": 0, "ben": 110},
        "returned": {"ben": 70},
    }  # fmt: skip


def test_evaluate_where_suits_break_no_ties(service: Service) -> None:
    """What breaks ties has only the numbers that count, and no suits; `best` has all five dice:
    those with the most of one suit (H21, H38).
    """
    asked = {
        "pocket": ["6r", "6b"], "community": ["6w", "6y", "2r", "3b", "4w"],
        "house_rules": {"kickers": False, "suits_break_ties": False},
    }  # fmt: skip
    reply = service.post("/v1/variants/texas-holdem-dice/evaluate", asked).json
    assert (reply["best"], reply["tie_break"]) == (
        ["6r", "6b", "6w", "6y", "4w"],
        {"numbers": [6], "most_of_one_suit": None},
    )
