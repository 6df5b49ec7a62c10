"""A game with the id of another game."""

from dataclasses import replace

from service.variants import poker_dice
from tests.trial_games import three_dice

VARIANT = replace(three_dice.VARIANT, id=poker_dice.VARIANT.id)
