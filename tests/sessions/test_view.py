"""The entity tags by which clients name a version of a session."""

from __future__ import annotations

import re
from dataclasses import replace

from service.sessions.requests import hash_token
from service.sessions.session import start
from service.sessions.store import codec
from service.sessions.view import SessionView
from tests.sessions.sample_sessions import sample_terms


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
