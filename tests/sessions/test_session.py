"""A session as a pure function: what is stored, what is asked, and when."""

from __future__ import annotations

from dataclasses import replace

import orjson
import pytest

from service.engine.actions import Action
from service.rules.variant import TIME_UP
from service.rules.violations import InvalidInput, Violation
from service.sessions.session import (
    CREATE,
    MOST_TIME_UPS,
    Event,
    Snapshot,
    apply_action,
    catch_up,
    replay,
    replay_event,
    start,
)
from tests.problems import breach
from tests.sessions.sample_sessions import CREATED_AT, PLAYERS, sample_terms, steps
from tests.variants.test_roll_a_royal import LOW

SECOND = 1_000
BOXES = 13


def same(one: object, other: object) -> bool:
    """Whether both are equal as JSON, which has no tuples."""
    return orjson.dumps(one) == orjson.dumps(other)


def test_start_waits_for_the_first_decision() -> None:
    """Version 1 has no player and draws no dice if a player decides first."""
    snapshot, event = start(sample_terms("dice-poker"))
    assert (snapshot.version, snapshot.at, snapshot.drawn) == (1, CREATED_AT, 0)
    assert snapshot.state.deadline == CREATED_AT + 30 * SECOND
    assert [(step.player, step.action, step.dice) for step in event.steps] == [(None, CREATE, ())]


def test_start_plays_forced_moves() -> None:
    """If the service rolls, all pockets are rolled in version 1, with the first draws."""
    terms = sample_terms("texas-holdem-dice")
    snapshot, event = start(terms)
    assert [(step.player, step.action) for step in event.steps] == [
        (None, CREATE),
        ("ben", "roll_pocket"),
        ("cay", "roll_pocket"),
        ("ann", "roll_pocket"),
    ]
    # each die is drawn twice: out of the bag, and rolled
    assert (snapshot.version, snapshot.drawn) == (1, 12)


def test_start_waits_for_typed_dice() -> None:
    """If players type in the dice, forced rolls are left to them."""
    snapshot, event = start(sample_terms("texas-holdem-dice", typed_dice=True))
    assert [step.action for step in event.steps] == [CREATE]
    assert snapshot.drawn == 0


@pytest.mark.parametrize("variant", ["texas-holdem-dice", "poker-dice"])
def test_the_news_of_all_steps(variant: str) -> None:
    """A state has the news of the last event: those of its action, then of each forced move."""
    forced = set[int]()
    for seed in range(20):
        for snapshot, events in steps(sample_terms(variant), seed):
            news = [news for step in events[-1].steps for news in step.news]
            assert [*snapshot.state.news] == news
            forced.update(len(events[-1].steps) - 1 for step in events[-1].steps[:-1] if step.news)
    assert forced >= ({1} if variant == "poker-dice" else {2, 3})


def test_an_action() -> None:
    """An action leads to the next version, with the dice that it rolled."""
    terms = sample_terms("dice-poker")
    before, _ = start(terms)
    action = Action("roll", "ann", CREATED_AT + 5)
    after, event = apply_action(terms, before, action)
    assert (after.version, after.at, after.drawn) == (2, CREATED_AT + 5, 5)
    (step,) = event.steps
    assert (event.at, step.player, step.action, step.values) == (after.at, "ann", "roll", {})
    assert step.dice == after.state.dice
    assert len(step.dice) == 5
    assert apply_action(terms, before, action) == (after, event)


def test_a_clock_that_runs_back() -> None:
    """Time never runs backwards: an action with an earlier time gets the time of the version
    before.
    """
    terms = sample_terms("dice-poker")
    snapshot, _ = apply_action(terms, start(terms)[0], Action("roll", "ann", CREATED_AT + 5))
    snapshot, event = apply_action(terms, snapshot, Action("roll", "ann", CREATED_AT - 900))
    assert (snapshot.at, event.at) == (CREATED_AT + 5, CREATED_AT + 5)


@pytest.mark.parametrize(
    ("action", "typed_dice", "violation"),
    [
        (
            Action("roll", "ann", CREATED_AT, {}, [1, 2, 3, 4, 5]),
            False,
            breach(("dice",), "must be omitted: the service rolls the dice in this session"),
        ),
        (
            Action("roll", "ann", CREATED_AT),
            True,
            breach(("dice",), "is missing: this game's dice are typed in"),
        ),
        (
            Action("roll", "ben", CREATED_AT),
            False,
            breach(("player",), "can't roll now; only ann can"),
        ),
        (Action("bet", "ann", CREATED_AT), False, breach(("action",), "must be roll or leave now")),
    ],
)
def test_what_is_not_legal(action: Action, typed_dice: bool, violation: Violation) -> None:
    """An illegal action is refused with the reason."""
    terms = sample_terms("dice-poker", typed_dice=typed_dice)
    snapshot, _ = start(terms)
    with pytest.raises(InvalidInput) as refused:
        apply_action(terms, snapshot, action)
    assert refused.value.violations == (violation,)


