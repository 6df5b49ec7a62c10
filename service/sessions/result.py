"""How a game came out, or how it stands: places, totals or chips, and how much each played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service.sessions.session import Event, Snapshot, Terms, replay_event


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


def rounds_of(terms: Terms, events: Iterable[Event]) -> tuple[Sequence[int], list[Round]]:
    """The scores at the start, and the turns, hands or rounds that have ended since, in order.

    The `events` are replayed.

    Those that a game went back on are gone (G3). In those before the first event nobody had a part.
    """
    first, *others = events
    snapshot, _ = replay_event(terms, None, first)
    game, begun = terms.game, tuple(terms.game.scores(snapshot.state))
    rounds = [Round(begun, ())] * game.ended(snapshot.state)
    for event in others:
        seats = tuple(game.playing(snapshot.state))
        snapshot, _ = replay_event(terms, snapshot, event)
        ended, scores = game.ended(snapshot.state), tuple(game.scores(snapshot.state))
        del rounds[ended:]
        more = ended - len(rounds) - 1
        if more >= 0 and len(seats) == 1:  # the turns of who left are passed with the one before
            rounds += [Round(scores, seats), *[Round(scores, ())] * more]
        elif more >= 0:
            rounds += [*[Round(None, seats)] * more, Round(scores, seats)]
    return begun, rounds
