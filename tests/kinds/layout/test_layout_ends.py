"""The game of roll-a-royal in steps: how it ends, and who has won."""

from __future__ import annotations

import pytest

from service.engine.actions import Action
from service.engine.game import GameTable
from service.kinds.layout.game import LayoutGame
from service.kinds.layout.variant import LayoutRules
from service.rules.house_rules import HouseRules
from service.rules.violations import InvalidInput
from service.variants.roll_a_royal import VARIANT, RollARoyalRules
from tests.kinds.layout.layout_table import PAIR, SPADES, done, game, refused, rolls
from tests.reasons import said
from tests.variants.test_roll_a_royal import LOW, ROYAL

TURN = (*rolls(PAIR), ("lay",))
"""A turn of 50 points, where pairs count alone."""


def test_end_after_the_turns() -> None:
    """After the agreed turns each the highest total wins (R5)."""
    two = game("ann", "ben", layout="either", turns=1)
    begun = (("throw", [1]), ("throw", [2]))
    state = done(two, *begun, *TURN, ("risk", [3]))
    assert not state.over
    state = done(two, *begun, *TURN, ("risk", [3]), *TURN, ("bank",))
    assert (state.over, state.winners, two.moves(state)) == (True, ("ben",), ())
    assert said(state.news[1:]) == (
        {
            "what": "game_over",
            "winners": ("ben",),
            "reason": "Everyone has had 1 turn, and 150 is the highest total (R5).",
        },
    )
    view = said(two.view(state, None))
    assert (view["phase"], view["to_act"], view["turn"]) == ("over", [], None)
    assert view["places"] == [
        {
            "place": 1,
            "players": ["ben"],
            "total": 150,
            "reason": "A total of 150 is 100 more than 50 (R5).",
        },
        {"place": 2, "players": ["ann"], "total": 50, "reason": "The lowest total here: 50."},
    ]


def test_equal_totals_share() -> None:
    """Equal highest totals share the win (R5)."""
    two = game("ann", "ben", layout="either", turns=2)
    state = done(two, ("throw", [1]), ("throw", [2]), *(*TURN, ("risk", [3])) * 4)
    assert state.winners == ("ann", "ben")
    assert said(two.view(state, None))["places"] == [
        {
            "place": 1,
            "players": ["ann", "ben"],
            "total": 300,
            "reason": "A total of 300 each; equal totals share the place (R5).",
        }
    ]


@pytest.mark.parametrize("turns", [None, 10])
def test_target_reached(turns: int | None) -> None:
    """A turn that reaches the agreed score and ends its round ends the game (R5, R34)."""
    two = game("ann", "ben", layout="either", turns=turns, target_score=100)
    state = done(two, ("throw", [2]), ("throw", [1]), *TURN, ("bank",), *TURN, ("risk", [2]))
    assert (state.totals, state.winners) == ((50, 100), ("ben",))
    assert said(state.news[1])["reason"] == "A total of 100 reaches the 100 that were agreed (R5)."


@pytest.mark.parametrize(("risk", "winners"), [(2, ("ben",)), (1, ("ann", "ben")), (0, ("ann",))])
def test_target_reached_by_the_first_player(risk: int, winners: tuple[str, ...]) -> None:
    """The round in which a turn reaches the agreed score goes on: the highest score wins (R34)."""
    two = game("ann", "ben", layout="either", target_score=50)
    begun = (("throw", [2]), ("throw", [1]), *TURN, ("bank",))
    state = done(two, *begun)
    assert (state.totals, state.over, two.view(state, None)["to_act"]) == ((50, 0), False, ["ben"])
    state = done(two, *begun, *TURN, ("risk", [risk]))
    assert (state.totals, state.winners, two.moves(state)) == ((50, 50 * risk), winners, ())
    assert two.view(state, None)["turns_played"] == {"ann": 1, "ben": 1}


def test_target_that_ends_a_game_at_once() -> None:
    """Without finish_round, nobody has another turn once the agreed score is reached (R34)."""
    rules = RollARoyalRules(layout="either", target_score=50, finish_round=False)
    two = LayoutGame(VARIANT, GameTable(("ann", "ben"), rules, typed_dice=True))
    state = done(two, ("throw", [2]), ("throw", [1]), *TURN, ("bank",))
    assert (state.totals, state.winners, two.moves(state)) == ((50, 0), ("ann",), ())
    assert two.view(state, None)["turns_played"] == {"ann": 1, "ben": 0}


def test_turns_end_a_game_before_its_target() -> None:
    """With both agreed, whichever comes first ends the game (R5)."""
    alone = game(layout="either", turns=1, target_score=1000)
    assert done(alone, *TURN, ("bank",)).winners == ("ann",)


def test_a_game_without_end() -> None:
    """House rules without turns and without a target are refused (R5)."""
    with pytest.raises(InvalidInput) as refused:
        game(turns=None).start(0)
    assert [(violation.path, str(violation.detail)) for violation in refused.value.violations] == [
        (("house_rules",), "must hold turns or target_score: a game without both never ends")
    ]


@pytest.mark.parametrize(
    "dice", [[SPADES], [[*SPADES[:11], "--", "--"], ["3s", "--"], ["2s"]]], ids=["first", "third"]
)
def test_super_royal(dice: list[list[str]]) -> None:
    """All dice of one suit win at once, whatever the totals, with their best layout (R9, R30)."""
    two = game("ann", "ben", target_score=1_000_000, layout="either")
    ahead = (*rolls(*ROYAL), ("lay",), ("risk", [4]))
    state = done(two, ("throw", [2]), ("throw", [1]), *ahead, *rolls(*dice))
    points = VARIANT.evaluate(VARIANT.read_rolls(dice), two.rules).points
    assert said(state.news) == (
        {
            "what": "super_royal",
            "player": "ben",
            "points": points,
            "total": points,
            "reason": "All dice show cards of one suit (R9).",
        },
        {
            "what": "game_over",
            "winners": ("ben",),
            "reason": "A super royal wins the game at once (R9).",
        },
    )
    assert (state.over, state.winners, state.totals[1], two.moves(state)) == (
        True,
        ("ben",),
        points,
        (),
    )
    assert state.totals[0] > points
    view = said(two.view(state, None))
    assert (view["phase"], view["turn"]["laid"]["points"]) == ("over", points)
    assert view["turns_played"] == {"ann": 1, "ben": 1}
    assert [(place["players"], place["reason"]) for place in view["places"]] == [
        (["ben"], "A super royal wins the game at once (R9)."),
        (["ann"], f"The lowest total here: {state.totals[0]:,}."),
    ]


def test_after_the_end() -> None:
    """No action is legal once the game is over."""
    alone = game(turns=1)
    state = done(alone, ("roll", LOW))
    with pytest.raises(InvalidInput, match="action can't be performed: the game is over"):
        alone.play(state, Action("roll", "ann", 0))


def test_wrong_player_or_action() -> None:
    """Only the player whose turn it is can act, and only as the step allows."""
    two = game("ann", "ben")
    state = done(two, ("throw", [2]), ("throw", [1]))
    with pytest.raises(InvalidInput, match="player can't roll now; only ann can"):
        two.play(state, Action("roll", "ben", 0, {}, LOW))
    assert refused(two, state, "lay") == [("action", "must be roll or leave now")]
    assert refused(two, state, "roll") == [("dice", "is missing: this game's dice are typed in")]


def test_plain_house_rules() -> None:
    """A variant without rules of its own is played by the defaults (R5)."""
    plain = LayoutGame(VARIANT, GameTable(("ann",), HouseRules()))
    assert (plain.rules, plain.start(0).over) == (LayoutRules(), False)
