"""The search for the best layout."""
