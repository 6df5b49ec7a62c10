"""Advice for score cards: the best play of any card, from tables that are solved once.

- `scoring.scoring(variant, rules)` is what decides about points in a game under house rules. Its
  `key` names the table. House rules that change no points don't change the key.
- `table.checked(scoring)` counts the states of a table, or raises `TooLarge`, before it is solved;
  `table.solve(scoring, report)` solves it, and `Table.of(scoring, arrays)` makes a table of that.
  `service.tables` keeps tables in files.
- `table.small_table(scoring, position)` solves only what can follow a card with few open boxes.
- `options.advise(table, card, dice, rolls_left, limit)` is the advice: the expected total, its
  deviation, and the best options.
- `reach.reach(table, card, target, dice, rolls_left)` is the chance to reach a target.
- `review.review(table, variant, rules, turns, card)` is what each choice of `played.PlayedTurn`s
  lost, and the luck of each roll.
- `choosing.choose_option(table, card, dice, rolls_left, strength, source)` is what a player of the
  service does.
- `forecast.forecast(tables, hands)` is the chance to win with each of several cards.
"""
