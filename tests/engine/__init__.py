"""What all games in steps share."""
