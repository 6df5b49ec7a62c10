"""Sessions: stored games with fair dice, tokens, a clock and a history; nothing of HTTP."""
