"""`advise` of score cards over HTTP: whole responses, what it refuses, and waiting for a table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.api.operations.registry import operations
from service.kinds.scorecard.variant import ScoreCard
from service.tables.serving import SOLVED_STEPS
from service.variants import variants
from tests.api.batch.batching import NDJSON, batch, lines, out_of_steps, post
from tests.live import PROBLEM, Reply, Service, running
from tests.sessions.servers import until

ADVISE = "/v1/variants/dice-poker/advise"
USED = {
    "ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "three_of_a_kind": 22,
    "four_of_a_kind": 0, "full_house": 25, "small_straight": 30, "large_straight": 0,
}  # fmt: skip
"""A card on which sixes, five of a kind and chance are open; 122 points, 45 of them above."""

CHANCE = {**USED, "sixes": 18, "five_of_a_kind": 0}
"""A card on which only the chance is open, with 175 points and the bonus."""


def advised(service: Service, asked: dict[str, Any], path: str = ADVISE) -> Reply:
    """The advice for a position, once its table is made."""
    replies: list[Reply] = []

    def ready() -> bool:
        replies.append(service.post(path, asked))
        return replies[-1].status != 503

    until(
        ready, f"there is advice for {asked}", seconds=300, pause=0.1
    )  # tables are made at low priority
    return replies[-1]


def test_last_box(service: Service) -> None:
    """With the chance open and no rolls left, it is scored, or crossed out for 20 points less."""
    reply = service.post(ADVISE, {"card": CHANCE, "dice": [6, 5, 4, 3, 2], "rolls_left": 0})
    assert reply.status == 200
    assert reply.json == {
        "variant": "dice-poker",
        "expected_total": 195.0,
        "deviation": 0.0,
        "options": [
            {"action": "score", "box": "chance", "score": 20, "expected_total": 195.0, "loss": 0.0},
            {"action": "cross_out", "box": "chance", "expected_total": 175.0, "loss": 20.0},
        ],
    }


def test_last_roll(service: Service) -> None:
    """Dice from 4 up are kept for the chance: each other one is worth 3.5 on average."""
    asked = {"card": CHANCE, "dice": [6, 1, 4, 3, 6], "rolls_left": 1, "limit": 2}
    assert service.post(ADVISE, asked).json == {
        "variant": "dice-poker",
        "expected_total": 175 + 16 + 7.0,
        "deviation": pytest.approx((2 * 35 / 12) ** 0.5, abs=1e-9),
        "options": [
            {"action": "roll", "keep": [0, 2, 4], "dice": [6, 4, 6], "expected_total": 198.0,
             "loss": 0.0},
            {"action": "roll", "keep": [0, 2, 3, 4], "dice": [6, 4, 3, 6], "expected_total": 197.5,
             "loss": 0.5},
        ],
    }  # fmt: skip


def test_nothing_rolled(service: Service) -> None:
    """Before the first roll, the only option is to roll all dice."""
    answer = service.post(ADVISE, {"card": CHANCE}).json
    total = answer["expected_total"]
    rolled = {"action": "roll", "keep": [], "dice": [], "expected_total": total, "loss": 0.0}
    assert answer["options"] == [rolled]
    each = 14 / 3  # of three rolls: a 5 or 6 of the first, a 4 to 6 of the second, or the third
    assert total == pytest.approx(175 + 5 * each, abs=1e-8)


def test_repeats(service: Service) -> None:
    """Repeats that were earned count, whether the card or the request has their number (D10)."""
    rules = {"extra_five_bonus": 100, "joker": True}
    card = {**USED, "sixes": 18, "five_of_a_kind": 50, "chance": None}
    asked = {"card": card, "dice": [6, 6, 6, 6, 6], "rolls_left": 0, "house_rules": rules}
    plain = service.post(ADVISE, asked).json
    assert plain["expected_total"] == 175 + 50 + 30 + 100
    assert plain["house_rules"]["extra_five_bonus"] == 100
    counted = service.post(ADVISE, {**asked, "card": {**card, "extra_fives": 2}})
    apart = service.post(ADVISE, {**asked, "extra_fives": 2})
    assert counted.body == apart.body
    assert apart.json["expected_total"] == plain["expected_total"] + 200
    both = service.post(ADVISE, {**asked, "card": {**card, "extra_fives": 2}, "extra_fives": 2})
    assert both.body == apart.body


def test_target(service: Service) -> None:
    """The chance to reach a total under the play that is best for that, not for the mean."""
    asked = {"card": CHANCE, "dice": [6, 1, 4, 3, 6], "rolls_left": 1}
    # two dice must show 8 or more; otherwise one die a 5, or three dice 12
    reached = service.post(ADVISE, {**asked, "target": 175 + 24}).json
    assert reached["reach"] == {"target": 199, "chance": 0.416666667, "exact": True}
    plain = service.post(ADVISE, asked).json
    assert {name: value for name, value in reached.items() if name != "reach"} == plain
    for target, chance in ((175, 1.0), (1_000_000, 0.0)):
        answer = service.post(ADVISE, {**asked, "target": target}).json
        assert answer["reach"] == {"target": target, "chance": chance, "exact": True}


BEHIND = {
    "card": CHANCE,
    "dice": [6, 1, 4, 3, 6],
    "rolls_left": 1,
    "goal": "win",
    "others": [{"card": {**CHANCE, "chance": 28}}],
}
"""The last box, with 28 points to make good: two dice can only tie, and three can win."""


def test_win(service: Service) -> None:
    """With the goal to win, the options that win most often come first, with their points."""
    answer = service.post(ADVISE, {**BEHIND, "limit": 2}).json
    assert answer == {
        "variant": "dice-poker",
        "expected_total": 198.0,
        "deviation": pytest.approx((2 * 35 / 12) ** 0.5, abs=1e-9),
        "win": {"chance": 0.032407407, "exact": True},
        "options": [
            {"action": "roll", "keep": [0, 4], "dice": [6, 6], "expected_total": 197.5,
             "loss": 0.5, "win": 0.032407407},
            {"action": "roll", "keep": [0, 2, 4], "dice": [6, 4, 6], "expected_total": 198.0,
             "loss": 0.0, "win": 0.013888889},
        ],
    }  # fmt: skip
    plain = {**BEHIND, "goal": "points", "others": None}
    assert service.post(ADVISE, {**plain, "limit": 1}).json["options"] == [
        {"action": "roll", "keep": [0, 2, 4], "dice": [6, 4, 6], "expected_total": 198.0,
         "loss": 0.0},
    ]  # fmt: skip


def test_the_cards_of_others_are_work() -> None:
    """What it takes to solve the cards of the other players counts in the steps of a batch."""
    variant = variants()["dice-poker"]
    (advise,) = [each for each in operations([variant]) if each.name == "advise"]
    assert advise.steps
    last, five = (
        advise.steps(advise.compute(advise.read({**BEHIND, "others": [{"card": card}] * 2})))
        for card in (CHANCE, {"ones": 3, **dict.fromkeys([*USED][1:8], 0)})
    )
    assert five - last >= 2 * ((SOLVED_STEPS << 5) - (SOLVED_STEPS << 1))


@pytest.mark.usefixtures("solved_dice_poker")
def test_win_by_the_forecast(service: Service) -> None:
    """With many open boxes the chances are estimated; four who begin have a fourth each."""
    asked = {"card": {}, "goal": "win", "others": [{"card": {}}] * 3}
    answer = service.post(ADVISE, asked).json
    assert answer["win"] == {
        "chance": pytest.approx(0.25, abs=0.004),
        "exact": False,
        "standard_error": 0.004,
    }
    assert [option["win"] for option in answer["options"]] == [answer["win"]["chance"]]


@pytest.mark.usefixtures("solved_dice_poker")
def test_target_that_is_estimated(service: Service) -> None:
    """With many open boxes, the chance is estimated with its error, always the same."""
    asked = {"card": {}, "target": 245}
    reply = service.post(ADVISE, asked)
    reached = reply.json["reach"]
    assert (reached["target"], reached["exact"]) == (245, False)
    assert reached["chance"] == pytest.approx(0.55, abs=0.03)
    assert 0 < reached["standard_error"] < 0.01
    assert service.post(ADVISE, asked).body == reply.body
    impossible = service.post(ADVISE, {**asked, "target": 376}).json["reach"]
    assert impossible == {"target": 376, "chance": 0.0, "exact": True}


@pytest.mark.fault
def test_waiting_for_a_table() -> None:
    """Without its table, a request gets 503, but cards with few open boxes need no table."""
    with running() as service:
        asked = {"card": {}, "house_rules": {"extra_five_bonus": 35}}
        reply = service.post(ADVISE, asked)
        assert (reply.status, reply.headers["Content-Type"]) == (503, PROBLEM)
        wait = int(reply.headers["Retry-After"])
        assert 1 <= wait <= 60
        assert reply.json["detail"].startswith(
            "The table of this game under these house rules is not ready: it "
        )
        few = service.post(ADVISE, {**asked, "card": USED})
        assert few.status == 200
        line, other = post(
            service,
            lines([asked, {**asked, "card": USED}]),
            NDJSON,
            f"{batch('dice-poker')}?operation=advise",
        ).body.splitlines()
        assert (json.loads(line)["status"], json.loads(line)["line"]) == (503, 1)
        assert other == few.body


@pytest.mark.fault
def test_lines_that_wait_for_tables_are_work() -> None:
    """To find out that a table isn't there takes steps, so a batch of such lines ends, too."""
    many = lines([{"card": {}, "house_rules": {"extra_five_bonus": n}} for n in range(1, 601)])
    path = batch("dice-poker")
    with running() as service:
        *waiting, last = post(service, many, NDJSON, f"{path}?operation=advise").body.splitlines()
    assert {json.loads(line)["status"] for line in waiting} == {503}
    assert len(waiting) == 417
    assert json.loads(last) == out_of_steps(417, path)


@pytest.mark.proof  # solving six dice takes 10 seconds
@pytest.mark.general("scorecard")
def test_empty_cards(service: Service, variant: str) -> None:
    """Every score card has advice for its first roll, with options in order of their loss."""
    described = variants()[variant]
    assert isinstance(described, ScoreCard)
    dice = described.dice.named([1] * described.dice.count)
    asked = {"card": {}, "dice": dice, "limit": 500}
    answer = advised(service, asked, f"/v1/variants/{variant}/advise").json
    losses = [option["loss"] for option in answer["options"]]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert answer["options"][0]["expected_total"] == answer["expected_total"]
    assert all(
        option["loss"] == pytest.approx(answer["expected_total"] - option["expected_total"])
        for option in answer["options"]
    )
