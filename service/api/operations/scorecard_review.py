"""`review` of score cards: what each choice cost, and how lucky each roll was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from service.advice.scorecard.played import HALVING_LOSS, WORDS, PlayedTurn, check_turns
from service.api.operations.advising import LOSS
from service.api.operations.operation import Operation
from service.api.operations.scorecard_advice import Judged, card, check_open, option, points
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, flag, word
from service.api.schemas.reasons import BECAUSE, text
from service.api.schemas.requests import Objects, RequestSchema, object_schema
from service.api.schemas.serializers import Fields, Serializer, part, parts
from service.api.schemas.shapes import Shape
from service.engine.actions import LEAVE
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.game import CROSSED_OUT, ROLL, WRITE, WRITTEN
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.reasons import Because, Reason
from service.rules.violations import InvalidInput, Violation, read_each
from service.sessions.take_back import TAKE_BACK, versions_in_force
from service.settings import Settings
from service.tables.serving import table_for

if TYPE_CHECKING:
    from service.advice.scorecard.review import Decision, Review

_WORDS = ", ".join(f"{word} from {least:g}" for least, word in [*WORDS.items()][1:])

DESCRIPTION = (
    "What each choice lost against the best one, and the luck of each roll: by how much it changed "
    "the expected total. `total` is `start` + `luck` - `loss`. Words for a loss in points: "
    f"{_WORDS}, otherwise good. `accuracy` is the mean of "
    f"100 * 2^(-loss / {HALVING_LOSS:g}) over all choices."
)


def review(variant: ScoreCard, settings: Settings) -> Operation:
    """The operation `review` of a score card."""
    return Operation(
        variant,
        "review",
        title="review turns as they were played",
        description=DESCRIPTION,
        request_fields={
            "turns": Objects(_played_turn(variant), len(variant.boxes), "turns", required=True),
            "card": card(variant, description="Before the first turn. Null: empty."),
        },
        response_fields=_review_fields(variant),
        compute=lambda given: _review(settings, variant, given),
        check=lambda given: _check(variant, given),
        by_item=("turns",),
        waits=True,
    )


def _played_turn(variant: ScoreCard) -> type[RequestSchema]:
    """A turn as it was played, in the request of `review`."""
    dice = variant.dice
    rolls = StrictField(
        lambda value: _each(value, variant.rolls, lambda roll: dice.read_faces(roll, dice.count)),
        shapes.list_of(
            shapes.dice(variant, [dice.count]),
            "After each roll. Kept dice stay at their places.",
            maxItems=variant.rolls,
        ),
        required=True,
    )
    keeps = StrictField(
        lambda value: _each(value, variant.rolls - 1, _kept),
        shapes.list_of(
            shapes.list_of(shapes.index(dice.count)),
            "The indexes kept after each roll but the last.",
            maxItems=variant.rolls - 1,
        ),
        load_default=(),
    )
    return object_schema(
        variant,
        "PlayedTurn",
        {
            "rolls": rolls,
            "keeps": keeps,
            "box": word(
                shapes.box(variant), description="Null: the turn, the last one, isn't over."
            ),
            "crossed_out": flag(load_default=False, description="Default: `false`."),
        },
        PlayedTurn,
    )


def _each(value: object, most: int, read: Callable[[object], Any]) -> tuple[Any, ...]:
    """The items of a list of up to `most`, each parsed by `read`."""
    if not isinstance(value, list) or len(value) > most:
        raise InvalidInput(Violation((), Breach.NOT_A_LIST_UP_TO(maximum=most, of="lists")))
    return tuple(read_each(value, read))


def _kept(value: object) -> tuple[int, ...]:
    """The indexes of kept dice; `check_turns` checks which."""
    numbers = [whole_number(each) for each in value] if isinstance(value, list) else [None]
    places = [number for number in numbers if number is not None]
    if len(places) < len(numbers):
        raise InvalidInput(Violation((), Breach.NOT_A_LIST(of="indexes_of_dice")))
    return tuple(places)


def _card(variant: ScoreCard, given: Mapping[str, Any]) -> Card:
    """The card before the first turn of a request."""
    return given.get("card") or Card(dict.fromkeys(variant.possible))


def _check(variant: ScoreCard, given: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` if the rules don't allow the card or the turns that were parsed."""
    card, rules = _card(variant, given), given["house_rules"]
    check_open(variant, card, rules)
    check_turns(variant, rules, card, given["turns"])


def _review(settings: Settings, variant: ScoreCard, given: Mapping[str, Any]) -> _Reviewed:
    from service.advice.scorecard.review import review  # NumPy takes long to import

    rules = given["house_rules"]
    _check(variant, given)
    card, turns = _card(variant, given), given["turns"]
    table, _ = table_for(settings, variant, rules, card)
    return _Reviewed.of(review(table, variant, rules, turns, card))


class _Decided(NamedTuple):
    """A decision, with the expected totals before its roll, of the best and of the chosen option.

    They are rounded as in the response: luck and losses are differences of those, so they add up.
    """

    decision: Decision
    before: float
    best: float
    played: float

    @property
    def loss(self) -> float:
        """What the choice lost."""
        return points(self.best - self.played)


