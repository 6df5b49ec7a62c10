"""What holds after every step of a game, checked on the JSON answers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from service.kinds.community.stakes import Stakes
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import STARTING_CHIPS as RANKING_CHIPS
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.sessions.view import SessionView
from service.variants import variants

Answer = Mapping[str, Any]

WRITES = ("score", "cross_out", "time_up")
"""The actions that fill a box."""


def check_answer(answer: Answer) -> None:
    """Fails unless the parts of an answer are consistent."""
    state, actions = answer["state"], answer["actions"]
    over = state["over"]
    assert {each["player"] for each in actions} <= set(state["to_act"]), "others are listed"
    assert bool(actions) != over, "actions are listed just while the game goes on"
    assert bool(state["winners"]) == over, "winners are known just when it is over"
    assert set(state["winners"]) <= set(answer["players"])
    if "fairness" in answer:
        assert (answer["fairness"]["seed"] is not None) == over, "the seed is shown at the end"
    assert (answer["dice"] == "server") == ("fairness" in answer)
    _check_chips(answer)
    _check_bag(answer)


def check_step(before: Answer, after: Answer, filled: int) -> None:
    """Fails unless `after` can follow `before`, with `filled` more boxes filled."""
    for name in ("id", "variant", "players", "house_rules", "dice", "created_at"):
        assert before[name] == after[name], f"{name} has changed"
    if "cards" not in after["state"]:
        return
    new = 0
    for player, card in after["state"]["cards"].items():
        had = before["state"]["cards"][player]["scores"]
        for box, score in card["scores"].items():
            assert had[box] in (None, score), f"{box} of {player} was filled and has changed"
            new += had[box] != score
    assert new == filled, f"{new} boxes were filled where {filled} should be"


def check_views(views: Mapping[str | None, Answer]) -> None:
    """Fails if views differ in more than the viewers' own dice."""
    table = _public(views[None])
    for viewer, view in views.items():
        assert _public(view) == table, f"{viewer} sees another game than the table"
    assert views[None]["state"].get("pocket") is None


def with_other_pockets(view: SessionView) -> SessionView:
    """`view` if all dice that are hidden from its viewer were others; it must look the same."""
    pockets = getattr(view.snapshot.state, "pockets", ())
    if not any(pockets):
        return view
    variant = view.terms.variant
    assert isinstance(variant, CommunityRanking)
    faces, codes = variant.dice.faces, len(variant.dice.notation)
    others = tuple(
        [
            pocket
            if player == view.viewer
            else tuple([(code + faces + 1) % codes for code in pocket])
            for player, pocket in zip(view.terms.players, pockets, strict=True)
        ]
    )
    state = replace(view.snapshot.state, pockets=others)
    return replace(view, snapshot=replace(view.snapshot, state=state))


def _public(view: Answer) -> dict[str, Any]:
    hidden = {"pocket": None, "holding": None} if "pocket" in view["state"] else {}
    return {**view, "state": {**view["state"], **hidden}}


def _check_chips(answer: Answer) -> None:
    """Chips are only ever moved (P14, H18)."""
    state, rules = answer["state"], answer["house_rules"]
    if "pot" not in state:
        return
    stacks = [player.get("stack", player.get("chips")) for player in state["players"]]
    assert min(stacks) >= 0
    players = len(answer["players"])
    agreed = players * _stack(variants()[answer["variant"]], rules, players)
    assert sum(stacks) + state["pot"] == agreed, f"{agreed} chips have become another number"
    if "paid" in state["players"][0]:
        assert state["pot"] == sum(player["paid"] for player in state["players"])


def _stack(variant: Variant, rules: Answer, players: int) -> int:
    """The chips of each player at the start (H35)."""
    if isinstance(variant, CommunityRanking):
        return Stakes.of(variant.house_rules(**rules), variant.chip).share(players)
    return int(rules.get(RANKING_CHIPS.name, RANKING_CHIPS.of(HouseRules())))


def _check_bag(answer: Answer) -> None:
    """No more dice of a suit lie on the table than the bag has (H1)."""
    state = answer["state"]
    variant = variants()[answer["variant"]]
    if not isinstance(variant, CommunityRanking):
        return
    per_suit = variant.dice.count // len(variant.dice.suits)
    shown = Counter(die[1] for die in [*state["community"], *(state.get("pocket") or ())])
    assert max(shown.values(), default=0) <= per_suit, f"too many dice of a suit: {shown}"
