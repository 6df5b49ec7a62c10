"""Advice for score cards: the best play of any card, from tables that are solved once.

- `scoring.scoring(variant, rules)` is what of a game and its house rules matters. Its `key` names
  the table; house rules that change no points share it.
- `table.checked(scoring)` counts the states of a table, or raises `TooLarge`, before it is solved;
  `table.solve(scoring, report)` solves it. `table.write(path, array)`, `table.read(path, scoring)`
  and `Table.of(scoring, array)` store and map it.
- `table.small_table(scoring, position)` solves what can follow a card with few open boxes at once.
- `options.advise(table, card, dice, rolls_left, limit)` is the advice: the expected total, its
  deviation, and the best options.
- `review.review(table, variant, rules, turns, card)` is what each choice of `played.PlayedTurn`s
  lost, and the luck of each roll.
"""
