"""Operations of variants with pocket and community dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple

from service.advice.choosing import Choice, Chosen, Strength
from service.advice.community.position import has_advice
from service.api.operations.advising import choose
from service.api.operations.cached_lines import TableLines
from service.api.operations.community_advice import advise, chips, forecast
from service.api.operations.community_advice import forecast_question as forecast_question
from service.api.operations.community_advice import question as question
from service.api.operations.operation import BatchColumns, Operation, always
from service.api.operations.ranking import STRENGTH, compared, rank_columns
from service.api.schemas import shapes
from service.api.schemas.fields import StrictField, flag, suited_dice
from service.api.schemas.requests import players
from service.api.schemas.serializers import (
    Fields,
    Serializer,
    inlined,
    part,
    parts,
    place_fields,
    places_fields,
)
from service.api.schemas.shapes import Shape
from service.kinds.community.betting import Betting, Pot
from service.kinds.community.game import TURN
from service.kinds.community.stakes import Stakes
from service.kinds.community.variant import (
    CommunityRanking,
    Ending,
    Holding,
    Seat,
    Shown,
    TableHand,
    Unshown,
)
from service.rules.places import Place
from service.rules.sentences import any_of
from service.settings import Settings

HAND_COUNTS = "as the best of own and community dice"
"""How a hand counts, for the catalogue."""

WINS_GAME = "It wins the whole game."

POCKET_HOLDING = Serializer[Holding]("PocketHolding", {"pair": shapes.FLAG, "suited": shapes.FLAG})
"""What a pocket holds while there are too few dice for a hand."""

POT = Serializer[Pot](
    "Pot",
    {"amount": shapes.ORDINAL, "eligible": shapes.TEXTS, "payouts": shapes.by_player(shapes.COUNT)},
)
"""A pot and who gets it."""


def operations(variant: CommunityRanking, _: Settings) -> list[Operation]:
    """`evaluate`, `rank`, `advise` and `choose` of a variant with pocket and community dice."""
    stages = variant.stages
    player = {
        "pocket": suited_dice(
            variant,
            (variant.pocket,),
            f"Optional for a player with `folded` ({variant.unknown_pocket}), and for the last one "
            "left.",
        ),
        "paid": chips(variant, "In this hand. Give it for every player or for none."),
        "folded": flag(description="Default: `false`."),
    }
    found = [
        Operation(
            variant,
            "evaluate",
            title="find the best hand of a player",
            description="Before the flop, it says what the pocket holds.",
            request_fields={
                "pocket": suited_dice(variant, (variant.pocket,), required=True),
                "community": suited_dice(variant, stages, required=True),
            },
            response_fields=_evaluation(variant),
            compute=lambda given: _evaluate(variant, given),
            brief=always,
            check=lambda given: variant.check_hand(given["pocket"], given["community"]),
            cached_lines=TableLines,
        ),
        Operation(
            variant,
            "rank",
            title="decide the showdown",
            description="With `paid`, also shares out the pots. List players in seat order from"
            " the dealer's left.",
            request_fields={
                "community": suited_dice(
                    variant, stages[-1:], "Optional if all but one have folded."
                ),
                "players": players(variant, player, Seat),
            },
            response_fields=_ranking(variant),
            compute=lambda given: _rank(variant, given),
            check=lambda given: variant.check_table(
                given.get("community"), given["players"], showing=False
            ),
        ),
    ]
    if has_advice(variant):
        advised = advise(variant)
        found += [advised, choose(advised, partial(_take, variant)), forecast(variant)]
    return found


def _best(variant: CommunityRanking) -> Shape:
    return shapes.list_of(
        shapes.die(variant),
        "Most important first; empty before the flop.",
        maxItems=variant.hand_size,
    )


def _tie_break(variant: CommunityRanking) -> Serializer[TableHand]:
    return Serializer(
        shapes.component(variant, "TieBreak"),
        {
            "numbers": compared(variant).of("hand.numbers"),
            "most_of_one_suit": Shape({**shapes.ORDINAL, "maximum": variant.hand_size})
            .or_null("Null: suits don't break ties.")
            .of(lambda held: held.hand.most_of_one_suit or None),
        },
    )


class _Evaluated(NamedTuple):
    """The best hand of a player, or what the pocket holds before the flop: one of them is None."""

    hand: TableHand | None
    holding: Holding | None
    wins_game: bool


def _evaluate(variant: CommunityRanking, given: Mapping[str, Any]) -> _Evaluated:
    rules = given["house_rules"]
    found = variant.evaluate(given["pocket"], given["community"], rules)
    if isinstance(found, Holding):
        return _Evaluated(None, found, wins_game=False)
    return _Evaluated(found, None, variant.wins_game(found.hand, rules))


def _evaluation(variant: CommunityRanking) -> Fields[_Evaluated]:
    written = variant.dice.written
    return {
        "rank": shapes.rank(variant)
        .or_null()
        .of(lambda found: found.hand and found.hand.hand.rank.id),
        "clause": shapes.TEXT.of(
            lambda found: found.hand.hand.rank.clause if found.hand else variant.too_few
        ),
        "winning": shapes.FLAG("False before the flop.").of(
            lambda found: found.hand is not None and found.hand.hand.rank.winning
        ),
        "strength": shapes.ORDINAL.or_null(STRENGTH).of(
            lambda found: found.hand and found.hand.hand.strength
        ),
        "best": _best(variant).of(lambda found: written(found.hand.best) if found.hand else []),
        "tie_break": part(_tie_break(variant), "hand", null=True),
        "holds": part(POCKET_HOLDING, "holding", "Before the flop.", null=True),
        "wins_game": shapes.FLAG(WINS_GAME),
    }


class _Ranked(NamedTuple):
    """The end of a hand, and the chips that each player gets if the request has the stakes."""

    ending: Ending[Shown | Unshown]
    payouts: Mapping[str, int] | None


def _rank(variant: CommunityRanking, given: Mapping[str, Any]) -> _Ranked:
    seats, community = given["players"], given.get("community")
    ending: Ending[Shown | Unshown]
    if community is None or any(seat.pocket is None and not seat.folded for seat in seats):
        ending = variant.take(community, seats)
    else:
        ending = variant.rank(community, seats, given["house_rules"])
    pots = ending.pots
    if pots is None:
        return _Ranked(ending, None)
    return _Ranked(
        ending, {seat.id: sum(pot.payouts.get(seat.id, 0) for pot in pots) for seat in seats}
    )


def _ranking(variant: CommunityRanking) -> Fields[_Ranked]:
    shown = Serializer[Shown | Unshown](
        shapes.component(variant, "ShownHand"),
        {
            "id": shapes.TEXT,
            "best": _best(variant).of(
                lambda player: variant.dice.written(player.held.best) if player.held else []
            ),
        },
    )

    def strength(place: Place[Shown | Unshown]) -> int | None:
        held = place.entries[0].held
        return held.hand.strength if held else None

    hand: Fields[TableHand | None] = {
        "rank": shapes.rank(variant).or_null().of(lambda held: held and held.hand.rank.id),
        "clause": shapes.TEXT.or_null().of(lambda held: held and held.hand.rank.clause),
        "tie_break": part(_tie_break(variant), lambda held: held, null=True),
    }
    place = Serializer[Place[Shown | Unshown]](
        shapes.component(variant, "Place"),
        {
            **place_fields(strength, shapes.INTEGER.or_null(f"{STRENGTH} Null: not shown.")),
            **inlined(lambda place: place.entries[0].held, hand),
            "hands": parts(shown, "entries", "The dice of each player in this place."),
        },
    )
    return {
        **inlined("ending.places", places_fields(place)),
        "wins_game": shapes.FLAG(WINS_GAME).of("ending.wins_game"),
        "pots": parts(POT, "ending.pots", "Main pot first; with `paid`.", required=False),
        "payouts": shapes.by_player(shapes.COUNT).optional("From all pots; with `paid`."),
        "returned": shapes.by_player(shapes.ORDINAL)
        .optional("The part of `payouts` that nobody called; with `paid`.")
        .of("ending.returned"),
    }


def on_paper(variant: CommunityRanking) -> StrictField:
    """The chips of a player in a game from paper; 0: out of the game."""
    return chips(variant)


def columns(variant: CommunityRanking) -> BatchColumns:
    """The columns of a batch of `variant`."""
    dice = variant.dice
    letters = "".join(suit.letter for suit in dice.suits)
    faces = "".join(dice.names) or f"1-{dice.faces}"
    least, most = min(variant.hand_sizes), max(variant.hand_sizes)
    hand = {
        "title": shapes.component(variant, "Hand"),
        "description": f"Pocket and community dice together, {any_of(variant.hand_sizes)} of "
        "them, as a list or as one string. All hands of a request have the same number of dice.",
        "oneOf": [
            shapes.dice(variant, variant.hand_sizes),
            {"type": "string", "pattern": f"^([{faces}][{letters}]){{{least},{most}}}$"},
        ],
    }
    return BatchColumns(variant, hand, rank_columns(variant))


def _take(
    variant: CommunityRanking, given: Mapping[str, Any], strength: Strength, source: Random
) -> Chosen:
    """What a player does in the position of a request, who has chips for any bet."""
    from service.advice.community import playing  # NumPy takes long to import

    rules, community = given["house_rules"], given["community"]
    pot, to_call = given.get("pot", 0), given.get("to_call", 0)
    opponents = given.get("opponents", max(1, len(given["known"])))
    stage = variant.stages.index(len(community))
    stakes = Stakes.of(rules, variant.chip)
    limit = stakes.small_limit if stage < TURN else stakes.big_limit
    facing = Betting((0, to_call), (0,), least=max(to_call, variant.chip))
    stack = to_call + max(limit, pot + to_call)
    moves = facing.moves("", stack, limit, pot, stakes, answerable=True)
    spot = playing.Spot(
        stage=stage,
        pot=pot,
        to_call=to_call,
        paid=max(0, pot - to_call) // (opponents + 1),
        bets=int(to_call > 0),
        opponents=opponents,
        dealt=opponents + 1,
        acts_first=not to_call,
    )
    return playing.play(variant, rules, spot, given["pocket"], community, moves, strength, source)


def can_play(_: Settings, variant: CommunityRanking, *_game: Any) -> bool:
    """Whether `variant` has advice."""
    return has_advice(variant)


def play(_: Settings, choice: Choice) -> Chosen:
    """What the service does for the player who has to bet."""
    from service.advice.community import playing  # NumPy takes long to import

    variant, rules, view, moves, strength, source = choice
    pocket = variant.dice.read_codes(view["pocket"], (variant.pocket,))
    community = variant.dice.read_codes(view["community"], (len(view["community"]),))
    spot = playing.Spot.of(variant, view, moves[0].player)
    return playing.play(variant, rules, spot, pocket, community, moves, strength, source)
