"""How hands of Hold'em end: showdowns, pots, and the end of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.kinds.community.state import CommunityState
from tests.kinds.community.holdem_table import after, game_of, legal, refused, waiting
from tests.problems import breach
from tests.reasons import said

HIGH = {"small_limit": 200, "big_limit": 200, "flop_rerolls": 0}

SPLIT = """ben roll_pocket 1r 2b, cat roll_pocket 1w 2y, ann roll_pocket 3w 4y,
    ben bet 40, cat call, ann call, ann roll_flop 6r 6b 6w, ben check, cat check, ann fold,
    ann roll_turn 6y, * check, ann roll_river 5r, * check"""
"""A hand of three with 100 chips each that leaves ann 50, ben 130 and cat 120."""


def checked_down(ben: str, ann: str, community: str, **rules: Any) -> CommunityState:
    """The state after a hand of two in which nobody bets."""
    game = game_of(2, **{"flop_rerolls": 0, **rules})
    dice = community.split()
    return after(
        game,
        f"""ben roll_pocket {ben}, ann roll_pocket {ann}, * check,
        ann roll_flop {" ".join(dice[:3])}, * check, ann roll_turn {dice[3]}, * check,
        ann roll_river {dice[4]}, * check""",
    )


def side_pots(ann: str, ben: str) -> CommunityState:
    """The showdown of the rules: ann all in with 50, ben and cat with 120 each."""
    game = game_of(3, starting_chips=100, **HIGH)
    state = after(game, SPLIT)
    script = f"""cat roll_pocket 1b 4y, ann roll_pocket {ann}, ben roll_pocket {ben},
        cat bet 40, ann call, ben raise 70, cat call,
        ben roll_flop 6w 6y 6b, ben roll_turn 2r, ben roll_river 3w"""
    return after(game, script, state)


def pots(state: CommunityState) -> Any:
    """The pots of the last showdown: how much, and who gets what."""
    return [(pot["amount"], pot["payouts"]) for pot in state.news[0]["pots"]]


def test_an_odd_unit_goes_to_the_dealers_left() -> None:
    """Equal hands split the pot (H8); its odd unit goes to the first left of the dealer (H25);
    a player who has folded shows nothing.
    """
    game = game_of(3, starting_chips=100, **HIGH)
    state = after(game, SPLIT)
    best = ["6r", "6b", "6w", "6y", "5r"]
    news = {
        "what": "showdown",
        "reason": "ben and cat show the best hand. Four of a kind; equal hands split the pot (H8).",
        "community": best,
        "places": [
            {
                "place": 1,
                "players": ["ben", "cat"],
                "rank": "four_of_a_kind",
                "clause": "H4",
                "hands": [
                    {"id": "ben", "pocket": ["1r", "2b"], "best": best},
                    {"id": "cat", "pocket": ["1w", "2y"], "best": best},
                ],
                "reason": "Four of a kind; equal hands split the pot (H8).",
            }
        ],
        "pots": [{"amount": 150, "eligible": ["ben", "cat"], "payouts": {"ben": 80, "cat": 70}}],
        "payouts": {"ben": 80, "cat": 70},
        "returned": {},
    }
    assert said((state.news, game.view(state, "ann")["last_hand"])) == ((news,), news)
    assert (state.chips, state.paid, state.dealer) == ((40, 120, 110), (10, 10, 10), 1)


def test_the_side_pot_of_the_rules() -> None:
    """An all-in straight wins the main pot, the full house the side pot (H14, H25); a player
    without chips is out, and the next player with chips deals (H16).
    """
    state = side_pots("4r 5r", "2b 1y")
    assert pots(state) == [(150, {"ann": 150}), (140, {"ben": 140})]
    assert [place["reason"] for place in said(state.news[0])["places"]] == [
        "Straight beats full house (H4).",
        "Full house beats three of a kind (H4).",
        "The lowest hand here: three of a kind.",
    ]
    assert said(state.news[1:]) == (
        {
            "what": "out_of_chips",
            "player": "cat",
            "reason": "cat has no chips left and is out of the game (H16).",
        },
    )
    assert (state.chips, state.dealer, state.hand) == ((140, 140, 0), 0, 3)
    game = game_of(3, starting_chips=100, **HIGH)
    assert legal(game, state) == [("roll_pocket", "ben"), ("roll_pocket", "ann")]
    assert game.view(state, None)["players"][2] == {
        "id": "cat", "chips": 0, "paid": 0, "paid_in_round": 0, "folded": False, "all_in": False,
        "left": False, "out": True,
    }  # fmt: skip


def test_the_best_hand_takes_main_and_side_pot() -> None:
    """If ben holds the straight he takes both pots, all chips, and the game (H14, H16)."""
    state = side_pots("2b 1y", "4r 5r")
    assert pots(state) == [(150, {"ben": 150}), (140, {"ben": 140})]
    assert [(news["what"], news["reason"]) for news in said(state.news[1:])] == [
        ("out_of_chips", "cat has no chips left and is out of the game (H16)."),
        ("out_of_chips", "ann has no chips left and is out of the game (H16)."),
        ("game_over", "ben is the last player left and wins the game (H16)."),
    ]
    assert (state.over, state.winners, state.chips) == (True, ("ben",), (0, 300, 0))


def test_several_side_pots() -> None:
    """Every all-in makes a pot of its own for those who paid into all of it (H25)."""
    game = game_of(4, **HIGH)
    state = replace(game.start(0), chips=(490, 20, 50, 90))
    state = after(
        game,
        """ben roll_pocket 1y 2b, cat roll_pocket 5w 2y, dan roll_pocket 6w 3b,
        ann roll_pocket 6y 4r, ben bet 20, cat raise 30, dan raise 40, ann call,
        ann roll_flop 1r 1b 1w, ann roll_turn 5y, ann roll_river 3r""",
        state,
    )
    assert pots(state) == [(120, {"ben": 120}), (90, {"cat": 90}), (80, {"dan": 80})]
    eligible = [pot["eligible"] for pot in state.news[0]["pots"]]
    assert eligible == [["ben", "cat", "dan", "ann"], ["cat", "dan", "ann"], ["dan", "ann"]]
    assert (state.chips, state.paid) == ((390, 110, 80, 70), (10,) * 4)


def test_what_nobody_could_call_comes_back() -> None:
    """Chips beyond what the others could put in are a pot that only their owner can win (H14)."""
    game = game_of(2, **HIGH)
    state = replace(game.start(0), chips=(30, 490))
    state = after(game, "ben roll_pocket 1r 2b, ann roll_pocket 6y 6w, ben bet 100", state)
    assert legal(game, state) == [("all_in", "ann"), ("fold", "ann")]
    state = after(
        game, "ann all_in, ann roll_flop 5r 4b 6r, ann roll_turn 4y, ann roll_river 2w", state
    )
    assert pots(state) == [(80, {"ann": 80}), (70, {"ben": 70})]
    assert (state.news[0]["payouts"], state.news[0]["returned"]) == (
        {"ann": 80, "ben": 70},
        {"ben": 70},
    )


@pytest.mark.parametrize(
    ("ben", "ann", "community", "payouts", "reason"),
    [
        (
            "6r 6b", "5y 1w", "2r 3b 4w 6w 6y", {"ben": 20},
            "Four of a kind beats straight (H4).",
        ),
        (
            "4b 3w", "5b 2w", "6r 6b 6w 6y 1r", {"ann": 20},
            "Same rank, four of a kind: the next die decides, 5 over 4 (H6).",
        ),
        (
            "6r 1w", "6w 1y", "5r 5b 2r 2b 3y", {"ben": 20},
            "Same rank and numbers, two pair: 3 dice of one suit beat 2 (H7).",
        ),
        (
            "1r 1w", "1y 1y", "2b 3b 4b 5b 6b", {"ben": 10, "ann": 10},
            "Straight flush; equal hands split the pot (H8).",
        ),
        (
            "4b 4w", "2w 2b", "2r 6y 6r 4y 1w", {"ben": 20},
            "Same rank, full house: the three decides, 4 over 2 (H6).",
        ),
    ],
)  # fmt: skip
def test_who_wins_and_why(
    ben: str, ann: str, community: str, payouts: dict[str, int], reason: str
) -> None:
    """The best five dice win, the community alone may be the best; ties go by numbers, then by
    suits, and are split (H3-H8, H20-H22).
    """
    state = checked_down(ben, ann, community)
    news = said(state.news[0])
    assert (news["what"], news["payouts"]) == ("showdown", payouts)
    assert news["places"][0]["reason"] == reason


@pytest.mark.parametrize(
    ("ben", "ann", "community", "rule"),
    [
        ("6r 1b", "3w 4y", "5r 5b 5w 5y 2r", "kickers"),
        ("5r 1b", "5y 1w", "5b 3r 3w 4y 2r", "suits_break_ties"),
    ],
)
def test_house_rules_about_ties(ben: str, ann: str, community: str, rule: str) -> None:
    """Without kickers, or if suits break no ties, hands that are equal otherwise split the pot
    (H38).
    """
    alone, split = (checked_down(ben, ann, community, **{rule: on}) for on in (True, False))
    assert alone.news[0]["payouts"] == {"ben": 20}
    assert split.news[0]["payouts"] == {"ben": 10, "ann": 10}


def test_a_yahtzee_flush_wins_the_game() -> None:
    """By house rule a yahtzee flush wins the game at the showdown, whatever chips others have (H17,
    H33).
    """
    state = checked_down("6r 6r", "5b 5w", "6r 6r 6r 5y 5b", yahtzee_flush="showdown")
    reason = "ben holds a yahtzee flush and wins the whole game at once (H17)."
    assert (state.over, state.winners, state.chips) == (True, ("ben",), (490, 510))
    assert [news["what"] for news in state.news] == ["showdown", "game_over"]
    assert said(state.news[1]) == {"what": "game_over", "winners": ["ben"], "reason": reason}


def test_a_yahtzee_flush_wins_only_the_pot_by_house_rule() -> None:
    """With `yahtzee_flush` off it is only the highest rank, and the game goes on (H33)."""
    state = checked_down("6r 6r", "5b 5w", "6r 6r 6r 5y 5b", yahtzee_flush="off")
    assert (state.over, state.hand, state.chips) == (False, 2, (480, 500))


def test_a_shared_yahtzee_flush() -> None:
    """Players who share a yahtzee flush split the pot and win the game together (H29)."""
    state = checked_down("1b 2b", "3w 4y", "6r 6r 6r 6r 6r")
    reason = "ben and ann share a yahtzee flush and win the game together (H29)."
    assert (state.winners, state.chips) == (("ben", "ann"), (500, 500))
    assert said(state.news[1]) == {"what": "game_over", "winners": ["ben", "ann"], "reason": reason}


def test_a_yahtzee_flush_ends_the_game_at_once() -> None:
    """As soon as pocket and community of a player still in hold a yahtzee flush, all pockets still
    in are shown, the player takes every pot, and the game ends (H17, H33).
    """
    game = game_of(3)
    state = after(
        game,
        """ben roll_pocket 6r 6r, cat roll_pocket 1b 2b, ann roll_pocket 3w 3y, * check,
        ann roll_flop 6r 6r 5w, ben check, cat bet 10, ann fold, ben call, ann roll_turn 6r""",
    )
    assert (state.over, state.winners, state.chips) == (True, ("ben",), (490, 530, 480))
    shown, over = said(state.news)
    hands = [place["hands"] for place in shown["places"]]
    assert (shown["what"], shown["community"]) == ("showdown", ["6r", "6r", "5w", "6r"])
    assert [[(hand["id"], hand["pocket"]) for hand in place] for place in hands] == [
        [("ben", ["6r", "6r"])],
        [("cat", ["1b", "2b"])],
    ]
    reason = "ben holds a yahtzee flush and wins the whole game at once (H17)."
    assert over == {"what": "game_over", "winners": ["ben"], "reason": reason}
    assert (game.view(state, None)["last_hand"], legal(game, state)) == (state.news[0], [])


def test_a_flop_that_is_rolled_again_to_a_yahtzee_flush() -> None:
    """A yahtzee flush on a flop that was rolled again ends the game too; the news has both (H13,
    H33).
    """
    game = game_of(2)
    state = after(
        game,
        """ben roll_pocket 6r 6r, ann roll_pocket 1b 2b, * check, ann roll_flop 6r 6r 5r, * check,
        ann roll_flop_again 6r 6r 6r""",
    )
    assert [news["what"] for news in state.news] == ["flop_rolled_again", "showdown", "game_over"]
    assert state.winners == ("ben",)


def test_a_yahtzee_flush_of_a_player_who_folded_is_none() -> None:
    """Only players who have not folded can hold a yahtzee flush (H33)."""
    game = game_of(3)
    state = after(
        game,
        """ben roll_pocket 6r 6r, cat roll_pocket 1b 2b, ann roll_pocket 3w 3y,
        ben fold, cat check, ann check, ann roll_flop 6r 6r 6r""",
    )
    assert (state.over, waiting(game, state)) == (False, ["cat", "ann"])


def test_a_yahtzee_flush_in_the_community_is_shared_at_once() -> None:
    """All still in share a yahtzee flush that lies in the community (H29, H33)."""
    state = checked_down("1b 2b", "3w 4y", "6r 6r 6r 6r 6r")
    assert (state.winners, state.stage, state.chips) == (("ben", "ann"), 0, (500, 500))


def test_a_folded_yahtzee_flush_wins_nothing() -> None:
    """If a yahtzee flush counts only at the showdown, a player who folds it loses the hand, and the
    last player left takes the pot without showing (H15, H33).
    """
    game = game_of(2, yahtzee_flush="showdown")
    state = after(
        game,
        """ben roll_pocket 6r 6r, ann roll_pocket 1b 2b, * check, ann roll_flop 6r 6r 6r,
        ben bet 10, ann fold""",
    )
    assert (state.over, state.news[0]["what"]) == (False, "won_without_showing")
    state = after(
        game,
        """ben roll_pocket 6r 6r, ann roll_pocket 1b 2b, * check, ann roll_flop 6r 6r 6r,
        ben check, ann bet 10, ben fold""",
    )
    assert (state.over, state.news[0]["payouts"]) == (False, {"ann": 30})


def test_the_last_player_left_wins_the_game() -> None:
    """When one player has all the chips, the game is over and no action is legal (H16)."""
    game = game_of(2, starting_chips=10)
    state = after(
        game,
        """ben roll_pocket 6r 6b, ann roll_pocket 1b 2b, ann roll_flop 6w 6y 2r,
        ann roll_turn 3b, ann roll_river 4w""",
    )
    assert (state.winners, state.chips, legal(game, state)) == (("ben",), (0, 20), [])
    assert state.deadline is None
    violation = breach(("action",), "can't be performed: the game is over")
    assert refused(game, state, "ben check") == (violation,)
    view = game.view(state, "ann")
    shown = {name: view[name] for name in ("over", "winners", "phase", "to_act", "pocket", "pot")}
    assert shown == {
        "over": True, "winners": ["ben"], "phase": "over", "to_act": [], "pocket": None, "pot": 0,
    }  # fmt: skip
    assert view["stage"] is None
    assert view["last_hand"] == state.news[0]


def test_an_ante_of_nothing() -> None:
    """Without antes a hand that nobody bets on has no pots, and one can be won (H15, H27)."""
    state = checked_down("6r 6b", "5y 1w", "2r 3b 4w 6w 6y", ante=0)
    assert (state.news[0]["pots"], state.news[0]["payouts"], state.chips) == ([], {}, (500, 500))
    game = game_of(2, ante=0)
    state = after(game, "ben roll_pocket 1r 2b, ann roll_pocket 6y 6w, ben fold")
    assert (state.news[0]["payouts"], state.chips) == ({"ann": 0}, (500, 500))


def test_steps_cite_clauses_of_the_variant() -> None:
    """Every step of the game that the description names has a clause that exists."""
    variant = game_of(2).variant
    assert set(variant.steps.values()) <= set(variant.clauses)
