"""What must hold for a session at the end of a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import orjson

from service.api.sessions import answers
from service.cli import verify
from service.engine.actions import Step
from service.rules.variant import TIME_UP
from service.sessions.requests import hash_token, key_digest
from service.sessions.session import CREATE, Event
from service.sessions.view import CreatedSession, SessionView
from tests.simulation.records import Record, Response, Seen, Sent, Violated
from tests.simulation.stored import Stored
from tests.whole_games.invariants import by_computer, with_other_pockets


def check(record: Record, stored: Stored | None, lost: Sequence[Stored]) -> None:
    """Raises `Violated` unless what clients have sent and received fits what is `stored`.

    `stored` is None if the session is gone. `lost` are states that the store once had.
    """
    states = [*([] if stored is None else [stored]), *lost]
    _check_created(record, states)
    _check_responses(record, states)
    if stored is not None:
        _check_actions(record, stored, lost)


def check_kept(record: Record, stored: Stored | None) -> None:
    """Raises `Violated` unless all that was acknowledged is stored now, whatever the store lost."""
    if stored is None:
        raise Violated(f"{record.created} was acknowledged, and is lost")
    for sent in record.sent:
        if any(not _is_in(stored, sent, answer) for answer in sent.answers):
            raise Violated(f"{sent} was acknowledged, and is lost")


def check_log(record: Record, states: Sequence[Stored], lines: Sequence[str]) -> None:
    """Raises `Violated` if a line of the log has a token, its hash, or a seed."""
    secrets = [*record.tokens.values(), *map(hash_token, record.tokens.values())]
    secrets += [state.terms.seed.hex() for state in states if state.terms.seed is not None]
    for line in lines:
        if any(secret in line for secret in secrets):
            raise Violated(f"the log has a secret: {line}")


def check_dice(history: Response) -> None:
    """Raises `Violated` unless the dice of a finished game follow from its commitment."""
    try:
        verify.verified(verify.read(history.body))
    except (verify.Wrong, verify.Unverifiable) as error:
        raise Violated(f"the history can't be verified: {error}") from None


def _check_created(record: Record, states: Sequence[Stored]) -> None:
    """The store has or had the session as it was created, with its tokens."""
    tokens = dict(record.tokens)
    table = tokens.pop(None)
    players = {str(player): token for player, token in tokens.items()}
    made = [CreatedSession(state.views[0], table, players) for state in states]
    if all(orjson.dumps(answers.created_json(each)) != record.created.body for each in made):
        raise Violated("the session was never created as its client was told")


def _check_responses(record: Record, states: Sequence[Stored]) -> None:
    """Each response shows one version that was stored, as its viewer may see it."""
    expected: dict[tuple[str, str | None, bool], bytes] = {}
    for seen in record.seen:
        of = seen.response.tag, seen.viewer, seen.history
        if of not in expected:
            expected[of] = _expected(seen, states, list(record.tokens.values()))
        if seen.response.body != expected[of]:
            raise Violated(f"{seen} isn't {expected[of]!r}")


def _expected(seen: Seen, states: Sequence[Stored], tokens: Sequence[str]) -> bytes:
    """The body of a response that names a version by its tag."""
    version = int(seen.response.tag.partition("-")[0])
    for state in states:
        view = state.at(version, seen.viewer)
        if view is None or seen.response.tag not in (view.tag, view.tag_of("events")):
            continue
        events = state.events[:version] if seen.history else None
        body = _body(view, events)
        secrets = [token.encode() for token in (*tokens, *map(hash_token, tokens))]
        if view.terms.seed is not None and not view.snapshot.state.over:
            secrets.append(view.terms.seed.hex().encode())
        if any(secret in body for secret in secrets):
            raise Violated(f"{seen} has a token or a seed")
        if body != _body(with_other_pockets(view), _with_other_dice(view, events)):
            raise Violated(f"{seen} depends on hidden dice")
        return body
    raise Violated(f"{seen} has a version that the store never had")


def _body(view: SessionView, events: Sequence[Event] | None) -> bytes:
    """The session or its history as JSON."""
    if events is None:
        return orjson.dumps(answers.session_json(view))
    return orjson.dumps(answers.history_json(view, events))


def _with_other_dice(view: SessionView, events: Sequence[Event] | None) -> list[Event] | None:
    """The events if all dice in them that are hidden from the viewer were others."""

    def other(step: Step) -> Step:
        hidden = step.action in view.terms.game.hidden and step.player != view.viewer
        return replace(step, dice=step.dice[::-1] * 2) if hidden else step

    if events is None:
        return None
    return [replace(event, steps=tuple(map(other, event.steps))) for event in events]


def _check_actions(record: Record, stored: Stored, lost: Sequence[Stored]) -> None:
    """Each key has made one version at most, and each version was asked for once."""
    sent = {_digest(record, each): each for each in record.sent if each.key}
    if unknown := stored.keys.keys() - sent.keys():
        raise Violated(f"nobody has sent the keys {sorted(unknown)}")
    for digest, each in sent.items():
        there = [answer for answer in each.answers if _is_in(stored, each, answer)]
        there = [answer for answer in there if not _is_lost(answer, stored, lost)]
        _check_action(each, there, stored.keys.get(digest))
    by_version = {stored.acted(version): sent[digest] for digest, version in stored.keys.items()}
    if len(by_version) < len(stored.keys):
        raise Violated(f"two keys have made the same version: {stored.keys}")
    unkeyed = [each for each in record.sent if not each.key and each.possible]
    for version, event in enumerate(stored.events, start=1):
        if event.steps[0].action in (CREATE, TIME_UP) or stored.by_computer(version):
            if version in by_version:
                raise Violated(f"a key has made version {version}, which is no action")
        elif version in by_version:
            if not _is_step(by_version[version], event.steps[0]):
                raise Violated(f"{by_version[version]} has made {event}")
        elif not any(_may_make(each, version, event.steps[0]) for each in unkeyed):
            raise Violated(f"nobody asked for version {version}: {event}")


def _check_action(sent: Sent, there: Sequence[Response], made: int | None) -> None:
    """What was acknowledged is there; what was refused isn't; the answer is always the same.

    `there` are the answers that the store hasn't lost, `made` is the version that the key has made.
    """
    if there and made is None:
        raise Violated(f"{sent} was acknowledged, and its key isn't there")
    if any(answer.body != there[0].body for answer in there):
        raise Violated(f"{sent} has several answers")
    if made is not None and there and int(there[0].tag.partition("-")[0]) != made:
        raise Violated(f"{sent} made version {made}")
    if made is not None and (not sent.possible or not sent.legal):
        raise Violated(f"{sent} was refused, and has made version {made}")


def _is_in(stored: Stored, sent: Sent, answer: Response) -> bool:
    """Whether an answer is a version of the session as it is stored now."""
    view = stored.at(int(answer.tag.partition("-")[0]), sent.viewer)
    return view is not None and view.tag == answer.tag


def _is_lost(answer: Response, stored: Stored, lost: Sequence[Stored]) -> bool:
    """Whether the store has lost the version of an answer, even if there is an equal one again."""
    version = int(answer.tag.partition("-")[0])
    return any(
        version <= len(state.events) and state.made_by(version) != stored.made_by(version)
        for state in lost
    )


def _digest(record: Record, sent: Sent) -> bytes:
    return key_digest(hash_token(record.tokens[sent.viewer]), sent.key)


def _may_make(sent: Sent, version: int, step: Step) -> bool:
    """Whether an action without a key may have made `version`."""
    named = int(sent.match.strip('"').partition("-")[0])
    return named == version - 1 and _is_step(sent, step)


def _is_step(sent: Sent, step: Step) -> bool:
    """Whether `step` is what was asked for, where a client may leave out what a computer chose."""
    values = {name: value for name, value in sent.body.items() if name in step.values}
    asked = sent.body["action"], sent.body.get("player", step.player)
    chosen = step.values if by_computer(step) else {}
    return asked == (step.action, step.player) and {**chosen, **values} == step.values
