"""Hidden dice over HTTP: whole games of Hold'em, read with every token of the table."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.api.sessions.playing import PATH, TABLE, Session, make, refusal
from tests.engine.random_play import picked
from tests.live import Reply, running
from tests.whole_games.legal_player import moves

PLAYERS = ("ann", "ben", "cas")
EVERYONE = (TABLE, *PLAYERS)
ENDS = ("showdown", "won_without_showing")


@dataclass
class Hand:
    """One hand of the game: the pockets as their owners see them, and who has folded."""

    pockets: dict[str, list[str]]
    folded: set[str] = field(default_factory=set)

    def may_show(self, news: Any) -> set[str]:
        """The dice that the `news` of the end of this hand may show: no pocket of a player who
        folded.
        """
        allowed = {*news.get("community", ()), *news.get("was", ()), *news.get("is", ())}
        for place in news.get("places", ()):
            for shown in place["hands"]:
                assert shown["id"] not in self.folded
                assert shown["pocket"] == self.pockets[shown["id"]]
                allowed |= {*shown["pocket"]}
        return allowed


def dice_in(shown: object) -> set[str]:
    """Every die anywhere in a response."""
    return set(re.findall(r"\b[1-6][rbwy]\b", json.dumps(shown)))


def check_state(state: Any, who: str, hands: list[Hand]) -> None:
    """Fails if a state shows `who` dice other than their own, the community and the shown ones."""
    shown = dict(state)
    last, news = shown.pop("last_hand"), shown.pop("news")
    own = None if state["over"] else hands[-1].pockets.get(who)
    assert shown["pocket"] == own
    assert dice_in(shown) <= {*shown["community"], *(own or ())}
    ended = hands[-1] if state["over"] else hands[-2] if len(hands) > 1 else None
    if last is not None:
        assert ended is not None
        assert dice_in(last) <= ended.may_show(last)
    ends = sum(item["what"] in ENDS for item in news)
    told_of = hands[len(hands) - ends - (not state["over"]) :]
    for item in news:  # of the hands that ended with the last action, and of the one that goes on
        assert dice_in(item) <= told_of[0].may_show(item)
        if item["what"] in ENDS and len(told_of) > 1:
            told_of = told_of[1:]


def check_events(events: Any, who: str, hands: list[Hand]) -> None:
    """Fails if a history shows `who` pockets other than their own and the shown ones."""
    number = 0
    for event in events:
        for step in (event, *event["then"]):
            if step["action"] == "roll_pocket":
                pocket = hands[number].pockets[step["player"]]
                assert step["dice"] == (pocket if step["player"] == who else None)
            said = {name: step[name] for name in step if name not in ("dice", "news", "then")}
            assert not dice_in(said)
            for news in step["news"]:
                assert dice_in(news) <= hands[number].may_show(news)
            number += sum(news["what"] in ENDS for news in step["news"])
    assert number in (len(hands) - 1, len(hands))


def dealt(session: Session) -> list[Hand]:
    """All hands so far, with the pockets that only their player sees.

    If nobody can bet, a hand is over as soon as it begins: no state shows its pockets.
    """
    hands = [Hand({})]
    for player in PLAYERS:
        number = 0
        for event in session.events(player).json["events"]:
            for step in (event, *event["then"]):
                if step["action"] == "roll_pocket" and step["player"] == player:
                    hands[number].pockets[player] = step["dice"]
                number += sum(news["what"] in ENDS for news in step["news"])
                if number == len(hands):
                    hands.append(Hand({}))
    return [hand for hand in hands if hand.pockets]


def move(rng: Random, actions: Any, *, fold: bool) -> Any:
    """A fold if there is to be one, otherwise any action, which is seldom a fold."""
    if fold:
        return next(one for one in actions if one["action"] == "fold")
    playing = moves(actions)
    staying = [one for one in playing if one["action"] != "fold"]
    return rng.choice(staying if staying and rng.random() < 0.9 else playing)


def check_refusals(session: Session, to_act: str) -> None:
    """Fails if a refusal shows any dice."""
    for who in EVERYONE:
        replies = [
            session.act("bet", who=who, amount=-1),
            session.act("roll_pocket", who=who, dice=["1r", "1r"]),
            session.act("show", who=who, player=who or to_act, pocket=None),
            session.act("check", who=who, version=1_000_000),
            session.act("take_back", who=who, to=0),
            session.act("take_back", who=who, to=1_000_000),
            session.act("take_back", who=who, player="ann" if who == "ben" else "ben", to=0),
        ]
        for reply in replies:
            refusal(reply, reply.status)
            assert reply.status in (403, 412, 422)
            assert not dice_in(reply.body.decode().replace(session.made["id"], ""))


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(3))
def test_whole_games(tmp_path: Path, seed: int) -> None:
    """In a whole game nobody ever sees a pocket that isn't shown: not in a state, a history, a
    problem, a repeated response, or a log. That holds although whatever can be taken back is, by
    whoever may, and then played otherwise (G3).
    """
    log = tmp_path / "access.log"
    rng = Random(seed)
    done: list[tuple[Any, str, dict[str, Any], Reply]] = []
    with running(ACCESS_LOG=str(log)) as service:
        session = make(
            service, "texas-holdem-dice", *PLAYERS, house_rules={"starting_chips": 100, "ante": 20}
        )
        hands = dealt(session)
        check_state(session.made["state"], TABLE, hands)
        seen = session.made
        while seen["actions"]:
            version, chosen = seen["version"], move(rng, seen["actions"], fold=not done)
            player = chosen.pop("player")
            values = {name: picked(rng, chosen[name]) for name in chosen if name != "action"}
            if len(done) % 5 == 0:
                check_refusals(session, player)
            reply = session.act(
                chosen["action"], who=player, version=version, key=f"k{version}", **values
            )
            seen = reply.json
            assert reply.status == 200, reply.body
            done.append((chosen["action"], player, values, reply))
            if chosen["action"] == "fold":
                hands[-1].folded.add(player)
            if seen["state"]["hand"] > len(hands):
                hands += dealt(session)[len(hands) :]
            check_state(seen["state"], player, hands)
            for who in EVERYONE:
                check_state(session.read(who).json["state"], who, hands)
            back = [one for one in seen["actions"] if one["action"] == "take_back"]
            if back and rng.random() < 0.5:
                player, to = rng.choice(back)["player"] or TABLE, back[0]["to"]["minimum"]
                was = {who: session.read(who).json for who in EVERYONE}
                key = f"k{seen['version']}"
                reply = session.act("take_back", who=player, version=to + 1, key=key, to=to)
                assert reply.status == 200, reply.body
                assert to == version
                done.append(("take_back", player, {"to": to}, reply))
                if chosen["action"] == "fold":
                    hands[-1].folded -= {done[-2][1]}
                seen = reply.json
                for who in EVERYONE:
                    now = session.read(who).json
                    check_state(now["state"], who, hands)
                    assert (now["state"]["pocket"], now["state"]["community"]) == (
                        was[who]["state"]["pocket"],
                        was[who]["state"]["community"],
                    )
            who = rng.choice(EVERYONE)
            check_events(session.events(who).json["events"], who, hands)
        assert seen["state"]["over"]
        before = session.stands()
        for action, player, values, first in done:
            version = first.json["version"] - 1
            key = f"k{version}"
            again = session.act(action, who=player, version=version, key=key, **values)
            assert (again.status, again.body) == (200, first.body)
            who = next(other for other in EVERYONE if other != player)
            other = session.act(action, who=who, version=version, key=key, **values)
            assert not dice_in(refusal(other, 412))
        assert session.stands() == before
        printed = service.output.text
    lines = log.read_text()
    assert lines.count(PATH) > 6 * len(done)
    assert not dice_in((lines + printed).replace(session.made["id"], ""))
    assert any(hand.folded for hand in hands)
    assert {"take_back", "fold"} <= {action for action, *_ in done}
    assert len(hands) > 1
