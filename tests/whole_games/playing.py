"""One whole game through the service and a real store, everything checked after each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import orjson
import pytest

from service.api.operations.registry import play
from service.api.sessions import answers
from service.api.sessions.requests import Actions, NewSession
from service.cli import verify
from service.rules.variant import TIME_UP
from service.sessions.fair import SEED_BYTES, commitment
from service.sessions.requests import hash_token, new_id
from service.sessions.service import SessionService
from service.sessions.session import Event, Snapshot, Terms, replay, replay_event, start
from service.sessions.store import codec
from service.sessions.store.redis_store import Store
from service.sessions.store.scripts import Change
from service.sessions.view import (
    ANY_VERSION,
    CreatedSession,
    Forbidden,
    Illegal,
    SessionView,
    Unknown,
    Versions,
)
from service.settings import Settings
from service.variants import variants
from tests.sessions.taking_back import bare
from tests.whole_games.contract import of_variant
from tests.whole_games.invariants import (
    by_computer,
    check_answer,
    check_event,
    check_step,
    check_views,
    with_other_pockets,
)
from tests.whole_games.legal_player import TAKE_BACK, Answer, choose, choose_badly, moves
from tests.whole_games.requests import request
from tests.whole_games.results import winners

FAR = 4_102_444_800_000
"""When these games are played: in 2100, so that Redis, whose clock is real, forgets none."""

SECONDS = 86_400
MOST_ACTIONS = 20_000
NEW = NewSession(variants().values())
ACTIONS = Actions(variants().values())
CHOOSE = partial(play, Settings())


class Clock:
    """A clock that only moves when a test sets it."""

    def __init__(self) -> None:
        self.at = FAR

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        return self.at


class WholeGame:
    """The game `number` of `variant`: players, rules, choices and dice are those of its number."""

    def __init__(self, store: Store, variant: str, number: int) -> None:
        self.name = f"game {number} of {variant}"
        self._rng = Random(self.name)
        self._clock = Clock()
        self._store = store
        self._session_service = SessionService(
            store, variants(), SECONDS, self._clock, choose=CHOOSE
        )
        self._schema = of_variant(variant, "Session")
        self._history = of_variant(variant, "SessionHistory")
        self.counts = Counter[str]()
        asked = request(self._rng, variant)
        of_variant(variant, "SessionRequest").validate(asked)
        self._made = self._begin(asked)
        self._terms = self._made.view.terms
        answer = _as_json(answers.created_json(self._made))
        of_variant(variant, "NewSession").validate(answer)
        self._tokens: dict[str | None, str] = {None: self._made.table_token}
        self._tokens.update(self._made.player_tokens)
        self._secrets = [
            token.encode()
            for token in (*self._tokens.values(), *map(hash_token, self._tokens.values()))
        ]
        self._met: dict[int, Snapshot] = {}
        """The snapshots that were seen, by their versions."""

    def play(self) -> Counter[str]:
        """Plays to the end; how many actions were taken and refused."""
        rng = self._rng
        views = self._views(self._session_service.read(self._terms.id, self._tokens[None]))
        while not views[None]["state"]["over"] or self._goes_on(views):
            assert self.counts["actions"] < MOST_ACTIONS, "the game still goes on"
            before, views = views, self._time_passes(views)
            if views is not before and views[None]["state"]["over"]:
                continue
            if rng.random() < 0.1:
                self._refused(views)
            if moves(views[None]["actions"]) or views[None]["state"]["over"]:
                views = self._acted(views)
        self._ended(views)
        self._session_service.delete(self._terms.id, self._tokens[None])
        with pytest.raises(Unknown):
            self._session_service.read(self._terms.id, self._tokens[None])
        return self.counts

    def _goes_on(self, views: Mapping[str | None, Answer]) -> bool:
        """Whether the table takes back something after the end (G3)."""
        return bool(views[None]["actions"]) and self._rng.random() < 0.3

    def _begin(self, asked: Answer) -> CreatedSession:
        """A new session: its seed and its tokens come from the number of the game too."""
        variant, given = NEW.read(asked)
        tokens = [f"{self._rng.getrandbits(172):043x}" for _ in range(len(asked["players"]) + 1)]
        terms = Terms(
            id=new_id(),
            variant=variant,
            players=given["players"],
            rules=given["house_rules"],
            seed=self._rng.randbytes(SEED_BYTES) if asked["dice"] == "server" else None,
            client_seed=given["seed"],
            tokens=tuple(map(hash_token, tokens)),
            created_at=self._clock(),
            seconds=SECONDS,
            paper=given["paper"],
            computers=given.get("computers", {}),
            choose=CHOOSE,
        )
        snapshot, event = start(terms)
        written = codec.encode_snapshot(terms, snapshot)
        view = SessionView(terms, snapshot, None, codec.digest(written))
        change = Change(
            expected_version=0,
            expected_digest="",
            version=1,
            snapshot=written,
            events=[codec.encode_event(terms, event)],
            expires_at=view.expires_at,
            terms=codec.encode_terms(terms),
        )
        assert self._store.write(terms.id, change)
        players = dict(zip(terms.players, tokens[1:], strict=True))
        return CreatedSession(view, tokens[0], players)

    def _views(self, view: SessionView) -> dict[str | None, Answer]:
        """What the table and each player are answered now, checked."""
        views: dict[str | None, Answer] = {}
        for viewer in (None, *self._terms.players):
            written = orjson.dumps(answers.session_json(replace(view, viewer=viewer)))
            self._check_secrets(written)
            views[viewer] = orjson.loads(written)
            self._schema.validate(views[viewer])
            check_answer(views[viewer])
        check_views(views)
        same = {replace(view, viewer=viewer).tag for viewer in views}
        alike = all(view == views[None] for view in views.values())
        assert alike or len(same) == len(views), "what differs has the same entity tag"
        self._check_hidden(view, views)
        self._met[view.snapshot.version] = view.snapshot
        if self._rng.random() < 0.05:
            viewer = self._rng.choice(list(self._tokens))
            read = self._session_service.read(self._terms.id, self._tokens[viewer])
            assert _as_json(answers.session_json(read)) == views[viewer], "it is read as another"
        return views

    def _check_secrets(self, written: bytes) -> None:
        assert not any(secret in written for secret in self._secrets), "the answer has a token"
        seed = self._terms.seed
        assert seed is None or seed.hex().encode() not in written or b'"over":true' in written

    def _check_hidden(self, view: SessionView, views: Mapping[str | None, Answer]) -> None:
        """No answer may depend on a pocket that is hidden from its viewer."""
        for viewer, answer in views.items():
            other = with_other_pockets(replace(view, viewer=viewer))
            seen = _as_json(answers.session_json(other))
            assert seen == answer, f"{viewer} sees a hidden pocket"

    def _time_passes(self, views: dict[str | None, Answer]) -> dict[str | None, Answer]:
        """Some time, and now and then so much that the clock decides."""
        rng = self._rng
        ends = views[None]["state"]["ends_at"]
        if ends is None or rng.random() < 0.95:
            self._clock.at += rng.randrange(300)
        else:
            lasts = views[None]["house_rules"]["turn_seconds"] * 1000
            self._clock.at = ends + rng.randrange(3 * lasts)
        view = self._session_service.read(self._terms.id, self._tokens[None])
        return self._moved_on(views, view)

    def _moved_on(
        self, views: dict[str | None, Answer], view: SessionView
    ) -> dict[str | None, Answer]:
        """The views after the versions that have come since `views`."""
        count = view.snapshot.version - views[None]["version"]
        if not count:
            return views
        after = self._views(view)
        _, events = self._session_service.history(self._terms.id, self._tokens[None])
        steps = [step for event in events[-count:] for step in event.steps]
        if steps[0].action != TAKE_BACK:
            check_step(views[None], after[None], [news for step in steps for news in step.news])
        return after

    def _acted(self, views: dict[str | None, Answer]) -> dict[str | None, Answer]:
        """The views after a legal action, sent by the table or by its player."""
        rng = self._rng
        body = choose(rng, views[None]["actions"], views)
        listed = [each for each in views[None]["actions"] if each["action"] == body["action"]]
        player = body.get("player", listed[0]["player"])
        sender = rng.choice([None, player])
        if sender is not None and rng.random() < 0.3:
            body.pop("player", None)  # it is the token's own
        version = views[None]["version"]
        key = rng.choice(["", f"key {version}"])
        action = ACTIONS.read(
            _as_json(body), self._tokens[sender], Versions(frozenset([str(version)])), key
        )
        view = self._session_service.act(self._terms.id, action)
        self.counts["actions"] += 1
        self.counts[body["action"]] += 1
        made = view.snapshot.version - version
        assert made == 1 or (made and self._terms.computers), "versions rise by one"
        if key and rng.random() < 0.01:
            again = self._session_service.act(self._terms.id, action)
            first, second = (orjson.dumps(answers.session_json(each)) for each in (view, again))
            assert first == second, "done twice"
        if made > 1:
            return self._moved_on(views, view)
        after = self._views(view)
        if body["action"] != TAKE_BACK:
            check_step(views[None], after[None], after[None]["state"]["news"])
        elif body["to"] in self._met:
            assert bare(view.snapshot) == bare(self._met[body["to"]]), "it goes back elsewhere"
        return after

    def _refused(self, views: Mapping[str | None, Answer]) -> None:
        """An illegal action is refused with what is legal, and changes nothing."""
        rng = self._rng
        body = choose_badly(rng, views[None]["actions"], self._terms.players)
        viewer = rng.choice(list(self._tokens))
        before = self._store.read(self._terms.id)
        key = rng.choice(["", "bad"])
        action = ACTIONS.read(_as_json(body), self._tokens[viewer], ANY_VERSION, key)
        with pytest.raises((Illegal, Forbidden)) as refusal:
            self._session_service.act(self._terms.id, action)
        if isinstance(refusal.value, Illegal):
            legal = answers.actions_json(refusal.value.view)
            assert _as_json(legal) == views[None]["actions"], "other actions are listed"
        else:
            assert viewer not in (None, body["player"]), "a token acts for its player"
        assert self._store.read(self._terms.id) == before, f"{body} has changed something"
        self.counts["refused"] += 1

    def _ended(self, views: Mapping[str | None, Answer]) -> None:
        """What holds at the end: seed, winners, history."""
        last = views[None]
        assert set(last["state"]["winners"]) == winners(last), "others should have won"
        terms = self._terms
        if terms.seed is not None:
            expected = commitment(bytes.fromhex(last["fairness"]["seed"]))
            assert last["fairness"]["commitment"] == expected
        histories = set()
        for viewer, token in self._tokens.items():
            view, events = self._session_service.history(terms.id, token)
            written = orjson.dumps(answers.history_json(view, events))
            self._check_secrets(written.replace(b'"seed":"', b'"over":true"', 1))
            self._history.validate(orjson.loads(written))
            assert len(events) == last["version"], f"{viewer} gets another history"
            histories.add(written)
        if terms.seed is not None:
            for written in histories:
                rolls = verify.verified(verify.read(written))
                self.counts["rolls verified"] += len(rolls)
        self._replayed(events, view.snapshot)
        self.counts["decisions of the clock"] = sum(
            event.steps[0].action == TIME_UP for event in events
        )
        self.counts["moves of computers"] = sum(by_computer(event.steps[0]) for event in events)
        self.counts["games"] += 1

    def _replayed(self, events: list[Event], last: Snapshot) -> None:
        """A replay gives every snapshot and every event again."""
        snapshot: Snapshot | None = None
        for event in events:
            if snapshot is not None:
                check_event(self._terms, snapshot, event)
            snapshot, made = replay_event(self._terms, snapshot, event)
            assert _same(made, event), f"version {snapshot.version} is another event"
            if snapshot.version in self._met:
                met = self._met[snapshot.version]
                assert _same(snapshot, met), f"version {snapshot.version} is another snapshot"
        assert self._rng.random() > 0.1 or _same(replay(self._terms, events), last)


def _same(one: object, other: object) -> bool:
    return orjson.dumps(one) == orjson.dumps(other)


def _as_json(answer: Any) -> Any:
    """What a client decodes."""
    return orjson.loads(orjson.dumps(answer))
