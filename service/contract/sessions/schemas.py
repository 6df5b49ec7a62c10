"""The schemas of the responses of sessions, for the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.api.schemas.bounds import ANY_BOUNDS
from service.api.schemas.shapes import (
    FLAG,
    ORDINAL,
    TEXT,
    TEXTS,
    Shape,
    about,
    component,
    component_of_kind,
    enum,
    list_of,
    named_enum,
    one_of,
    optional,
    or_null,
    record,
    reference,
)
from service.api.sessions.answers import TIME, TOKENS, history_of, session_of
from service.api.sessions.requests import NewSession
from service.contract.kinds.registry import CONTRACT_KINDS
from service.contract.sessions.actions import Steps, actions_of, bounds_of, steps_of
from service.kinds.registry import GAMES
from service.rules.variant import Variant

SESSION = reference("Session")
NEW_SESSION = reference("NewSession")
SESSION_REQUEST = reference("SessionRequest")
SESSION_HISTORY = reference("SessionHistory")
ILLEGAL_ACTION = reference("IllegalAction")


def schemas(new: NewSession) -> list[Shape]:
    """The schemas of sessions, each a choice of those of all variants."""
    made: list[Shape] = [TOKENS.schema, {"title": "Bounds", **ANY_BOUNDS}, _illegal_action()]
    for variant, request in new.schemas.items():
        made += [
            request.json_schema,
            session_of(variant).schema,
            history_of(variant).schema,
            _new_session(variant),
            _state(variant),
            *_steps(variant),
        ]
    for name in ("SessionRequest", "NewSession", "Session", "SessionHistory"):
        names = {variant.id: component(variant, name) for variant in new.schemas}
        made.append({"title": name, **one_of("variant", names)})
    variants = [*new.schemas]
    for variant in variants:
        actions = enum(variant, "ActionName", _names([variant]))
        made.append(_legal_action(component(variant, "LegalAction"), actions, bounds_of(variant)))
    bounds = {name: shape for variant in variants for name, shape in bounds_of(variant).items()}
    made.append(_legal_action("LegalAction", named_enum("ActionName", _names(variants)), bounds))
    return made


def _state(variant: Variant[Any]) -> Shape:
    """The state of a game of `variant`: the fields of all games, and those of its kind."""
    kind = CONTRACT_KINDS.of(variant)
    return record(
        component(variant, "State"),
        {
            "over": about(FLAG, "Whether the game is over."),
            "winners": about(
                TEXTS, "The winners, several if they tie; empty until the game is over."
            ),
            "news": list_of(
                _news(variant),
                "The events that followed from the last action, in order, each with its reason.",
            ),
            "phase": named_enum(component_of_kind(variant, "Phase"), kind.PHASES),
            "to_act": about(TEXTS, "The players who can act now; empty once the game is over."),
            **kind.state(variant),
        },
    )


def _news(variant: Variant[Any]) -> Shape:
    """An entry in the news of a game of `variant`."""
    return record(component(variant, "News"), CONTRACT_KINDS.of(variant).news(variant))


def _legal_action(name: str, actions: Shape, bounds: Mapping[str, Shape]) -> Shape:
    """A legal action as the component `name`: one of `actions`, and the bounds of each value."""
    return record(
        name,
        {
            "action": actions,
            "player": about(TEXT, "The player who can perform it."),
            **{value: optional(shape) for value, shape in bounds.items()},
        },
    )


def _names(variants: Iterable[Variant[Any]]) -> list[str]:
    """The names of all actions of `variants`."""
    return [*dict.fromkeys(action.name for each in variants for action in actions_of(each))]


def _illegal_action() -> Shape:
    """The problem of an action that isn't legal now."""
    legal = list_of(reference("LegalAction"), "Every action that is legal now.")
    return _extended("IllegalAction", reference("Problem"), {"actions": legal})


def _steps(variant: Variant[Any]) -> list[Shape]:
    """The steps and the events in a history of `variant`.

    If there are several schemas of steps, a step is a choice of them, and so is an event.
    """
    several = steps_of(variant)
    made = [part for steps in several for part in (_step(variant, steps), _event(variant, steps))]
    if len(several) > 1:
        for part in ("Step", "Event"):
            names = {
                action: component(variant, f"{part}{steps.name}")
                for steps in several
                for action in steps.actions
            }
            made.append({"title": component(variant, part), **one_of("action", names)})
    return made


def _step(variant: Variant[Any], steps: Steps) -> Shape:
    """One of `steps` in a history of `variant`."""
    values: dict[str, Shape] = {name: optional(shape) for name, shape in steps.values.items()}
    dice = steps.dice
    if dice is not None:
        text = "The dice that were rolled."
        if GAMES.of(variant).hidden:
            dice, text = or_null(dice), f"{text[:-1]}; null if they are hidden from this token."
        values["dice"] = about(dice, text) if steps.name else optional(dice, text)
    return record(
        component(variant, f"Step{steps.name}"),
        {
            "player": about(
                or_null(TEXT), "The player who acted; null for the service and the clock."
            ),
            "action": enum(variant, f"Step{steps.name}Action", steps.actions),
            **values,
            "news": list_of(
                _news(variant),
                "The events that followed from the action, in order, each with its reason.",
            ),
        },
    )


def _event(variant: Variant[Any], steps: Steps) -> Shape:
    """An event in a history of `variant`: one of `steps` with the number and time of the event."""
    then = (
        "If the service rolls, the forced moves that it made after the action, in order: rolls, "
        "and the check of a leader without chips. Empty if players type in their dice."
    )
    return _extended(
        component(variant, f"Event{steps.name}"),
        reference(component(variant, f"Step{steps.name}")),
        {
            "version": ORDINAL,
            "at": TIME,
            "then": list_of(reference(component(variant, "Step")), then),
        },
    )


def _new_session(variant: Variant[Any]) -> Shape:
    """A new session of `variant`: the session with its tokens."""
    tokens = about(
        TOKENS.schema,
        "Returned only by this request and repeats with its Idempotency-Key; the service stores "
        "hashes.",
    )
    session = reference(component(variant, "Session"))
    return _extended(component(variant, "NewSession"), session, {"tokens": tokens})


def _extended(name: str, extended: Shape, own: Mapping[str, Shape]) -> Shape:
    """An object with the fields of another, and its `own`, which are required."""
    more = {"type": "object", "properties": own, "required": [*own]}
    return {"title": name, "allOf": [extended, more]}
