"""The schemas of the responses of sessions, for the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from service.api.operations.advising import STRENGTH
from service.api.schemas import shapes
from service.api.schemas.bounds import ANY_BOUNDS
from service.api.schemas.shapes import Shape
from service.api.sessions.answers import JOINED, TIME, TOKENS, history_of, session_of
from service.api.sessions.requests import NewSession
from service.api.sessions.results import RESULT
from service.contract.actions import Steps, actions_of, bounds_of, steps_of
from service.contract.kinds import CONTRACT_KINDS
from service.kinds.registry import GAMES
from service.rules.variant import Variant


def schemas(new: NewSession) -> list[Shape]:
    """The schemas of sessions, each a choice of those of all variants."""
    legal = {"actions": shapes.list_of(shapes.reference("LegalAction"))}
    illegal = _extended("IllegalAction", shapes.reference("Problem"), legal)
    made: list[Shape] = [TOKENS.schema, JOINED.schema, RESULT.schema, *ANY_BOUNDS, illegal]
    for variant, request in new.schemas.items():
        session = shapes.reference(shapes.component(variant, "Session"))
        created = shapes.component(variant, "NewSession")
        made += [
            request.json_schema,
            session_of(variant).schema,
            history_of(variant).schema,
            _extended(created, session, {"tokens": TOKENS.schema}),
            _state(variant),
            *_steps(variant),
        ]
    for name in ("SessionRequest", "NewSession", "Session", "SessionHistory"):
        names = {variant.id: shapes.component(variant, name) for variant in new.schemas}
        made.append(shapes.one_of(name, "variant", names))
    variants = [*new.schemas]
    for variant in variants:
        actions = shapes.enum(variant, "ActionName", _names([variant]))
        name = shapes.component(variant, "LegalAction")
        made.append(_legal_action(name, actions, bounds_of(variant)))
    bounds = {name: shape for variant in variants for name, shape in bounds_of(variant).items()}
    actions = shapes.named_enum("ActionName", _names(variants))
    return [*made, _legal_action("LegalAction", actions, bounds)]


def _state(variant: Variant) -> Shape:
    """The state of a game of `variant`: the fields of all games, and those of its kind."""
    kind = CONTRACT_KINDS.of(variant)
    return shapes.record(
        shapes.component(variant, "State"),
        {
            "over": shapes.FLAG,
            "winners": shapes.TEXTS("Empty until the game is over."),
            "news": shapes.list_of(_news(variant), "What followed from the last action."),
            "phase": shapes.named_enum(shapes.component_of_kind(variant, "Phase"), kind.phases),
            "to_act": shapes.TEXTS,
            "left": shapes.TEXTS("Who has left the game."),
            "ends_at": Shape({"type": "integer", "format": "int64"}).or_null(
                "When time is up, in milliseconds since 1970; null without a clock."
            ),
            **kind.state(variant),
        },
    )


def _news(variant: Variant) -> Shape:
    """An entry in the news of a game of `variant`."""
    return shapes.record(
        shapes.component(variant, "News"), CONTRACT_KINDS.of(variant).news(variant)
    )


def _legal_action(name: str, actions: Shape, bounds: Mapping[str, Shape]) -> Shape:
    """A legal action as the component `name`: one of `actions`, and the bounds of each value."""
    return shapes.record(
        name,
        {
            "action": actions,
            "player": shapes.TEXT.or_null("Null: the table."),
            **{value: shape.optional() for value, shape in bounds.items()},
        },
    )


def _names(variants: Iterable[Variant]) -> list[str]:
    """The names of all actions of `variants`."""
    return [*dict.fromkeys(action.name for each in variants for action in actions_of(each))]


def _steps(variant: Variant) -> list[Shape]:
    """The steps and the events in a history of `variant`.

    If there are several schemas of steps, a step is a choice of them, and so is an event.
    """
    several = steps_of(variant)
    made = [part for steps in several for part in (_step(variant, steps), _event(variant, steps))]
    if len(several) > 1:
        for part in ("Step", "Event"):
            names = {
                action: shapes.component(variant, f"{part}{steps.name}")
                for steps in several
                for action in steps.actions
            }
            made.append(shapes.one_of(shapes.component(variant, part), "action", names))
    return made


def _step(variant: Variant, steps: Steps) -> Shape:
    """One of `steps` in a history of `variant`."""
    values: dict[str, Shape] = {name: shape.optional() for name, shape in steps.values.items()}
    dice = steps.dice
    if dice is not None:
        text = "The dice that were rolled."
        if GAMES.of(variant).hidden:
            dice = dice.or_null()
            text = f"{text[:-1]}; null if they are hidden from this token."
        values["dice"] = dice(text) if steps.name else dice.optional(text)
    return shapes.record(
        shapes.component(variant, f"Step{steps.name}"),
        {
            "player": shapes.TEXT.or_null("Null: the service, the clock or the table."),
            "action": shapes.enum(variant, f"Step{steps.name}Action", steps.actions),
            **values,
            "computer": STRENGTH.optional("If it is a choice of a computer."),
            "news": shapes.list_of(_news(variant)),
        },
    )


def _event(variant: Variant, steps: Steps) -> Shape:
    """An event in a history of `variant`: one of `steps` with the number and time of the event."""
    then = "Forced moves that the service made after the action."
    return _extended(
        shapes.component(variant, f"Event{steps.name}"),
        shapes.reference(shapes.component(variant, f"Step{steps.name}")),
        {
            "version": shapes.ORDINAL,
            "at": TIME,
            "then": shapes.list_of(shapes.reference(shapes.component(variant, "Step")), then),
        },
    )


def _extended(name: str, extended: Shape, own: Mapping[str, Shape]) -> Shape:
    """An object with the fields of another, and its `own`, which are required."""
    more = {"type": "object", "properties": own, "required": [*own]}
    return Shape(title=name, allOf=[extended, more])
