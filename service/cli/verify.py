"""Verifies a session that is over: `dice-scoring verify session.json`.

The file is the response of `GET /v1/sessions/{id}/events`. The seed must match the commitment, and
replaying the game with it must roll every die that the file has.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from service.api.sessions.requests import paper_field, paper_of
from service.cli.command import Command, CommandError, read_saved
from service.cli.text import counted, say
from service.engine.actions import Step
from service.kinds.registry import GAMES
from service.rules.dice import whole_number
from service.rules.house_rules import read_rules
from service.rules.reasons import TEXTS
from service.rules.violations import InvalidInput
from service.sessions.fair import FairDice, commitment
from service.sessions.session import Event, Snapshot, Terms, replay_event
from service.sessions.take_back import TAKE_BACK, recall
from service.strict_json import InvalidJson, decode
from service.variants import variants

OF_STEPS = ("version", "at", "player", "action", "computer", "dice", "news", "then")
"""The fields of a step that are not the values of its action."""

_REASONS = {*TEXTS, *TEXTS.values()}
"""The fields of reasons and of their texts."""

_VERIFYING = """\
Rolls every die of a session again from the seed that the service published at its end, and compares
the dice with the file.
"""


class Unverifiable(CommandError):
    """The file can't be verified; the message says why, and what would help."""


class Wrong(CommandError):
    """The session doesn't follow from its commitment; the message says where."""

    status = 1


FileStep = tuple[Step, bool]
"""A step as a file has it, and whether its dice were hidden from whoever saved it."""


@dataclass(frozen=True, slots=True)
class History:
    """What the file has: the terms, and the version, time and steps of each event."""

    terms: Terms
    commitment: str
    events: Sequence[tuple[object, int, Sequence[FileStep]]]


@dataclass(frozen=True, slots=True)
class VerifiedRoll:
    """The dice of one step as rolled from the seed, and whether the file hides them."""

    version: int
    step: Step
    hidden: bool


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help="the response of GET /v1/sessions/{id}/events after the game; - is standard input",
    )
    parser.add_argument("--dice", action="store_true", help="print every roll")


def _verify(options: Namespace) -> None:
    """Verifies the session in a file, and prints the result. Raises `CommandError` if it isn't
    true, or can't be verified.
    """
    try:
        rolls = verified(read(read_saved(options.file)))
    except Unverifiable as error:
        raise CommandError(f"{options.file} can't be verified: {error}.") from None
    except Wrong as error:
        raise Wrong(f"{options.file} does NOT match its commitment: {error}.") from None
    except CommandError as error:
        raise CommandError(f"{error}.") from None
    if options.dice:
        for roll in rolls:
            dice = " ".join(map(str, roll.step.dice))
            hidden = "  (hidden in the file)" if roll.hidden else ""
            player, action = roll.step.player, roll.step.action
            say(f"{roll.version:>6}  {player}  {action}  {dice}{hidden}", sys.stdout)
    dice_rolled = sum(len(roll.step.dice) for roll in rolls)
    hidden_rolls = sum(roll.hidden for roll in rolls)
    count = f"{counted(len(rolls), 'roll')} with {counted(dice_rolled, 'die', 'dice')}"
    given = f"the {count}" if len(rolls) == 1 else f"all {count}"
    is_hidden = f"{hidden_rolls} of the rolls {'is' if hidden_rolls == 1 else 'are'} hidden"
    hidden = f"; {is_hidden} in the file" if hidden_rolls else ""
    say(f"Verified: the seed matches the commitment and gives {given}{hidden}.", sys.stdout)


def read(data: bytes) -> History:
    """The history in a file. Raises `Unverifiable` if it has none, or no seed."""
    try:
        answer = decode(data)
    except InvalidJson as error:
        raise Unverifiable(f"it is not valid JSON: {error}") from None
    if not isinstance(answer, dict) or "events" not in answer:
        raise Unverifiable("it is not what GET /v1/sessions/{id}/events returns")
    if answer.get("dice") == "client":
        raise Unverifiable("its dice were typed in by the players, not rolled by the service")
    try:
        orjson.dumps(answer)  # refuses what is nested too deep to be compared later
        return _history(answer)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise Unverifiable(
            f"it is not what GET /v1/sessions/{{id}}/events returns ({error!r})"
        ) from None


def verified(history: History) -> list[VerifiedRoll]:
    """Every roll of a session, made from its seed. Raises `Wrong` where the file differs."""
    seed = history.terms.seed
    if seed is None or commitment(seed) != history.commitment:
        raise Wrong("the SHA-256 of the seed is not the commitment")
    rolls: list[VerifiedRoll] = []
    snapshot: Snapshot | None = None
    past: list[tuple[Snapshot, Event]] = []
    for version, (number, at, steps) in enumerate(history.events, start=1):
        if number != version:
            raise Wrong(f"version {version} has the number {number}")
        event = _recalling(history.terms, past, Event(at, tuple([step for step, _ in steps])))
        try:
            snapshot, replayed = replay_event(history.terms, snapshot, event)
        except InvalidInput as refused:
            raise Wrong(f"version {version} breaks the rules: {refused}") from None
        past.append((snapshot, replayed))
        rolls += _compared(history.terms, version, replayed.steps, steps)
    if snapshot is None or not snapshot.state.over:
        raise Wrong("its events end before the game does")
    return rolls


