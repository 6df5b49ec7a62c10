"""The game of layouts in steps: throws to decide who begins, turns, and the end."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from service.engine.actions import ActionKind, Move, News, Value
from service.engine.chance import Chance, OneDie, Rolled, RollOf
from service.engine.game import GameTable
from service.engine.state import restore_part
from service.engine.turns import Starting, TurnGame
from service.kinds.layout.state import (
    CardRoll,
    LaidTurn,
    LayoutState,
    OwnLines,
    Standing,
    blanks,
    compared,
    final_places,
    shown,
    turn_json,
)
from service.kinds.layout.variant import FINISH_ROUND, MAX_LIMITED_PLAYERS, Layout, LayoutRules
from service.rules.breaches import Breach
from service.rules.reasons import Reason
from service.rules.sentences import Sentence
from service.rules.variant import LEFT, TIME_UP
from service.rules.violations import InvalidInput, Violation, refuse

THROW = ActionKind(
    "throw", "throws to decide who begins (automatic if the service rolls)", dice="the risk die"
)
ROLL = ActionKind(
    "roll",
    "rolls all dice, or after the first roll those that show blanks",
    dice="the rolled dice in order; `--` is a blank",
)
LAY = ActionKind(
    "lay",
    "lays the dice out: in the best layout, or in the player's own",
    {"layout": Value(OwnLines, "lines as in a request of `score`; null for the best layout")},
)
RISK = ActionKind(
    "risk", "rolls the risk die for the turn's points", dice="the risk die, 0 for its blank"
)
BANK = ActionKind("bank", "adds the turn's points to the total")

ACTIONS = (THROW, ROLL, LAY, RISK, BANK)


class LayoutGame(TurnGame[Layout, LayoutState]):
    """The game of a variant whose turns are laid out as crossing hands.

    A variant without `LayoutRules` is played with their defaults.
    """

    paper = "totals"

    schema = 2
    """Releases with schema 1 can't read events with a decision."""

    def __init__(self, variant: Layout, table: GameTable) -> None:
        super().__init__(variant, table)
        self.rules = table.rules if isinstance(table.rules, LayoutRules) else LayoutRules()
        if self.rules.limits_search:
            self.most_actions = 3 * MAX_LIMITED_PLAYERS  # a turn of each: roll, lay, bank
        self._finish_round = FINISH_ROUND.of(table.rules)
        self._risk_die = OneDie(variant.risk_faces)

    @classmethod
    def actions(cls, variant: Layout) -> Sequence[ActionKind]:
        """The actions of all games of layouts."""
        del variant  # all have the same
        return ACTIONS

    def opening(self) -> LayoutState:
        """The state before the throws to decide who begins (R2), which a single player doesn't
        make. Who began on paper is the first player listed, and the next round begins.

        Raises `InvalidInput` for house rules with which the game would never end, and for totals
        with which it would be over.
        """
        if self.rules.turns is None and self.rules.target_score is None:
            raise InvalidInput(Violation(("house_rules",), Breach.ENDLESS()))
        players, totals = len(self.table.players), self.table.paper
        if totals:
            most = self.rules.target_score
            over = Breach.OUT_OF_RANGE(minimum=0, maximum=(most or 0) - 1, whole=True)
            refuse(
                Violation((self.paper, player), over)
                for player, total in zip(self.table.players, totals, strict=True)
                if most is not None and total >= most
            )
            return LayoutState(totals)
        starting = Starting.among(players) if players > 1 else None
        return LayoutState((0,) * players, starting=starting)

    def moves(self, state: LayoutState) -> Sequence[Move]:
        """Throws to decide who begins; then rolls and layouts, then keeping or risking points
        (R2-R10).

        The first roll of a turn isn't forced, so that the player makes it.
        """
        if state.over:
            return ()
        dice, risk_roll = self.variant.dice, self._risk_die.roll
        if state.starting:
            throwing = [self.table.players[seat] for seat in state.starting.to_throw]
            return [Move(THROW, player, dice=risk_roll, forced=True) for player in throwing]
        player = self._at_turn(state)
        if state.laid is not None:
            return Move(BANK, player), Move(RISK, player, dice=risk_roll)
        count = len(blanks(shown(state.rolls))) if state.rolls else dice.count
        roll = Move(ROLL, player, dice=RollOf(count, tuple(dice.codes)))
        if not state.rolls:
            return (roll,)
        lay = Move(LAY, player, {"layout": OwnLines(dice.count, self.rules.max_uses)})
        return (roll, lay) if state.rolls_left(self.variant.rolls) else (lay,)

    def chance(self, state: LayoutState, move: Move, values: Mapping[str, Any]) -> Chance:
        """The dice of a turn (R3), or the risk die (R2, R10)."""
        del values  # no action chooses its dice
        if move.kind is ROLL:
            return CardRoll(self.variant, self.rules, state.rolls)
        return self._risk_die

    def apply_move(
        self, state: LayoutState, move: Move, values: Mapping[str, Any], dice: Rolled
    ) -> LayoutState:
        """The state after a legal move; the risk die multiplies the points (R10), a blank by 0
        (R29). Raises `InvalidInput` for a layout that breaks the rules (R4, R32).
        """
        player = move.player
        if move.kind is THROW:
            return self.thrown(replace(state, news=()), player, dice)
        if move.kind is ROLL:
            return self._rolled(state, player, tuple(map(str, dice)))
        if move.kind is LAY:
            turn, layout = self.variant.read_rolls(state.rolls), values["layout"]
            if layout is None:
                played = self.variant.evaluate(turn, self.rules)
            else:
                played = self.variant.score(turn, layout, self.rules)
            return self._laid_out(state, player, LaidTurn.of(played))
        points = 0 if state.laid is None else state.laid.points
        if move.kind is RISK:
            risk = int(dice[0])
            sentence = Reason.RISK(risk=risk, points=points, score=points * risk)
            if not risk:
                sentence = Reason.RISK_BLANK()
            fields = {"player": player, "risk": risk, "points": points * risk}
            risked = self.variant.news("risked", "risk", sentence, **fields)
            return self._ended(state, points * risk, risked)
        sentence = Reason.BANKED(points=points)
        banked = self.variant.news("banked", "risk", sentence, player=player, points=points)
        return self._ended(state, points, banked)

    def timed(self, state: LayoutState) -> Hashable:
        """Each throw to begin, then each turn (G1)."""
        return state.starting, state.played

    def default(self, state: LayoutState) -> tuple[ActionKind, Mapping[str, object]] | None:
        """The service's roll, the best layout, and its points (G1); None for a roll that the player
        would type in.
        """
        if state.laid is not None:
            return BANK, {}
        if state.rolls:
            return LAY, {}
        return None if self.table.typed_dice else (ROLL, {})

    def turn_given_up(self, state: LayoutState) -> LayoutState:
        """A turn without points (G1)."""
        player = self._at_turn(state)
        because = Reason.NOT_LAID(player=player)
        passed = self.variant.news("passed", TIME_UP, because, player=player)
        return self._ended(state, 0, *state.news, passed)

    def turn_skipped(self, state: LayoutState) -> LayoutState:
        """The next turn, without news (G2)."""
        return self._next_turn(state)

    def decided(self, state: LayoutState) -> dict[str, Any] | None:
        """The layout of the last action, because finding or comparing it took a search."""
        return None if state.laid is None else asdict(state.laid)

    def replay_move(
        self, state: LayoutState, move: Move, dice: Rolled, decided: Any
    ) -> LayoutState:
        """The state after a layout or a super royal, with the layout that was found at first."""
        laid = restore_part(LaidTurn, decided)
        if move.kind is LAY:
            return self._laid_out(state, move.player, laid)
        roll = tuple(map(str, dice))
        return self._won(replace(state, rolls=(*state.rolls, roll)), move.player, laid)

    def scores(self, state: LayoutState) -> Sequence[int]:
        """The total of each seat."""
        return state.totals

    def ended(self, state: LayoutState) -> int:
        """How many turns have ended, passed ones included (R2, G2)."""
        return state.played

    def restore(self, stored: Mapping[str, Any]) -> LayoutState:
        """The state from its stored JSON."""
        return restore_part(LayoutState, stored, starting=Starting, laid=LaidTurn)

    def view(self, state: LayoutState, viewer: str | None) -> dict[str, Any]:
        """The whole game; nothing is hidden."""
        del viewer
        players = self.table.players
        # of their turns (R2); until that is known, as they sit
        order = (*players[state.begins :], *players[: state.begins])
        phase = "rolling" if state.laid is None else "laid"
        starting: dict[str, Any] = {"order": order}
        if state.starting:
            phase, starting = "throwing", {"throws": state.starting.as_json(players)}
        return {
            "phase": "over" if state.over else phase,
            "over": state.over,
            "winners": state.winners,
            "news": state.news,
            "to_act": self.to_act(state),
            **starting,
            "totals": dict(zip(players, state.totals, strict=True)),
            "turns_played": {
                player: state.played // len(order) + (place < state.played % len(order))
                for place, player in enumerate(order)
            },
            "turns": self.rules.turns,
            "turn": self._turn(state),
            **({"places": self._places(state)} if state.over else {}),
        }

    def _rolled(self, state: LayoutState, player: str, roll: tuple[str, ...]) -> LayoutState:
        """The state after a roll, which may end the turn (R3, R31) or win the game (R9)."""
        rolls = (*state.rolls, roll)
        turn = self.variant.read_rolls(rolls)
        if not state.rolls:
            lacks = self.variant.lacks(turn, self.rules)
            if lacks is not None:
                fields = {"player": player, "dice": roll, "lacks": lacks}
                passed = self.variant.news("passed", "pass", Reason.NOT_OPENED(), **fields)
                return self._ended(state, 0, passed)
        if turn.super_royal:
            laid = LaidTurn.of(self.variant.evaluate(turn, self.rules))
            return self._won(replace(state, rolls=rolls), player, laid)
        return replace(state, rolls=rolls, news=())

    def _laid_out(self, state: LayoutState, player: str, laid: LaidTurn) -> LayoutState:
        """The state after a layout: its points are fixed (R4, R32)."""
        news = self.variant.news(
            "laid",
            "lay",
            compared(laid),
            player=player,
            points=laid.points,
            best_points=laid.best_points,
            proven=laid.proven,
        )
        return replace(state, laid=laid, news=(news,))

    def _won(self, state: LayoutState, player: str, laid: LaidTurn) -> LayoutState:
        """The state after a super royal: its best layout counts, and the game is over (R9, R30)."""
        totals = self._added(state, laid.points)
        total = totals[self.seat_at_turn(state)]
        fields = {"player": player, "points": laid.points, "total": total}
        tell = self.variant.news
        news = tell("super_royal", "super_royal", Reason.ONE_SUIT(), **fields)
        over = tell("game_over", "super_royal", Reason.SUPER_ROYAL(), winners=(player,))
        ended = replace(state, totals=totals, played=state.played + 1, laid=laid)
        return replace(ended, winners=(player,), news=(news, over))

    def _ended(self, state: LayoutState, points: int, *news: News) -> LayoutState:
        """The state after a turn that scored `points`; the last of the `news` says how."""
        totals = self._added(state, points)
        *before, ended = news
        ended = {**ended, "total": totals[self.seat_at_turn(state)]}
        return self.passed(self._next_turn(replace(state, totals=totals, news=(*before, ended))))

    def _next_turn(self, state: LayoutState) -> LayoutState:
        """The next turn, or the end (R5)."""
        state = replace(state, played=state.played + 1, rolls=(), laid=None)
        stayed = self._stayed(state)
        most = max(state.totals[seat] for seat in stayed)
        end = self._end(state, most)
        if end is None:
            return state
        players = self.table.players
        winners = tuple([players[seat] for seat in stayed if state.totals[seat] == most])
        over = self.variant.news("game_over", *end, winners=winners)
        return replace(state, winners=winners, news=(*state.news, over))

    def _stayed(self, state: LayoutState) -> Sequence[int]:
        """The seats of the players who can win: those who are there, or all if nobody is (G2)."""
        return [*self.present(state)] or range(len(self.table.players))

    def _end(self, state: LayoutState, most: int) -> tuple[str, Sentence] | None:
        """The step and the sentence of why the game is over (R5, R34, G2), with `most` as the
        highest total; None if it goes on.
        """
        target, turns = self.rules.target_score, self.rules.turns
        if len(state.left) == len(state.totals):
            return LEFT, Reason.ALL_LEFT()
        round_over = not state.played % len(state.totals)
        if target is not None and most >= target and (round_over or not self._finish_round):
            return "end", Reason.TARGET_REACHED(total=most, target=target)
        if turns is not None and state.played >= turns * len(state.totals):
            return "end", Reason.TURNS_PLAYED(turns=turns, total=most)
        return None

    def _added(self, state: LayoutState, points: int) -> tuple[int, ...]:
        """The totals, with `points` added for the player at turn."""
        seat = self.seat_at_turn(state)
        totals = enumerate(state.totals)
        return tuple([total + points * (other == seat) for other, total in totals])

    def seat_at_turn(self, state: LayoutState) -> int:
        """The seat whose turn it is."""
        return (state.begins + state.played) % len(self.table.players)

    def _at_turn(self, state: LayoutState) -> str:
        """Whose turn it is."""
        return self.table.players[self.seat_at_turn(state)]

    def _turn(self, state: LayoutState) -> dict[str, Any] | None:
        """The current turn as JSON, or the one that ended the game with a super royal."""
        if state.starting or (state.over and not state.rolls):
            return None
        player = state.winners[0] if state.over else self._at_turn(state)
        return {"player": player, **turn_json(self.variant, self.rules, state)}

    def _places(self, state: LayoutState) -> list[dict[str, Any]]:
        """The places by total (R5), with a super royal first (R9)."""
        by_super_royal, stayed = state.winners[0] if state.rolls else None, self._stayed(state)
        standings = [
            Standing(player, total, player == by_super_royal, seat in stayed)
            for seat, (player, total) in enumerate(
                zip(self.table.players, state.totals, strict=True)
            )
        ]
        return final_places(standings, self.variant.because)
