"""`advise` of score cards: the expected final total of everything that a player can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from service.advice.choosing import Choice, Chosen, Strength
from service.api.operations import advising
from service.api.operations.advising import (
    CHANCE,
    DECIMALS,
    LOSS,
    MOST_OPTIONS,
    MOST_PLAYERS,
    NO_LESS_THAN_0,
    kept_fields,
    limit,
    options_of,
    rolls_left,
    rounded,
)
from service.api.operations.operation import Operation, Question, State
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, plain_dice, whole, word
from service.api.schemas.requests import Fields as RequestFields
from service.api.schemas.requests import Objects, object_schema
from service.api.schemas.serializers import Fields, OneOf, Serializer, part, parts
from service.api.schemas.shapes import Shape
from service.kinds.scorecard.card import Card
from service.kinds.scorecard.game import SCORE
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.reasons import Reason
from service.rules.violations import InvalidInput, Violation, gathering, refuse
from service.settings import Settings
from service.tables import NotReady, serving
from service.tables.serving import table_for, tables_for

if TYPE_CHECKING:
    from service.advice.scorecard.options import Advice, Option
    from service.advice.scorecard.reach import Reach
    from service.advice.scorecard.winning import Win

_UNITS = 10.0**DECIMALS

STEPS = 20
"""The steps of one answer from a table."""

MOST_TOTAL = 1_000_000
"""The highest target."""


def advise(variant: ScoreCard, settings: Settings) -> Operation:
    """The operation `advise` of a score card."""
    return Operation(
        variant,
        "advise",
        title="find the best play",
        description="The expected final total of each thing to do: rolling with some dice "
        "kept, scoring a box, crossing one out.",
        request_fields={
            "card": card(variant, required=True),
            **_repeats(variant),
            "dice": plain_dice(variant, "Null: not rolled yet."),
            "rolls_left": rolls_left(variant),
            "target": whole(1, MOST_TOTAL, description="A final total to reach."),
            "goal": word(_GOAL, load_default="points"),
            "others": Objects(
                object_schema(variant, "Opponent", {"card": card(variant, required=True)}),
                MOST_PLAYERS - 1,
                "players",
                "The next player first.",
                least=1,
            ),
            "limit": limit(),
        },
        response_fields={
            "expected_total": shapes.NUMBER("Under the best play.").of(
                "advice.expected_total", points
            ),
            "deviation": shapes.NUMBER("The standard deviation.").of("advice.deviation", points),
            "win": part(_WIN, "win", required=False),
            "options": parts(option(variant), _options),
            "reach": part(_REACH, "reach", required=False),
        },
        compute=lambda given: _advise(settings, variant, given),
        check=lambda given: _checked(variant, given),
        steps=lambda found: STEPS + found.steps,
        brief=lambda given: (
            not {"target", "others"} & given.keys()
            and serving.maps(settings, variant, given["house_rules"])
        ),
        waits=True,
    )


def choose(advise: Operation, settings: Settings) -> Operation:
    """The operation `choose` of a score card with this `advise`."""
    variant: Any = advise.variant

    def take(given: Mapping[str, Any], strength: Strength, source: Random) -> Chosen:
        from service.advice.scorecard.choosing import choose_option  # NumPy takes long to import

        card = _checked(variant, given)
        if "others" in given and strength is Strength.BEST:
            from service.advice.scorecard.choosing import chosen  # NumPy takes long to import

            asked = {name: value for name, value in given.items() if name != "target"}
            return chosen(_advise(settings, variant, {**asked, "limit": 1}).advice.options[0])
        table, _ = table_for(settings, variant, given["house_rules"], card)
        dice, left = given.get("dice"), given.get("rolls_left")
        return choose_option(table, card, dice, left, strength, source)

    return advising.choose(advise, take)


def can_play(settings: Settings, variant: ScoreCard, rules: Any, view: Mapping[str, Any]) -> bool:
    """Whether there can be a table of the game that begins with this `view`. Raises `NotReady`
    while there is none.
    """
    asked = question(variant, view, None) or {"card": {}}  # empty while players throw to begin
    try:
        table_for(settings, variant, rules, variant.read_card(asked["card"]))
    except InvalidInput:
        return False
    return True


def play(settings: Settings, choice: Choice) -> Chosen:
    """What the service does for the player at turn. Without a table, if it was lost since the game
    began, it writes the box that scores most.
    """
    from service.advice.scorecard.choosing import choose_option  # NumPy takes long to import

    variant, rules, view, moves, strength, source = choice
    asked = question(variant, view, None)
    if asked is None:  # players throw to begin
        return Chosen({"action": moves[0].action}, Reason.ONLY_CHOICE.because())
    card, dice = variant.read_card(asked["card"]), None
    if "dice" in asked:
        dice = variant.dice.read_faces(asked["dice"], variant.dice.count)
    try:
        table, _ = table_for(settings, variant, rules, card)
    except NotReady:
        if dice is None:
            return Chosen({"action": moves[0].action}, Reason.ONLY_CHOICE.because())
        box = variant.best_box(variant.scores(dice, rules, card.open_boxes))
        return Chosen({"action": SCORE.name, "box": box}, Reason.NO_TABLE.because())
    return choose_option(table, card, dice, asked.get("rolls_left"), strength, source)


def card(variant: ScoreCard, **kwargs: Any) -> StrictField:
    """A score card: boxes with a score that some roll gives there, or null while open."""
    properties = {
        box: shapes.among(possible).or_null().optional()
        for box, possible in variant.possible.items()
    }
    if variant.repeats:
        properties[variant.repeats.counter] = (
            Shape({**shapes.COUNT, "maximum": len(variant.boxes) - 1})
            .or_null()
            .optional(f"Rolls that earned {variant.repeats.bonus}. Default: `0`.")
        )
    shape = shapes.record(
        shapes.component(variant, "CardSoFar"), properties, additionalProperties=False
    )
    return StrictField(variant.read_card, shape, **kwargs)


class _Advised(NamedTuple):
    """Advice, the chances to win and to reach the target of the request if it asks for them, and
    the steps that all took besides `STEPS`.
    """

    advice: Advice
    win: Win | None
    reach: Reach | None
    steps: int


_GOAL = shapes.named_enum("AdviceGoal", ["points", "win"])


_WIN = Serializer["Win"](
    "Win",
    {
        "chance": rounded(CHANCE("Ties count in parts."), "chance"),
        "exact": shapes.FLAG,
        "standard_error": NO_LESS_THAN_0.optional().of(
            lambda found: None if found.exact else found.standard_error
        ),
    },
)
"""The chance to win with the first option."""


_REACH = Serializer["Reach"](
    "Reach",
    {
        "target": shapes.INTEGER,
        "chance": rounded(
            CHANCE("The chance of at least `target`, if you play for that."), "chance"
        ),
        "exact": shapes.FLAG(
            "If not, it is estimated from simulated games, and the best may be higher."
        ),
        "standard_error": rounded(
            NO_LESS_THAN_0.optional("Of an estimate."),
            lambda found: None if found.exact else found.standard_error,
        ),
    },
)
"""The chance to reach the target of a request."""


class Judged(NamedTuple):
    """An option with its expected total and its loss, rounded as in responses."""

    option: Option
    expected_total: float
    loss: float

    @classmethod
    def of(cls, option: Option, best: float) -> Judged:
        """`option`, where the best one has the rounded total `best`."""
        total = points(option.expected_total)
        return cls(option, total, points(best - total))


def _options(found: _Advised) -> list[Judged]:
    best = points(found.advice.expected_total)
    return [Judged.of(option, best) for option in found.advice.options]


def option(variant: ScoreCard) -> OneOf[Judged]:
    """An option of a response."""
    total: Fields[Judged] = {
        "expected_total": shapes.NUMBER,
        "loss": LOSS,
        "win": rounded(CHANCE.optional(), "option.win"),
    }
    scores = shapes.among({score for possible in variant.possible.values() for score in possible})
    named: Fields[Judged] = {"box": shapes.box(variant).of("option.box")}
    kept: Fields[Judged] = kept_fields(variant, "option.keep", "option.dice")
    by_action: Mapping[str, Fields[Judged]] = {
        "roll": {**kept, **total},
        "score": {**named, "score": scores.of("option.score"), **total},
        "cross_out": {**named, **total},
    }
    return options_of(variant, by_action, lambda of: of.option.action)


def question(variant: ScoreCard, state: State, _viewer: str | None) -> Question:
    """The request for the decision in the state of a session; nothing is hidden from anyone."""
    turn = state.get("turn")
    if not turn:
        return None
    return {**hand_in(variant, state, turn["player"]), "limit": MOST_OPTIONS}


def hand_in(variant: ScoreCard, state: Mapping[str, Any], player: str) -> dict[str, Any]:
    """The card of a `player` in the state of a session, and the dice if it is their turn, as the
    fields of requests.
    """
    card, turn, repeats = state["cards"][player], state.get("turn"), variant.repeats
    counted = (
        {repeats.counter: card[repeats.counter]} if repeats and repeats.counter in card else {}
    )
    rolled = {}
    if turn and turn["player"] == player and turn["dice"]:
        rolled = {"dice": turn["dice"], "rolls_left": turn["rolls_left"]}
    return {"card": {**card["scores"], **counted}, **rolled}


def _repeats(variant: ScoreCard) -> RequestFields:
    """The field with the number of repeats, for cards that don't count them."""
    repeats = variant.repeats
    if repeats is None:
        return {}
    description = "As in `card`. Default: `0`."
    most = len(variant.boxes) - 1
    return {repeats.counter: whole(0, most, description=description)}


