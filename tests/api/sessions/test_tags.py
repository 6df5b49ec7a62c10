"""Entity tags: different for different views of a session, and all valid for the same state."""

from __future__ import annotations

import pytest

from tests.api.sessions.playing import TABLE, Session, make, tagged
from tests.live import Service

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
            for query in ("", "?wait=1"):
                reply = hiding.read(other, query, If_None_Match=tag)
                assert (reply.status, reply.headers["ETag"]) == (
                    304 if other == who else 200,
                    tags[WHO.index(other)],
                )
                if other != who:
                    assert reply.json == hiding.read(other).json
            assert hiding.events(other).headers["ETag"] == tags[WHO.index(other)]


@pytest.mark.parametrize("variant", ["dice-poker", "poker-dice", "roll-a-royal"])
def test_what_is_the_same_has_the_same_tag(service: Service, variant: str) -> None:
    """In a game without hidden dice, all tokens have the same tag."""
    session = make(service, variant, "ann", "ben")
    (tag,) = set(tags_of(session))
    answers = [session.read(who) for who in WHO]
    assert [reply.body for reply in answers] == [answers[0].body] * 3
    assert session.read("ben", If_None_Match=tag).status == 304


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
