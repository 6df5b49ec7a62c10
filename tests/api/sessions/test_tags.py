"""Entity tags: another one for whatever is seen otherwise, and any of them for the same state."""

from __future__ import annotations

import pytest

from tests.api.sessions.playing import TABLE, Session, make, tagged
from tests.live import Service

WHO = (TABLE, "ann", "ben")


@pytest.fixture
def hiding(service: Service) -> Session:
    """A game in which each sees the own pocket alone; ben is to act."""
    session = make(service, "texas-holdem-dice", "ann", "ben")
    assert session.made["state"]["to_act"] == ["ben"]
    return session


def tags_of(session: Session) -> list[str]:
    """The tags that the table and both players get."""
    return [session.read(who).headers["ETag"] for who in WHO]


def test_what_differs_has_another_tag(hiding: Session) -> None:
    """Where a game hides something, each token has its own tag: a client that changes its token is
    never gets a 304 for what it has.
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
    """Where nothing is hidden all see the same, and have the same tag for it."""
    session = make(service, variant, "ann", "ben")
    (tag,) = set(tags_of(session))
    answers = [session.read(who) for who in WHO]
    assert [reply.body for reply in answers] == [answers[0].body] * 3
    assert session.read("ben", If_None_Match=tag).status == 304


@pytest.mark.parametrize("who", WHO)
def test_an_action_takes_the_tag_that_anyone_got(hiding: Session, who: str) -> None:
    """An action is for a state, whoever saw it: a player may send the tag that the table got."""
    tag = hiding.read(who).headers["ETag"]
    acted = hiding.act("check", who="ben", version=tag)
    assert (acted.status, tagged(acted)) == (200, 2)
    assert acted.headers["ETag"] == hiding.read("ben").headers["ETag"]
    late = hiding.act("check", who="ann", version=tag)
    assert (late.status, late.headers["ETag"]) == (412, hiding.read("ann").headers["ETag"])


def test_a_number_says_nothing_of_hidden_dice(hiding: Session) -> None:
    """Where a game hides dice, no token has what it sees by the number of the version alone."""
    for who in WHO:
        reply = hiding.read(who, If_None_Match='"1"')
        assert (reply.status, tagged(reply)) == (200, 1)
