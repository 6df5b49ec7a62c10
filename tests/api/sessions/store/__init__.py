"""Sessions over HTTP when their store fails."""