class _Reviewed(NamedTuple):
    """A review, with totals as in the response."""

    start: float
    total: float
    loss: float
    accuracy: float
    decisions: Sequence[_Decided]

    @classmethod
    def of(cls, found: Review) -> _Reviewed:
        """The review `found`, its totals rounded."""
        before = start = points(found.start)
        decisions = []
        for each in found.decisions:
            best, played = points(each.best.expected_total), points(each.played.expected_total)
            decisions.append(_Decided(each, before, best, played))
            before = played
        loss = points(sum(each.loss for each in decisions))
        return cls(start, points(found.total), loss, points(found.accuracy), decisions)

    @property
    def luck(self) -> float:
        """The luck of all rolls."""
        return points(self.total - self.start + self.loss)

    @property
    def because(self) -> Because:
        """Why the total is what it is."""
        luck, loss = round(self.luck, 1), round(self.loss, 1)
        if not loss:
            return Reason.NO_LOSS.because(luck=luck)
        worst = max(self.decisions, key=lambda each: each.loss)
        return Reason.LOSSES.because(
            luck=luck, loss=loss, turn=worst.decision.turn, most=round(worst.loss, 1)
        )


def _review_fields(variant: ScoreCard) -> Fields[_Reviewed]:
    chosen = option(variant)
    decision = Serializer[_Decided](
        shapes.component(variant, "Decision"),
        {
            "turn": shapes.ORDINAL.of("decision.turn"),
            "roll": shapes.COUNT("Before the choice, from 1; 0 without a roll.").of(
                "decision.roll"
            ),
            "dice": shapes.list_of(shapes.die(variant))("After the roll.").of(
                "decision.dice", variant.dice.named
            ),
            "luck": shapes.NUMBER("Of the roll, in points.").of(
                lambda each: points(each.best - each.before)
            ),
            "played": part(chosen, lambda each: Judged.of(each.decision.played, each.best)),
            "best": part(chosen, lambda each: Judged.of(each.decision.best, each.best)),
            "loss": LOSS,
            "word": shapes.named_enum("LossWord", WORDS.values()).of("decision.word"),
        },
    )
    return {
        "start": shapes.NUMBER("The expected total before."),
        "total": shapes.NUMBER("Expected if the card isn't full."),
        "luck": shapes.NUMBER("Of all rolls."),
        "loss": LOSS,
        "accuracy": Shape({"type": "number", "minimum": 0, "maximum": 100}),
        "reason": shapes.TEXT.of("because", text),
        "because": BECAUSE,
        "decisions": parts(decision, "decisions"),
    }


Json = Mapping[str, Any]


def review_requests(history: Json) -> dict[str, dict[str, Any]]:
    """The request to `review` for each player of `GET /v1/sessions/{id}/events` whose rolls are
    known. Who had a card from paper is left out until a turn is played.
    """
    rules, cards = dict(history["house_rules"]), dict(history.get("cards", {}))
    return {
        player: {"turns": turns, "house_rules": rules, "card": cards.get(player)}
        for player, turns in turns_of(history["players"], history["events"]).items()
        if turns or player not in cards
    }


def _steps(events: Sequence[Json]) -> Iterator[Json]:
    """The steps of all `events` that were not taken back (G3)."""
    backs = [event["to"] if event["action"] == TAKE_BACK.name else None for event in events]
    for version in versions_in_force(backs):
        event = events[version - 1]
        yield from (event, *event["then"])


def turns_of(players: Sequence[str], events: Sequence[Json]) -> dict[str, list[dict[str, Any]]]:
    """The turns of each of `players` on their score cards, in order. Who wrote a turn in one step
    is left out: nobody knows which rolls and choices it had (G4).

    `events` are those of `GET /v1/sessions/{id}/events`; what was taken back isn't played (G3). The
    last turn may lack its box. A turn that the clock ended has the box that the clock chose (D14).
    Nothing that follows from leaving is a choice: the turns of who left end before it.
    """
    turns: dict[str, list[dict[str, Any]]] = {player: [] for player in players}
    written, left, rolled = set[str](), set[str](), False
    for step in _steps(events):
        if step["action"] == WRITE.name:
            written.add(step["player"])
        if step["action"] == ROLL.name:
            if not rolled:
                turns[step["player"]].append({"rolls": [], "keeps": []})
            turn = turns[step["player"]][-1]
            if rolled:
                turn["keeps"].append([*step.get("keep", ())])
            turn["rolls"].append([*step["dice"]])
            rolled = True
        if step["action"] == LEAVE.name:
            left.add(step["player"])
            if turns[step["player"]] and "box" not in turns[step["player"]][-1]:
                turns[step["player"]].pop()
                rolled = False
        for ended in step["news"]:
            if ended["what"] not in (WRITTEN, CROSSED_OUT) or ended["player"] in left:
                continue
            if not rolled:
                turns[ended["player"]].append({"rolls": [], "keeps": []})
            box, crossed_out = ended["box"], ended["what"] == CROSSED_OUT
            turns[ended["player"]][-1].update(box=box, crossed_out=crossed_out)
            rolled = False
    return {player: played for player, played in turns.items() if player not in written}
