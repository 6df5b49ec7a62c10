"""The winners of a game that is over, worked out again from its last response."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from service.kinds.community.variant import CommunityRanking
from service.kinds.scorecard.boxes import UpperBox
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants

Answer = Mapping[str, Any]


def winners(answer: Answer) -> set[str]:
    """The winners of the finished game in `answer`, among those who stayed to the end (G2)."""
    state = answer["state"]
    stayed = set(answer["players"]).difference(state["left"]) or set(answer["players"])
    if "cards" in state:
        return _most({player: _total(answer, state["cards"][player]) for player in stayed})
    if "totals" in state:
        by_royal = [news["player"] for news in state["news"] if news["what"] == "super_royal"]
        return set(by_royal) or _most({player: state["totals"][player] for player in stayed})
    players = [player for player in state["players"] if player["id"] in stayed]
    if "community" not in state:
        return _most({player["id"]: player["stack"] for player in players})
    return _by_hand(answer) or _most({player["id"]: player["chips"] for player in players})


def _total(answer: Answer, card: Answer) -> int:
    """What a full card is worth (D3, D10, Y4)."""
    scores = card["scores"]
    variant = variants()[answer["variant"]]
    assert isinstance(variant, ScoreCard)
    total: int = sum(scores.values())
    if variant.upper_bonus:
        upper = sum(scores[box.id] for box in variant.boxes if isinstance(box, UpperBox))
        tiers = variant.upper_bonus.tiers.items()
        total += max([points for least, points in tiers if upper >= least], default=0)
    if variant.repeats:
        bonus: int = answer["house_rules"][variant.repeats.bonus]
        total += bonus * card.get(variant.repeats.counter, 0)  # no counter without a bonus
    return total


def _by_hand(answer: Answer) -> set[str]:
    """The players who have shown a hand that wins the game, dice alike in all (H17, H29, H33)."""
    variant, last_hand = variants()[answer["variant"]], answer["state"]["last_hand"]
    assert isinstance(variant, CommunityRanking)
    rules = {"no rule": "off", **answer["house_rules"]}
    alike = min(
        [
            rank.pattern.size(variant.hand_size)
            for rank in variant.ranks
            if rules[rank.wins_game_with or "no rule"] != "off"
        ],
        default=variant.dice.count,
    )
    shown = [hand for place in last_hand.get("places", ()) for hand in place["hands"]]
    return {
        hand["id"]
        for hand in shown
        if max(Counter([*hand["pocket"], *last_hand["community"]]).values()) >= alike
    }


def _most(worth: Mapping[str, int]) -> set[str]:
    most = max(worth.values())
    return {player for player, total in worth.items() if total == most}
