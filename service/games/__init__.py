"""The games of the variants in steps, by kind: pure functions of a state and an action."""
