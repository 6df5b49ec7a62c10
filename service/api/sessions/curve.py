"""The curve of chances in the review of a session on score cards, and its turning point."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from service.api.operations.advising import CHANCE, DECIMALS, rounded
from service.api.schemas import shapes
from service.api.schemas.serializers import Fields, Serializer, part, parts
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.game import CROSS_OUT, ROLL, SCORE
from service.sessions.result import Past, in_force
from service.sessions.session import Event, Terms
from service.settings import Settings
from service.tables.serving import tables_for

if TYPE_CHECKING:
    from service.advice.scorecard.forecast import Hand

MOVED_BY = {ROLL.name: "roll", SCORE.name: "choice", CROSS_OUT.name: "choice"}
"""What it is that moves the chances, by action. To keep dice is a choice, before the roll."""


MOST_PLAYERS = 8
"""The most players of a game with a curve, which takes some 40 milliseconds for each."""


class Point(NamedTuple):
    """The `chances` to win after a roll or a choice in the `turn` of `player`, who had the chance
    `before`; these are None if it was something else. It is part of the version `version`.
    """

    version: int
    player: str | None
    turn: int | None
    moved_by: str | None
    chances: dict[str, float]
    before: float | None

    @property
    def after(self) -> float:
        """The chance of the player now."""
        return self.chances[str(self.player)]


def _turning_point(curve: Sequence[Point]) -> Point | None:
    """The roll or choice that moved the chance of its player most, the first of equals."""
    moved = [(abs(each.after - each.before), each) for each in curve if each.before is not None]
    most, point = max(moved, key=itemgetter(0), default=(0.0, None))
    return point if most else None


_WHERE: Fields[Point] = {
    "version": shapes.ORDINAL,
    "player": shapes.TEXT.or_null(),
    "turn": shapes.ORDINAL.or_null(),
    "moved_by": shapes.named_enum("MovedBy", ["roll", "choice"]).or_null("Null: something else."),
}

_POINT = Serializer[Point](
    "CurvePoint",
    {
        **_WHERE,
        "chances": shapes.by_player(CHANCE)("To win; shared wins count in equal parts.").of(
            "chances", lambda chances: {each: round(own, DECIMALS) for each, own in chances.items()}
        ),
    },
)

_TURNING_POINT = Serializer[Point](
    "TurningPoint",
    {
        **_WHERE,
        "before": rounded(CHANCE("Of the player."), "before"),
        "after": rounded(CHANCE, "after"),
    },
)

CURVE = Serializer[Sequence[Point]](
    "Curve",
    {
        "curve": parts(
            _POINT,
            lambda curve: curve,
            f"From the start; empty unless there are 2 to {MOST_PLAYERS} players.",
        ),
        "turning_point": part(
            _TURNING_POINT, _turning_point, "What moved its player's chance most.", null=True
        ),
    },
)
"""The fields of a review with the chances."""


def curve_of(settings: Settings, terms: Terms, events: Sequence[Event]) -> list[Point]:
    """The chances from the start on, after each version that changed a card or the dice.

    Empty for one player, and for more than `MOST_PLAYERS`. Raises what `tables_for` raises.
    """
    from service.advice.scorecard.forecast import curve  # NumPy takes long to import

    if not 1 < len(terms.players) <= MOST_PLAYERS:
        return []
    played = _Played(terms)
    for past in in_force(terms, events):
        played.add(past)
    variant: Any = terms.variant
    cards = [(("players", seat), own[0].card) for seat, own in enumerate(played.hands)]
    tables, _ = tables_for(settings, variant, terms.rules, cards)
    points, chances = list[Point](), dict[str, float]()
    found = curve(tables, played.hands, [moment.places for moment in played.moments])
    for moment, each in zip(played.moments, found, strict=True):
        before = None if moment.player is None else chances[moment.player]
        chances = dict(zip(terms.players, each, strict=True))
        points.append(Point(*moment[:-1], chances, before))
    return points


class _Moment(NamedTuple):
    """What changed the hands, as in `Point`, and the place of the hand that each player has then
    among those of the game; None for who has left.
    """

    version: int
    player: str | None
    turn: int | None
    moved_by: str | None
    places: list[int | None]


class _Played:
    """The `moments` of a game so far, and the `hands` that each player had."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self.hands: list[list[Hand]] = [[] for _ in terms.players]
        self.moments: list[_Moment] = []

    def add(self, past: Past) -> None:
        """Adds a version: what it kept of the dice for a roll, and what everybody has after it."""
        from service.advice.scorecard.forecast import Hand

        variant: Any = self._terms.variant
        state, step = past.snapshot.state, past.event.steps[0]
        now = [
            Hand(Card(dict(zip(variant.possible, scores, strict=True)), repeated))
            for scores, repeated in zip(state.cards, state.repeated, strict=True)
        ]
        for seat in self._terms.game.playing(state) if state.dice else ():
            card, left = now[seat].card, variant.rolls - state.rolls
            dice = self.hands[seat][-1].dice
            if step.action == ROLL.name and dice:
                kept = tuple([dice[place] for place in step.values.get("keep", ())])
                had = [own[-1] for own in self.hands]
                had[seat] = Hand(card, kept, left)
                self._add(past, had, "choice")
            now[seat] = Hand(card, state.dice, left)
        self._add(past, now, MOVED_BY.get(step.action))

    def _add(self, past: Past, now: Sequence[Hand], moved_by: str | None) -> None:
        """Adds a moment at which the players have `now`, unless nothing has changed."""
        player, turn, players = None, None, self._terms.players
        if moved_by is not None:
            player = str(past.event.steps[0].player)
            own = self.hands[players.index(player)]
            turn = 1 + len(own[0].card.open_boxes) - len(own[-1].card.open_boxes)
        for own, hand in zip(self.hands, now, strict=True):
            if own[-1:] != [hand]:
                own.append(hand)
        left = past.snapshot.state.left
        gone = left if len(left) < len(players) else ()  # all left: they can win again (G2)
        places = [None if seat in gone else len(own) - 1 for seat, own in enumerate(self.hands)]
        if not self.moments or places != self.moments[-1].places:
            self.moments.append(_Moment(past.snapshot.version, player, turn, moved_by, places))
