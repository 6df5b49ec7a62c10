"""The search for the layout with the most points."""
