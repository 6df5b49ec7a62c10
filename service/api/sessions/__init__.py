"""Sessions over HTTP: requests, responses, legal actions as JSON Schema, and errors."""
