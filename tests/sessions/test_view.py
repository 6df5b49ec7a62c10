"""The entity tags by which clients name a version of a session."""

from __future__ import annotations

import re
from dataclasses import replace

from service.sessions.requests import hash_token
from service.sessions.session import start
from service.sessions.store import codec
from service.sessions.view import SessionView, Stale
from tests.sessions.sample_sessions import PLAYERS, sample_terms


def session(variant: str, viewer: str | None = None) -> SessionView:
    """A session at version 1."""
    terms = sample_terms(variant)
    snapshot, _ = start(terms)
    return SessionView(
        terms, snapshot, viewer, codec.digest(codec.encode_snapshot(terms, snapshot))
    )


def test_tags_are_keyed_with_all_tokens() -> None:
    """The tag of a snapshot depends on all tokens of the session. So a client that lacks one can't
    compute the tags of all possible pockets and compare them.
    """
    view = session("texas-holdem-dice")
    tokens = view.terms.tokens
    others = {
        replace(
            view, terms=replace(view.terms, tokens=(*tokens[:n], hash_token("?"), *tokens[n + 1 :]))
        )
        for n in range(len(tokens))
    }
    tags = {view.tag, *(other.tag for other in others)}
    assert len(tags) == 1 + len(tokens)
    assert all(re.fullmatch("1-[0-9a-f]{8}", tag) for tag in tags)


def test_what_names_a_version() -> None:
    """A version is named by its number and by the tag that any token received, by nothing else."""
    view = session("texas-holdem-dice", "ann")
    tags = [replace(view, viewer=viewer).tag for viewer in (None, *PLAYERS)]
    assert len(set(tags)) == 4
    for name in ("1", *tags):
        assert view.is_one_of({"7", name})
    other = replace(view, digest=codec.digest(b"another snapshot"))
    for name in ("", "01", "2", "1-", f"{tags[1]}0", tags[1].upper(), other.tag):
        assert not view.is_one_of({name})


def test_where_nothing_is_hidden() -> None:
    """In a game that hides nothing all players have the same tag."""
    view = session("dice-poker")
    assert {replace(view, viewer=viewer).tag for viewer in PLAYERS} == {view.tag}


def test_what_a_client_has() -> None:
    """A client with the tag of its own token has what that sees, and one with the number only where
    nothing is hidden: with another token, it may have seen other dice.
    """
    hiding, open_ = session("texas-holdem-dice", "ann"), session("dice-poker", "ann")
    others = {replace(hiding, viewer=viewer).tag for viewer in (None, *PLAYERS)} - {hiding.tag}
    assert hiding.is_known_by({"7", hiding.tag})
    assert not hiding.is_known_by({"1", *others})
    for tags, known in (({"1"}, True), ({open_.tag}, True), ({"2", ""}, False), (set(), False)):
        assert open_.is_known_by(tags) == known


def test_stale() -> None:
    """`Stale` says whether its tags name later versions, this one with a state that was lost, or no
    version.
    """
    view = session("dice-poker")
    found = [
        (stale.to_come, stale.replaced, stale.malformed)
        for tags in ({"2"}, {"2-00000000", "x"}, {"1-00000000"}, {"x"}, {"01"}, {"2-0"}, set[str]())
        for stale in [Stale(view, tags)]
    ]
    assert found == [*[(True, False, False)] * 2, (False, True, False), *[(False, False, True)] * 4]