def _recalling(terms: Terms, past: Sequence[tuple[Snapshot, Event]], event: Event) -> Event:
    """`event`, after the versions in `past`, with what it needs if it takes back any of them."""
    first, *then = event.steps
    to = whole_number(first.values.get("to"))
    if first.action != TAKE_BACK.name or to is None or not 1 <= to < len(past):
        return event
    undone = [event for _, event in past[to:]]
    first = replace(first, decided=recall(terms, past[to - 1][0], undone))
    return Event(event.at, (first, *then))


def _compared(
    terms: Terms, version: int, replayed: Sequence[Step], steps: Sequence[FileStep]
) -> list[VerifiedRoll]:
    """The rolls of an event. Raises `Wrong` where the steps of the file differ from the replay."""
    forced, found = (
        [(step.player, step.action, step.values) for step in each]
        for each in (replayed, [step for step, _ in steps])
    )
    if forced != found:
        raise Wrong(f"version {version} doesn't have the steps that the game forces")
    rolls = []
    for step, (read, hidden) in zip(replayed, steps, strict=True):
        if hidden and step.action not in terms.game.hidden:
            raise Wrong(f"version {version} hides dice that everyone may see")
        if not hidden and step.dice != read.dice:
            gives, has = (" ".join(map(str, dice)) for dice in (step.dice, read.dice))
            raise Wrong(f"version {version} has the dice {has}, but the seed gives {gives}")
        if _facts(orjson.loads(orjson.dumps(step.news))) != _facts([*read.news]):
            raise Wrong(f"the news of version {version} differs from the game's")
        if step.dice:
            rolls.append(VerifiedRoll(version, step, hidden))
    return rolls


def _facts(value: object) -> object:
    """News as JSON without their reasons, which another release may give in another way."""
    if isinstance(value, dict):
        return {name: _facts(each) for name, each in value.items() if name not in _REASONS}
    return [_facts(each) for each in value] if isinstance(value, list) else value


def _history(answer: Mapping[str, Any]) -> History:
    """The history in a response. May raise any exception if the response is malformed."""
    variant = variants().get(answer["variant"])
    if variant is None:
        raise Unverifiable(f"its variant, {answer['variant']}, is not known to this release")
    fairness = answer["fairness"]
    if fairness["seed"] is None:
        raise Unverifiable("the game is not over; the service publishes the seed when it ends")
    created_at = _milliseconds(answer["created_at"])
    players, events = answer["players"], answer["events"]
    names = {player for player in players if isinstance(player, str)}
    if not isinstance(players, list) or len(names) < max(variant.players[0], len(players)):
        raise ValueError("players")
    if not isinstance(events, list):
        raise ValueError("events")
    paper = answer.get(GAMES.of(variant).paper)
    paper = paper if paper is None else paper_field(variant).read(paper)
    seed = bytes.fromhex(fairness["seed"])
    FairDice(seed, fairness["client_seed"])  # refuses seeds that no session has
    terms = Terms(
        id=answer["id"],
        variant=variant,
        players=tuple(players),
        rules=read_rules(variant.house_rules, answer["house_rules"]),
        seed=seed,
        client_seed=fairness["client_seed"],
        tokens=(),
        created_at=created_at,
        seconds=0,
        paper=paper_of(variant, players, paper),
        computers=answer.get("computers", {}),
    )
    steps = [
        (
            event["version"],
            _milliseconds(event["at"]),
            [_file_step(step) for step in (event, *event["then"])],
        )
        for event in events
    ]
    return History(terms, fairness["commitment"], steps)


def _file_step(step: Mapping[str, Any]) -> FileStep:
    values = {name: value for name, value in step.items() if name not in OF_STEPS}
    dice = step.get("dice", ())
    hidden = dice is None
    news = tuple(step["news"])
    return Step(step["player"], step["action"], values, tuple(dice or ()), news), hidden


def _milliseconds(written: str) -> int:
    """A time as RFC 3339 has it, in milliseconds since 1970."""
    moment = datetime.fromisoformat(written)
    return round(moment.timestamp() * 1000)


_STATUSES = {
    0: "verified: the seed gives every die",
    1: "wrong: the session does not follow from its commitment",
    2: "it can't be verified, or a mistake in the options or in a setting",
}

main = Command("verify", _VERIFYING, "", _add_arguments, _verify, statuses=_STATUSES)
