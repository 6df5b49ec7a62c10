"""Players say that they are there, before they can act."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.api.sessions.playing import TABLE, UNTIMED, Session, make
from tests.live import Service


def joined(session: Session, who: str) -> list[str]:
    """Who has joined, after a request with the token of `who`."""
    reply = session.ask("POST", "/joined", who=who)
    assert (reply.status, list(reply.json)) == (200, ["joined"])
    assert reply.headers["Cache-Control"] == "no-store"
    names: list[str] = reply.json["joined"]
    return names


def test_who_has_joined(service: Service) -> None:
    """Each player's token adds its player, once; the table's adds nobody and learns who is there.
    They are in seat order, whoever came first.
    """
    session = make(service, "dice-poker", "ann", "ben", "eve", house_rules=UNTIMED)
    assert joined(session, TABLE) == []
    assert joined(session, "eve") == ["eve"]
    assert joined(session, "ann") == ["ann", "eve"]
    assert joined(session, "ann") == ["ann", "eve"]
    assert joined(session, TABLE) == ["ann", "eve"]


def test_joining_is_no_move(service: Service) -> None:
    """The session remains at its version, and its actions keep who has joined."""
    session = make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED)
    before, tag = session.stands(), session.read().headers["ETag"]
    joined(session, "ben")
    assert (session.stands(), session.read().headers["ETag"]) == (before, tag)
    assert session.act("roll", version=1).status == 200
    assert joined(session, TABLE) == ["ben"]


def test_all_join_at_once(service: Service) -> None:
    """Nobody is lost when all players of a large table join at the same time, each twice."""
    players = [f"player {place}" for place in range(12)]
    session = make(service, "dice-poker", *players, house_rules=UNTIMED)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda who: joined(session, who), [*reversed(players), *players]))
    assert joined(session, TABLE) == players


def test_a_token_of_another_session(service: Service) -> None:
    """A token of another session adds nobody."""
    session, other = (
        make(service, "dice-poker", "ann", "ben", house_rules=UNTIMED) for _ in range(2)
    )
    assert session.ask("POST", "/joined", None, None, **other.bearer("ben")).status == 403
    assert joined(session, TABLE) == []
