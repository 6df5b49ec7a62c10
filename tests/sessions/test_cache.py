"""Sessions that a process has cached while another process changes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.sessions.repository import KEPT, Recent
from service.sessions.session import Snapshot, Terms
from service.sessions.view import Forbidden, Illegal, SessionView, Stale
from tests.sessions.sample_sessions import sample_terms
from tests.sessions.serving import Worker, act, new


def test_a_cached_session_is_not_read_again(workers: tuple[Worker, Worker]) -> None:
    """An action in a cached session reads nothing from the store; others read the session."""
    one, other = workers
    made = new(one.session_service)
    assert [one.act(made, version).snapshot.version for version in (1, 2)] == [2, 3]
    assert one.store.reads == 0
    assert other.act(made, 3).snapshot.version == 4
    assert other.store.reads == 1
    assert one.act(made, 4, {"action": "score", "box": "chance"}).snapshot.version == 5
    assert one.store.reads == 1


def test_another_was_faster(workers: tuple[Worker, Worker]) -> None:
    """An action for a version that another process has left gets the newer version with its
    refusal.
    """
    one, other = workers
    made = new(one.session_service)
    one.act(made, 1)
    other.act(made, 2)
    with pytest.raises(Stale) as stale:
        one.act(made, 2)
    assert stale.value.view.snapshot.version == 3
    assert one.act(made, 3, {"action": "cross_out", "box": "ones"}).snapshot.version == 4


@pytest.mark.parametrize("versions", [(2, 3), ()])
def test_another_was_faster_and_that_is_fine(
    workers: tuple[Worker, Worker], versions: tuple[int, ...]
) -> None:
    """An action for several versions, or any, applies to the version that another process just
    made.
    """
    one, other = workers
    made = new(one.session_service)
    one.act(made, 1)
    one.store.before_write = [lambda: other.act(made, 2)]
    done = act(one.session_service, made, *versions, key="k")
    assert done.snapshot.version == 4
    assert one.session_service.read(made.view.terms.id, made.table_token) == done


def test_refusals_are_confirmed_by_the_store(workers: tuple[Worker, Worker]) -> None:
    """An action that is illegal in the cached version is judged again in the stored one."""
    one, other = workers
    made = new(one.session_service)
    one.act(made, 1)
    for version in (2, 3):
        other.act(made, version)
    with pytest.raises(Stale) as stale:
        one.act(made, 2, {"action": "throw"})
    assert stale.value.view.snapshot.version == 4
    with pytest.raises(Illegal) as illegal:
        one.act(made, 4)
    assert illegal.value.view.snapshot.version == 4
    other.act(made, 4, {"action": "score", "box": "ones"})
    assert one.act(made, 5).snapshot.version == 6


def test_a_key_that_another_has_seen(workers: tuple[Worker, Worker]) -> None:
    """An action that another process performed is not repeated, whatever is cached here."""
    one, other = workers
    made = new(one.session_service)
    one.act(made, 1)
    done = other.act(made, 2, key="k")
    assert one.act(made, 2, key="k") == done
    assert len(one.session_service.history(made.view.terms.id, made.table_token)[1]) == 3


def test_a_repeated_last_action_needs_no_history(workers: tuple[Worker, Worker]) -> None:
    """A repeated action is replayed from the history only if others have acted since."""
    one, other = workers
    made = new(one.session_service)
    done = one.act(made, 1, key="k")
    assert [each.act(made, 1, key="k") for each in workers] == [done, done]
    assert one.store.replays == other.store.replays == 0
    other.act(made, 2)
    assert one.act(made, 1, key="k") == done
    assert one.store.replays == 1


def test_a_cached_session_needs_its_token(workers: tuple[Worker, Worker]) -> None:
    """A cached session refuses other tokens, like a stored one."""
    one, _ = workers
    made = new(one.session_service)
    one.act(made, 1)
    with pytest.raises(Forbidden):
        one.act(replace(made, table_token="another"), 2)


def test_the_last_sessions_are_cached() -> None:
    """The cache keeps the session put last, even at an older version: the store may have lost the
    newer one. It drops the sessions that were used longest ago.
    """
    recent = Recent()
    first = at_version(sample_terms("dice-poker"), 7)
    older = at_version(first.terms, 5)
    recent.put(first)
    recent.put(older)
    assert recent.get(first.terms.id) == older
    later = [at_version(replace(first.terms, id=str(number)), 1) for number in range(KEPT)]
    for session in later:
        recent.put(session)
    assert recent.get(first.terms.id) is None
    assert [recent.get(session.terms.id) for session in later] == later
    recent.forget(later[0].terms.id)
    assert recent.get(later[0].terms.id) is None


def at_version(terms: Terms, version: int) -> SessionView:
    """A session at a version."""
    return SessionView(terms, Snapshot(version, 0, 0, 0, None), None, "")
