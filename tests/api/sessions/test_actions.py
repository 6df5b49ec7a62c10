"""The values and dice of actions: out of bounds, impossible, or written in another way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import UNTIMED, Session, make, refusal
from tests.live import Service


def is_refused(session: Session, action: str, errors: dict[str, str], **values: Any) -> None:
    """Fails unless an action gets these errors and the legal actions, and changes nothing."""
    before = session.stands()
    reply = session.act(action, key="never-used-up", **values)
    detail = refusal(reply, 422)
    assert {error["pointer"]: error["detail"] for error in reply.json["errors"]} == errors
    pointer, first = next(iter(errors.items()))
    assert detail.endswith(f"{pointer} {first}.")
    assert reply.json["actions"] == before[0]["actions"] != []
    assert session.stands() == before


@pytest.mark.parametrize("amount", [0, -10, 5, 15, 20, 10.5, 1e300, 10**30, "10", None, True, [10]])
def test_bet_beyond_the_bounds(service: Service, amount: object) -> None:
    """A bet must be within the bounds in the list of actions."""
    session = make(service, "texas-holdem-dice", "ann", "ben")
    bounds = "must be 10"
    is_refused(session, "bet", {"/amount": bounds}, amount=amount)


@pytest.mark.parametrize("keep", [[], None], ids=str)
@pytest.mark.parametrize("variant", ["dice-poker", "yahtzee-deluxe", "poker-dice"])
def test_first_roll_keeps_nothing(service: Service, variant: str, keep: list[int] | None) -> None:
    """A first roll may say that it keeps nothing, as the advice on it does."""
    session = make(service, variant, "ann", "ben", dice="client")
    while (legal := session.read().json["actions"][0])["action"] != "roll":
        player = legal["player"]
        thrown = {"dice": [6 if player == "ann" else 1] * 6}
        values = {"amount": 1} if "amount" in legal else thrown
        assert session.act(legal["action"], player=player, **values).status == 200
    dice = [1, 2, 3, 4, 6, 6][: legal["dice"]["maxItems"]]
    rolled = session.act("roll", keep=keep, dice=dice)
    assert (rolled.status, rolled.json["state"]["turn"]["dice"]) == (200, dice)


def test_bet_without_amount(service: Service) -> None:
    """A bet needs an amount and takes no other field."""
    session = make(service, "texas-holdem-dice", "ann", "ben")
    errors = {"/chips": "is not a field of bet; it has amount", "/amount": "is missing"}
    is_refused(session, "bet", errors, chips=10)
    is_refused(session, "raise", {"/action": "must be one of check, bet, fold now"}, amount=10)


NO_DIE = "must be the index of a die, from 0 to 4"
NO_LIST = "must be a list of up to 4 dice, by their indexes from 0"


@pytest.mark.parametrize(
    ("keep", "errors"),
    [
        ([5], {"/keep/0": NO_DIE}),
        ([0, -1, 9], {"/keep/1": NO_DIE, "/keep/2": NO_DIE}),
        ([0, 1, 0], {"/keep/2": "repeats die 0"}),
        ([0.5, True, "1", None], {f"/keep/{index}": NO_DIE for index in range(4)}),
        ([0, 1, 2, 3, 4], {"/keep": NO_LIST}),
        ("0", {"/keep": NO_LIST}),
        ({"0": 1}, {"/keep": NO_LIST}),
    ],
    ids=str,
)
def test_no_die_to_keep(service: Service, keep: object, errors: dict[str, str]) -> None:
    """A die that doesn't exist can't be kept, nor one twice."""
    session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    session.act("roll", version=1)
    is_refused(session, "roll", errors, keep=keep)


@pytest.mark.parametrize(
    ("dice", "errors"),
    [
        ([1, 6, 3, 4, 6], {"/dice/1": "must stay 2, because that die was kept"}),
        ([6, 6, 3, 4, 6], {"/dice/0": "must stay 1, because that die was kept",
                           "/dice/1": "must stay 2, because that die was kept"}),
        ([1, 2, 3], {"/dice": "must hold 5 dice, not 3"}),
        ([1, 2, 3, 7, "4"], {"/dice/3": "must be between 1 and 6",
                             "/dice/4": "must be a whole number between 1 and 6"}),
        ("12345", {"/dice": "must be a list of dice"}),
    ],
    ids=str,
)  # fmt: skip
def test_typed_dice(service: Service, dice: object, errors: dict[str, str]) -> None:
    """Typed dice that can't have been rolled are refused: a kept one changed for one."""
    session = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    assert session.act("roll", version=1, dice=[1, 2, 3, 4, 5]).status == 200
    is_refused(session, "roll", errors, keep=[0, 1], dice=dice)


def test_typed_dice_missing(service: Service) -> None:
    """Dice are typed with the actions that roll them, and with no others."""
    session = make(service, "dice-poker", "ann", dice="client", house_rules=UNTIMED)
    is_refused(session, "roll", {"/dice": "is missing: this game's dice are typed in"})
    session.act("roll", version=1, dice=[1, 2, 3, 4, 5])
    errors = {"/dice": "is not a field of score"}
    is_refused(session, "score", errors, box="chance", dice=[1, 2, 3, 4, 5])
    session.act("score", version=2, box="chance")
    is_refused(session, "score", {"/action": "must be roll now"}, box="ones")


def test_a_suit_too_many(service: Service) -> None:
    """A roll can't have more dice of a suit than the bag has; hidden dice count, too."""
    session = make(service, "texas-holdem-dice", "ann", "ben", "cas", dice="client")
    session.act("roll_pocket", who="ann", dice=["6r", "6r"])
    session.act("roll_pocket", who="ben", dice=["1r", "6r"])
    no_more = "can't be red: the set has only 5 red dice (H24)"
    is_refused(session, "roll_pocket", {"/dice/1": no_more}, dice=["2r", "2r"])
    assert session.act("roll_pocket", who="cas", dice=["2r", "2b"]).status == 200


def test_a_card_twice(service: Service) -> None:
    """A typed card that shows twice is refused: the set has each card once."""
    session = make(service, "roll-a-royal", "ann", dice="client")
    dice = ["As", "As", *["--"] * 11]
    again = "shows As, and so does die {}; the set has each card once (R20)"
    errors = {"/dice/0": again.format(1), "/dice/1": again.format(0)}
    is_refused(session, "roll", errors, dice=dice)


def test_ante_beyond_the_stack(service: Service) -> None:
    """An ante can't be more than the player's stack."""
    session = make(service, "poker-dice", "ann", "ben")
    (ante,) = session.made["actions"]
    most = ante["amount"]["maximum"]
    errors = {"/amount": f"must be a whole number between 1 and {most}"}
    is_refused(session, "ante", errors, amount=most + 1)
    assert session.act("ante", version=1, amount=most).status == 200


def test_a_whole_number_with_a_point(service: Service) -> None:
    """What one client writes as 5.0 others read as 5: not every parser takes 5.0 for a whole
    number.
    """
    session = make(service, "poker-dice", "ann", "ben")
    session.act("ante", amount=5.0)
    session.act("roll", keep=[3.0, 1])
    history = session.events().body
    assert b'"action":"ante","amount":5,' in history
    assert b'"action":"roll","keep":[3,1],' in history
