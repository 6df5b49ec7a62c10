"""How a game came out, or how it stands: places, totals or chips, and how much each played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.sessions.session import Event, Snapshot, Terms, replay_event
from service.sessions.take_back import TAKE_BACK, versions_in_force


@dataclass(frozen=True, slots=True)
class Round:
    """A turn, hand or round that has ended: the `scores` of all seats after it, and the seats that
    had a part in it. The scores are None if the next hand ended with the same action.
    """

    scores: tuple[int, ...] | None
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the game of `terms` stands at `snapshot`, after `rounds` that ended.

    `begun` are the scores at the start. They, `scores`, `places` and `turns` are by seat; equals
    share a place.
    """

    terms: Terms
    snapshot: Snapshot
    begun: Sequence[int]
    rounds: Sequence[Round]
    scores: Sequence[int]
    places: Sequence[int]
    turns: Sequence[int]

    @classmethod
    def of(cls, terms: Terms, snapshot: Snapshot, events: Iterable[Event]) -> Result:
        """The result at `snapshot`, to which `events` led.

        Who has won is first. Who left is behind all others, unless everybody has (G2).
        """
        state, scores = snapshot.state, terms.game.scores(snapshot.state)
        begun, rounds = rounds_of(terms, events)
        seats = range(len(terms.players))
        all_left = len(state.left) == len(seats)
        ranks = [
            (terms.players[seat] in state.winners, all_left or seat not in state.left, scores[seat])
            for seat in seats
        ]
        return cls(
            terms,
            snapshot,
            begun,
            rounds,
            scores,
            places=[1 + sum(other > own for other in ranks) for own in ranks],
            turns=[sum(seat in each.seats for each in rounds) for seat in seats],
        )

    @property
    def ended_at(self) -> int | None:
        """When the game was over, in milliseconds since 1970; None while it goes on."""
        return self.snapshot.at if self.snapshot.state.over else None


class Past(NamedTuple):
    """A version of a session: the event that made it, and its snapshot."""

    event: Event
    snapshot: Snapshot


def in_force(terms: Terms, events: Iterable[Event]) -> list[Past]:
    """The versions that `events` led to, without those that were taken back (G3)."""
    snapshot, backs, versions = None, list[int | None](), list[Past]()
    for event in events:
        snapshot, _ = replay_event(terms, snapshot, event)
        versions.append(Past(event, snapshot))
        step = event.steps[0]
        backs.append(step.values["to"] if step.action == TAKE_BACK.name else None)
    return [versions[version - 1] for version in versions_in_force(backs)]


def rounds_of(terms: Terms, events: Iterable[Event]) -> tuple[Sequence[int], list[Round]]:
    """The scores at the start, and the turns, hands or rounds that have ended since, in order.

    The `events` are replayed. Those that were taken back count for nothing (G3). In what ended
    before the first event nobody had a part.
    """
    game, (first, *versions) = terms.game, in_force(terms, events)
    begun, before = tuple(game.scores(first.snapshot.state)), first
    rounds = [Round(begun, ())] * game.ended(first.snapshot.state)
    for after in versions:
        seats, state = tuple(game.playing(before.snapshot.state)), after.snapshot.state
        ended, scores, before = game.ended(state), tuple(game.scores(state)), after
        more = ended - len(rounds) - 1
        if more >= 0 and len(seats) == 1:  # the turns of who left are passed with the one before
            rounds += [Round(scores, seats), *[Round(scores, ())] * more]
        elif more >= 0:
            rounds += [*[Round(None, seats)] * more, Round(scores, seats)]
    return begun, rounds
