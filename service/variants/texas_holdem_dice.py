"""`texas-holdem-dice`: Hold'em with twenty suited dice.

What beats what is `RANKS`, from the highest down; hands of the same rank are compared by
`TIE_BREAKS`. A player's hand is the best five dice out of two in the pocket and up to five that
all share.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.community.variant import CommunityRanking
from service.kinds.ranking.hand_table import Compared, Rank, TieBreak
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import EVERY_GAME, Example

SUITS = (Suit("r", "red"), Suit("b", "black"), Suit("w", "white"), Suit("y", "yellow"))

CHIP = 10
"""The unit that stakes, bets and raises are multiples of (H25, H27)."""

RANKS = (
    Rank(
        "yahtzee_flush",
        Alike((5,)),
        "five dice of one number in one suit",
        "H4",
        one_suit=True,
        wins_game_with="yahtzee_flush",
    ),
    Rank("straight_flush", Run(5), "1-2-3-4-5 or 2-3-4-5-6 in one suit", "H4", one_suit=True),
    Rank("yahtzee", Alike((5,)), "five dice of one number, in more than one suit", "H4"),
    Rank("flush", AnyDice(), "five dice of one suit", "H4", one_suit=True),
    Rank("four_of_a_kind", Alike((4,)), "four dice of one number", "H4", others_with="kickers"),
    Rank("straight", Run(5), "1-2-3-4-5 or 2-3-4-5-6 in more than one suit", "H4"),
    Rank("full_house", Alike((3, 2)), "three dice of one number and two of another", "H4"),
    Rank("three_of_a_kind", Alike((3,)), "three dice of one number", "H4", others_with="kickers"),
    Rank(
        "two_pair",
        Alike((2, 2)),
        "two dice of one number and two of another",
        "H4",
        others_with="kickers",
    ),
    Rank("one_pair", Alike((2,)), "two dice of one number", "H22", winning=False),
    Rank("high_die", AnyDice(), "nothing of the above", "H22", winning=False),
)

TIE_BREAKS = (
    TieBreak(
        "numbers",
        "Within a rank, the higher dice win: the larger group first, then the higher number, "
        "group by group; a flush compares its five numbers from the top, a straight its top die.",
        "H6",
    ),
    TieBreak(
        "most_of_one_suit",
        "If the numbers are equal, the hand with the most dice of one suit wins.",
        "H7",
        Compared.SUITS,
        only_with="suits_break_ties",
    ),
)

CLAUSES = {
    "H1": "Twenty dice, five in each of four suits: red, black, white, yellow; 2 to 6 players.",
    "H2": "Each player has two hidden pocket dice. The community is three dice on the flop, one "
    "on the turn and one on the river.",
    "H3": "A hand is the best five dice out of pocket and community; it may be the five "
    "community dice alone.",
    "H4": "From the highest: yahtzee flush, straight flush, yahtzee, flush, four of a kind, "
    "straight, full house, three of a kind, two pair.",
    "H5": "One pair can't win.",
    "H6": "Within a rank, the higher die or dice win: fours over threes beat twos over sixes.",
    "H7": "If that is equal too, the hand with the most dice of one suit wins.",
    "H8": "If that is equal too, the pot is split.",
    "H9": "Everyone antes 10. There are four rounds of betting: open, flop, turn and river; then "
    "the showdown. The player left of the dealer acts first, and play goes clockwise.",
    "H10": "While nobody has bet, a player may check, bet or fold; after a bet, a player may call, "
    "raise or fold. A player who already has chips in adds only the difference.",
    "H11": "On the open and the flop a bet or a raise is at most 10; on the turn and the river it "
    "is at most 20. A round has at most three raises.",
    "H12": "A round ends when everyone still in has put in the same amount and nobody raises.",
    "H13": "If everyone checks on the flop, its three dice are rolled again.",
    "H14": "A player who can't call may go all in. What others put in beyond that goes to a side "
    "pot that the player can't win.",
    "H15": "The last player who has not folded takes the pot.",
    "H16": "A player without chips at the end of a hand is out. The dealer's role passes left, and "
    "the last player left wins the game.",
    "H17": "A yahtzee flush wins the whole game at once, and its holder takes the pot.",
    "H18": "The dealer divides the chips evenly at the start.",
    "H20": "Dice are compared by group, the larger first, then by the higher number; the other "
    "dice of the five count too. A flush compares its numbers from the top, a straight its top "
    "die.",
    "H21": "If several choices of five dice tie on rank and numbers, the one with the most dice of "
    "one suit is the hand.",
    "H22": "Five or six dice may hold only one pair or a high die. These rank below two pair and "
    "can't win. Seven dice always hold more.",
    "H23": "Before the flop there is no rank, only whether the pocket is a pair and suited.",
    "H24": "One table can't have more than five dice of a suit, or more than twenty dice.",
    "H25": "Every pot, main or side, goes to the best hand among those who paid into all of it. "
    "Chips are units of 10; odd units of a split pot go one each to the tied players nearest the "
    "dealer's left.",
    "H26": "When the flop is rolled again, its round of betting is played again too. When nobody "
    "can bet any more, the rest of the community is rolled at once.",
    "H27": "Bets and raises are multiples of 10; each player starts with 500.",
    "H28": "A die is written as its number and the letter of its suit: 6r is the six of red.",
    "H29": "Players who share a yahtzee flush split the pot and win the game together.",
    "H30": "A player can't bet or raise if nobody else can answer: when all others still in are "
    "all in, the player can only check, call or fold. When fewer than two players can bet, the "
    "remaining dice are rolled.",
    "H31": "The holder of a yahtzee flush takes every pot, even those that the holder paid nothing "
    "into; players who share one split each pot among those of them who paid into it. Chips of "
    "folded players beyond what anyone still in has paid go to the last pot. A "
    "checked flop is rolled again as long as two players are able to bet, even if others are all "
    "in or have folded; with fewer it stays.",
    "H32": "The pocket of a player who folded may be unknown; it is then left out.",
    "H33": "As soon as pocket and community of a player who has not folded hold a yahtzee flush, "
    "all pockets still in are shown, that player takes every pot, and the game ends. The players "
    "may agree that it counts only at the showdown, or that it is only the highest rank.",
    "H34": "The players may agree how often the flop of one hand may be rolled again; after the "
    "last time a checked flop stays.",
    "H35": "The players may agree on the chips of the box: they are divided evenly, in multiples "
    "of 10, and the rest is out of the game.",
    "H36": "The players may agree on betting up to the pot or up to all chips, on bets of exactly "
    "the limit, and on blinds. The first and the second player left of the dealer put in the "
    "blinds, or all their chips; with two players the dealer has the small blind. The player with "
    "the big blind acts last in the open, and may still raise. In pot limit and no limit a bet is "
    "at least the big blind, and a raise at least the last bet or raise. A player with less goes "
    "all in; those who have acted then can't raise until they face a full raise in all.",
    "H37": "The players may agree on a number of hands; then the most chips win, and equal stacks "
    "share. They may agree that ante and blinds double every so many hands; limits don't.",
    "H38": "A table may agree that only the dice that make four of a kind, three of a kind or two "
    "pair are compared, though suits still count over all five; or that suits don't break ties.",
    **EVERY_GAME,
}


@dataclass(frozen=True)
class HoldemRules(HouseRules):
    """The house rules of `texas-holdem-dice`."""

    ante: int = amount(
        10, clause="H9", meaning="Chips that everyone puts in first.", maximum=10_000, step=CHIP
    )
    small_limit: int = amount(
        10,
        clause="H11",
        meaning="The most that a bet or a raise may be before the turn.",
        minimum=CHIP,
        maximum=10_000,
        step=CHIP,
    )
    big_limit: int = amount(
        20,
        clause="H11",
        meaning="The most that a bet or a raise may be from the turn on.",
        minimum=CHIP,
        maximum=10_000,
        step=CHIP,
    )
    max_raises: int = amount(
        3, clause="H11", meaning="Raises allowed in one round of betting.", maximum=100
    )
    starting_chips: int = amount(
        500,
        clause="H18",
        meaning="Chips that each player starts with.",
        minimum=CHIP,
        maximum=1_000_000,
        step=CHIP,
    )
    total_chips: int | None = amount(
        None,
        clause="H35",
        meaning="Chips of the box, which are divided evenly in place of the starting chips.",
        minimum=CHIP,
        maximum=6_000_000,
        step=CHIP,
        nullable=True,
    )
    betting: str = choice(
        "limit",
        "pot_limit",
        "no_limit",
        clause="H36",
        meaning="How much a bet or a raise may be: up to the limit, the pot, or all chips.",
    )
    bet_size: str = choice(
        "up_to",
        "fixed",
        clause="H36",
        meaning="With a limit, bets and raises are up to the limit, or exactly that.",
    )
    small_blind: int = amount(
        0,
        clause="H36",
        meaning="Chips that the player left of the dealer (of two players, the dealer) puts in "
        "before the open.",
        maximum=10_000,
        step=CHIP,
    )
    big_blind: int = amount(
        0,
        clause="H36",
        meaning="Chips that the next player after the small blind puts in before the open.",
        maximum=10_000,
        step=CHIP,
    )
    hands: int | None = amount(
        None,
        clause="H37",
        meaning="Hands that a session lasts; no limit: until one player is left.",
        minimum=1,
        maximum=10_000,
        nullable=True,
    )
    blinds_up: int | None = amount(
        None,
        clause="H37",
        meaning="Ante and blinds double after so many hands each; no limit: never.",
        minimum=1,
        maximum=10_000,
        nullable=True,
    )
    flop_rerolls: int | None = amount(
        None,
        clause="H34",
        meaning="How often the flop of a hand may be rolled again; no limit: as often as all "
        "check.",
        maximum=100,
        nullable=True,
    )
    yahtzee_flush: str = choice(
        "at_once",
        "showdown",
        "off",
        clause="H33",
        meaning="When a yahtzee flush wins the game and every pot: at once, at the showdown, or "
        "not at all.",
    )
    kickers: bool = switch(
        default=True,
        clause="H38",
        meaning="In four of a kind, three of a kind and two pair, the other dice count, too.",
    )
    suits_break_ties: bool = switch(
        default=True,
        clause="H38",
        meaning="Of equal numbers, the hand with the most dice of one suit wins.",
    )
    turn_seconds: int | None = amount(
        None,
        clause="G1",
        meaning="Seconds for each decision in a session.",
        minimum=1,
        maximum=86_400,
        nullable=True,
    )


VARIANT = CommunityRanking(
    id="texas-holdem-dice",
    name="Texas Hold'em dice",
    summary="Hold'em with suited dice: the best five out of two in the pocket and five shared.",
    dice=Dice(count=20, suits=SUITS),
    rolls=1,
    players=(2, 6),
    house_rules=HoldemRules,
    clauses=CLAUSES,
    steps={
        "flop_again": "H13",
        "no_more_betting": "H26",
        "without_showing": "H15",
        "out_of_chips": "H16",
        "last_left": "H16",
        "last_hand": "H37",
        "time_up": "G1",
        "left": "G2",
        "take_back": "G3",
        "hand_wins_game": "H17",
        "hand_wins_game_shared": "H29",
    },
    hand_size=5,
    ranks=RANKS,
    tie_breaks=TIE_BREAKS,
    tied="equal hands split the pot (H8).",
    pocket=2,
    stages=(0, 3, 4, 5),
    supply="H24",
    too_few="H23",
    unknown_pocket="H32",
    chip=CHIP,
    examples=(
        Example(
            "evaluate",
            "Four sixes on the river",
            {"pocket": ["6r", "6b"], "community": ["6w", "6y", "2r", "3b", "4w"]},
        ),
        Example(
            "rank",
            "A side pot: the all-in straight wins the main pot only",
            {
                "community": ["2b", "3b", "4w", "6y", "6w"],
                "players": [
                    {"id": "ann", "pocket": ["5r", "1r"], "paid": 50},
                    {"id": "ben", "pocket": ["3r", "1b"], "paid": 120},
                    {"id": "cat", "pocket": ["2r", "1y"], "paid": 120},
                ],
            },
        ),
        Example(
            "advise",
            "A call on the flop, against two opponents",
            {
                "pocket": ["6r", "5b"],
                "community": ["6w", "3r", "4y"],
                "opponents": 2,
                "pot": 120,
                "to_call": 20,
            },
        ),
        Example(
            "batch",
            "Two hands of seven dice",
            {"hands": ["6r6b6w6y2r3b4w", ["1r", "2r", "3r", "4r", "5r", "6b", "6w"]]},
        ),
    ),
)
