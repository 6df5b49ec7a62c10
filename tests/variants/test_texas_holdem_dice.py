"""`texas-holdem-dice`: the best five dice, and who takes which pot."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

from service.kinds.community.variant import Holding, Seat, Showdown, TableHand
from service.rules.reasons import spoken
from service.rules.violations import InvalidInput
from service.variants.texas_holdem_dice import VARIANT, HoldemRules
from tests.kinds.community.holdem_table import codes
from tests.reference import holdem as reference

PLAIN = HoldemRules()
TIES = [
    {"kickers": kickers, "suits_break_ties": suits}
    for kickers, suits in product((True, False), repeat=2)
]
DICE = VARIANT.dice
BAG = [suit for suit in "rbwy" for _ in range(5)]


def best(pocket: str, community: str, rules: HoldemRules = PLAIN) -> TableHand:
    """The hand of a player from the flop on."""
    held = VARIANT.evaluate(codes(pocket), codes(community), rules)
    assert isinstance(held, TableHand)
    return held


def showdown(community: str, *seats: Seat, rules: HoldemRules = PLAIN) -> Showdown:
    """The showdown of players in seat order."""
    return VARIANT.rank(codes(community), seats, rules)


def shown(five: Iterable[str]) -> tuple[int, list[str]]:
    """The most dice of one suit, and the numbers from the highest down."""
    numbers, suits = zip(*five, strict=True)
    return max(Counter(suits).values()), sorted(numbers, reverse=True)


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.proof)])
@pytest.mark.parametrize("ties", TIES, ids=str)
def test_all_five_dice_hands_agree_with_the_reference(ties: dict[str, Any], every: int) -> None:
    """The 98,280 multisets of five suited dice have the rank, and the place in the order of all
    hands, that H4, H6, H7, H20, H22 and H38 say.
    """
    rules = HoldemRules(**ties)
    hands = list(combinations_with_replacement(DICE.notation, 5))[::every]
    assert len(hands) == 98_280 // every
    expected = {hand: reference.rank_and_key(hand, **ties) for hand in hands}
    order = sorted({(rank, tuple(numbers), most) for _, (rank, numbers, most) in expected.values()})
    found: dict[tuple[int, tuple[int, ...], int], set[int]] = {key: set() for key in order}
    for hand, (name, (rank, numbers, most)) in expected.items():
        held = VARIANT.evaluate(codes(" ".join(hand[:2])), codes(" ".join(hand[2:])), rules)
        assert isinstance(held, TableHand)
        assert (
            held.hand.rank.id, list(held.hand.numbers), held.hand.most_of_one_suit
        ) == (name, numbers, most)  # fmt: skip
        found[rank, tuple(numbers), most].add(held.hand.strength)
    strengths = [strength for (strength,) in found.values()]
    assert strengths == sorted(set(strengths))
    assert every > 1 or strengths == [*range(1, len(order) + 1)]


@pytest.mark.parametrize("hands", [200, pytest.param(20_000, marks=pytest.mark.proof)])
@pytest.mark.parametrize("count", [6, 7])
@pytest.mark.parametrize("ties", TIES, ids=str)
def test_best_five_of_more_agree_with_the_reference(
    ties: dict[str, Any], count: int, hands: int
) -> None:
    """Of random hands of six and of seven dice, the five chosen are the best (H3, H21, H38).

    Of choices that tie, they have the most dice of one suit, and then the highest numbers.
    """
    rules = HoldemRules(**ties)
    source = random.Random(20260 + count)
    for _ in range(hands):
        dice = [f"{source.randint(1, 6)}{suit}" for suit in source.sample(BAG, count)]
        expected = reference.best_of(dice, **ties)
        name, (_, numbers, most) = expected
        held = best(" ".join(dice[:2]), " ".join(dice[2:]), rules)
        assert (
            held.hand.rank.id, list(held.hand.numbers), held.hand.most_of_one_suit
        ) == (name, numbers, most)  # fmt: skip
        chosen = DICE.written(held.best)
        assert not Counter(chosen) - Counter(dice)
        equal = [
            five
            for five in combinations(dice, 5)
            if reference.rank_and_key(five, **ties) == expected
        ]
        assert shown(chosen) == max(map(shown, equal))


@pytest.mark.parametrize(
    ("dice", "rank"),
    [
        ("3r 3r 3r 3r 3r", "yahtzee_flush"),
        ("2b 3b 4b 5b 6b", "straight_flush"),
        ("4r 4b 4w 4y 4r", "yahtzee"),
        ("1w 1w 3w 6w 6w", "flush"),
        ("5r 5b 5w 5y 2r", "four_of_a_kind"),
        ("1r 2r 3b 4w 5y", "straight"),
        ("4r 4b 4w 3y 3r", "full_house"),
        ("6r 6b 6w 2y 1r", "three_of_a_kind"),
        ("5r 5b 2w 2y 6r", "two_pair"),
        ("5r 5b 1w 2y 6r", "one_pair"),
        ("5r 3b 1w 2y 6r", "high_die"),
    ],
)
def test_ranks(dice: str, rank: str) -> None:
    """Five dice have their rank (H4); one pair and a high die are no winning hands (H5, H22)."""
    held = best(dice[:5], dice[6:])
    assert (held.hand.rank.id, held.hand.rank.winning) == (
        rank,
        rank not in ("one_pair", "high_die"),
    )


@pytest.mark.parametrize(
    ("stronger", "weaker", "reason"),
    [
        (
            "4r 4b 4w 3y 3r",
            "2r 2b 2w 6y 6r",
            "Same rank, full house: the three decides, 4 over 2 (H6).",
        ),
        (
            "5r 5r 2r 2b 1w",
            "5b 5w 2y 2w 1y",
            "Same rank and numbers, two pair: 3 dice of one suit beat 2 (H7).",
        ),
        (
            "5r 5b 2w 2y 6r",
            "5r 5b 1w 1y 6r",
            "Same rank, two pair: the lower pair decides, 2 over 1 (H6).",
        ),
        (
            "6w 5w 1w 1w 1w",
            "6w 4w 4w 4w 4w",
            "Same rank, flush: the next die decides, 5 over 4 (H6).",
        ),
        ("3w 3w 3w 3w 2w", "4r 4b 4w 4y 1r", "Flush beats four of a kind (H4)."),
    ],
)
def test_ties_of_rank(stronger: str, weaker: str, reason: str) -> None:
    """Hands of the same rank compare their numbers (H6, H20), then dice of one suit (H7)."""
    high, low = best(stronger[:5], stronger[6:]).hand, best(weaker[:5], weaker[6:]).hand
    assert high.strength > low.strength
    assert spoken(VARIANT.beats(high, low)) == reason


@pytest.mark.parametrize(
    ("one", "other", "ties", "wins"),
    [
        ("5r 5b 5w 5y 2r", "5r 5b 5w 5y 1r", {}, True),
        ("5r 5b 5w 5y 2r", "5r 5b 5w 5y 1r", {"kickers": False}, False),
        ("6r 6b 6w 5y 4r", "6r 6b 6w 3y 2r", {"kickers": False}, False),
        ("5r 5b 2w 2y 6r", "5r 5b 2w 2y 1r", {"kickers": False}, False),
        ("5r 5b 2w 2y 1r", "5r 5b 2w 2y 6w", {"kickers": False}, False),
        ("5r 5b 2w 2r 1r", "5r 5b 2w 2y 6w", {"kickers": False}, True),
        ("5r 5b 2w 2r 1r", "5r 5b 2w 2y 1w", {"suits_break_ties": False}, False),
        ("5r 5b 3w 2r 1r", "5w 5y 3b 2y 1w", {"suits_break_ties": False}, False),
        ("5r 5b 4w 2r 1r", "5w 5y 3b 2y 1w", {"kickers": False}, True),
        ("6r 5b 3w 2r 1r", "6b 4b 3b 2y 1b", {"kickers": False}, True),
        ("6w 5w 4w 4w 4w", "6w 5w 3w 3w 3w", {"kickers": False}, True),
    ],
)
def test_house_rules_about_ties(one: str, other: str, ties: dict[str, Any], wins: bool) -> None:
    """Without kickers only the dice of the rank are compared, though suits count over all five; one
    pair, a high die and a flush compare all their dice still (H20, H22, H38).
    """
    rules = HoldemRules(**ties)
    high, low = (best(dice[:5], dice[6:], rules).hand.strength for dice in (one, other))
    assert (high > low, high == low) == (wins, not wins)


def test_equal_hands() -> None:
    """Hands equal in rank, numbers and dice of one suit are of the same strength (H8)."""
    one, other = best("1r 2r", "3b 4b 5w").hand, best("1y 2y", "3b 4b 5w").hand
    assert (one.rank.id, one.strength) == ("straight", other.strength)


@pytest.mark.parametrize(
    ("pocket", "holding"),
    [
        ("6r 6b", Holding(pair=True, suited=False)),
        ("6r 5r", Holding(pair=False, suited=True)),
        ("6r 6r", Holding(pair=True, suited=True)),
        ("6r 5b", Holding(pair=False, suited=False)),
    ],
)
def test_before_the_flop(pocket: str, holding: Holding) -> None:
    """Before the flop there is no rank, only what the pocket holds (H23)."""
    assert VARIANT.evaluate(codes(pocket), (), PLAIN) == holding


def test_a_suit_too_many() -> None:
    """The sixth die of a suit on a table is named, with the clause (H24)."""
    with pytest.raises(InvalidInput) as refused:
        best("1r 2r", "3r 3r 4r 6r 6r")
    assert [(violation.path, str(violation.detail)) for violation in refused.value.violations] == [
        (("community", 3), "is red die number 6 on this table; the set has 5 (H24)"),
        (("community", 4), "is red die number 7 on this table; the set has 5 (H24)"),
    ]


def test_a_suit_too_many_between_players() -> None:
    """The dice of all players and the community come from one bag (H24)."""
    seats = [Seat("ann", codes("1r 2r")), Seat("ben", codes("3r 4y"), folded=True)]
    with pytest.raises(InvalidInput) as refused:
        showdown("1r 2r 3r 4b 5b", *seats)
    assert [violation.path for violation in refused.value.violations] == [
        ("players", 1, "pocket", 0)
    ]


def test_yahtzee_flush_wins_the_game() -> None:
    """A yahtzee flush wins the game at once, unless a house rule says otherwise (H17)."""
    held = best("3r 3r", "3r 3r 3r").hand
    assert VARIANT.wins_game(held, PLAIN)
    assert not VARIANT.wins_game(held, HoldemRules(yahtzee_flush="off"))


def test_a_folded_player_pays_but_cannot_win() -> None:
    """A folded player's chips stay in the pots, and the player has no place (H15)."""
    seats = [
        Seat("ann", codes("6r 6b"), 40, folded=True),
        Seat("ben", codes("5r 1b"), 60),
        Seat("cat", codes("3r 1r"), 60),
    ]
    result = showdown("6w 6y 2b 3b 5w", *seats)
    assert [[entry.id for entry in place.entries] for place in result.places] == [["ben"], ["cat"]]
    assert result.pots is not None
    assert [(pot.amount, pot.eligible, pot.payouts) for pot in result.pots] == [
        (160, ("ben", "cat"), {"ben": 160})
    ]


