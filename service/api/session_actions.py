"""Every action that a game can take, in words, with the values that go with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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
    """What an action does, and the JSON Schema of its values."""

    meaning: str
    values: Mapping[str, Shape] = field(default_factory=dict)


ACTIONS: Mapping[str, Explained] = {
    "throw": Explained("rolls for who begins (score cards, roll-a-royal; dice typed in)"),
    "roll": Explained("rolls: all dice, all but those to keep, or the blanks of cards", KEEP),
    "score": Explained("writes the dice in a box", BOX),
    "cross_out": Explained("writes a zero in a box", BOX),
    "ante": Explained("names the ante and pays it", AMOUNT),
    "meet": Explained("pays what it takes to come in"),
    "sit_out": Explained("stays out of the round"),
    "stop": Explained("is content with the dice"),
    "check": Explained("adds nothing"),
    "bet": Explained("bets first", AMOUNT),
    "call": Explained("puts in what others have"),
    "raise": Explained("adds chips that others must meet", AMOUNT),
    "all_in": Explained("puts in all there is, where that is less than a call"),
    "fold": Explained("gives up the round or hand"),
    "roll_pocket": Explained("rolls one's hidden dice (dice typed in)"),
    "roll_flop": Explained("rolls the first three shared dice (dice typed in)"),
    "roll_flop_again": Explained("rolls them again after everyone checked (dice typed in)"),
    "roll_turn": Explained("rolls the fourth shared die (dice typed in)"),
    "roll_river": Explained("rolls the fifth shared die (dice typed in)"),
    "lay": Explained("lays the dice out: the best way there is, or one's own", LAYOUT),
    "risk": Explained("rolls the risk die for the turn's points"),
    "bank": Explained("keeps the turn's points"),
}
