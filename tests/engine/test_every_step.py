"""What holds for each step of whole games of every variant, played at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from service.api.schemas.reasons import BECAUSE
from service.engine.actions import Action, News
from service.engine.game import Game, GameTable
from service.engine.parameters import REQUIRED
from service.engine.state import State
from service.kinds.registry import game_of
from service.rules.house_rules import read_rules
from service.rules.reasons import TEXTS, Reason, spoken, with_texts
from service.rules.sentences import names_in
from service.variants import variants
from tests.engine.clocked import timed_out
from tests.engine.random_play import play
from tests.short_games import short_rules

GAMES = 5

BECAUSES = Draft202012Validator({**BECAUSE, "additionalProperties": False})


def reasons_in(value: object) -> Iterator[tuple[dict[str, Any], str]]:
    """Every reason in a response, with its text."""
    if isinstance(value, list):
        for item in value:
            yield from reasons_in(item)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name in TEXTS and part is not None:
                yield part, value[TEXTS[name]]
            yield from reasons_in(part)


def assert_reasons(shown: object) -> None:
    """Fails unless all reasons in `shown` have the values of their code, and the text of those."""
    for because, text in reasons_in(with_texts(shown)):
        codes = [because[name] for name in ("decided_by", "by") if name in because]
        values = {value for code in codes for value in names_in(Reason[code.upper()].value)}
        assert because.keys() - {"decided_by", "by"} <= values
        assert values - because.keys() <= {"clause", "search"}, "no step needs a clause"
        assert BECAUSES.is_valid(orjson.loads(orjson.dumps(because))), because
        assert text == spoken(because)
        assert text.endswith((".", "!")), text


def assert_news(news: tuple[News, ...]) -> None:
    """Fails unless each of `news` has a reason."""
    for entry in news:
        assert entry["because"], entry
    assert_reasons(news)


def game(variant: str) -> Game[Any, Any]:
    """A short game of up to three."""
    described = variants()[variant]
    players = ("ann", "ben", "cat")[: described.players[1] or 3]
    rules = read_rules(described.house_rules, short_rules(described))
    return game_of(described, GameTable(players, rules))


@pytest.mark.general
def test_stored_states(variant: str) -> None:
    """A state comes back from its JSON, and from that of a later release, which has a field more.
    JSON without one of its fields isn't a state.
    """
    played = game(variant)

    def watch(_: State, __: Action, after: State) -> None:
        written = orjson.dumps(after)  # in the news, a tuple is a list from now on
        stored = orjson.loads(written)
        for read in (stored, {**stored, "later": [1]}):
            restored = played.restore(read)
            assert orjson.dumps(restored) == written
            assert replace(restored, news=after.news) == after
        for name in stored:
            with pytest.raises(KeyError, match=name):
                played.restore({each: stored[each] for each in stored if each != name})

    play(played, Random(0), watch)


@pytest.mark.general
def test_every_step(variant: str) -> None:
    """All news have a reason, also if the clock ends a turn, and the text of each reason follows
    from its values. A value that the action has at other times, such as the dice that a first roll
    keeps, may be null or its default.
    """
    played = game(variant)
    seen, left_out = set[str](), 0

    def watch(state: State, action: Action, after: State) -> None:
        nonlocal left_out
        assert_news(after.news)
        assert_reasons(played.view(after, None))
        seen.update(entry["what"] for entry in after.news)
        if after.deadline is not None:
            assert_news(timed_out(played, after).news)
        move = next(each for each in played.moves(state) if each.action == action.name)
        for name, value in move.kind.values.items():
            if name not in move.values and value.bound.default is not REQUIRED:
                left_out += 1
                for nothing in (None, value.bound.default):
                    values: dict[str, Any] = {**action.values, name: nothing}
                    assert played.play(state, replace(action, values=values))[0] == after

    assert_news(played.start(0).news)
    for seed in range(GAMES):
        play(played, Random(seed), watch)
    assert "game_over" in seen
    assert bool(left_out) == any(
        value.bound.default == []
        for kind in played.actions(played.variant)
        for value in kind.values.values()
    )
