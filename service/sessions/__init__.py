"""Games in several steps, remembered: fair dice, tokens, history, and the store."""