def _checked(variant: ScoreCard, given: Mapping[str, Any]) -> Card:
    """The card of a request, with its repeats.

    Raises `InvalidInput` for a full card, repeats that it can't have, and rolls without dice.
    """
    card: Card = given["card"]
    violations: list[Violation] = []
    counter = variant.repeats.counter if variant.repeats else ""
    counted_at: tuple[str, ...] = ("card", counter)
    if counter in given:
        if card.repeated not in (0, given[counter]):
            detail = Breach.NOT_AS_IN_CARD(minimum=card.repeated)
            violations.append(Violation((counter,), detail))
        if not card.repeated:
            counted_at = (counter,)
        card = Card(card.scores, given[counter])
    if "rolls_left" in given and "dice" not in given:
        violations.append(Violation(("rolls_left",), Breach.ONLY_WITH_DICE(), ("dice",)))
    violations += _check_goal(variant, given)
    try:
        check_open(variant, card, given["house_rules"])
    except InvalidInput as refused:
        violations += [
            replace(each, path=counted_at) if each.path == ("card", counter) else each
            for each in refused.violations
        ]
    refuse(violations)
    return card


def _check_goal(variant: ScoreCard, given: Mapping[str, Any]) -> list[Violation]:
    """What is wrong with the goal and the other cards of a request, and between them."""
    wins, others, found = given.get("goal") == "win", given.get("others", ()), list[Violation]()
    if wins and not others:
        found.append(Violation(("others",), Breach.GIVEN_TOGETHER(other="/goal"), ("others",)))
    elif "others" in given and not wins:
        found.append(Violation(("others",), Breach.ONLY_TO_WIN(), ("goal",)))
    for place, other in enumerate(others):
        with gathering(found, "others", place):
            variant.check_card(other["card"], given["house_rules"])
    return found


