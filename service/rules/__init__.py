"""What all games are made of: dice, house rules, patterns, places, and what is wrong with input."""
