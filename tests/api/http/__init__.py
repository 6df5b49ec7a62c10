"""HTTP that all paths share."""
