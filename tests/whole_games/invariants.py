"""What holds after every step of a game, checked on the JSON answers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from service.engine.actions import Step
from service.kinds.community.stakes import Stakes
from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.variant import STARTING_CHIPS as RANKING_CHIPS
from service.kinds.scorecard.game import CROSSED_OUT, WRITTEN
from service.rules.house_rules import HouseRules
from service.rules.variant import Variant
from service.sessions.computers import CHOSE, decision
from service.sessions.session import Event, Snapshot, Terms
from service.sessions.view import SessionView
from service.variants import variants
from tests.whole_games.legal_player import LEAVE, TAKE_BACK, moves

Answer = Mapping[str, Any]


def check_answer(answer: Answer) -> None:
    """Fails unless the parts of an answer are consistent."""
    state, actions = answer["state"], answer["actions"]
    over = state["over"]
    able = {each["player"] for each in moves(actions)}
    leavers = [each["player"] for each in actions if each["action"] == LEAVE]
    assert able <= set(state["to_act"]), "others are listed"
    computers = {*answer.get("computers", ())}
    goes_on = able or computers.intersection(state["to_act"])
    assert bool(goes_on) != over, "actions are listed just while the game goes on"
    assert bool(state["winners"]) == over, "winners are known just when it is over"
    assert set(state["winners"]) <= set(answer["players"])
    _check_left(answer, leavers)
    clock = answer["house_rules"].get("turn_seconds") is not None
    assert (state["ends_at"] is not None) == (clock and not over), "the clock runs while they play"
    if "fairness" in answer:
        assert (answer["fairness"]["seed"] is not None) == over, "the seed is shown at the end"
    assert (answer["dice"] == "server") == ("fairness" in answer)
    _check_chips(answer)
    _check_bag(answer)


def check_step(before: Answer, after: Answer, news: Iterable[Answer]) -> None:
    """Fails unless `after` can follow `before`; `news` are those of all steps between."""
    left = before["state"]["left"]
    assert after["state"]["left"][: len(left)] == left, "who left has come back"
    for name in ("id", "variant", "players", "house_rules", "dice", "created_at"):
        assert before[name] == after[name], f"{name} has changed"
    if "cards" not in after["state"]:
        return
    filled = {
        (each["player"], each["box"], each["score"])
        for each in news
        if each["what"] in (WRITTEN, CROSSED_OUT)
    }
    new = set()
    for player, card in after["state"]["cards"].items():
        had = before["state"]["cards"][player]["scores"]
        for box, score in card["scores"].items():
            assert had[box] in (None, score), f"{box} of {player} was filled and has changed"
            if had[box] != score:
                new.add((player, box, score))
    assert new == filled, "the news are of other boxes"


def check_event(terms: Terms, before: Snapshot, event: Event) -> bool:
    """Fails unless who had to decide in `before` made `event`: a computer, as it always would in
    this version. Others can only leave then, or take back. Returns whether it is a computer's turn,
    and not for somebody to type in its dice.
    """
    step, itself = event.steps[0], by_computer(event.steps[0])
    made = decision(terms, before) if terms.computers else None
    if made is None or (made.awaits_dice and not itself):
        assert not itself, "a computer acts out of turn"
    elif itself or step.action not in (LEAVE, TAKE_BACK):
        action = made.action(event.at)
        expected = action.name, action.player, action.values, made.news
        found = step.action, step.player, step.values, step.news[0]
        assert _as_stored(found) == _as_stored(expected), "a computer acts as it doesn't choose"
    return made is not None and not made.awaits_dice


def by_computer(step: Step) -> bool:
    """Whether a computer has decided what was done."""
    return bool(step.news) and step.news[0]["what"] == CHOSE


def _as_stored(value: object) -> object:
    return orjson.loads(orjson.dumps(value))


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


def _check_left(answer: Answer, leavers: list[str]) -> None:
    """Who left can't act, leave again, or win unless all others have left, too (G2)."""
    state = answer["state"]
    left = set(state["left"])
    assert len(left) == len(state["left"])
    assert left <= set(answer["players"])
    assert not left.intersection(state["to_act"]), "who left is to act"
    assert not left.intersection(leavers), "who left can leave again"
    everybody = len(left) == len(answer["players"])
    assert not left.intersection(state["winners"]) or everybody, "who left has won"
    there = left.union(leavers) == set(answer["players"])
    assert state["over"] or there or "pot" in state, "somebody can't leave"


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
