"""What all requests share."""
