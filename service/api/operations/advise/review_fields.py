"""The fields of `review`: turns as they were played, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import Schema

from service.advice.scorecard.accuracy import WORDS
from service.api.operations.advise.fields import LOSS, NUMBER, options
from service.api.operations.advise.scorecard import by_action
from service.api.schemas.component import component
from service.api.schemas.enums import box, die, named_enum
from service.api.schemas.fields import StrictField, flag, word
from service.api.schemas.shared import AnswerField, RequestSchema, answer_part
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import whole_number
from service.rules.violations import InvalidInput, Violation, read_each


def played_turn(variant: ScoreCard[Any]) -> type[RequestSchema]:
    """A turn as it was played, in the request of `review`."""
    dice = variant.dice
    roll = {"type": "array", "items": die(variant), "minItems": dice.count, "maxItems": dice.count}
    keep = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": dice.count - 1}}
    rolls = StrictField(
        lambda value: _each(value, variant.rolls, lambda roll: dice.read_faces(roll, dice.count)),
        {
            "type": "array",
            "items": roll,
            "maxItems": variant.rolls,
            "description": "All dice after each roll. Kept dice stay at their places.",
        },
        required=True,
    )
    keeps = StrictField(
        lambda value: _each(value, variant.rolls - 1, _kept),
        {
            "type": "array",
            "items": keep,
            "maxItems": variant.rolls - 1,
            "description": "The indexes of the dice kept after each roll but the last.",
        },
        load_default=(),
    )
    about = {"description": "The box that was filled. Null: the turn, the last one, isn't over."}
    # marshmallow declares that from_dict makes a Schema, whatever class it is called on.
    made: type[RequestSchema] = RequestSchema.from_dict(  # type: ignore[assignment]
        {
            "rolls": rolls,
            "keeps": keeps,
            "box": word(box(variant), metadata=about),
            "crossed_out": flag(
                load_default=False,
                metadata={"description": "Whether the box was crossed out. Default: `false`."},
            ),
        },
        name=component(variant, "PlayedTurn"),
    )
    return made


def _each(value: object, most: int, read: Callable[[object], Any]) -> tuple[Any, ...]:
    """The items of a list of up to `most`, each parsed by `read`."""
    if not isinstance(value, list) or len(value) > most:
        raise InvalidInput(Violation((), f"must be a list of up to {most} lists"))
    return tuple(read_each(value, read))


def _kept(value: object) -> tuple[int, ...]:
    """The indexes of kept dice; `check_turns` checks which."""
    numbers = [whole_number(each) for each in value] if isinstance(value, list) else [None]
    places = [number for number in numbers if number is not None]
    if len(places) < len(numbers):
        raise InvalidInput(Violation((), "must be a list of indexes of dice"))
    return tuple(places)


def decision(variant: ScoreCard[Any]) -> type[Schema]:
    """A choice in the response to `review`."""
    option = options(variant, by_action(variant)).json_schema["items"]
    ordinal = {"type": "integer", "minimum": 0}
    return answer_part(
        component(variant, "Decision"),
        {
            "turn": AnswerField({"type": "integer", "minimum": 1}),
            "roll": AnswerField(ordinal, "The roll before the choice, from 1; 0 without a roll."),
            "dice": AnswerField({"type": "array", "items": die(variant)}, "The dice after it."),
            "luck": AnswerField(NUMBER, "The luck of the roll, in points."),
            "played": AnswerField(option),
            "best": AnswerField(option),
            "loss": AnswerField(LOSS),
            "word": AnswerField(named_enum("LossWord", WORDS.values())),
        },
    )
