"""Forced actions: the service performs them if it rolls the dice; players do if dice are typed."""

from __future__ import annotations

from typing import Any

from tests.api.sessions.playing import Session, make
from tests.live import Service

ONE_CHIP = {"starting_chips": 1}
"""House rules of poker-dice under which nobody has chips left to raise with (P5)."""


def steps(session: Session) -> list[list[Any]]:
    """Each event of a history: its action, then the actions that it forced."""
    events = session.events().json["events"]
    return [[event["action"], *[step["action"] for step in event["then"]]] for event in events]


def test_the_service_checks_for_a_leader_without_chips(service: Service) -> None:
    """If the service rolls, rolls and the check of a leader without chips belong to the version of
    the action before them.
    """
    session = make(service, "poker-dice", "ann", "ben", house_rules=ONE_CHIP)
    session.act("ante", amount=1)
    after = session.act("stop").json
    assert (after["version"], after["state"]["phase"], after["state"]["to_act"]) == (
        3,
        "join",
        ["ben"],
    )
    assert steps(session) == [["create"], ["ante", "roll"], ["stop", "check"]]


def test_a_leader_without_chips_checks_where_dice_are_typed_in(service: Service) -> None:
    """If dice are typed, the check of a leader without chips is a separate action, the only legal
    one.
    """
    session = make(service, "poker-dice", "ann", "ben", house_rules=ONE_CHIP, dice="client")
    session.act("ante", amount=1)
    session.act("roll", dice=[4, 4, 4, 1, 2])
    stopped = session.act("stop").json
    assert stopped["actions"] == [{"action": "check", "player": "ann"}]
    after = session.act("check").json
    assert (after["version"], after["state"]["phase"], after["state"]["to_act"]) == (
        5,
        "join",
        ["ben"],
    )
    assert steps(session) == [["create"], ["ante"], ["roll"], ["stop"], ["check"]]
