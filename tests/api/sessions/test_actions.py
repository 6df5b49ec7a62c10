"""The values and dice of actions: out of bounds, impossible, or written in another way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import UNTIMED, Session, make, refuses
from tests.live import Service
from tests.whole_games.legal_player import moves


@pytest.mark.parametrize("amount", [0, -10, 5, 15, 20, 10.5, 1e300, 10**30, "10", None, True, [10]])
def test_bet_beyond_the_bounds(service: Service, amount: object) -> None:
    """A bet must be within the bounds in the list of actions."""
    session = make(service, "texas-holdem-dice", "ann", "ben")
    refuses(session, {"action": "bet", "amount": amount}, {"/amount": "must be 10"})


@pytest.mark.parametrize("keep", [[], None], ids=str)
@pytest.mark.parametrize("variant", ["dice-poker", "yahtzee-deluxe", "poker-dice"])
def test_first_roll_keeps_nothing(service: Service, variant: str, keep: list[int] | None) -> None:
    """A first roll may say that it keeps nothing, as the advice on it does."""
    session = make(service, variant, "ann", "ben", dice="client")
    while (legal := session.read().json["actions"][0])["action"] != "roll":
        player = legal["player"]
        thrown = {"dice": [6 if player == "ann" else 1] * 6} if "dice" in legal else {}
        values = {"amount": 1} if "amount" in legal else thrown
        assert session.act(legal["action"], player=player, **values).status == 200
    dice = [1, 2, 3, 4, 6, 6][: legal["dice"]["maxItems"]]
    rolled = session.act("roll", keep=keep, dice=dice)
    assert (rolled.status, rolled.json["state"]["turn"]["dice"]) == (200, dice)


NO_DIE = "must be the index of a die, from 0 to 4"
BET = ("texas-holdem-dice", None, "bet")
ROLL = ("dice-poker", [1, 2, 3, 4, 5], "roll")


@pytest.mark.parametrize(
    ("asked", "values", "errors"),
    [
        (BET, {"chips": 10}, {"/chips": "is not a field of bet; it has amount",
                              "/amount": "is missing"}),
        (("texas-holdem-dice", None, "raise"), {"amount": 10},
         {"/action": "must be check, bet, fold or leave now"}),
        (ROLL, {"keep": [0, -1, 9], "dice": [1, 2, 3, 4, 6]},
         {"/keep/1": NO_DIE, "/keep/2": NO_DIE}),
        (ROLL, {"keep": [0.5, True, "1", None], "dice": [1, 2, 3, 4, 6]},
         {f"/keep/{index}": NO_DIE for index in range(4)}),
        (ROLL, {"keep": {"0": 1}, "dice": [1, 2, 3, 4, 6]},
         {"/keep": "must be a list of up to 4 dice, by their indexes from 0"}),
        (ROLL, {"keep": [0, 1], "dice": [6, 6, 3, 4, 6]},
         {"/dice/0": "must stay 1, because that die was kept",
          "/dice/1": "must stay 2, because that die was kept"}),
        (ROLL, {"keep": [0, 1], "dice": [1, 2, 3, 7, "4"]},
         {"/dice/3": "must be between 1 and 6",
          "/dice/4": "must be a whole number between 1 and 6"}),
        (ROLL, {"keep": [0, 1], "dice": "12345"}, {"/dice": "must be a list of dice"}),
        (ROLL, {}, {"/dice": "is missing: this game's dice are typed in"}),
        (("dice-poker", [1, 2, 3, 4, 5], "score"), {"box": "chance", "dice": [1, 2, 3, 4, 5]},
         {"/dice": "must be left out: score rolls no dice"}),
    ],
)  # fmt: skip
def test_refused(
    service: Service,
    asked: tuple[str, list[int] | None, str],
    values: dict[str, Any],
    errors: dict[str, str],
) -> None:
    """An action that its game refuses gets every violation, and the legal actions."""
    variant, dice, action = asked
    rules = UNTIMED if dice else {}
    given = "client" if dice else "server"
    session = make(service, variant, "ann", "ben", dice=given, house_rules=rules)
    assert not dice or session.act("roll", version=1, dice=dice).status == 200
    refuses(session, {"action": action, **values}, errors)


def test_a_whole_number_with_a_point(service: Service) -> None:
    """What one client writes as 5.0 others read as 5: not every parser takes 5.0 for a whole
    number.
    """
    session = make(service, "poker-dice", "ann", "ben")
    session.act("ante", amount=5.0)
    session.act("meet")
    session.act("roll", keep=[3.0, 1])
    history = session.events().body
    assert b'"action":"ante","amount":5,' in history
    assert b'"action":"roll","keep":[3,1],' in history


ONE_CHIP = {"starting_chips": 1}
"""House rules of poker-dice under which nobody has chips left to raise with (P5)."""

ANTE = ("ante", {"amount": 1})


def steps(session: Session) -> list[list[Any]]:
    """Each event of a history: its action, then the actions that it forced."""
    events = session.events().json["events"]
    return [[event["action"], *[step["action"] for step in event["then"]]] for event in events]


@pytest.mark.parametrize(
    ("dice", "actions", "version", "expected"),
    [
        ("server", [ANTE, ("meet", {}), ("stop", {})], 4,
         [["create"], ["ante"], ["meet", "roll"], ["stop", "check", "roll"]]),
        ("client",
         [ANTE, ("meet", {}), ("roll", {"dice": [4, 4, 4, 1, 2]}), ("stop", {}), ("check", {})],
         6, [["create"], ["ante"], ["meet"], ["roll"], ["stop"], ["check"]]),
    ],
    ids=["rolled", "typed"],
)  # fmt: skip
def test_a_leader_without_chips_checks(
    service: Service,
    dice: str,
    actions: list[tuple[str, dict[str, Any]]],
    version: int,
    expected: list[list[str]],
) -> None:
    """If the service rolls, rolls and the check of a leader without chips belong to the version of
    the action before them. If dice are typed, each is a separate action, the only legal one.
    """
    session = make(service, "poker-dice", "ann", "ben", house_rules=ONE_CHIP, dice=dice)
    for action, values in actions:
        legal = moves(session.read().json["actions"])
        assert action != "check" or legal == [{"action": "check", "player": "ann"}]
        after = session.act(action, **values).json
    state = after["state"]
    assert (after["version"], state["phase"], state["to_act"]) == (version, "rolling", ["ben"])
    assert steps(session) == expected
