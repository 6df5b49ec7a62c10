"""The betting of Hold'em by PokerKit, an engine of card rooms that has nothing of this project.

Players are numbered clockwise from the dealer's left, the dealer last. Dice are dealt as cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from pokerkit import (
    Automation,
    BettingStructure,
    Card,
    CardsLike,
    Deck,
    Hand,
    Opening,
    Pot,
    Rank,
    State,
    Street,
    Suit,
)

from tests.reference.holdem import Key, best_of

UNIT = 10
"""The chips that stakes are multiples of (H25)."""

CARDS = {
    number + suit: Card(Rank(rank), Suit(of_cards))
    for number, rank in zip("123456", "A23456", strict=True)
    for suit, of_cards in zip("rbwy", "hsdc", strict=True)
}
"""Each die in notation as a card."""

DICE = {card: die for die, card in CARDS.items()}

# any tuple of cards will do; whoever shows cards takes them out of the deck once more
DECK = cast(Deck, 10 * tuple(CARDS.values()))
"""Cards for a table of dice: five of a kind, twice."""

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)

STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "up_to": BettingStructure.NO_LIMIT,  # with the ceilings of H11
    "fixed": BettingStructure.FIXED_LIMIT,
}

FIRST = "H36: the player left of the big blind acts first, whatever the blinds could put in"
"""PokerKit goes by the chips: it has another player if the big blind has none left after the ante,
or of two players if the blinds are equal.
"""

ALONE = "H26, H30: a player who alone can bet, and owes nothing, isn't asked"
"""PokerKit waits for a check."""

ODD_CHIPS = "H25: the odd chips of a pot go one each to the tied players nearest the dealer's left"
"""PokerKit gives all of them to the nearest."""

SHORT_BET = "H36: all-ins of less than the least bet don't let those raise who have acted"
"""PokerKit takes such an all-in for a bet, also on top of the big blind."""

FURTHER = "H36: who faces a full raise in all may raise, however it came about"
"""PokerKit counts anew after several all-ins that make a full raise: one more closes the round."""

CLOSED = "H36: all-ins of less than a raise don't let those raise who have acted"
REOPENED = "H36: several such all-ins do, once they make a full raise"
"""PokerKit agrees."""

IN_ANY_BETTING = {FIRST, ALONE, ODD_CHIPS}
WITHOUT_LIMIT = {SHORT_BET, FURTHER, CLOSED, REOPENED}


@cache
def key(dice: frozenset[tuple[str, int]]) -> Key:
    """What the best five of `dice`, each with how often it lies there, are worth."""
    return best_of([die for die, count in dice for _ in range(count)])[1]


class DiceHand(Hand):
    """The best five of up to seven dice, by the clauses of the game."""

    low = False

    def __init__(self, worth: Key) -> None:
        self.worth = worth

    @classmethod
    def from_game(cls, hole_cards: CardsLike, board_cards: CardsLike = ()) -> DiceHand:
        """The best hand of a pocket and the community. Raises `ValueError` before the flop."""
        dice = [DICE[card] for card in (*Card.clean(hole_cards), *Card.clean(board_cards))]
        if len(dice) < 5:
            raise ValueError("too few dice")
        return cls(key(frozenset((die, dice.count(die)) for die in dice)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiceHand) and self.worth == other.worth

    def __lt__(self, other: Hand) -> bool:
        return isinstance(other, DiceHand) and self.worth < other.worth

    def __hash__(self) -> int:
        return hash(str(self.worth))


class CardTable:
    """A hand of the game at a table of PokerKit, among players with `stacks`, under `rules`.

    `met` are the rare things that have come up, above all where the game differs from PokerKit.
    """

    def __init__(self, stacks: Sequence[int], rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.limit = rules["betting"] == "limit"
        self.structure = rules["bet_size"] if self.limit else rules["betting"]
        self.blinds = rules["small_blind"], rules["big_blind"]
        self.pots: tuple[Pot, ...] = ()
        self.left: tuple[int, ...] = ()
        self.acted: set[int] = set()
        self.met: set[str] = set()
        self.state = State(
            AUTOMATIONS,
            DECK,
            (DiceHand,),
            tuple([self._street(dealt, stage) for stage, dealt in enumerate((0, 3, 1, 1))]),
            STRUCTURES[self.structure],
            True,
            rules["ante"],
            self.blinds,
            0,
            stacks,
            len(stacks),
        )

    def __str__(self) -> str:
        return f"{self.state.starting_stacks} under {self.rules}: {self.state.operations}"

    def _limit(self, stage: int) -> int:
        """The most that a bet or a raise may be (H11)."""
        limit: int = self.rules["small_limit" if stage < 2 else "big_limit"]
        return limit

    def _street(self, dealt: int, stage: int) -> Street:
        """A round of betting, after `dealt` dice of the community or the pockets."""
        pocket = () if dealt else (False, False)
        least, most = max(self.blinds[1], UNIT), None
        if self.limit:
            least = self._limit(stage) if self.structure == "fixed" else UNIT  # H27
            most = self.rules["max_raises"] + 1  # H11: PokerKit counts the bet as well
        return Street(False, pocket, dealt, False, Opening.POSITION, least, most)

    def deal(self, pockets: Sequence[Sequence[str]], community: Sequence[str]) -> None:
        """Deals the pockets, and as much of the community as lies on the table.

        Where nobody can bet any more, all pockets are shown first.
        """
        state = self.state
        if any(state.hole_dealing_statuses):
            for pocket in pockets:
                state.deal_hole(_cards(pocket))
            self._open()
        while state.showdown_indices or any(state.board_dealing_counts):
            if state.showdown_indices:
                if not self.pots:
                    self.pots, self.left = tuple(state.pots), tuple(state.stacks)
                state.show_or_muck_hole_cards(True)
                continue
            lies = len(state.board_cards)
            new = community[lies : lies + state.board_dealing_counts[0]]
            if not new:
                return
            state.deal_board(_cards(new))

    def _open(self) -> None:
        """Begins the betting of the open by the positions of the blinds (H36)."""
        state, count = self.state, self.state.player_count
        state.completion_betting_or_raising_count = int(any(state.bets))  # a big blind is a bet
        if self.blinds[1]:
            first = 1 if count == 2 else 2
            in_order = sorted(state.actor_indices, key=lambda player: (player - first) % count)
            if in_order != [*state.actor_indices]:
                self.met.add(FIRST)
            state.actor_indices = deque(in_order)
        self._ask_nobody_alone()

    def _ask_nobody_alone(self) -> None:
        state = self.state
        if state.actor_indices and not state.checking_or_calling_amount:
            able = [i for i in state.player_indices if state.statuses[i] and state.stacks[i]]
            if len(able) == 1:
                self.met.add(ALONE)
                state.check_or_call()

    def legal(self) -> list[tuple[Any, ...]]:
        """What the player to act may do: actions, with the least and the most amount."""
        state, player = self.state, self.player
        bet, stack = max(state.bets), state.stacks[player]
        call = bet - state.bets[player]
        if stack < call:
            return [("all_in",), ("fold",)]
        # H10: a player may fold for nothing, too
        return [("call",) if call else ("check",), *self._raises(bet, stack - call), ("fold",)]

    @property
    def chips(self) -> list[int]:
        """What each player has left."""
        return self.state.stacks

    @property
    def player(self) -> int:
        """The player to act; -1 if the betting is over."""
        actor = self.state.actor_index
        return -1 if actor is None else actor

    def _raises(self, bet: int, beyond: int) -> list[tuple[Any, ...]]:
        """What the player to act may do beyond a call, with the chips left for it."""
        state = self.state
        if self.limit:
            # H27, H36: nothing depends on the size of the last bet or raise
            state.completion_betting_or_raising_amount = 0
        elif not self._reopened():
            return []
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        if least is None or most is None:
            return []
        if not self.limit and beyond < self._least_raise():
            return [("all_in",)]
        if self.structure == "up_to":  # H11
            assert state.street_index is not None
            most = min(most, bet + self._limit(state.street_index))
        return [("raise" if bet else "bet", least - bet, most - bet)]

    def _reopened(self) -> bool:
        """Whether the player may raise, as far as that depends on who has acted (H36)."""
        state, player = self.state, self.player
        if player not in self.acted:
            return True
        reopened = max(state.bets) - state.bets[player] >= self._least_raise()
        offered = state.can_complete_bet_or_raise_to()
        if offered and not reopened:
            assert state.completion_betting_or_raising_amount < self._least_bet()
            self.met.add(SHORT_BET)
        elif reopened and not offered:
            state.consecutive_short_all_in_amounts.clear()
            if state.can_complete_bet_or_raise_to():
                self.met.add(FURTHER)
        elif offered:
            self.met.add(REOPENED)
        else:
            self.met.add(CLOSED)
        return reopened

    def _least_raise(self) -> int:
        """The last bet or raise, at least the least bet (H36)."""
        return max(self._least_bet(), self.state.completion_betting_or_raising_amount)

    def _least_bet(self) -> int:
        street = self.state.street
        assert street is not None
        return street.min_completion_betting_or_raising_amount

    def act(self, action: str, amount: int = 0) -> None:
        """The player to act does something legal; `amount` is that of a bet or a raise."""
        state, player = self.state, self.player
        bet, all_chips = max(state.bets), state.bets[player] + state.stacks[player]
        raised = {"bet": bet + amount, "raise": bet + amount, "all_in": all_chips}.get(action, 0)
        if raised - bet >= self._least_raise():
            self.acted = set()
        self.acted.add(player)
        stage = state.street_index
        if action == "fold":
            state.fold()
        elif raised > bet:
            state.complete_bet_or_raise_to(raised)
        else:
            state.check_or_call()
        self._ask_nobody_alone()
        if state.street_index != stage:
            self.acted = set()

    def end(self, pockets: Sequence[Sequence[str]], community: Sequence[str]) -> list[int]:
        """The chips of each player after the hand; `pockets` are those that were shown."""
        self.deal(pockets, community)
        assert not self.state.status, f"the hand goes on: {self}"
        stacks, odd = list(self.left), 0
        for pot in self.pots:
            hands = {
                player: DiceHand.from_game(_cards(pockets[player]), _cards(community))
                for player in pot.player_indices
            }
            winners = [player for player in hands if hands[player] == max(hands.values())]
            share, over = divmod(pot.amount // UNIT, len(winners))
            odd += over
            for place, player in enumerate(winners):
                stacks[player] += UNIT * (share + (place < over))
        if odd:
            self.met.add(ODD_CHIPS)
            return stacks
        return self.chips


def _cards(dice: Iterable[str]) -> list[Card]:
    return [CARDS[die] for die in dice]