def test_the_clock_while_computers_wait() -> None:
    """A request that has no time left for computers still ends a turn whose time is up."""
    terms = replace(sample_terms("dice-poker"), computers={"ben": "best"})
    assert terms.players[:2] == ("ann", "ben")
    snapshot, _ = start(terms)
    after, (event,) = catch_up(terms, snapshot, snapshot.state.deadline, enough=lambda: True)
    assert event.steps[0].action == TIME_UP
    assert terms.game.to_act(after.state) == ["ben"]


def test_news_of_a_turn_that_ran_out() -> None:
    """A version that the clock made has the news of its whole event, also where the player could
    only give up the turn (G1).
    """
    terms = sample_terms("dice-poker")
    after, (event,) = catch_up(terms, start(terms)[0], CREATED_AT + 30 * SECOND)
    assert [news["what"] for news in after.state.news] == ["time_up", "crossed_out"]
    assert after.state.news == event.steps[0].news


def test_the_clock_waits_if_nobody_is_there() -> None:
    """After a thousand decisions in a row the clock decides only when somebody looks, once each
    time; an action has it run as before (G1).
    """
    terms = sample_terms("roll-a-royal", typed_dice=True, turns=1_000, turn_seconds=1)
    look = CREATED_AT + 10**9
    left, events = catch_up(terms, start(terms)[0], look)
    assert (len(events), left.at) == (MOST_TIME_UPS + 1, look)
    assert left.state.deadline == look + SECOND
    again, late = catch_up(terms, left, look + 10 * SECOND)
    assert [event.at for event in late] == [look + 10 * SECOND]
    acts = Action("roll", terms.game.moves(again.state)[0].player, again.at + 1, {}, LOW)
    acted, event = apply_action(terms, again, acts)
    after, in_time = catch_up(terms, acted, acted.at + 2 * SECOND)
    assert [each.at - acted.at for each in in_time] == [SECOND, 2 * SECOND]
    assert same(replay(terms, [*events, *late, event, *in_time], start(terms)[0]), after)


def test_the_clock_stops_with_the_session() -> None:
    """A session never has more versions than it may have, not by the clock either."""
    terms = sample_terms("dice-poker")
    ends, events = catch_up(terms, start(terms)[0], CREATED_AT + 10**9, 5)
    assert (ends.version, len(events)) == (5, 4)


def test_catch_up_one_turn_after_the_other() -> None:
    """Turns that ran out long ago end at their own deadlines, however often the clock is read
    (D14).
    """
    terms = sample_terms("dice-poker")
    snapshot, _ = start(terms)
    once, events = catch_up(terms, snapshot, CREATED_AT + 100 * SECOND)
    assert [event.at - CREATED_AT for event in events] == [30_000, 60_000, 90_000]
    assert (once.version, once.at) == (4, CREATED_AT + 90 * SECOND)
    for second in range(0, 101, 10):
        snapshot, _ = catch_up(terms, snapshot, CREATED_AT + second * SECOND)
    assert snapshot == once
    end, events = catch_up(terms, snapshot, CREATED_AT + 10**9)
    assert end.state.over
    assert end.version == 1 + len(PLAYERS) * BOXES


def test_replay_of_a_turn_that_ran_out_at_another_time() -> None:
    """A replay refuses a turn that the clock ended at another time than its deadline."""
    terms = sample_terms("dice-poker")
    snapshot, _ = start(terms)
    _, (event,) = catch_up(terms, snapshot, CREATED_AT + 30 * SECOND)
    assert replay_event(terms, snapshot, event)[1] == event
    with pytest.raises(InvalidInput) as refused:
        replay_event(terms, snapshot, Event(event.at + 1, event.steps))
    assert refused.value.violations == (
        breach(("at",), "must be the time at which the clock ran out"),
    )


@pytest.mark.general
def test_replay(variant: str) -> None:
    """Replaying the first events of a history gives the snapshot of each version, and the same
    events.
    """
    terms = sample_terms(variant)
    events: list[Event] = []
    snapshot: Snapshot | None = None
    for expected, made in steps(terms, 3):
        for event in made:
            snapshot, again = replay_event(terms, snapshot, event)
            assert same(again, event)
        events += made
        assert same(snapshot, expected)
    assert same(replay(terms, events), snapshot)


def test_replay_of_no_events() -> None:
    """A replay needs at least the first event."""
    with pytest.raises(ValueError, match="at least one event"):
        replay(sample_terms("dice-poker"), [])


def test_viewers() -> None:
    """The hash of a token determines the player; an unknown hash raises LookupError."""
    terms = sample_terms("dice-poker")
    assert [terms.viewer(token) for token in terms.tokens] == [None, *PLAYERS]
    with pytest.raises(LookupError):
        terms.viewer("table")
