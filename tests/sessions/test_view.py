"""The tags by which clients name a session as they saw it."""

from __future__ import annotations

import re
from dataclasses import replace

from service.sessions.session import start
from service.sessions.store import codec
from service.sessions.tokens import hash_token
from service.sessions.view import SessionView, Stale
from tests.sessions.sample_sessions import PLAYERS, sample_terms


def session(variant: str, viewer: str | None = None) -> SessionView:
    """A session as it begins."""
    terms = sample_terms(variant)
    snapshot, _ = start(terms)
    return SessionView(
        terms, snapshot, viewer, codec.digest(codec.encode_snapshot(terms, snapshot))
    )


def test_tags_are_keyed_with_all_tokens() -> None:
    """Who lacks one of the tokens can't tell the tag of a snapshot, and so can't try which of all
    pockets would have the one that is told.
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
    """A version is named by its number and by the tag that anyone got, by nothing else."""
    view = session("texas-holdem-dice", "ann")
    tags = [replace(view, viewer=viewer).tag for viewer in (None, *PLAYERS)]
    assert len(set(tags)) == 4
    for name in ("1", *tags):
        assert view.is_one_of({"7", name})
    other = replace(view, digest=codec.digest(b"another snapshot"))
    for name in ("", "01", "2", "1-", f"{tags[1]}0", tags[1].upper(), other.tag):
        assert not view.is_one_of({name})


def test_where_nothing_is_hidden() -> None:
    """All have the same tag of what all see."""
    view = session("dice-poker")
    assert {replace(view, viewer=viewer).tag for viewer in PLAYERS} == {view.tag}


def test_stale() -> None:
    """What no version was is none that is to come, nor one that was lost."""
    view = session("dice-poker")
    told = [
        (stale.to_come, stale.replaced)
        for tags in ({"2"}, {"2-00000000", "x"}, {"1-00000000"}, {"x"}, {"01"}, {"2-0"}, set[str]())
        for stale in [Stale(view, tags)]
    ]
    assert told == [(True, False)] * 2 + [(False, True)] + [(False, False)] * 4
