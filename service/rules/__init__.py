"""What all games are made of: dice, house rules, patterns, places and violations."""
