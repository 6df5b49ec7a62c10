"""The clock in sessions: it acts by itself, and each time makes a version."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.api.sessions.playing import Session, make, refusal, tagged
from tests.live import Service
from tests.sampled import first
from tests.sessions.servers import until

SECOND = {"turn_seconds": 1}


def at_version(session: Session, version: int) -> Any:
    """The session once it is at `version` or later."""
    reply = session.read()
    while reply.json["version"] < version:
        changed = session.wait(reply.json["version"], 60)
        assert changed.status == 200
        reply = changed
    return reply.json


def open_boxes(answer: Any) -> list[str]:
    """The boxes that are open on ann's card."""
    scores = answer["state"]["cards"]["ann"]["scores"]
    return [box for box, score in scores.items() if score is None]


def milliseconds(written: str) -> int:
    """A time as milliseconds since 1970."""
    return round(datetime.fromisoformat(written).timestamp() * 1000)


def test_versions(service: Service) -> None:
    """Each turn that times out is its own version and event, at the time of the deadline."""
    session = make(service, "dice-poker", "ann", "ben", house_rules=SECOND)
    answer = at_version(session, 3)
    assert [row["scores"]["ones"] for row in answer["state"]["cards"].values()] == [0, 0]
    assert answer["state"]["to_act"] == ["ann" if answer["version"] % 2 else "ben"]
    assert answer["expires_at"] == session.made["expires_at"], "the clock is nobody who acts"
    events = session.events("ann").json["events"][:3]
    assert [event["version"] for event in events] == [1, 2, 3]
    assert [event["action"] for event in events] == ["create"] + ["time_up"] * 2
    assert [event["player"] for event in events] == [None] * 3
    begun = milliseconds(events[0]["at"])
    assert [milliseconds(event["at"]) - begun for event in events] == [0, 1000, 2000]
    for event, player in zip(events[1:], ("ann", "ben"), strict=True):
        news = [(each["what"], each["player"]) for each in event["news"]]
        assert news == [("time_up", player), ("crossed_out", player)]
        assert event["then"] == []


def test_late(service: Service) -> None:
    """An action after the deadline is too late: its version is no longer current."""
    status = 0
    while status != 200:  # on a slow machine the clock may be faster
        session = make(service, "dice-poker", "ann", "ben", house_rules=SECOND)
        rolled = session.act("roll", who="ann", version=1)
        status = rolled.status
    assert rolled.json["version"] == 2
    until(lambda: session.read().json["version"] >= 3, "the time is up")
    late = session.act("score", who="ann", version=2, box="chance")
    assert "which If-Match doesn't name" in refusal(late, 412)
    assert tagged(late) >= 3
    events = session.events().json["events"]
    assert [event["action"] for event in events[:3]] == ["create", "roll", "time_up"]
    dice = rolled.json["state"]["turn"]["dice"]
    best = rolled.json["state"]["turn"]["best"]
    assert [news["what"] for news in events[2]["news"]] == ["time_up"]
    (score,) = events[2]["then"]
    assert (score["action"], score["player"], score["box"]) == ("score", "ann", best["box"])
    (news, *_) = score["news"]
    assert (news["what"], news["box"], news["score"]) == ("written", best["box"], best["score"])
    assert sorted(news["dice"]) == sorted(dice)


@pytest.mark.proof
def test_acting_after_a_cascade(service: Service) -> None:
    """Turns that timed out unseen are all recorded with the next action, in order."""
    session = make(service, "dice-poker", "ann", house_rules=SECOND)
    ends = session.made["state"]["ends_at"] + 2000
    until(lambda: session.read().json["version"] >= 4, "three turns went by")
    acted = session.act("roll", key="k")
    version = acted.json["version"]
    assert version >= 5
    assert acted.json["state"]["ends_at"] > ends
    assert session.act("roll", key="k").json == acted.json
    events = session.events().json["events"]
    actions = [event["action"] for event in events[:version]]
    assert actions == ["create", *["time_up"] * (version - 2), "roll"]
    times = [event["at"] for event in events]
    assert times == sorted(times)


@pytest.mark.parametrize("variant", first(["yahtzee-deluxe", "roll-a-royal"]))
def test_other_games(service: Service, variant: str) -> None:
    """A game without a clock has one by its house rule: it decides for who doesn't act."""
    assert make(service, variant, "ann").made["state"]["ends_at"] is None
    session = make(service, variant, "ann", dice="client", house_rules=SECOND)
    began = milliseconds(session.made["created_at"])
    assert session.made["state"]["ends_at"] == began + 1000
    at_version(session, 2)
    event = session.events().json["events"][1]
    assert (event["action"], milliseconds(event["at"])) == ("time_up", began + 1000)
    time_up, given_up = event["news"]
    assert (time_up["what"], time_up["player"]) == ("time_up", "ann")
    assert time_up["reason"] == "ann's time is up (G1)."
    assert "gives up the turn" in given_up["reason"]


def test_each_decision(service: Service) -> None:
    """In games with chips the clock is for each decision, and takes what costs least (G1)."""
    session = make(service, "poker-dice", "ann", "ben", house_rules=SECOND)
    began = milliseconds(session.made["created_at"])
    answer = at_version(session, 3)
    assert answer["state"]["ends_at"] == began + 1000 * answer["version"]
    first, second = session.events().json["events"][1:3]
    assert [news["what"] for news in first["news"]] == ["time_up"]
    assert [(step["action"], step["player"]) for step in first["then"]] == [("ante", "ann")]
    assert first["then"][0]["amount"] == 1
    assert (second["then"][0]["action"], second["then"][0]["player"]) == ("sit_out", "ben")


@pytest.mark.proof
def test_ends_by_itself(service: Service) -> None:
    """The clock finishes a game in which nobody acts any more."""
    session = make(service, "dice-poker", "ann", house_rules=SECOND)
    answer = session.made
    while len(left := open_boxes(answer)) > 3:  # on a slow machine the clock may be faster
        session.act("roll")
        session.act("cross_out", box=left[0])
        answer = session.read().json
    version = answer["version"] + len(left)
    answer = at_version(session, version)
    assert (answer["version"], answer["state"]["over"], answer["actions"]) == (version, True, [])
    assert answer["state"]["winners"] == ["ann"]
    assert answer["fairness"]["seed"] is not None
    events = session.events().json["events"]
    assert len(events) == version
    assert [event["action"] for event in events[-len(left) :]] == ["time_up"] * len(left)
    assert events[-1]["news"][-1]["what"] == "game_over"
    done = refusal(session.act("roll", version=version), 422)
    assert done == "/action can't be performed: the game is over."
    assert session.wait(version, 1).status == 304