def test_seven_dice_always_win_something() -> None:
    """With seven dice every hand is at least two pair, three of a kind or a straight (H22)."""
    table = VARIANT.table(PLAIN)
    losing = {hand.strength for hand in table if not hand.rank.winning}
    source = random.Random(22)
    for _ in range(5_000):
        dice = [f"{source.randint(1, 6)}{suit}" for suit in source.sample(BAG, 7)]
        assert best(" ".join(dice[:2]), " ".join(dice[2:])).hand.strength not in losing


def test_yahtzee_flush_takes_every_pot() -> None:
    """The holder of a yahtzee flush also takes the pots that they paid nothing into (H17, H31)."""
    seats = [
        Seat("ann", codes("3r 3r"), 50),
        Seat("ben", codes("6b 6w"), 120),
        Seat("cat", codes("1b 1w"), 120),
    ]
    result = showdown("3r 3r 3r 6y 1y", *seats)
    assert result.wins_game
    assert result.pots is not None
    assert [(pot.amount, pot.eligible, pot.payouts) for pot in result.pots] == [
        (150, ("ann", "ben", "cat"), {"ann": 150}),
        (140, ("ben", "cat"), {"ann": 140}),
    ]
    result = showdown("3r 3r 3r 6y 1y", *seats, rules=HoldemRules(yahtzee_flush="off"))
    assert not result.wins_game
    assert result.pots is not None
    assert [pot.payouts for pot in result.pots] == [{"ann": 150}, {"ben": 140}]


