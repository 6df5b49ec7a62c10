"""Where the README's figures come from; each module prints its own."""
