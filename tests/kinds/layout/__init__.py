"""Games that lay dice out."""
