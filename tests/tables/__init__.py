"""Tables of solved score cards."""
