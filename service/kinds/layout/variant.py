"""Variants in which dice are laid out as crossing hands: the best layout, or the player's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, ClassVar

from service.kinds.layout.cards import CardDice, Turn
from service.kinds.layout.lines import Line, LineHand, LineHands, lacking, lines_of
from service.kinds.layout.own_layout import LayoutClauses, OwnLayout, OwnLine
from service.kinds.layout.played import (
    SUPER_ROYAL,
    LaidHand,
    Played,
    PlayedPlayer,
    TurnPlayer,
    in_order,
)
from service.kinds.layout.solver import WORK, SearchSpec, Solution, solve
from service.kinds.layout.solver.best import Mode
from service.rules.breaches import Breach
from service.rules.dice import MAX_FACES
from service.rules.field_types import Clause, Must, at_least, between, require
from service.rules.house_rules import HouseRules, KnownRule, options
from service.rules.places import Place, in_places
from service.rules.reasons import Because, Reason, as_json
from service.rules.variant import Variant
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation, refuse

MAX_LIMITED_PLAYERS = 6
"""The most players in one `rank` under house rules that let a search stop at its limit (R32)."""

_SOME_FACES = Must(
    f"2 to {MAX_FACES} numbers, not all the same: all throws to begin would tie",
    lambda faces, _: len(faces) <= MAX_FACES and len({*faces}) > 1,
)

LINES_IN_A_STEP = 2
"""How many lines are listed and compared in the time of one search step."""

RANK_STEPS = 120_000
"""How many search steps one `rank` may take; the hardest known turn takes some 10,000."""


MAX_USES = 4
"""The most hands that a house rule may let a die count in."""

_OPTIONS = (
    KnownRule("layout", default="connected", choices=tuple(mode.value for mode in Mode)),
    KnownRule("opening", default="jacks_or_better", choices=("jacks_or_better", "none")),
    KnownRule("repeated_cards", default=False),
    KnownRule("max_uses", default=2, minimum=2),
    KnownRule("turns", default=None, minimum=1),
    KnownRule("target_score", default=None, minimum=1),
)
"""What the options of `LayoutRules` must be like."""

FINISH_ROUND = KnownRule("finish_round", default=True)
"""Whether a game goes on to the end of the round in which `target_score` is reached (R34)."""


@dataclass(frozen=True)
class LayoutRules(HouseRules):
    """The house rules of every layout.

    A game has a subclass that makes each of them an option with its own clause and meaning.
    `layout` is a `Mode`, and `opening` is what the first roll must hold. At least one of `turns`
    and `target_score` ends a game.
    """

    layout: str = "connected"
    max_uses: int = 2
    opening: str = "jacks_or_better"
    repeated_cards: bool = False
    turns: int | None = 10
    target_score: int | None = None

    @property
    def limits_search(self) -> bool:
        """Whether a search for the best layout can take so long that it is stopped."""
        return self.repeated_cards or self.max_uses > 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Layout(Variant):
    """A variant whose turns are laid out as lines of cards.

    `all_dice_bonus` is for all dice in one group; `risk_faces` are the faces of the risk die, a
    blank as 0. `order` is the clause for who wins, and `cites` has those for layouts.
    """

    kind: ClassVar[str] = "layout"
    step_words: ClassVar[frozenset[str]] = Variant.step_words.union(
        ("begin", "pass", "lay", "risk", "super_royal", "end")
    )
    known_rules: ClassVar[tuple[KnownRule, ...]] = (FINISH_ROUND,)

    dice: CardDice
    house_rules: type[LayoutRules]
    hands: LineHands
    all_dice_bonus: Annotated[int, between(0, SUPER_ROYAL - 1)]
    order: Clause
    cites: LayoutClauses
    risk_faces: Annotated[tuple[Annotated[int, at_least(0)], ...], _SOME_FACES]

    def check_kind(self) -> None:
        """Raises `Mistake` for wrong hands or house rules, and for too many points in a turn."""
        self.hands.check()
        self._check_options()
        lots = self.dice.count * self.most_uses
        most = (self.hands.most_points(lots) + self.all_dice_bonus) * max(1, *self.risk_faces)
        require(
            most < SUPER_ROYAL,
            f"hands: a turn might score {most} with the bonus and the risk die, and must stay "
            f"below {SUPER_ROYAL}",
        )

    def _check_options(self) -> None:
        """Raises `Mistake` for house rules that let in what games can't be played with."""
        by_name = {option.name: option for option in options(self.house_rules)}
        for known in (*_OPTIONS, *self.known_rules):
            self.check_known_rule("house_rules", known)
        require(
            (by_name["max_uses"].maximum or 0) <= MAX_USES,
            f"house_rules: max_uses must have a maximum of {MAX_USES} or less",
        )
        require(
            by_name["turns"].default is not None or by_name["target_score"].default is not None,
            "house_rules: turns or target_score must have a default, or a game would never end",
        )

    @cached_property
    def default_rules(self) -> LayoutRules:
        """The house rules with their defaults."""
        return self.house_rules()

    @property
    def most_uses(self) -> int:
        """The most hands that a die may count in under any house rules."""
        uses = next(rule for rule in options(self.house_rules) if rule.name == "max_uses")
        return uses.maximum or self.default_rules.max_uses

    @property
    def all_hands(self) -> tuple[LineHand, ...]:
        """The hands that a line can be, from the most points down."""
        return tuple(self.hands.by_name.values())

    def read_rolls(self, rolls: object, least: int = 1) -> Turn:
        """The turn that `rolls` in notation are (R21). Raises `InvalidInput` for what can't be.

        `least` is the fewest rolls that the error names.
        """
        return self.dice.read_rolls(rolls, self.rolls, least)

    def evaluate(
        self, turn: Turn, rules: LayoutRules, risk: int | None = None, work: int = WORK
    ) -> Played:
        """The best layout of `turn` and what it scores after `risk`, a face of the risk die.

        `work` limits the search where the rules let it stop. Raises `InvalidInput` for repeated
        cards.
        """
        self.check(turn, rules)
        lines = lines_of(turn, self.hands)
        lacks = self.lacks(turn, rules, lines)
        if lacks:
            return self._unopened(turn, lacks, lines)
        solution = self._solve(turn, lines, rules, work)
        hands = [
            LaidHand(lines[laid.mask], in_order(laid, solution.lines, turn), laid.segment)
            for laid in solution.lines
        ]
        return self._played(turn, hands, rules, risk, solution)

    def lacks(
        self, turn: Turn, rules: LayoutRules, lines: Mapping[int, Line] | None = None
    ) -> Because | None:
        """What the first roll lacked to open the turn (R3, R25), None if it did.

        `lines` are those that the dice can make, if they are known.
        """
        if rules.opening == "none":
            return None
        lines = lines_of(turn, self.hands) if lines is None else lines
        sentence = lacking(turn, lines, self.hands)
        if sentence is None:
            return None
        return {**as_json(sentence), "clause": self.rule_clauses["opening"]}

    def check(
        self, turn: Turn, rules: LayoutRules, path: tuple[str | int, ...] = ("rolls",)
    ) -> None:
        """Raises `InvalidInput` for a turn with repeated cards, unless that is allowed.

        `path` leads to its rolls.
        """
        refuse(self._repeats(turn, rules, path))

    def score(
        self, turn: Turn, laid: Sequence[OwnLine], rules: LayoutRules, risk: int | None = None
    ) -> Played:
        """What a layout of the player's own scores, and how the best one compares (R32).

        Raises `InvalidInput` with everything that the layout breaks, and for repeated cards.
        """
        lines = lines_of(turn, self.hands)
        self.check_layout(turn, laid, rules, lines)
        lacks = self.lacks(turn, rules, lines)
        if lacks:
            return self._unopened(turn, lacks, lines)
        placed = rules.max_uses == 2
        hands = [
            LaidHand(lines[line.mask], line.dice, line.segment if placed else None) for line in laid
        ]
        return self._played(turn, hands, rules, risk, self._solve(turn, lines, rules, WORK))

    def rank(self, players: Sequence[TurnPlayer], rules: LayoutRules) -> list[Place[PlayedPlayer]]:
        """The places of `players` by their scores, a super royal first; equal scores share one.

        Under house rules that let a search stop, each turn gets the same share of the limit whoever
        else plays, so its strength doesn't depend on them. Raises `InvalidInput` as `check_turns`
        does, and for turns that take more than `RANK_STEPS` to search.
        """
        self.check_turns(players, rules)
        results: list[PlayedPlayer] = []
        left = RANK_STEPS
        for player in players:
            if left <= 0:
                detail = Breach.TOO_LONG_SEARCH(maximum=RANK_STEPS)
                raise InvalidInput(Violation(("players", len(results)), detail))
            played = self.evaluate(player.rolls, rules, player.risk, WORK // MAX_LIMITED_PLAYERS)
            left -= played.steps
            results.append(PlayedPlayer(player.id, played))
        return in_places(
            results,
            strength=lambda player: player.played.strength,
            beats=self._beats,
            lowest=lambda player: Reason.LOWEST_SCORE.because(score=player.played.score),
            tied=lambda player: Reason.EQUAL_SCORES.because(
                score=player.played.score, clause=self.order
            ),
            alone=lambda player: Reason.ONLY_SCORE.because(score=player.played.score),
        )

    def _beats(self, stronger: PlayedPlayer, weaker: PlayedPlayer) -> Because:
        high, low = stronger.played, weaker.played
        if high.wins_game and not low.wins_game:
            return self.because("super_royal", Reason.SUPER_ROYAL())
        proven = high.proven and low.proven
        return (Reason.SCORE if proven else Reason.SCORE_SO_FAR).because(
            score=high.score,
            ahead=high.score - low.score,
            next=low.score,
            clause=self.order,
            search=None if proven else self.steps.get("lay"),
        )

    def check_turns(self, players: Sequence[TurnPlayer], rules: LayoutRules) -> None:
        """Raises `InvalidInput` for turns with repeated cards, unless the rules allow them, and for
        too many players under house rules that let a search stop.
        """
        violations: list[Violation] = []
        if rules.limits_search and len(players) > MAX_LIMITED_PLAYERS:
            detail = Breach.TOO_MANY_FOR_SEARCH(maximum=MAX_LIMITED_PLAYERS, count=len(players))
            violations.append(Violation(("players",), detail, ON_HOUSE_RULES))
        for index, player in enumerate(players):
            violations += self._repeats(player.rolls, rules, ("players", index, "rolls"))
        refuse(violations)

    def check_layout(
        self,
        turn: Turn,
        laid: Sequence[OwnLine],
        rules: LayoutRules,
        lines: Mapping[int, Line] | None = None,
    ) -> None:
        """Raises `InvalidInput` for what `score` refuses; `lines` are as in `lacks`."""
        own = OwnLayout(
            laid=laid,
            turn=turn,
            dice=self.dice,
            lines=lines_of(turn, self.hands) if lines is None else lines,
            mode=Mode(rules.layout),
            uses=rules.max_uses,
            cites=self.cites,
            rule_clauses=self.rule_clauses,
        )
        wrong = [violation.within("layout") for violation in own.violations()]
        refuse([*self._repeats(turn, rules), *wrong])

    def _repeats(
        self, turn: Turn, rules: LayoutRules, path: tuple[str | int, ...] = ("rolls",)
    ) -> list[Violation]:
        """Dice that show the same card, unless that is allowed; `path` leads to the rolls."""
        if rules.repeated_cards:
            return []
        repeats = self.dice.repeats(turn, path)
        return [replace(violation, rests_on=ON_HOUSE_RULES) for violation in repeats]

    def _unopened(self, turn: Turn, lacks: Because, lines: dict[int, Line]) -> Played:
        """A turn that scores zero (R31)."""
        return Played(turn, lacks, (), 0, 0, False, 0, 0, len(lines) // LINES_IN_A_STEP)

    def _solve(self, turn: Turn, lines: dict[int, Line], rules: LayoutRules, work: int) -> Solution:
        cards = [card for card in turn.cards if card is not None]
        spec = SearchSpec(
            mode=Mode(rules.layout),
            uses=rules.max_uses,
            dice=self.dice.count,
            bonus=self.all_dice_bonus,
            limited=len(set(cards)) < len(cards),
            work=work,
        )
        solution = solve({mask: line.points for mask, line in lines.items()}, spec)
        return replace(solution, steps=solution.steps + len(lines) // LINES_IN_A_STEP)

    def _played(
        self,
        turn: Turn,
        hands: Sequence[LaidHand],
        rules: LayoutRules,
        risk: int | None,
        best: Solution,
    ) -> Played:
        laid = {die for hand in hands for die in hand.dice}
        whole = rules.layout == Mode.CONNECTED.value and len(laid) == self.dice.count
        bonus = self.all_dice_bonus if whole else 0
        points = sum(hand.line.points for hand in hands) + bonus
        ordered = sorted(hands, key=lambda hand: -hand.line.points)
        return Played(
            turn=turn,
            lacks=None,
            hands=tuple(ordered),
            bonus=bonus,
            score=points if risk is None else points * risk,
            wins_game=turn.super_royal,
            best_points=max(best.points, points),
            upper_bound=max(best.upper_bound, points),
            steps=best.steps,
        )