def test_stakes_for_all_or_none() -> None:
    """`paid` is given for every player or for none; at least one player hasn't folded."""
    seats = [Seat("ann", codes("6b 6w"), 20, folded=True), Seat("ben", codes("1y 2y"), folded=True)]
    with pytest.raises(InvalidInput) as refused:
        showdown("3r 3r 3r 3b 3w", *seats)
    assert [violation.path for violation in refused.value.violations] == [
        ("players", 1, "paid"),
        ("players",),
    ]
    assert (
        showdown("3r 3r 3r 3b 3w", Seat("a", codes("6b 6w")), Seat("b", codes("1y 2y"))).pots
        is None
    )


def test_a_yahtzee_flush_wins_the_game_at_the_showdown_only() -> None:
    """The last player who hasn't folded shows nothing, and wins the pot alone (H15, H31)."""
    seats = [Seat("ann", codes("3r 3r"), 20), Seat("ben", codes("6b 6w"), 10, folded=True)]
    result = showdown("3r 3r 3r 6y 1y", *seats)
    assert (result.winners, result.wins_game) == (["ann"], False)
    assert result.pots is not None
    assert [pot.payouts for pot in result.pots] == [{"ann": 30}]


def test_the_pocket_of_who_folded_may_be_unknown() -> None:
    """Whether a folded pocket is known makes no difference to places, pots and payouts (H32)."""
    seats = [Seat("ann", codes("5r 1b"), 60), Seat("cat", codes("3r 1r"), 60)]
    known, unknown = (
        showdown("6w 6y 2b 3b 5w", *seats, Seat("ben", pocket, 40, folded=True))
        for pocket in (codes("6r 6b"), None)
    )
    assert unknown == known
    assert unknown.pots is not None
    assert [(pot.amount, pot.eligible) for pot in unknown.pots] == [(160, ("ann", "cat"))]


