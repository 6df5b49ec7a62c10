"""Dice rolled at a real table by the rules: what players type in where the service rolls none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.rules.dice import Dice
from service.variants import variants

Views = Mapping[str | None, Mapping[str, Any]]
"""What each player sees of a session, and the table (None)."""


def rolled(
    rng: Random, listed: Mapping[str, Any], body: Mapping[str, Any], views: Views
) -> list[int | str]:
    """A roll for the action `body`, which is listed as `listed`."""
    count = listed["dice"]["minItems"]
    variant, state = variants()[views[None]["variant"]], views[None]["state"]
    if isinstance(variant, CommunityRanking):
        return list(_from_the_bag(rng, variant.dice, listed["action"], count, views))
    if isinstance(variant, Layout):
        if listed["action"] != "roll":
            return [rng.choice(variant.risk_faces)]
        turn = state["turn"]
        dice = turn["blanks"] if turn["rolls"] else range(count)
        return [rng.choice(variant.dice.dice_set[die]) for die in dice]
    face = listed["dice"]["items"]
    faces = face.get("enum") or range(face["minimum"], face["maximum"] + 1)
    keep = body.get("keep", listed.get("keep", {}).get("default", ()))
    kept = {place: state["turn"]["dice"][place] for place in keep}
    return [kept.get(place) or rng.choice(faces) for place in range(count)]


def _from_the_bag(rng: Random, dice: Dice, action: str, count: int, views: Views) -> list[str]:
    """Dice drawn blindly from the bag and rolled; a flop rolled again keeps its suits (H2, H13)."""
    community = views[None]["state"]["community"]
    if action == "roll_flop_again":
        return [f"{rng.choice(dice.written_faces)}{die[1]}" for die in community]
    pockets = [view["state"]["pocket"] or () for viewer, view in views.items() if viewer]
    on_table = Counter(die[1] for shown in (community, *pockets) for die in shown)
    left = {suit.letter: dice.count // len(dice.suits) for suit in dice.suits}
    bag = [suit for suit in left for _ in range(left[suit] - on_table[suit])]
    return [f"{rng.choice(dice.written_faces)}{suit}" for suit in rng.sample(bag, count)]
