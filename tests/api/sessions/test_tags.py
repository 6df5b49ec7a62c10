"""Entity tags: different for different views of a session, and all valid for the same state."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.variants import variants
from tests.api.sessions.playing import TABLE, Session, make, tagged
from tests.engine.random_play import picked
from tests.live import Reply, Service
from tests.sampled import first
from tests.short_games import short_rules
from tests.whole_games.legal_player import moves

WHO = (TABLE, "ann", "ben")


@pytest.fixture
def hiding(service: Service) -> Session:
    """A game in which all players see only their own pocket; it is ben's turn."""
    session = make(service, "texas-holdem-dice", "ann", "ben")
    assert session.made["state"]["to_act"] == ["ben"]
    return session


def tags_of(session: Session) -> list[str]:
    """The tags for the table and both players."""
    return [session.read(who).headers["ETag"] for who in WHO]


def test_what_differs_has_another_tag(hiding: Session) -> None:
    """In a game with hidden dice, each token has its own tag: a client that changes its token never
    gets a 304.
    """
    tags = tags_of(hiding)
    assert len(set(tags)) == 3
    for who, tag in zip(WHO, tags, strict=True):
        for other in WHO:
            for query in ("", "?wait=1") if other != who else ("",):
                reply = hiding.read(other, query, If_None_Match=tag)
                assert (reply.status, reply.headers["ETag"]) == (
                    304 if other == who else 200,
                    tags[WHO.index(other)],
                )
                if other != who:
                    assert reply.json == hiding.read(other).json


@pytest.mark.parametrize("variant", ["dice-poker", "poker-dice", "roll-a-royal"])
def test_what_is_the_same_has_the_same_tag(service: Service, variant: str) -> None:
    """In a game without hidden dice, all tokens have the same tag."""
    session = make(service, variant, "ann", "ben")
    (tag,) = set(tags_of(session))
    answers = [session.read(who) for who in WHO]
    assert [reply.body for reply in answers] == [answers[0].body] * 3
    assert session.read("ben", If_None_Match=tag).status == 304


def bodies_by_tag(replies: list[tuple[str, Reply]]) -> dict[tuple[str, str], set[bytes]]:
    """The bodies of responses by URL and ETag, after checking how caches may treat them."""
    found: dict[tuple[str, str], set[bytes]] = {}
    for url, reply in replies:
        assert reply.status == 200, reply.body
        assert reply.headers["Cache-Control"] == "private, no-cache, no-transform"
        assert reply.headers["Vary"] == "Authorization, Accept-Language"
        found.setdefault((url, reply.headers["ETag"]), set()).add(reply.body)
    return found


def value(rng: Random, shape: dict[str, Any]) -> Any:
    """Any value within `shape`, typed dice included; the game may refuse dice that clash."""
    if shape.get("type") == "array" and not shape.get("uniqueItems"):
        return [picked(rng, shape["items"]) for _ in range(shape["minItems"])]
    return picked(rng, shape)


@pytest.mark.general
@pytest.mark.parametrize("dice", first(["server", "client"]))
def test_one_tag_one_body(service: Service, variant: str, dice: str) -> None:
    """In a whole game of every variant, an ETag names one body of a URL, whoever reads it, and the
    session and its history never have the same.
    """
    rng = Random(5)
    players = ("ann", "ben")
    rules = short_rules(variants()[variant])
    session = make(service, variant, *players, dice=dice, house_rules=rules)
    replies: list[tuple[str, Reply]] = []
    seen = session.made
    for _ in range(12):
        for who in (TABLE, *players):
            replies += [("session", session.read(who)), ("events", session.events(who))]
        legal = moves(seen["actions"])
        if not legal:
            break
        chosen = dict(rng.choice(legal))
        chosen.pop("player")
        values = {name: value(rng, chosen[name]) for name in chosen if name != "action"}
        acted = session.act(chosen["action"], **values)
        if acted.status == 200:
            seen = acted.json
    bodies = bodies_by_tag(replies)
    assert all(len(different) == 1 for different in bodies.values())
    tags = {url: {tag for of, tag in bodies if of == url} for url in ("session", "events")}
    assert tags["session"].isdisjoint(tags["events"])


def test_history_that_the_client_has(hiding: Session) -> None:
    """A client that has the history gets a 304, but not for the tag of the session, or of another
    token.
    """
    for who in WHO:
        history = hiding.events(who)
        tag = history.headers["ETag"]
        for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
            reply = hiding.events(who, If_None_Match=known)
            assert (reply.status, reply.body, reply.headers["ETag"]) == (304, b"", tag)
            assert reply.headers["Vary"] == "Authorization, Accept-Language"
        others = [hiding.events(other).headers["ETag"] for other in WHO if other != who]
        for unknown in (hiding.read(who).headers["ETag"], '"1"', *others):
            reply = hiding.events(who, If_None_Match=unknown)
            assert (reply.status, reply.body) == (200, history.body)


@pytest.mark.parametrize("who", WHO)
def test_an_action_takes_the_tag_that_anyone_got(hiding: Session, who: str) -> None:
    """A tag identifies a state for every token: a player may send the tag of the table."""
    tag = hiding.read(who).headers["ETag"]
    acted = hiding.act("check", who="ben", version=tag)
    assert (acted.status, tagged(acted)) == (200, 2)
    assert acted.headers["ETag"] == hiding.read("ben").headers["ETag"]
    late = hiding.act("check", who="ann", version=tag)
    assert (late.status, late.headers["ETag"]) == (412, hiding.read("ann").headers["ETag"])


def test_a_number_says_nothing_of_hidden_dice(hiding: Session) -> None:
    """In a game with hidden dice, the version number alone never yields a 304."""
    for who in WHO:
        reply = hiding.read(who, If_None_Match='"1"')
        assert (reply.status, tagged(reply)) == (200, 1)