def check_open(variant: ScoreCard, card: Card, rules: Any) -> None:
    """Raises `InvalidInput` for a full card, and for repeats that it can't have."""
    violations: list[Violation] = []
    if not card.open_boxes:
        violations.append(Violation(("card",), Breach.CARD_FULL()))
    with gathering(violations):
        variant.check_card(card, rules)
    refuse(violations)


def _advise(settings: Settings, variant: ScoreCard, given: Mapping[str, Any]) -> _Advised:
    from service.advice.scorecard.options import advise  # NumPy takes long to import

    card, rules = _checked(variant, given), given["house_rules"]
    cards = [card, *(other["card"] for other in given.get("others", ()))]
    paths = [("card",), *(("others", place, "card") for place in range(len(cards) - 1))]
    tables, steps = tables_for(settings, variant, rules, zip(paths, cards, strict=True))
    table = tables[0]
    dice, left, win, reached = given.get("dice"), given.get("rolls_left"), None, None
    if "others" in given:
        from service.advice.scorecard.winning import advise_to_win  # NumPy takes long to import

        found, win = advise_to_win(tables, cards, dice, left, given["limit"])
        steps += win.steps
    else:
        found = advise(table, card, dice, left, given["limit"])
    if "target" in given:
        from service.advice.scorecard.reach import reach  # NumPy takes long to import

        reached = reach(table, card, given["target"], dice, left)
        steps += reached.steps
    return _Advised(found, win, reached, steps)


def points(value: float) -> float:
    """Expected points as responses have them, with `DECIMALS`.

    `round` with decimals takes three times as long: it formats the number and parses it again.
    """
    return round(value * _UNITS) / _UNITS
