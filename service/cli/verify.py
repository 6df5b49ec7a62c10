"""Verifies a session that is over: `python -m service verify session.json`.

The file is the answer of `GET /v1/sessions/{id}/events`. The seed must be the one that the service
committed itself to, and playing the game again with it must give every die that the file tells.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from service.cli.terminal import say
from service.rules.house_rules import read_rules
from service.rules.violations import InvalidInput
from service.sessions.fair import FairDice, commitment
from service.sessions.session import Event, Snapshot, Step, Terms, replay_event
from service.strict_json import InvalidJson, decode
from service.variants import variants

OF_STEPS = ("version", "at", "player", "action", "dice", "news", "then")
"""The fields of a step that are not the values of its action."""

VERIFIED, WRONG, UNVERIFIABLE = 0, 1, 2
"""The exit statuses: all is as it was committed to; something isn't; it can't be told."""


class Unverifiable(Exception):
    """Nothing can be said of the session; the message says why, and what would help."""


class Wrong(Exception):
    """The session isn't what its commitment makes it; the message says where."""


@dataclass(frozen=True, slots=True)
class Told:
    """A step as the file tells it; `hidden` if its dice are kept from whoever asked for it."""

    step: Step
    hidden: bool


@dataclass(frozen=True, slots=True)
class History:
    """What the file tells: the terms, and of each event its version, time and steps."""

    terms: Terms
    commitment: str
    events: Sequence[tuple[object, int, Sequence[Told]]]


@dataclass(frozen=True, slots=True)
class Recomputed:
    """The dice of one step as the seed gives them, and whether the file hid them."""

    version: int
    step: Step
    hidden: bool


