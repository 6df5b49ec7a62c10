"""Games that lay dice out as crossing lines."""