def test_dice_that_nobody_knows_come_from_the_bag_too() -> None:
    """The count of a suit includes all known dice, even those of a player who folded (H24, H32)."""
    seats = [Seat("ann", codes("1r 1r")), Seat("ben", None, folded=True)]
    assert showdown("2r 3r 5r 6b 6w", *seats).winners == ["ann"]
    with pytest.raises(InvalidInput) as refused:
        showdown("2r 3r 5r 6b 6w", seats[0], Seat("ben", codes("1b 1r"), folded=True))
    assert [violation.path for violation in refused.value.violations] == [
        ("players", 1, "pocket", 1)
    ]


def test_who_has_not_folded_has_a_pocket() -> None:
    """Only a player who has folded may omit the pocket (H32)."""
    with pytest.raises(InvalidInput) as refused:
        showdown("2r 3r 5r 6b 6w", Seat("ann", codes("1r 1r")), Seat("ben"))
    assert str(refused.value) == (
        "players/1/pocket is missing; only a player who has folded, or the last one left, may omit "
        "it (H32)"
    )


def test_who_is_left_needs_no_dice() -> None:
    """The last player who hasn't folded takes every pot; nobody needs to have seen a die (H15)."""
    ending = VARIANT.take(None, [Seat("ann", paid=20), Seat("ben", paid=50, folded=True)])
    assert (ending.winners, ending.wins_game, ending.returned) == (["ann"], False, {})
    assert spoken(ending.places[0].because) == (
        "Everyone else has folded, so ann takes the pot without showing (H15)."
    )
    assert ending.pots is not None
    assert [(pot.amount, pot.eligible, pot.payouts) for pot in ending.pots] == [
        (70, ("ann",), {"ann": 70})
    ]
    assert VARIANT.take(None, [Seat("ann"), Seat("ben", folded=True)]).pots is None


def test_dice_are_needed_as_long_as_two_are_left() -> None:
    """Unknown dice are named if several players haven't folded, and none of them may be."""
    with pytest.raises(InvalidInput) as refused:
        VARIANT.take(None, [Seat("ann"), Seat("ben", codes("1r 2r")), Seat("cat", folded=True)])
    assert [(violation.path, str(violation.detail)) for violation in refused.value.violations] == [
        (("community",), "is missing"),
        (
            ("players", 0, "pocket"),
            "is missing; only a player who has folded, or the last one left, may omit it (H32)",
        ),
    ]
    with pytest.raises(InvalidInput, match="must hold at least one player who has not folded"):
        VARIANT.take(None, [Seat("ann", folded=True), Seat("ben", folded=True)])


def test_a_showdown_needs_the_pocket_of_the_last_one_left() -> None:
    """A hand is ranked only if its pocket is known, even if nobody is left to compare with."""
    with pytest.raises(InvalidInput) as refused:
        showdown("2r 3r 5r 6b 6w", Seat("ann"), Seat("ben", folded=True))
    assert [violation.path for violation in refused.value.violations] == [("players", 0, "pocket")]
