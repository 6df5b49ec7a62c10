"""The clock of a turn, on devices whose own clocks may be wrong."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.live import Service
from tests.page.browser.game import Game, new_game
from tests.page.browser.visitor import Visit, expect


@pytest.mark.parametrize(
    ("variant", "said"), [("dice-poker", "gets a zero."), ("roll-a-royal", "Ann's time is up.")]
)
def test_a_clock_that_runs_out(visit: Visit, service: Service, variant: str, said: str) -> None:
    """Every game can have a clock. When the time is up, the page shows without any click what the
    service wrote, and why.
    """
    game = new_game(visit, variant, ["Ann"], {"turn_seconds": 2})
    expect(game.page.get_by_role("timer")).to_be_visible()
    expect(game.page.locator(".story")).to_contain_text(said)
    for card in game.read(service)["state"].get("cards", {}).values():
        assert set(card["scores"].values()) - {None} == {0}


def test_a_clock_that_is_wrong(visit: Visit) -> None:
    """The time that is left is right on a device whose clock is an hour slow, and is read out once
    it is short.
    """
    visitor = visit()
    visitor.page.clock.set_system_time(datetime.now(UTC) - timedelta(hours=1))
    game = Game(visitor)
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 10})
    expect(game.page.get_by_role("timer")).to_have_text(re.compile(r"^0:(10|0\d)$"))
    expect(game.page.locator("turn-clock [role=status]")).to_have_text(
        re.compile(r"^Seconds left: \d+\.$")
    )


def test_a_clock_that_is_set_right(visit: Visit) -> None:
    """Once the clock of a device is set right, the time that is left is right again."""
    visitor = visit()
    visitor.page.clock.set_system_time(datetime.now(UTC) - timedelta(hours=1))
    game = Game(visitor)
    game.set_up("dice-poker", ["Ann"], {"turn_seconds": 600})
    timer = game.page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"^(10|[5-9]):\d\d$"))
    visitor.page.clock.set_system_time(datetime.now(UTC))
    game.do("roll")
    expect(timer).to_have_text(re.compile(r"^(10|[5-9]):\d\d$"))
