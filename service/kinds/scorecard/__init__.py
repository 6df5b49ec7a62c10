"""Score cards, such as dice poker: every turn scores one box of a card."""
