"""Every action that games can take, in words, with the values that go with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.api.schemas.fields import MAX_ID_LENGTH
from service.kinds.by_kind import ByKind

Shape = Mapping[str, Any]

KEEP = {
    "keep": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "uniqueItems": True,
        "default": [],
        "description": "The dice that stay, by their places from 0.",
    }
}

BOX = {"box": {"type": "string", "description": "An open box of the card."}}

AMOUNT = {"amount": {"type": "integer", "minimum": 1, "description": "Chips."}}

LAYOUT = {
    "layout": {
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "required": ["dice"],
            "properties": {
                "dice": {"type": "array", "items": {"type": "integer", "minimum": 0}},
                "direction": {"enum": ["across", "down", None]},
                "row": {"type": ["integer", "null"]},
                "column": {"type": ["integer", "null"]},
            },
            "additionalProperties": False,
        },
        "default": None,
        "description": "Lines as `score` takes them; null for the best layout there is.",
    }
}


@dataclass(frozen=True)
class Explained:
    """What an action does, the JSON Schema of its values, and whether it rolls dice."""

    meaning: str
    values: Mapping[str, Shape] = field(default_factory=dict)
    rolls: bool = False


ACTIONS: Mapping[str, Explained] = {
    "throw": Explained(
        "rolls for who begins (score cards, roll-a-royal; dice typed in)", rolls=True
    ),
    "roll": Explained(
        "rolls: all dice, all but those to keep, or the blanks of cards", KEEP, rolls=True
    ),
    "score": Explained("writes the dice in a box", BOX),
    "cross_out": Explained("writes a zero in a box", BOX),
    "ante": Explained("names the ante and pays it", AMOUNT),
    "meet": Explained("pays what it takes to come in"),
    "sit_out": Explained("stays out of the round"),
    "stop": Explained("is content with the dice"),
    "check": Explained(
        "adds nothing; where the service rolls, it checks for a leader without chips (poker-dice)"
    ),
    "bet": Explained("bets first", AMOUNT),
    "call": Explained("puts in what others have"),
    "raise": Explained("adds chips that others must meet", AMOUNT),
    "all_in": Explained("puts in all there is, where that is less than a call"),
    "fold": Explained("gives up the round or hand"),
    "roll_pocket": Explained("rolls one's hidden dice (dice typed in)", rolls=True),
    "roll_flop": Explained("rolls the first three shared dice (dice typed in)", rolls=True),
    "roll_flop_again": Explained(
        "rolls them again after everyone checked (dice typed in)", rolls=True
    ),
    "roll_turn": Explained("rolls the fourth shared die (dice typed in)", rolls=True),
    "roll_river": Explained("rolls the fifth shared die (dice typed in)", rolls=True),
    "lay": Explained("lays the dice out: the best way there is, or one's own", LAYOUT),
    "risk": Explained("rolls the risk die for the turn's points", rolls=True),
    "bank": Explained("keeps the turn's points"),
}

OF_KIND = ByKind[Sequence[str]](
    __name__,
    community=(
        *("roll_pocket", "roll_flop", "roll_flop_again", "roll_turn", "roll_river"),
        *("check", "bet", "call", "raise", "all_in", "fold"),
    ),
    layout=("throw", "roll", "lay", "risk", "bank"),
    ranking=("ante", "meet", "sit_out", "roll", "stop", "check", "raise", "fold"),
    scorecard=("throw", "roll", "score", "cross_out"),
)
"""The actions of each kind of game."""


def values_of(actions: Iterable[str]) -> Mapping[str, Shape]:
    """The JSON Schema of every value that any of `actions` takes."""
    values: dict[str, Shape] = {}
    for action in actions:
        values.update(ACTIONS[action].values)
    return values


PLAYER = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_ID_LENGTH,
    "description": "Whose action it is; may be left out where only one can act.",
}

DICE = {
    "type": "array",
    "items": {"type": ["integer", "string"]},
    "description": "What was rolled, in sessions whose dice are typed in: all dice after the roll, "
    "kept ones in their places; of cards, those that were rolled.",
}


def request() -> dict[str, Any]:
    """What can be sent as an action: one of the schemas that actions share by what they take."""
    shared: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for name, action in ACTIONS.items():
        shared.setdefault((tuple(action.values), action.rolls), []).append(name)
    return {"anyOf": [_taking(names) for names in shared.values()]}


def _taking(names: Sequence[str]) -> Shape:
    """The schema of actions that all take the same."""
    first = ACTIONS[names[0]]
    meanings = "\n".join(f"- `{name}`: {ACTIONS[name].meaning}" for name in names)
    return {
        "type": "object",
        "required": ["action", *[n for n, shape in first.values.items() if "default" not in shape]],
        "properties": {
            "action": {"type": "string", "enum": [*names], "description": meanings},
            "player": PLAYER,
            **first.values,
            **({"dice": DICE} if first.rolls else {}),
        },
        "additionalProperties": False,
    }
