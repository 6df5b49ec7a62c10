"""Forced actions: the service performs them if it rolls the dice; players do if dice are typed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.sessions.playing import Session, make
from tests.live import Service

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
        ("server", [ANTE, ("stop", {})], 3,
         [["create"], ["ante", "roll"], ["stop", "check"]]),
        ("client",
         [ANTE, ("roll", {"dice": [4, 4, 4, 1, 2]}), ("stop", {}), ("check", {})],
         5, [["create"], ["ante"], ["roll"], ["stop"], ["check"]]),
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
        legal = session.read().json["actions"]
        assert action != "check" or legal == [{"action": "check", "player": "ann"}]
        after = session.act(action, **values).json
    state = after["state"]
    assert (after["version"], state["phase"], state["to_act"]) == (version, "join", ["ben"])
    assert steps(session) == expected
