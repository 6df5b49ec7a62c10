"""Taking back (G3): games at random with mistakes, and what can't be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import orjson
import pytest

from service.api.sessions.sheet import Sheet, as_csv
from service.engine.actions import LEAVE, Action
from service.engine.parameters import Whole
from service.rules.violations import InvalidInput
from service.sessions.result import Result
from service.sessions.session import Event, Terms, apply_action, replay_event
from service.sessions.store import codec
from service.sessions.take_back import NOBODYS, TAKE_BACK, recall
from service.variants import variants
from tests.problems import breach
from tests.sampled import first
from tests.sessions.sample_sessions import PLAYERS, sample_terms
from tests.sessions.taking_back import Played, bare

MOST = 250
EVERYONE = (None, *PLAYERS)
SHOWN = "can't be performed: the last action showed dice that nobody knew before it"


def mistaken(terms: Terms, seed: int) -> Iterator[Played]:
    """A game in which what can be taken back often is; after each time that it was."""
    game = Played(terms, seed)
    while game.last.version < MOST and (game.ways or not game.last.state.over):
        ways, rng = game.ways, game.rng
        if game.last.state.over or (ways and rng.random() < 0.25):
            player = rng.choice(list(ways))
            low, high = ways[player].minimum, ways[player].maximum
            game.go_back(player, rng.randint(max(low, high - rng.choice([5, MOST])), high))
            yield game
        else:
            game.act()


def wanted_deadline(game: Played, to: int, player: str | None) -> int | None:
    """When time is up after the last take-back: for the table in full; for a player as before, or
    if the clock had started again since, with the time that was left.
    """
    *_, before, last = game.snapshots
    earlier: int = game.snapshots[to - 1].state.deadline
    lasts = game.terms.game.lasts
    if lasts is None or last.state.over:
        return None
    if player is None:
        return last.at + lasts
    if before.state.deadline == earlier:
        return earlier
    return last.at + earlier - game.events[to].at


@pytest.mark.general
@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("seed", first(range(4)))
def test_games_with_mistakes(variant: str, typed: bool, seed: int) -> None:
    """Going back gives the state of that version, to every token, and a clock as it should be.

    A version of its own says what was undone, and stores no more than that. A replay gives it again
    from what is stored.
    """
    terms = sample_terms(variant, typed_dice=typed)
    for game in mistaken(terms, seed):
        before, last, event = game.snapshots[-2], game.last, game.events[-1]
        (step,) = event.steps
        to = step.values["to"]
        earlier = game.snapshots[to - 1]
        assert bare(last) == bare(earlier)
        for viewer in EVERYONE:
            assert game.seen(last, viewer) == game.seen(earlier, viewer)
        assert (last.version, last.at, last.acted_at) == (before.version + 1, event.at, event.at)
        assert last.state.deadline == wanted_deadline(game, to, step.player)
        assert last.drawn == before.drawn
        (news,) = last.state.news
        undone = {each.steps[0].player for each in game.events[to:-1]}
        assert {name: news.get(name) for name in ("what", "player", "to", "undone", "whose")} == {
            "what": "take_back",
            "player": step.player,
            "to": to,
            "undone": before.version - to,
            "whose": [player for player in PLAYERS if player in undone],
        }
        assert step.news == (news,)
        stored = codec.decode_event(terms, codec.encode_event(terms, event))
        again, replayed = replay_event(terms, before, stored)
        written = codec.encode_snapshot(terms, last)
        assert codec.encode_snapshot(terms, again) == written
        read = codec.decode_snapshot(terms, last.version, written)
        assert orjson.dumps(read) == orjson.dumps(last)
        assert codec.encode_event(terms, replayed) == codec.encode_event(terms, event)


@pytest.mark.general
def test_no_mistake_was_made(variant: str) -> None:
    """What follows equals a game in which nobody ever did what was taken back, dice included."""
    terms = sample_terms(variant)
    for seed in range(6):
        game = Played(terms, seed)
        while not game.last.state.over and game.last.version < MOST:
            ways = game.ways
            if ways and game.rng.random() < 0.3:
                game.go_back(None, ways[None].maximum)
            else:
                game.act(game.last.at)
        right = without_mistakes(game)
        assert (bare(right.last), right.last.drawn) == (bare(game.last), game.last.drawn)


@pytest.mark.general
@pytest.mark.parametrize("typed", first([False, True]))
def test_mistakes_count_for_nothing(variant: str, typed: bool) -> None:
    """The result and the sheet of a game with mistakes are those of a game without, at any time."""
    clock = {"turn_seconds"} & variants()[variant].rule_names
    terms = sample_terms(variant, typed_dice=typed, **dict.fromkeys(clock))
    for seed in range(3):
        for game in islice(mistaken(terms, seed), 5, 60, 6):
            right = without_mistakes(game)
            results = [Result.of(terms, each.last, each.events) for each in (game, right)]
            assert replace(results[0], snapshot=right.last) == results[1]
            first, second = map(as_csv, map(Sheet.of, results))
            assert first == second


def without_mistakes(game: Played) -> Played:
    """A game with the actions that nobody took back. Fails if one of them does anything else."""
    right = Played(game.terms, 0)
    for event in in_force(game.events)[1:]:
        step = event.steps[0]
        dice = step.dice or None if game.terms.seed is None else None
        right.do(Action(step.action, str(step.player), event.at, step.values, dice))
        assert right.events[-1].steps == event.steps
    return right


def in_force(events: list[Event]) -> list[Event]:
    """The events that nobody took back, found from the front."""
    past: list[list[Event]] = [[]]
    for event in events:
        step = event.steps[0]
        back = step.action == TAKE_BACK.name
        past.append(past[step.values["to"]] if back else [*past[-1], event])
    return past[-1]


def refused(game: Played, player: str | None, to: Any, *wanted: tuple[str, str]) -> None:
    """Fails unless going back gets just these violations, each a field and its text."""
    with pytest.raises(InvalidInput) as refusal:
        game.go_back(player, to)
    assert [*refusal.value.violations] == [breach((field,), text) for field, text in wanted]


def test_bounds_with_typed_dice() -> None:
    """The table may go to any earlier version, after the end too; a player to before their last
    action, and further as long as it was theirs.
    """
    game = Played(sample_terms("dice-poker", typed_dice=True), 1)
    assert game.ways == {}
    for _ in range(2):
        (roll,) = [m for m in game.terms.game.moves(game.last.state) if m.action == "roll"]
        game.take(roll, game.last.at)
    assert game.ways == {"ann": Whole(2, 2), None: Whole(1, 2)}
    refused(game, "ann", 1, ("to", "must be 2"))
    refused(game, "ben", 2, ("player", "can't take_back now; only ann can"))
    for to in (0, 3, 4, True, "2", None):
        refused(game, None, to, ("to", "must be a whole number between 1 and 2"))
    with pytest.raises(InvalidInput) as refusal:
        game.go_back("ann", 2, dice=[1, 1, 1, 1, 1])
    assert [*refusal.value.violations] == [
        breach(("dice",), "must be left out: take_back rolls no dice")
    ]
    game.go_back("ann", 2)
    assert game.ways == {"ann": Whole(1, 1), None: Whole(1, 3)}
    game.go_back("ann", 1)
    assert (game.ways, game.last.last) == ({None: Whole(1, 4)}, NOBODYS)
    refused(game, "ann", 3, ("action", "can't be performed: there is no choice to take back"))
    game.go_back(None, 3)
    assert game.ways == {None: Whole(1, 5)}
    while not game.last.state.over:
        game.act()
    game.go_back(None, game.last.version - 1)
    assert not game.last.state.over


def test_others_have_acted() -> None:
    """What another did since, or took back, the clock included, ends what a player can take back;
    the table takes back the clock's decisions, too.
    """
    game = Played(sample_terms("dice-poker", typed_dice=True, turn_seconds=30), 1)
    game.act(game.last.at)
    assert game.ways["ann"] == Whole(1, 1)
    leave = {move.player: move for move in game.terms.game.legal_moves(game.last.state)}
    game.take(leave["cay"], game.last.at)
    assert (leave["cay"].kind, game.ways) == (LEAVE, {"cay": Whole(2, 2), None: Whole(1, 2)})
    game.go_back("cay", 2)
    assert (game.last.state.left, game.ways) == ((), {None: Whole(1, 3)})
    game.act(game.last.state.deadline)
    assert (game.events[-1].steps[0].action, game.ways) == ("time_up", {None: Whole(1, 4)})
    refused(game, "ann", 4, ("action", "can't be performed: there is no choice to take back"))
    game.go_back(None, 4)
    assert (bare(game.last), game.ways) == (bare(game.snapshots[3]), {None: Whole(1, 5)})


def test_dice_of_the_service() -> None:
    """A roll stays as it is, for all; a choice without dice can be taken back until somebody acts.
    At the end the seed is public, and nothing goes back.
    """
    terms = sample_terms("dice-poker", turn_seconds=None)
    game = Played(terms, 1)
    game.act()
    for player in EVERYONE:
        refused(game, player, 1, ("action", SHOWN))
    scored = Action("score", "ann", game.last.at, {"box": "chance"})
    game.do(scored)
    only = Whole(2, 2)
    assert game.ways == {"ann": only, None: only}
    refused(game, None, 1, ("to", "must be 2"))
    refused(game, "ben", 2, ("player", "can't take_back now; only ann can"))
    game.go_back(None, 2)
    assert game.ways == {}
    game.do(replace(scored, values={"box": "ones"}))
    game.go_back("ann", 4)
    refused(game, "ann", 5, ("action", "can't be performed: there is no choice to take back"))
    while not game.last.state.over:
        game.act()
    for player in EVERYONE:
        refused(
            game, player, game.last.version - 1, ("action", "can't be performed: the game is over")
        )


def test_a_hand_that_was_shown() -> None:
    """Whoever made others show their pockets can't take that back; a table with real dice can."""
    for typed in (False, True):
        game = shown(sample_terms("texas-holdem-dice", typed_dice=typed, turn_seconds=None))
        last = game.last.version - 1
        for player in PLAYERS:
            refused(game, player, last, ("action", SHOWN))
        if typed:
            assert game.ways == {None: Whole(1, last)}
            game.go_back(None, last)
            assert bare(game.last) == bare(game.snapshots[last - 1])
        else:
            refused(game, None, last, ("action", SHOWN))


def shown(terms: Terms) -> Played:
    """A game whose first hand has just come to a showdown, and that goes on."""
    for seed in range(100):
        game = Played(terms, seed)
        while all(news["what"] != "showdown" for news in game.last.state.news):
            game.act()
        if not game.last.state.over:
            return game
    raise AssertionError("no game goes on after its first showdown")


def test_the_clock_of_another_machine() -> None:
    """A clock behind the last version's doesn't go back in time."""
    game = Played(sample_terms("dice-poker", typed_dice=True), 1)
    game.act(game.last.at + 500)
    action = Action(TAKE_BACK.name, "", game.last.at - 400, {"to": 1})
    recalled = recall(game.terms, game.snapshots[0], game.events[1:])
    made, event = apply_action(game.terms, game.last, action, recalled)
    assert (made.at, event.at) == (game.last.at, game.last.at)