def main(arguments: Sequence[str]) -> int:
    """Says whether the session in a file is as it was committed to; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m service verify",
        description="Rolls every die of a session again from the seed that the service showed at "
        "its end, and compares. Exit status: 0 verified, 1 wrong, 2 can't be told.",
    )
    parser.add_argument(
        "file", type=Path, help="the answer of GET /v1/sessions/{id}/events, once the game is over"
    )
    parser.add_argument("--dice", action="store_true", help="print every roll")
    given = parser.parse_args(arguments)
    try:
        data = given.file.read_bytes()
        found = verified(read(data))
    except OSError as error:
        say(f"{given.file} can't be read: {error.strerror}.", sys.stderr)
        return UNVERIFIABLE
    except Unverifiable as error:
        say(f"{given.file} can't be verified: {error}.", sys.stderr)
        return UNVERIFIABLE
    except Wrong as error:
        say(f"{given.file} is NOT what was committed to: {error}.", sys.stderr)
        return WRONG
    if given.dice:
        for roll in found:
            dice = " ".join(map(str, roll.step.dice))
            hidden = "  (hidden in the file)" if roll.hidden else ""
            player, action = roll.step.player, roll.step.action
            say(f"{roll.version:>6}  {player}  {action}  {dice}{hidden}", sys.stdout)
    dice_rolled = sum(len(roll.step.dice) for roll in found)
    hidden_rolls = sum(roll.hidden for roll in found)
    told = f"{len(found)} rolls with {dice_rolled} dice"
    kept = f"; {hidden_rolls} of the rolls are hidden in the file" if hidden_rolls else ""
    say(f"Verified: the seed is the one committed to, and gives all {told}{kept}.", sys.stdout)
    return VERIFIED


def read(data: bytes) -> History:
    """The history that a file tells. Raises `Unverifiable` if it tells none, or has no seed."""
    try:
        told = decode(data)
    except InvalidJson as error:
        raise Unverifiable(f"it is not valid JSON: {error}") from None
    if not isinstance(told, dict) or "events" not in told:
        raise Unverifiable("it is not what GET /v1/sessions/{id}/events answers")
    if told.get("dice") == "client":
        raise Unverifiable("its dice were typed in by the players, not rolled by the service")
    try:
        orjson.dumps(told)  # refuses what is nested too deep to be compared later
        return _history(told)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise Unverifiable(
            f"it is not what GET /v1/sessions/{{id}}/events answers ({error!r})"
        ) from None


def verified(history: History) -> list[Recomputed]:
    """Every roll of a session, made again from its seed. Raises `Wrong` where the file differs."""
    seed = history.terms.seed
    if seed is None or commitment(seed) != history.commitment:
        raise Wrong("the SHA-256 of the seed is not the commitment")
    found: list[Recomputed] = []
    snapshot: Snapshot | None = None
    for version, (numbered, at, told) in enumerate(history.events, start=1):
        if numbered != version:
            raise Wrong(f"version {version} is told as {numbered}")
        event = Event(at, tuple([each.step for each in told]))
        try:
            snapshot, made = replay_event(history.terms, snapshot, event)
        except InvalidInput as refused:
            raise Wrong(f"version {version} breaks the rules: {refused}") from None
        found += _compared(history.terms, version, made.steps, told)
    if snapshot is None or not snapshot.state.over:
        raise Wrong("its events end before the game does")
    return found


def _compared(
    terms: Terms, version: int, made: Sequence[Step], told: Sequence[Told]
) -> list[Recomputed]:
    """The rolls of an event. Raises `Wrong` where what is told of it differs."""
    if [(step.player, step.action, step.values) for step in made] != [
        (each.step.player, each.step.action, each.step.values) for each in told
    ]:
        raise Wrong(f"version {version} doesn't have the steps that the game forces")
    for step, each in zip(made, told, strict=True):
        if each.hidden and step.action not in terms.game.hidden:
            raise Wrong(f"version {version} hides dice that everyone may see")
        if not each.hidden and step.dice != each.step.dice:
            gives, tells = (" ".join(map(str, dice)) for dice in (step.dice, each.step.dice))
            raise Wrong(f"version {version} tells {tells}, where the seed gives {gives}")
        if _as_json(step.news) != _as_json(each.step.news):
            raise Wrong(f"version {version} tells of other news than the game makes")
    return [
        Recomputed(version, step, each.hidden)
        for step, each in zip(made, told, strict=True)
        if step.dice
    ]


def _as_json(news: Any) -> bytes:
    return orjson.dumps(news, option=orjson.OPT_SORT_KEYS)


def _history(told: Mapping[str, Any]) -> History:
    """What a sound file tells; the errors of Python for any that isn't."""
    variant = variants().get(told["variant"])
    if variant is None:
        raise Unverifiable(f"its variant, {told['variant']}, is not known to this release")
    fairness = told["fairness"]
    if fairness["seed"] is None:
        raise Unverifiable("the game is not over; its seed is shown when it is")
    created_at = _milliseconds(told["created_at"])
    players, events = told["players"], told["events"]
    names = {player for player in players if isinstance(player, str)}
    if not isinstance(players, list) or len(names) < max(variant.players[0], len(players)):
        raise ValueError("players")
    if not isinstance(events, list):
        raise ValueError("events")
    seed = bytes.fromhex(fairness["seed"])
    FairDice(seed, fairness["client_seed"])  # refuses seeds that no session has
    terms = Terms(
        id=told["id"],
        variant=variant,
        players=tuple(players),
        rules=read_rules(variant.house_rules, told["house_rules"]),
        seed=seed,
        client_seed=fairness["client_seed"],
        tokens=(),
        created_at=created_at,
        seconds=0,
    )
    steps = [
        (
            event["version"],
            _milliseconds(event["at"]),
            [_told(step) for step in (event, *event["then"])],
        )
        for event in events
    ]
    return History(terms, fairness["commitment"], steps)


def _told(step: Mapping[str, Any]) -> Told:
    values = {name: value for name, value in step.items() if name not in OF_STEPS}
    dice = step.get("dice", ())
    hidden = dice is None
    made = Step(step["player"], step["action"], values, tuple(dice or ()), tuple(step["news"]))
    return Told(made, hidden)


def _milliseconds(written: str) -> int:
    """A time as RFC 3339 has it, in milliseconds since 1970."""
    moment = datetime.fromisoformat(written)
    return round(moment.timestamp() * 1000)
