"""`advise` of games with pocket and community dice over HTTP, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from service.advice.community.position import most_opponents
from service.api.operations.community_advice import question
from service.kinds.community.variant import CommunityRanking
from service.variants import variants
from service.variants.texas_holdem_dice import VARIANT
from tests.api.batch.batching import NDJSON, batch, lines, post
from tests.live import Service

ADVISE = "/v1/variants/texas-holdem-dice/advise"
RIVER = {"pocket": ["1r", "1b"], "community": ["6w", "6y", "6r", "5b", "5w"]}


def ranks(**chances: float) -> dict[str, float]:
    """The chances of all ranks, 0 for those not named."""
    return {**{rank.id: 0.0 for rank in VARIANT.ranks}, **chances}


def test_whole_response(service: Service) -> None:
    """All chances, the price of a call, and changed house rules. Everybody has the full house on
    the table; a six, a white five or two fives make a stronger hand.
    """
    asked = {**RIVER, "pot": 120, "to_call": 20, "house_rules": {"max_raises": 1}}
    reply = service.post(ADVISE, asked)
    assert reply.status == 200
    assert {**reply.json, "house_rules": reply.json["house_rules"]["max_raises"]} == {
        "variant": "texas-holdem-dice",
        "win": 0.0,
        "tie": 0.615384615385,
        "equity": 0.307692307692,
        "ranks": ranks(full_house=1.0),
        "break_even": 20 / 140,
        "exact": True,
        "standard_error": 0.0,
        "house_rules": 1,
    }
    assert [*reply.json["ranks"]] == [*ranks()]


def test_defaults(service: Service) -> None:
    """By default there is one opponent, with an unknown pocket; nothing lies on the table, and
    nothing is said of chips.
    """
    asked: dict[str, Any] = {"pocket": ["6r", "6b"]}
    spelt_out = {**asked, "community": [], "opponents": 1, "known": [], "house_rules": {}}
    reply = service.post(ADVISE, asked)
    assert "break_even" not in reply.json
    assert reply.body == service.post(ADVISE, spelt_out).body
    nulls = {**asked, "community": None, "opponents": None, "known": None, "pot": None}
    assert reply.body == service.post(ADVISE, nulls).body


def test_known_pockets(service: Service) -> None:
    """There are at least as many opponents as known pockets. When all are known, all shares sum up
    to the pot; further ones are unknown.
    """
    pockets = [["6r", "6b"], ["5y", "4y"], ["1w", "1y"]]
    flop = {"community": ["2w", "3y", "6y"]}
    shares = []
    for own in pockets:
        others = [pocket for pocket in pockets if pocket != own]
        asked = {"pocket": own, "known": others, **flop}
        reply = service.post(ADVISE, asked)
        assert reply.body == service.post(ADVISE, {**asked, "opponents": 2}).body
        shares.append(reply.json["equity"])
        assert service.post(ADVISE, {**asked, "opponents": 3}).json["equity"] < shares[-1]
    assert sum(shares) == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("known", [{}, "6r6b", [[]], [["6r", "6b"]] * 6])
def test_wrong_pockets(service: Service, known: object) -> None:
    """Known pockets are a list of whole pockets, no more than there are opponents."""
    reply = service.post(ADVISE, {"pocket": ["1r", "2r"], "known": known})
    assert reply.status == 422
    assert all(pointer.startswith("/known") for pointer in reply.pointers)


def test_price_of_an_all_in() -> None:
    """In a session, the pot has no chips that a player with few can't win (H14). Who has folded
    paid into it, but is no opponent; who is out of the game is neither.
    """
    players = [
        {"id": "ann", "chips": 10, "paid": 20, "folded": False, "out": False},
        {"id": "ben", "chips": 100, "paid": 50, "folded": False, "out": False},
        {"id": "cay", "chips": 100, "paid": 10, "folded": True, "out": False},
        {"id": "dan", "chips": 0, "paid": 0, "folded": False, "out": True},
    ]
    dice = {"pocket": ["6r", "6b"], "community": []}
    state = {"phase": "betting", "players": players, "to_act": ["ann"], "to_call": 30, **dice}
    asked = {**dice, "opponents": 1}
    assert question(VARIANT, state, "ann") == {**asked, "pot": 60, "to_call": 10}
    assert question(VARIANT, {**state, "to_act": ["ben"]}, "ann") == asked
    assert question(VARIANT, {**state, "phase": "rolling"}, "ann") is None
    assert question(VARIANT, {**state, "pocket": None}, None) is None
    assert question(VARIANT, state, "cay") is None


@pytest.mark.general("community")
def test_chances_of_every_community(service: Service, variant: str) -> None:
    """Before and after every stage, against as many opponents as there can be, the chances of all
    ranks sum up to 1, and the share of the pot is between those of a win and of a tie for it.
    """
    described = variants()[variant]
    assert isinstance(described, CommunityRanking)
    dice = described.dice.notation[:: described.dice.faces - 1]
    cycled = (dice * 7)[: described.pocket + described.stages[-1]]
    path = f"/v1/variants/{variant}/advise"
    most = most_opponents(described)
    for stage in described.stages:
        for opponents in {1, most}:
            asked = {
                "pocket": cycled[: described.pocket],
                "community": cycled[described.pocket : described.pocket + stage],
                "opponents": opponents,
            }
            found = service.post(path, asked).json
            assert sum(found["ranks"].values()) == pytest.approx(1, abs=1e-10)
            assert found["win"] <= found["equity"] <= found["win"] + found["tie"] / 2 + 1e-11
            assert found["standard_error"] <= 0.001
            assert found["exact"] == (found["standard_error"] == 0)
    assert service.post(path, {**asked, "opponents": most + 1}).pointers == {"/opponents"}


def test_lines(service: Service) -> None:
    """A batch of lines returns the response to each line. It ends when the work of a second is used
    up, and long questions take more of it.
    """
    path = f"{batch('texas-holdem-dice')}?operation=advise"
    requests = [{**RIVER, "opponents": opponents} for opponents in range(1, 6)]
    reply = post(service, lines(requests), NDJSON, path)
    assert reply.body.splitlines() == [service.post(ADVISE, asked).body for asked in requests]
    long = [{"pocket": ["6r", "5b"], "opponents": 5}] * 20
    *answered, last = post(service, lines(long), NDJSON, path).body.splitlines()
    assert len(answered) == 15
    assert b"The batch ends here, after 15 lines" in last
